# SPDX-License-Identifier: MIT
"""react-headroom 5cf1093 (3.2.1): what shouldUpdate decides, and what the component does about it."""

SYSTEM = "react-headroom"
DEFAULTS = {"upTolerance": 5, "downTolerance": 0, "pinStart": 0, "disable": False, "pin": False, "parent": "window",
            "calcHeightOnResize": True}


def decide(last, y, props, height, state):
    down = y >= last
    distance = abs(y - last)
    start = props["pinStart"]

    def action():
        if props["disable"]:
            return "none"
        if props["pin"]:
            return "none" if state == "pinned" else "pin"
        if y <= start and state != "unfixed":
            return "unfix"
        if state == "unfixed" and down and y <= height:
            return "none"
        if state == "unfixed" and down and y > height + start:
            return "unpin-snap"
        if down and state in ("pinned", "unfixed") and y > height + start and distance > props["downTolerance"]:
            return "unpin"
        if not down and state not in ("pinned", "unfixed") and (distance > props["upTolerance"] or y <= height):
            return "pin"
        return "none"

    return {"action": action(), "scrollDirection": "down" if down else "up", "distanceScrolled": distance}


class Law:
    def __init__(self, options, scene):
        self.o = {**DEFAULTS, **options}
        self.scene = {"scrollY": 0, "headerHeight": 0, **(scene or {})}
        self.y = self.scene["scrollY"]
        self.state, self.translate, self.cls, self.animated = "unfixed", 0, "headroom headroom--unfixed", False
        self.height = self.scene["headerHeight"]
        self.last, self.frames, self.timers = 0, [], 0
        self.mounted = True
        self.callbacks, self.decided = [], None

    @property
    def listening(self):
        return self.mounted and not self.o["disable"]

    def ask(self, what):
        if what not in self.frames:
            self.frames.append(what)

    def act(self, action):
        if action == "pin":
            self.callbacks.append("onPin")
            self.translate, self.cls, self.animated, self.state = 0, "headroom headroom--pinned", True, "pinned"
        elif action == "unpin":
            self.callbacks.append("onUnpin")
            self.translate, self.cls, self.animated, self.state = "-100%", "headroom headroom--unpinned", True, "unpinned"
        elif action == "unpin-snap":
            self.callbacks.append("onUnpin")
            self.translate, self.animated, self.state = "-100%", False, "unpinned"
            self.cls = "headroom headroom--unpinned headroom-disable-animation"
        elif action == "unfix":
            self.callbacks.append("onUnfix")
            self.unfix()
            self.timers += 1

    def unfix(self):
        self.translate, self.cls, self.animated = 0, "headroom headroom--unfixed headroom-disable-animation", False

    def look(self):
        y, view = self.y, self.scene["viewportHeight"]
        if y >= 0 and y + view <= max(self.scene["scrollHeight"], view):
            self.act(decide(self.last, y, self.o, self.height, self.state)["action"])
        self.last = y

    def step(self, s):
        self.callbacks, self.decided = [], None
        event = s["event"]
        if event == "decide":
            self.decided = decide(s["lastScrollY"], s["scrollY"], s["props"], s["state"]["height"], s["state"]["state"])
        elif event == "scroll":
            self.y = s["scrollY"]
            if self.listening:
                self.ask("look")
        elif event == "frame":
            frames, self.frames = self.frames, []
            for frame in frames:
                if frame == "look":
                    self.look()
                else:
                    self.height = self.scene["headerHeight"]
        elif event == "advance":
            if self.timers:
                self.state, self.timers = "unfixed", 0
        elif event == "resize":
            self.scene.update(s["scene"])
            if self.listening and self.o["calcHeightOnResize"]:
                self.ask("measure")
        elif event == "layout":
            self.scene.update(s["scene"])
            self.y = s["scene"].get("scrollY", self.y)
        elif event == "setOptions":
            before = self.o
            self.o = {**before, **s["options"]}
            was_away = self.state != "unfixed"
            if self.o["disable"] and was_away:
                self.unfix()
                self.state = "unfixed"
            if self.o["disable"] and not before["disable"] and was_away:
                self.callbacks.append("onUnfix")
            if self.o["pin"] != before["pin"]:
                self.ask("look")
        elif event == "unmount":
            self.mounted = False

    def expect(self):
        if self.decided:
            return self.decided
        return {
            "state": self.state, "translateY": self.translate,
            "className": self.cls + (" headroom--scrolled" if self.animated else ""), "transition": self.animated,
            "position": "relative" if self.o["disable"] or self.state == "unfixed" else "fixed", "height": self.height,
            "wrapperHeight": self.height or None, "callbacks": list(self.callbacks), "pendingFrame": bool(self.frames),
            "listening": self.listening,
        }


def random_run(r):
    options = {}
    for name, values in (("upTolerance", [0, 5, 20]), ("downTolerance", [0, 12]), ("pinStart", [0, 30, 80]),
                         ("disable", [True]), ("pin", [True]), ("parent", ["element"]), ("calcHeightOnResize", [False])):
        if r.random() < (0.5 if name.endswith("Tolerance") or name == "pinStart" else 0.12):
            options[name] = r.choice(values)
    scene = {"viewportHeight": 700, "scrollHeight": r.choice([5000, 5000, 900]), "scrollY": r.choice([0, 0, 400]), "headerHeight": r.choice([60, 112, 0])}

    def steps(law):
        time, y = 0.0, scene["scrollY"]
        for _ in range(70):
            roll = r.random()
            if roll < 0.6:
                y = max(-60, min(law.scene["scrollHeight"] - 640, y + r.choice([-1, 1]) * r.choice([0, 3.5, 15, 60, 200])))
                yield {"time": time, "event": "scroll", "scrollY": y}
                if r.random() < 0.85:
                    time += 16.667
                    yield {"time": time, "event": "frame"}
                if r.random() < 0.6:
                    yield {"time": time, "event": "advance"}
            elif roll < 0.68:
                time += 16.667
                yield {"time": time, "event": "frame"}
            elif roll < 0.76:
                yield {"time": time, "event": "advance"}
            elif roll < 0.82:
                yield {"time": time, "event": "resize", "scene": {"headerHeight": r.choice([60, 90, 112])}}
            elif roll < 0.86:
                yield {"time": time, "event": "layout", "scene": r.choice([{"headerHeight": 70}, {"scrollHeight": 4000}, {"viewportHeight": 600, "scrollHeight": 5000}])}
            else:
                given = {}
                for name, values in (("disable", [False, True]), ("pin", [False, True]), ("upTolerance", [0, 25]), ("pinStart", [0, 40]), ("calcHeightOnResize", [False, True])):
                    if r.random() < 0.4:
                        given[name] = r.choice(values)
                if given:
                    yield {"time": time, "event": "setOptions", "options": given}
        if r.random() < 0.3:
            yield {"time": time, "event": "unmount"}
            yield {"time": time, "event": "scroll", "scrollY": 800}
            yield {"time": time + 16.667, "event": "frame"}

    return options, scene, steps
