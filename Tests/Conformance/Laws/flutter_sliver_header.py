# SPDX-License-Identifier: MIT
"""Flutter's persistent headers 5b8694c: what rendering/sliver_persistent_header.dart does in performLayout and updateScrollStartDirection of its
four render objects, and the viewport around them."""

SYSTEM = "flutter-sliver-header"


def clamp(v, low, high):
    return max(low, min(v, high))


def ease(t):
    if t in (0, 1):
        return t
    low, high = 0.0, 1.0
    while True:
        u = (low + high) / 2
        x = 3 * 0.58 * (1 - u) * u * u + u ** 3
        if abs(t - x) < 0.001:
            return 3 * (1 - u) * u * u + u ** 3
        if x < t:
            low = u
        else:
            high = u


class Law:
    def __init__(self, options, scene):
        o = options
        self.kind, self.m, self.M, self.view = o["kind"], o["minExtent"], o["maxExtent"], o["viewport"]
        self.before, self.snaps, self.trigger = o["before"], o["snap"], o["stretchTriggerOffset"]
        self.stretches = self.trigger is not None
        self.floats = self.kind.startswith("floating")
        self.pinned = self.kind in ("pinned", "floatingPinned")
        self.pixels, self.direction, self.start_direction = 0.0, "idle", "idle"
        self.e = self.last_s = self.child = None
        self.last_stretch = 0.0
        self.snap = None
        self.triggers = 0
        self.layout()

    def layout(self):
        p, v = self.pixels, self.view
        first, scroll, room, line = (0.0, p, v, 0.0) if p >= 0 else (-p, 0.0, v + p, 0.0)
        if self.before > 0:
            painted = clamp(self.before - scroll, 0, room)
            line = max(first + painted, line)
            scroll -= self.before
            offset = first + painted
            room = max(0, room - painted)
        else:
            offset = first
        s = max(0, scroll)
        overlap, R, M, m = line - offset, room, self.M, self.m
        S = abs(overlap) if self.stretches else 0
        stretch_now = self.stretches and s == 0
        overlaps = False
        if self.floats:
            if self.last_s is not None and (s < self.last_s or self.e < M):
                d = self.last_s - s
                if self.direction == "forward" or self.start_direction == "forward":
                    self.e = min(self.e, M)
                else:
                    d = min(d, 0)
                self.e = clamp(self.e - d, 0, s)
            else:
                self.e = s
            b = self.e
            overlaps = self.e < s
            self.last_s = s
        else:
            b = s
            overlaps = self.kind == "pinned" and overlap > 0
        shrink = min(b, M)
        stretch = abs(overlap) if stretch_now else 0
        extent = max(m, M - shrink) + stretch
        if self.stretches and stretch >= self.trigger and self.last_stretch <= self.trigger:
            self.triggers += 1
        self.last_stretch = stretch
        if self.kind == "pinned":
            room_left = max(0, R - overlap)
            origin, paint, lay = overlap, min(extent, room_left), clamp(M - s, 0, room_left)
            most, self.child = M + S, 0.0
        elif self.kind == "floatingPinned":
            origin = min(overlap, 0)
            paint = clamp(M - self.e, min(m, R), R)
            lay = clamp(M - s, 0, paint)
            most, self.child = M + S, 0.0
        else:
            base = self.e if self.floats else s
            origin = min(overlap, 0)
            paint, lay = clamp(M - base, 0, R), clamp(M - s, 0, R)
            more = S if self.child == 0 else 0
            most = M + more
            self.child = 0.0 if more > 0 else min(0, M - base - extent)
        self.shown = {
            "constraints": {"scrollOffset": s, "overlap": overlap, "remainingPaintExtent": R},
            "shrinkOffset": shrink, "overlapsContent": overlaps, "effectiveScrollOffset": self.e,
            "geometry": {"scrollExtent": M, "paintOrigin": origin, "paintExtent": paint, "layoutExtent": lay,
                         "maxPaintExtent": most, "maxScrollObstructionExtent": m if self.pinned else 0},
            "childExtent": extent, "childPosition": self.child,
            "childTop": offset + origin + self.child if paint > 0 else None, "nextTop": offset + lay, "visible": paint > 0,
        }

    def step(self, s):
        self.triggers = 0
        event = s["event"]
        if event == "scroll":
            self.pixels, self.direction = s["pixels"], s["direction"]
        elif event == "scrollStart":
            self.start_direction = s["direction"]
            self.snap = None
        elif event == "scrollEnd":
            forward = s["direction"] == "forward"
            if self.snaps and not (forward and self.e <= 0) and not (s["direction"] == "reverse" and self.e >= self.M):
                self.snap = (self.e, 0.0 if forward else self.M, None)
            self.direction = "idle"
        elif event == "frame" and self.snap:
            start, goal, zero = self.snap
            zero = s["time"] if zero is None else zero
            t = min(1, (s["time"] - zero) / 200)
            self.e = start + (goal - start) * ease(t) if 0 < t < 1 else (goal if t >= 1 else start)
            self.snap = None if s["time"] - zero > 200 else (start, goal, zero)
        self.layout()

    def expect(self):
        return {**self.shown, "stretchTriggers": self.triggers, "snapping": self.snap is not None}


def random_run(r):
    kind = r.choice(["scrolling", "pinned", "floating", "floatingPinned", "floating", "floatingPinned"])
    least = r.choice([0.0, 10.0, 44.0, 56.0, 100.0])
    options = {
        "kind": kind, "minExtent": least, "maxExtent": least + r.choice([0.0, 20.0, 100.0, 180.0]) or 40.0,
        "viewport": r.choice([600.0, 150.0]), "before": r.choice([0.0, 0.0, 100.0, 1000.0]),
        "snap": kind.startswith("floating") and r.random() < 0.5,
        "stretchTriggerOffset": r.choice([None, None, None, 20.0, 50.0]),
    }

    def steps(law):
        time = 0.0
        most = options["before"] + options["maxExtent"] + 300
        for _ in range(14):
            towards = "idle"
            roll = r.random()
            if roll < 0.25:
                time += 16.667
                yield {"time": time, "event": "scroll", "pixels": clamp(law.pixels + r.choice([-1, 1]) * r.random() * 120, -120.0, most), "direction": "idle"}
                continue
            yield {"time": time, "event": "scrollStart", "direction": law.direction if r.random() < 0.6 else r.choice(["forward", "reverse"])}
            pixels, way, pace = law.pixels, r.choice([-1, 1]), r.choice([5, 30, 90])
            for _ in range(r.randrange(1, 8)):
                time += 16.667
                if r.random() < 0.2:
                    way = -way
                pixels = clamp(pixels + way * r.random() * pace, -120.0, most)
                towards = "forward" if way < 0 else "reverse"
                yield {"time": time, "event": "scroll", "pixels": pixels, "direction": towards}
            yield {"time": time, "event": "scrollEnd", "direction": towards}
            if r.random() < 0.7:
                time += r.choice([0, 40, 300])
                for _ in range(r.randrange(1, 20)):
                    time += r.choice([16.667, 16.667, 8.333, 60.0])
                    yield {"time": time, "event": "frame"}

    return options, None, steps
