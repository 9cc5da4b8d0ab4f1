# SPDX-License-Identifier: MIT
"""AMScrollingNavbar 5016bc1: what ScrollingNavigationController.swift does in handlePan, shouldScrollWithDelta, scrollWithDelta,
checkForPartialScroll, updateFollowers, hideNavbar and showNavbar."""

SYSTEM = "am-scrolling-navbar"
DEFAULTS = {
    "statusBarHeight": 20, "barHeight": 44, "additionalOffset": 0, "extendedUnderBar": False, "delay": 0,
    "scrollSpeedFactor": 1, "contentOffsetY": 300.0, "contentInsetTop": 0.0, "contentInsetBottom": 0.0,
    "contentHeight": 3000, "viewHeight": 667, "tabBarOffset": 0, "scrollHeight": 667, "scrollWhenContentFits": False,
    "shouldUpdateContentInset": False, "expandOnActive": True, "additionalScrollToTopOffset": 0, "followers": [],
}


class Law:
    def __init__(self, options, scene):
        self.o = o = {**DEFAULTS, **options}
        self.top, self.height, self.more = o["statusBarHeight"], o["barHeight"], o["additionalOffset"]
        self.low = -(self.height - self.top + self.more)
        self.full = self.height + self.top
        self.under = o["extendedUnderBar"]
        self.y = float(self.top)
        self.previous, self.delay_left, self.last = "expanded", o["delay"], 0.0
        self.interaction = self.gesture = True
        self.offset, self.inset = o["contentOffsetY"], o["contentInsetTop"]
        self.indicator = self.inset
        self.alpha = 1.0
        self.followers = [{"translationY": 0.0, "alpha": 1.0} for _ in o["followers"]]
        self.follower_height = sum(f["height"] for f in o["followers"] if f["direction"] == "scrollUp")
        self.frame = None
        if not self.under:
            self.place_view()
        self.pending = []
        self.begin()

    def begin(self):
        self.callbacks, self.animation, self.asked = [], None, None

    def place_view(self):
        y = self.y + self.height
        self.frame = {"y": y, "height": self.o["viewHeight"] - y - self.o["tabBarOffset"]}

    @property
    def state(self):
        return "collapsed" if self.y <= self.low else "expanded" if self.y >= self.top else "scrolling"

    @property
    def percentage(self):
        return (self.y - self.top) / (self.low - self.top)

    def set_alpha(self):
        self.alpha = 1 - self.percentage
        for given, shown in zip(self.o["followers"], self.followers):
            if given.get("changeAlpha"):
                shown["alpha"] = self.alpha

    def move_followers(self):
        for given, shown in zip(self.o["followers"], self.followers):
            if given.get("tabBar"):
                shown["translationY"] = self.percentage * given["height"]
            elif given["direction"] == "scrollDown":
                shown["translationY"] = self.percentage * (given["height"] + given.get("safeAreaBottom", 0))
            else:
                shown["translationY"] = -(self.top - self.y)

    def insets(self, d):
        if self.o["shouldUpdateContentInset"]:
            self.inset -= d
            self.indicator -= d
            self.callbacks.append({"name": "didUpdateOffset", "offset": self.inset, "state": self.state})

    def move(self, d):
        self.y -= d
        if not self.under:
            self.place_view()

    def will(self):
        self.callbacks.append({"name": "willChangeState", "state": self.state})

    @property
    def seen(self):
        return self.o["scrollHeight"] if self.under else self.frame["height"]

    @property
    def length(self):
        return self.o["contentHeight"] + self.inset + self.o["contentInsetBottom"]

    def scroll(self, d, ignoring=False):
        if d > 0:
            if not ignoring:
                self.delay_left -= d
                if self.delay_left > 0:
                    return
            if not self.o["scrollWhenContentFits"] and self.state != "collapsed" and self.seen >= self.length:
                return
            was_low = self.y <= self.low
            if self.y - d < self.low:
                d = self.y - self.low
            if was_low:
                self.delay_left = self.o["delay"]
        if d < 0:
            if not ignoring:
                self.delay_left += d
                if self.delay_left > 0 and self.o["delay"] < self.offset:
                    return
            if self.y - d > self.top:
                d = self.y - self.top
            if self.y >= self.top:
                self.delay_left = self.o["delay"]
        self.move(d)
        self.set_alpha()
        if not self.under and d != 0:
            self.offset -= d
        self.move_followers()
        self.insets(d)
        if self.state != self.previous:
            self.will()
            self.interaction = self.state == "expanded"
        self.previous = self.state

    def allowed(self, d):
        if self.offset < (-self.full if self.under else -self.follower_height) + d:
            return False
        return not (d < 0 and self.offset + self.seen > self.length and self.seen < self.length)

    def snap(self):
        h = self.height + self.more
        d = self.y - self.top if self.y >= self.top - h / 2 else self.y - self.low
        self.will()
        self.delay_left = self.o["delay"]
        self.animation = {"duration": abs(d / (h / 2) * 0.2)}
        self.move(d)
        self.move_followers()
        self.set_alpha()
        self.insets(d)
        self.will()
        self.pending.append(self.snapped)

    def snapped(self):
        self.interaction = self.state == "expanded"
        self.callbacks.append({"name": "didChangeState", "state": self.state})

    def shown_again(self, to_top):
        if to_top:
            below = self.follower_height + self.o["additionalScrollToTopOffset"]
            self.asked = -self.full - below if self.under else -below
        self.gesture = True

    def hide(self, animated, duration):
        if self.state != "expanded":
            return self.set_alpha()
        self.gesture = False
        self.scroll(self.full, True)
        if not self.under:
            self.offset += self.height
        self.finish(animated, duration, lambda: self.shown_again(False))

    def show(self, animated, duration, to_top):
        if self.state != "collapsed":
            return self.set_alpha()
        self.gesture = False
        self.last = 0.0
        self.scroll(-self.full, True)
        if not self.under:
            self.offset -= self.height
        self.finish(animated, duration, lambda: self.shown_again(to_top))

    def finish(self, animated, duration, end):
        if animated:
            self.animation = {"duration": duration}
            self.pending.append(end)
        else:
            end()

    def step(self, s):
        self.begin()
        if "contentOffsetY" in s:
            self.offset = s["contentOffsetY"]
        event = s["event"]
        if event == "pan":
            d = (self.last - s["translationY"]) / self.o["scrollSpeedFactor"]
            if s["state"] != "failed":
                self.last = s["translationY"]
                if self.allowed(d):
                    self.scroll(d)
            if s["state"] in ("ended", "cancelled", "failed"):
                self.snap()
                self.last = 0.0
        elif event == "hideNavbar":
            self.hide(s["animated"], s["duration"])
        elif event == "showNavbar":
            self.show(s["animated"], s["duration"], s["scrollToTop"])
        elif event == "willResignActive":
            self.previous = self.state
        elif event == "didBecomeActive":
            if self.o["expandOnActive"]:
                self.show(False, 0.1, False)
            elif self.previous == "collapsed":
                self.hide(False, 0.1)
        elif event == "advance":
            ends, self.pending = self.pending, []
            for end in ends:
                end()

    def expect(self):
        return {
            "barY": self.y, "state": self.state, "percentage": self.percentage, "alpha": self.alpha,
            "interactionEnabled": self.interaction, "gestureEnabled": self.gesture, "contentOffsetY": self.offset,
            "contentInsetTop": self.inset, "indicatorInsetTop": self.indicator,
            "topViewFrame": dict(self.frame) if self.frame else None, "followers": [dict(f) for f in self.followers],
            "callbacks": list(self.callbacks), "animation": self.animation, "scrollToTop": self.asked,
        }


def random_run(r):
    """Options, scene and the source of steps: inputs that the law takes, each the answer to what is shown."""
    options = {
        "statusBarHeight": r.choice([0, 20, 20, 44, 47]), "barHeight": r.choice([44, 44, 32, 50]),
        "additionalOffset": r.choice([0, 0, 10, 30]), "extendedUnderBar": r.random() < 0.5,
        "delay": r.choice([0, 0, 30, 60]), "scrollSpeedFactor": r.choice([1, 1, 2, 0.5]),
        "contentOffsetY": r.choice([0.0, 100.0, 300.0]), "contentInsetTop": r.choice([0.0, 64.0, 88.0]),
        "contentInsetBottom": r.choice([0.0, 34.0, 83.0]), "contentHeight": r.choice([3000, 3000, 700, 400]),
        "viewHeight": r.choice([667, 844]), "tabBarOffset": r.choice([0, 49, 83]), "scrollHeight": r.choice([667, 603]),
        "scrollWhenContentFits": r.random() < 0.3, "shouldUpdateContentInset": r.random() < 0.4,
        "expandOnActive": r.random() < 0.5, "additionalScrollToTopOffset": r.choice([0, 10]),
        "followers": r.choice([[], [], [{"direction": "scrollUp", "height": 40, "safeAreaBottom": 0, "changeAlpha": False, "tabBar": False}],
                               [{"direction": "scrollDown", "height": 49, "safeAreaBottom": 34, "changeAlpha": True, "tabBar": False},
                                {"direction": "scrollDown", "height": 83, "safeAreaBottom": 34, "changeAlpha": False, "tabBar": True}]]),
    }

    def steps(law):
        time = 0.0
        for _ in range(25):
            time += 16.667
            if r.random() < 0.7:
                y, count, pace = 0.0, r.randrange(1, 7), r.choice([3, 12, 30])
                way = r.choice([-1, 1])
                yield {"time": time, "event": "pan", "state": "began", "translationY": 0.0, "contentOffsetY": law.offset}
                for _ in range(count):
                    time += 16.667
                    if r.random() < 0.15:
                        way = -way
                    move = r.choice([0.0, way * r.random() * pace, way * r.random() * pace])
                    y += move
                    if r.random() < 0.06:
                        yield {"time": time, "event": r.choice(["hideNavbar", "showNavbar"]), "animated": r.random() < 0.5,
                               "duration": 0.1, "scrollToTop": r.random() < 0.5, "contentOffsetY": law.offset}
                    yield {"time": time, "event": "pan", "state": "changed", "translationY": y,
                           "contentOffsetY": law.offset - move}
                time += 16.667
                yield {"time": time, "event": "pan", "state": r.choice(["ended", "ended", "cancelled", "failed"]),
                       "translationY": y, "contentOffsetY": law.offset}
                if r.random() < 0.7:
                    time += 250
                    yield {"time": time, "event": "advance"}
            elif r.random() < 0.7:
                name = r.choice(["hideNavbar", "showNavbar"])
                step = {"time": time, "contentOffsetY": law.offset, "event": name, "animated": r.random() < 0.5,
                        "duration": r.choice([0.1, 0.5])}
                if name == "showNavbar":
                    step["scrollToTop"] = r.random() < 0.5
                yield step
                if r.random() < 0.7:
                    time += 250
                    yield {"time": time, "event": "advance"}
            else:
                yield {"time": time, "event": "willResignActive", "contentOffsetY": law.offset}
                time += 100
                yield {"time": time, "event": "didBecomeActive", "contentOffsetY": law.offset}

    return options, None, steps
