# SPDX-License-Identifier: MIT
"""headroom.js 0f53fc7 (0.12.0): what Headroom.js does in update, shouldPin and shouldUnpin with the details that trackScroll.js gives it."""

import math

SYSTEM = "headroom-js"
CLASSES = {
    "initial": "headroom", "pinned": "headroom--pinned", "unpinned": "headroom--unpinned", "top": "headroom--top",
    "notTop": "headroom--not-top", "bottom": "headroom--bottom", "notBottom": "headroom--not-bottom",
    "frozen": "headroom--frozen",
}


class Law:
    def __init__(self, options, scene):
        self.scene = dict(scene)
        self.names = {k: v.split() for k, v in {**CLASSES, **options.get("classes", {})}.items()}
        self.tolerance, self.zone = {}, {}
        self.set({"tolerance": options.get("tolerance", 0), "offset": options.get("offset", 0)})
        self.y = scene["scrollY"]
        self.classes, self.initialised, self.frozen = [], False, False
        self.timers, self.listening, self.pending = [], False, False
        self.last = None
        self.now = 0.0
        self.begin()

    def begin(self):
        self.callbacks, self.details = [], None

    def set(self, options):
        for name, sides in (("tolerance", self.tolerance), ("offset", self.zone)):
            if name in options:
                given = options[name]
                sides.update(given if isinstance(given, dict) else {"up": given, "down": given})

    def has(self, key):
        return all(n in self.classes for n in self.names[key])

    def add(self, key):
        for n in self.names[key]:
            if n not in self.classes:
                self.classes.append(n)

    def remove(self, key):
        self.classes = [n for n in self.classes if n not in self.names[key]]

    def look(self):
        y = math.floor(self.y + 0.5)
        direction = "down" if y > self.last else "up"
        distance = abs(y - self.last)
        view, length = self.scene["viewportHeight"], max(self.scene["scrollHeight"], self.scene["viewportHeight"])
        limit, zone = self.tolerance.get(direction), self.zone.get(direction)
        self.details = d = {
            "scrollY": y, "lastScrollY": self.last, "direction": direction, "distance": distance,
            "isOutOfBounds": y < 0 or y + view > length, "top": zone is not None and y <= zone, "bottom": y + view >= length,
            "toleranceExceeded": limit is not None and distance > limit,
        }
        self.last = y
        if d["isOutOfBounds"] or self.frozen:
            return
        self.mark(d["top"], "top", "notTop", "onTop", "onNotTop")
        self.mark(d["bottom"], "bottom", "notBottom", "onBottom", "onNotBottom")
        if direction == "down" and not d["top"] and d["toleranceExceeded"]:
            self.unpin()
        elif (direction == "up" and d["toleranceExceeded"]) or d["top"]:
            self.pin()

    def mark(self, is_so, yes, no, on_yes, on_no):
        key, other, callback = (yes, no, on_yes) if is_so else (no, yes, on_no)
        if not self.has(key):
            self.add(key)
            self.remove(other)
            self.callbacks.append(callback)

    def unpin(self):
        if self.has("pinned") or not self.has("unpinned"):
            self.add("unpinned")
            self.remove("pinned")
            self.callbacks.append("onUnpin")

    def pin(self):
        if self.has("unpinned"):
            self.add("pinned")
            self.remove("unpinned")
            self.callbacks.append("onPin")

    def call(self, name):
        if name == "freeze":
            self.frozen = True
            self.add("frozen")
        elif name == "unfreeze":
            self.frozen = False
            self.remove("frozen")
        elif name == "destroy":
            self.initialised = self.listening = self.pending = False
            for key in self.names:
                self.remove(key)
        else:
            {"pin": self.pin, "unpin": self.unpin}[name]()

    def step(self, s):
        self.begin()
        event = s["event"]
        if event == "init" and not self.initialised:
            self.add("initial")
            self.initialised = True
            self.timers.append(s["time"] + 100)
        elif event == "advance":
            due = [t for t in self.timers if t <= s["time"]]
            self.timers = [t for t in self.timers if t > s["time"]]
            for _ in due:
                self.listening, self.last = True, self.y
                self.look()
        elif event == "scroll":
            self.y = s["scrollY"]
            self.pending = self.pending or self.listening
        elif event == "frame" and self.pending:
            self.look()
            self.pending = False
        elif event == "layout":
            self.scene.update(s["scene"])
        elif event == "setOptions":
            self.set(s["options"])
        elif event == "call":
            self.call(s["name"])

    def expect(self):
        return {
            "classes": list(self.classes), "callbacks": self.callbacks, "details": self.details, "pendingFrame": self.pending,
            "listening": self.listening, "frozen": self.frozen, "initialised": self.initialised,
        }


def random_run(r):
    def sides(numbers):
        roll = r.random()
        if roll < 0.4:
            return r.choice(numbers)
        both = {"up": r.choice(numbers), "down": r.choice(numbers)}
        if roll > 0.85:
            del both[r.choice(["up", "down"])]
        return both

    options = {}
    if r.random() < 0.7:
        options["tolerance"] = sides([0, 5, 12])
    if r.random() < 0.7:
        options["offset"] = sides([0, 60, 150])
    if r.random() < 0.4:
        options["scroller"] = r.choice(["window", "element"])
    if r.random() < 0.6:
        pool = ["a", "b", "c", "d", "bar", "bar--x"]
        keys = r.sample(list(CLASSES), r.randrange(1, 6))
        options["classes"] = {k: " ".join(r.sample(pool, r.choice([1, 1, 2]))) for k in keys}
    scene = {"viewportHeight": r.choice([700, 400]), "scrollHeight": r.choice([5000, 5000, 900, 300]), "scrollY": r.choice([0, 0, 10.6, 300])}

    def steps(law):
        time = 0.0
        yield {"time": time, "event": "init"}
        if r.random() < 0.3:
            yield {"time": time, "event": "init"}
        y = scene["scrollY"]
        for turn in range(60):
            time += 16.667
            roll = r.random()
            if roll < 0.1 or turn == 3:
                time = round(time + 100, 3)
                yield {"time": time, "event": "advance"}
            elif roll < 0.75:
                for _ in range(r.choice([1, 1, 2])):
                    y = max(-80, min(law.scene["scrollHeight"] - 200, y + r.choice([-1, 1]) * r.choice([0, 3.5, 12, 60, 200])))
                    yield {"time": time, "event": "scroll", "scrollY": y}
                time += 16.667
                yield {"time": time, "event": "frame"}
            elif roll < 0.8:
                yield {"time": time, "event": "frame"}
            elif roll < 0.85:
                yield {"time": time, "event": "layout", "scene": r.choice([{"viewportHeight": 500}, {"scrollHeight": 3000}, {"scrollHeight": 800, "viewportHeight": 600}])}
            elif roll < 0.88:
                yield {"time": time, "event": "setOptions", "options": r.choice([{"tolerance": sides([0, 5, 30])}, {"offset": sides([0, 90])}])}
            elif roll < 0.98 or not law.listening:
                yield {"time": time, "event": "call", "name": r.choice(["pin", "unpin", "freeze", "unfreeze", "unfreeze"])}
            else:
                yield {"time": time, "event": "call", "name": "destroy"}
                yield {"time": time, "event": "init"}

    return options, scene, steps
