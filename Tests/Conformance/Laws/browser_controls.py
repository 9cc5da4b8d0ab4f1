# SPDX-License-Identifier: MIT
"""Chromium's browser controls: what cc/input/browser_controls_offset_manager.cc does in ScrollBegin, ScrollBy, ScrollEnd, PinchBegin, PinchEnd,
Animate, StartAnimationIfNecessary, UpdateBrowserControlsState and OnBrowserControlsParamsChanged."""

import math
import struct

SYSTEM = "browser-controls"
FLOAT_MAX = 3.4028234663852886e38
DEFAULTS = {
    "topControlsHeight": 100, "topControlsMinHeight": 0, "bottomControlsHeight": 0, "bottomControlsMinHeight": 0,
    "showThreshold": 0.5, "hideThreshold": 0.5, "smoothScroll": False, "snapAnimation": False,
    "heightChangeCancelsAnimations": False, "frameInterval": 16.666, "onlyExpandTopControlsAtPageTop": False,
    "ratioClamp": "managerRange",
}


def f(x):
    """A number as a 32-bit float."""
    if x != x or x in (math.inf, -math.inf):
        return x
    return struct.unpack("f", struct.pack("f", x))[0]


def clamp(v, low, high):
    return max(low, min(v, high))


def bezier(x1, x2, y1, y2):
    def curve(x):
        def at(t, a, b):
            return 3 * (1 - t) ** 2 * t * a + 3 * (1 - t) * t * t * b + t ** 3
        low, high = 0.0, 1.0
        for _ in range(60):
            t = (low + high) / 2
            if at(t, x1, x2) < x:
                low = t
            else:
                high = t
        return at((low + high) / 2, y1, y2)
    return curve


LINEAR = lambda p: p
FAST_OUT_LINEAR_IN = bezier(0.4, 1, 0, 1)
LINEAR_OUT_SLOW_IN = bezier(0, 0.2, 0, 1)


class Bar:
    def __init__(self, name):
        self.name = name
        self.H = self.m = self.old_H = self.old_m = 0.0
        self.ratio, self.baseline, self.min_offset = 1.0, 0.0, 0.0
        self.changing, self.span = False, (0.0, 0.0)
        self.started, self.t0, self.t1 = False, 0, 0
        self.clear()

    def clear(self):
        self.animated, self.direction, self.jump = False, "none", False
        self.start = self.stop = self.low = 0.0
        self.high = 1.0
        self.started = False

    @property
    def least(self):
        return f(self.m / self.H) if self.H else 0.0

    @property
    def offset(self):
        return f(self.ratio * self.H) if self.H > 0 else 0.0

    @property
    def range(self):
        return (self.low, self.high) if self.animated else (0.0, 1.0)

    @property
    def final(self):
        return clamp(self.stop, self.low, self.high)

    @property
    def end(self):
        return self.final if self.animated else self.ratio

    def initialize(self, direction, start, stop, ms, jump, curve):
        self.animated, self.direction, self.start, self.stop = True, direction, start, stop
        self.duration, self.jump, self.curve = ms, jump, curve
        self.low, self.high = min(start, stop), max(start, stop)

    def tick(self, now):
        if not self.animated:
            return None
        if not self.started:
            self.started, self.t0, self.t1 = True, now, now + self.duration * 1000
        if now <= self.t0:
            value = self.start
        elif now >= self.t1:
            value = self.stop
        else:
            p = self.curve((now - self.t0) / (self.t1 - self.t0))
            value = f(self.start + f(self.stop - self.start) * p)
        if (self.direction == "show" and (value >= self.stop or value >= self.high)) or (
                self.direction == "hide" and (value <= self.stop or value <= self.low)):
            value = self.final
            self.clear()
        return value

    def reset(self):
        value = self.final if self.animated and self.jump else None
        self.clear()
        return value


class Law:
    def __init__(self, options, scene):
        self.o = {**DEFAULTS, **options}
        self.top, self.bottom = Bar("top"), Bar("bottom")
        for bar in self.bars:
            bar.H = bar.old_H = f(self.o[bar.name + "ControlsHeight"])
            bar.m = bar.old_m = f(self.o[bar.name + "ControlsMinHeight"])
        self.permitted, self.unsynced = "both", False
        self.accumulated = self.unapplied = 0.0
        self.pinching = self.show_after = self.played = False
        self.samples = []
        self.v, self.now = 0.0, 0
        self.begin()

    def begin(self):
        self.commits = self.redraws = 0
        self.returned = None
        self.predicted = None

    @property
    def bars(self):
        return (self.top, self.bottom)

    def tell(self, t, b):
        for bar, r in ((self.top, t), (self.bottom, b)):
            low, high = bar.range
            bar.ratio = f(clamp(r, low, high)) if self.o["ratioClamp"] == "managerRange" else max(r, 0.0)

    def reset_baseline(self):
        self.accumulated = self.unapplied = 0.0
        for bar in self.bars:
            bar.baseline = bar.offset

    @property
    def has_animation(self):
        return self.top.animated or self.bottom.animated or self.unapplied != 0

    @property
    def animating_to_show(self):
        return self.top.animated and self.top.direction == "show"

    def reset_animations(self):
        t, b = self.top.reset(), self.bottom.reset()
        if t is not None or b is not None:
            self.tell(self.top.ratio if t is None else t, self.bottom.ratio if b is None else b)
            for bar in self.bars:
                if bar.changing:
                    bar.min_offset = bar.m
        for bar in self.bars:
            bar.changing = False

    def setup(self, direction, ms=200, curve=LINEAR):
        if all(bar.animated and bar.direction == direction for bar in self.bars):
            return
        if self.top.H == 0 and self.bottom.H == 0:
            return self.tell(*((0.0, 0.0) if direction == "hide" else (1.0, 1.0)))
        for bar in self.bars:
            bar.initialize(direction, bar.ratio, f(bar.ratio + (1 if direction == "show" else -1)), ms, False, curve)
            bar.low, bar.high = bar.least, 1.0
        self.unapplied = 0.0
        self.redraws += 1

    def start_if_necessary(self):
        if all(bar.ratio in (bar.least, 1) for bar in self.bars):
            return
        top = self.top
        S, D = f(self.o["hideThreshold"]), f(self.o["showThreshold"])
        above = f(1 - top.least)
        n = f(f(top.ratio - top.least) / above) if above else math.nan
        if n >= f(1 - D):
            self.setup("show")
        elif n <= S:
            self.setup("hide")
        else:
            self.setup("show" if self.accumulated <= 0 else "hide")

    def scroll_begin(self):
        if self.pinching:
            return
        if self.o["snapAnimation"]:
            if self.has_animation:
                self.played = True
                return
        else:
            self.show_after = self.animating_to_show
        self.reset_animations()
        self.reset_baseline()

    def scroll_by(self, y):
        y = f(y)
        if (self.top.H == 0 and self.bottom.H == 0) or self.pinching or (self.permitted == "shown" and y > 0) or (
                self.permitted == "hidden" and y < 0):
            return y
        if self.o["snapAnimation"]:
            self.snap(y)
            return y
        v = f(self.v)
        if self.o["onlyExpandTopControlsAtPageTop"] and y < 0 and v > 0:
            self.reset_baseline()
            self.accumulated = min(0.0, f(y + v))
        else:
            self.accumulated = f(self.accumulated + y)
        lead = self.top if self.top.H != 0 else self.bottom
        h, m = lead.H, lead.least
        old = self.top.offset

        def norm(q):
            return 1.0 if m == 1 else f(f(clamp(q, m, 1.0) - m) / f(1 - m))

        want = norm(f(f(f(lead.baseline - self.accumulated) + self.unapplied) / h))
        have = norm(lead.ratio)
        limit = 1.0
        if self.o["smoothScroll"]:
            S, D = f(self.o["hideThreshold"]), f(self.o["showThreshold"])
            frame = f(self.o["frameInterval"])
            T = clamp(f(200 * min(f(1 - S), f(D - m))), frame, 200.0)
            limit = f(frame / T)
        n = clamp(want, f(have - limit), f(have + limit))
        if n != want:
            rest = f(f(f(want - n) * f(1 - m)) * h)
            if math.copysign(1, rest) != math.copysign(1, self.unapplied):
                self.unapplied = 0.0
            self.unapplied = f(self.unapplied + rest)
        tm, bm = self.top.least, self.bottom.least
        self.tell(f(tm + f(n * f(1 - tm))), f(bm + f(n * f(1 - bm))))
        if self.top.ratio == 1 and self.bottom.ratio == 1:
            self.reset_baseline()
            self.show_after = False
        self.reset_animations()
        if n < 1 and y < 0 and v == 0:
            return None
        return f(y - f(old - self.top.offset))

    def velocity(self):
        if not self.samples:
            return 0.0
        if len(self.samples) == 1:
            y = self.samples[0][1]
            return 0.0 if y == 0 else math.copysign(FLOAT_MAX, y)
        total = 0.0
        for _, y in self.samples:
            total = f(total + y)
        return f(total / f((self.samples[-1][0] - self.samples[0][0]) / 1000))

    def snap(self, y):
        self.accumulated = f(self.accumulated + y)
        speed = self.velocity()
        if not (speed >= 0 and y >= 0) and not (speed <= 0 and y <= 0):
            self.samples = []
        self.samples = [s for s in self.samples if self.now - s[0] <= 200_000]
        if self.samples and self.samples[-1][0] == self.now:
            self.samples[-1] = (self.now, f(self.samples[-1][1] + y))
        else:
            self.samples.append((self.now, y))
        if self.has_animation:
            return
        lead = self.top if self.top.H != 0 else self.bottom
        travel = f(lead.H - lead.m)
        always = f(2 * f(self.top.H - self.top.m)) if self.top.H > 0 else 0.0
        if y >= 0:
            if self.v <= 2 * always or self.played or self.accumulated < travel or lead.ratio == lead.least:
                return
        elif (self.v > always and self.accumulated > -travel) or lead.ratio == 1:
            return
        speed = self.velocity()
        ms = clamp(int(travel / abs(speed)), 50, 200) if speed else 200
        if y >= 0:
            self.setup("hide", ms, FAST_OUT_LINEAR_IN)
        else:
            self.setup("show", ms, LINEAR_OUT_SLOW_IN)
        self.played = True

    def animate(self):
        if not self.has_animation:
            return 0.0
        if self.unapplied != 0:
            u = self.unapplied
            r = self.scroll_by(u)
            self.unapplied = f(u - (r or 0.0))
            return 0.0
        before = [bar.offset for bar in self.bars]
        values = [bar.tick(self.now) for bar in self.bars]
        self.tell(*(bar.ratio if value is None else value for bar, value in zip(self.bars, values)))
        for bar, old in zip(self.bars, before):
            if bar.changing:
                bar.min_offset = f(clamp(f(bar.min_offset + f(bar.offset - old)), *bar.span))
                bar.changing = bar.animated
                if bar is self.bottom and not bar.changing:
                    bar.min_offset = bar.m
        return f(self.top.offset - before[0])

    def update_state(self, constraints, current, animate):
        if constraints != self.permitted:
            self.unsynced = True
            self.commits += 1
        self.permitted = constraints
        if constraints == "both" and current == "both":
            return
        hides = "hidden" in (constraints, current)
        goal = [bar.least if hides else 1.0 for bar in self.bars]
        if [bar.ratio for bar in self.bars] == goal:
            return self.reset_animations()
        if [bar.end for bar in self.bars] == goal:
            return
        self.reset_animations()
        if animate and not hides:
            self.show_after = True
        if animate:
            self.setup("hide" if hides else "show")
        else:
            self.tell(*goal)

    def set_params(self, s):
        if "onlyExpandTopControlsAtPageTop" in s:
            self.o["onlyExpandTopControlsAtPageTop"] = s["onlyExpandTopControlsAtPageTop"]
        for bar in self.bars:
            bar.H, bar.m = f(s[bar.name + "ControlsHeight"]), f(s.get(bar.name + "ControlsMinHeight", 0))
        if all(bar.H == bar.old_H and bar.m == bar.old_m for bar in self.bars):
            return
        animate = s["animate"]

        def old_least(bar):
            return f(bar.old_m / bar.old_H) if bar.old_H else 0.0

        new = []
        for bar in self.bars:
            value = f(f(bar.ratio * bar.old_H) / bar.H) if bar.H else bar.ratio
            if not animate:
                if self.permitted == "hidden":
                    value = bar.least
                elif bar.ratio == 1:
                    value = 1.0
                elif bar.ratio == old_least(bar):
                    value = bar.least
            new.append(value)
        if not animate and self.o["heightChangeCancelsAnimations"] and any(bar.animated and bar.jump for bar in self.bars):
            self.reset_animations()
        goals = []
        for bar in self.bars:
            goal = None
            if animate and bar.H:
                if bar.ratio == 1 and bar.H != bar.old_H:
                    goal = 1.0
                elif bar.end == old_least(bar) and bar.m != bar.old_m:
                    goal = bar.least
            goals.append(goal)
        for bar, start, goal in zip(self.bars, new, goals):
            if goal is None:
                bar.min_offset = bar.m
                continue
            bar.initialize("show" if start < goal else "hide", start, goal, 200, True, LINEAR)
            if bar.m != bar.old_m:
                bar.min_offset = bar.old_m
                if bar is self.bottom:
                    dh, dm = int(f(bar.H - bar.old_H)), int(f(bar.m - bar.old_m))
                    if dm > dh:
                        bar.min_offset = f(bar.min_offset + (dm - dh))
                bar.changing = True
                bar.span = (min(bar.min_offset, bar.m), max(bar.min_offset, bar.m))
        for bar in self.bars:
            bar.old_H, bar.old_m = bar.H, bar.m
        self.tell(*new)

    def step(self, s):
        self.begin()
        self.now = round(s["time"] * 1000)
        self.v = s["viewportOffset"]
        event = s["event"]
        if event == "scrollBegin":
            self.scroll_begin()
        elif event == "scrollBy":
            left = self.scroll_by(s["delta"]["y"])
            self.returned = {"x": 0, "y": 0} if left is None else {"x": s["delta"]["x"], "y": left}
        elif event == "scrollEnd" and not self.pinching:
            if self.o["snapAnimation"]:
                self.samples, self.played = [], False
            elif self.show_after and self.top.ratio != 1:
                self.setup("show")
            else:
                self.start_if_necessary()
        elif event == "pinchBegin":
            self.pinching = True
            self.start_if_necessary()
        elif event == "pinchEnd":
            self.pinching = False
            self.scroll_begin()
        elif event == "animate":
            self.returned = {"x": 0, "y": self.animate()}
        elif event == "updateState":
            self.update_state(s["constraints"], s["current"], s["animate"])
        elif event == "constraintSynced":
            self.unsynced = False
        elif event == "setParams":
            self.set_params(s)
        elif event == "setShownRatio":
            self.tell(f(s["top"]), f(s["bottom"]))
        elif event == "setOptions":
            self.o.update(s["options"])
        elif event == "predictViewportBoundsDelta":
            self.predicted = self.predict(s["current"], s["distance"])

    def predict(self, current, distance):
        if distance > 0 and current > 0:
            return current + sum(bar.offset for bar in self.bars if bar.ratio < 1)
        if distance < 0 and current < 0:
            return current - sum(bar.H - bar.offset for bar in self.bars if bar.ratio > 0)
        return current

    def expect(self):
        top, bottom = self.bars
        shown = {
            "topShownRatio": top.ratio, "bottomShownRatio": bottom.ratio, "controlsTopOffset": f(top.offset - top.H),
            "contentTopOffset": top.offset, "contentBottomOffset": bottom.offset, "topMinHeightOffset": top.min_offset,
            "bottomMinHeightOffset": bottom.min_offset, "topRatioRange": list(top.range),
            "bottomRatioRange": list(bottom.range), "hasAnimation": self.has_animation,
            "animatingToShow": self.animating_to_show, "constraint": self.permitted, "constraintUnsynced": self.unsynced,
            "commits": self.commits, "redraws": self.redraws, "returned": self.returned,
        }
        if self.predicted is not None:
            shown["predicted"] = self.predicted
        return shown


def random_run(r):
    top = r.choice([100, 56, 0, 128.5])
    bottom = r.choice([0, 0, 48, 60])
    options = {
        "topControlsHeight": top, "topControlsMinHeight": r.choice([0, 0, 20, top]) if top else 0,
        "bottomControlsHeight": bottom, "bottomControlsMinHeight": r.choice([0, 0, 15, bottom]) if bottom else 0,
        "showThreshold": r.choice([0.5, 0.5, 0.25, 0.4]), "hideThreshold": r.choice([0.5, 0.5, 0.25, 0.7]),
        "smoothScroll": r.random() < 0.35, "snapAnimation": r.random() < 0.2,
        "heightChangeCancelsAnimations": r.random() < 0.4, "frameInterval": r.choice([16.666, 8.333]),
        "onlyExpandTopControlsAtPageTop": r.random() < 0.2, "ratioClamp": r.choice(["managerRange", "managerRange", "nonNegative"]),
    }

    def steps(law):
        time, page = 0.0, r.choice([0.0, 300.0, 1000.0])

        def step(event, **fields):
            return {"time": round(time, 3), "event": event, **fields, "viewportOffset": page}

        for _ in range(24):
            time += r.choice([8.3, 16.667, 40])
            roll = r.random()
            if roll < 0.5:
                yield step("scrollBegin")
                way, pace = r.choice([-1, 1]), r.choice([3, 20, 80])
                for _ in range(r.randrange(1, 7)):
                    time += r.choice([8.3, 16.667])
                    if r.random() < 0.2:
                        way = -way
                    y = f(round(way * r.random() * pace, 2)) if r.random() < 0.93 else 0.0
                    yield step("scrollBy", delta={"x": r.choice([0, 0, 3]), "y": y})
                    page = max(0.0, page + (law.returned["y"]))
                    if law.unapplied and r.random() < 0.6 or r.random() < 0.1:
                        time += 8.3
                        yield step("animate")
                if r.random() < 0.9:
                    yield step("scrollEnd")
            elif roll < 0.62:
                yield step("updateState", constraints=r.choice(["both", "both", "shown", "hidden"]), current="both", animate=r.random() < 0.6)
            elif roll < 0.72:
                yield step("updateState", constraints="both", current=r.choice(["both", "shown", "hidden"]), animate=r.random() < 0.6)
            elif roll < 0.86:
                t, b = r.choice([top, 80, 56]), r.choice([bottom, 40, 0])
                yield step("setParams", topControlsHeight=t, topControlsMinHeight=r.choice([0, min(t, 20), min(t, 30.5)]),
                           bottomControlsHeight=b, bottomControlsMinHeight=r.choice([0, min(b, 12)]), animate=r.random() < 0.6)
            elif roll < 0.9:
                yield step("pinchBegin")
                if r.random() < 0.8:
                    time += 50
                    yield step("pinchEnd")
            elif roll < 0.93:
                yield step("setShownRatio", top=r.choice([0, 0.4, 1]), bottom=r.choice([0, 0.4, 1]))
            elif roll < 0.96:
                yield step("predictViewportBoundsDelta", current=r.choice([-10, 0, 10]), distance=r.choice([-5, 0, 5]))
            else:
                yield step("constraintSynced")
            time += r.choice([0, 0, 100, 500])
            for _ in range(r.choice([0, 1, 3, 16])):
                time += r.choice([16.667, 16.667, 33.3])
                yield step("animate")
                page = max(0.0, page + law.returned["y"])

    return options, None, steps
