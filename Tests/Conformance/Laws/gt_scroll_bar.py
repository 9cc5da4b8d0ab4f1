# SPDX-License-Identifier: MIT
"""GTScrollNavigationBar 4d1e45b: what GTScrollNavigationBar.m does in handlePan, resetToDefaultPosition and updateSubviewsToAlpha."""

SYSTEM = "gt-scroll-bar"
NEARLY_ZERO = 9.999999974752427e-7


class Law:
    def __init__(self, options, scene):
        self.height = options["barHeight"]
        self.set_top(options["statusBar"])
        self.y = float(self.top)
        self.subviews = [dict(s) for s in options["subviews"]]
        self.parent = dict(options["parent"])
        self.scroll_state, self.last, self.present = "none", 0.0, False
        self.animated = False

    def set_top(self, bar):
        edge = min(bar["maxX"], bar["maxY"])
        self.top = 20 if edge == 40 else edge
        self.low = self.top - self.height + 1

    def place(self, y, alpha, animated):
        for subview in self.subviews[1:]:
            if not subview["hidden"] and subview["alpha"] != 0:
                subview["alpha"] = alpha
        if self.present:
            self.parent["y"] += y - self.y
            self.parent["height"] -= y - self.y
        self.y = float(y)
        self.animated = self.animated or animated

    def reset(self, animated):
        self.scroll_state = "none"
        self.place(self.top, 1.0, animated)

    def pan(self, s):
        o = s["contentOffsetY"]
        if not self.present or s["scrollHeight"] + 2 * self.height >= s["contentHeight"]:
            return
        if s["state"] == "began":
            self.scroll_state, self.last = "none", o
            return
        d = o - self.last
        if d < 0:
            self.scroll_state = "scrollingDown"
        elif d > 0:
            self.scroll_state = "scrollingUp"
        bounces = o < -s["insetTop"]
        if bounces and self.y == self.top:
            self.last = o
            return
        if self.scroll_state != "none" and s["state"] in ("ended", "cancelled"):
            if self.scroll_state == "scrollingDown":
                self.place(self.top, 1.0, True)
            else:
                self.place(self.low, NEARLY_ZERO, True)
        else:
            y = min(self.top, max(self.y - d, self.low))
            way = self.top - (self.low + self.top)
            self.place(y, max(NEARLY_ZERO, (y - (self.low + self.top)) / way), False)
        if not (bounces and self.y != self.top):
            self.last = o

    def step(self, s):
        self.animated = False
        event = s["event"]
        if event == "pan":
            self.pan(s)
        elif event == "setScrollView":
            self.reset(False)
            self.present = s["present"]
        elif event == "reset":
            self.reset(s["animated"])
        else:
            if event == "orientationDidChange":
                self.set_top(s["statusBar"])
            self.reset(False)

    def expect(self):
        return {
            "barY": self.y, "scrollState": self.scroll_state, "subviewAlphas": [s["alpha"] for s in self.subviews],
            "parentFrame": dict(self.parent), "animated": self.animated,
        }


def random_run(r):
    bars = [{"maxX": 375, "maxY": 20}, {"maxX": 375, "maxY": 40}, {"maxX": 375, "maxY": 47}, {"maxX": 375, "maxY": 59},
            {"maxX": 0, "maxY": 0}, {"maxX": 20, "maxY": 667}, {"maxX": 375, "maxY": 44}]
    options = {
        "barHeight": r.choice([44, 44, 32, 50.5]), "statusBar": r.choice(bars), "parent": {"y": 64, "height": 603},
        "subviews": [{"alpha": r.choice([1.0, 1.0, 0.5, 0.0]), "hidden": r.random() < 0.2} for _ in range(r.randrange(0, 5))],
    }

    def steps(law):
        time = 0.0
        o = 0.0
        if r.random() < 0.9:
            yield {"time": time, "event": "setScrollView", "present": True}

        def pan(state, inset, length):
            return {"time": time, "event": "pan", "state": state, "contentOffsetY": o, "contentHeight": length,
                    "scrollHeight": law.parent["height"], "insetTop": inset}

        for _ in range(20):
            time += 16.667
            roll = r.random()
            if roll < 0.75:
                inset, length = r.choice([0, 0, 64]), r.choice([3000, 3000, 3000, 700])
                if r.random() < 0.85:
                    yield pan("began", inset, length)
                way, pace = r.choice([-1, 1]), r.choice([4, 15, 40])
                for _ in range(r.randrange(1, 6)):
                    time += 16.667
                    if r.random() < 0.2:
                        way = -way
                    o = max(-130.0, o + r.choice([0.0, way * r.random() * pace, way * r.random() * pace]))
                    yield pan("changed", inset, length)
                time += 16.667
                o += r.choice([0.0, 0.0, 3.0, -3.0])
                yield pan(r.choice(["ended", "ended", "cancelled", "failed"]), inset, length)
            elif roll < 0.8:
                yield {"time": time, "event": "setScrollView", "present": r.random() < 0.6}
            elif roll < 0.88:
                yield {"time": time, "event": "reset", "animated": r.random() < 0.5}
            elif roll < 0.94:
                yield {"time": time, "event": "orientationDidChange", "statusBar": r.choice(bars)}
            else:
                yield {"time": time, "event": "didBecomeActive"}

    return options, None, steps
