#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes the numbers of the examples that the pages of behaviors have beside their options and laws.

    config/manual/examples.py FOLDER-OF-THE-PROGRAMS >config/manual/examples.json

Each example is a header with one drawer of 64 points, unless it has others, over content of 3000 in a view of 800. A daemon of its own says what its steps
lead to, in header time alone. A test checks that the numbers are current.
"""
import json
import pathlib
import sys

from gallery import running

BAR = {"name": "bar", "height": 64}
TITLE = {"name": "bar", "height": 96, "minimumHeight": 44, "maximumHeight": 96}
TABS = {"name": "tabs", "height": 48}
FLEXIBLE = {"minimumHeight": 44, "maximumHeight": 96}
CASH = {"definer": "squareCash", "maximumBarHeight": 120, "minimumBarHeight": 60}
FACEBOOK = CASH | {"definer": "facebook"}
# A pair of drawers that share a ratio, and what moves it.
PAIR = ({"name": "bar", "height": 64}, {"name": "bottom", "height": 48})
COLLAPSING = {"behavior": "CollapsingHeader", "options": {"tellsProgress": True}}
ELEMENT = {"elements": [{"name": "text", "frame": {"x": 0, "y": 0, "width": 100, "height": 20}}]}


class Example:
    """Options, the steps of a finger, and what is looked at after each: parts of drawers and scroll views, values, notices."""

    def __init__(self, steps, shown, options, drawers=(BAR,), description=None, beside=()):
        self.steps, self.shown = steps.split(", "), shown.split(", ")
        self.options, self.drawers, self.description = options, drawers, description or {}
        # Delegates that are asked first.
        self.beside = list(beside)


def law(steps, shown="y", drawers=(BAR,), others=(), **fields):
    """An example of a drawer's law."""
    named = {"drawer": fields.pop("drawer")} if "drawer" in fields else {}
    record = {**named, **({} if "collapse" in fields or "pin" in fields else {"shift": True}), **fields}
    return Example(steps, shown, {"drawers": [record, *others]}, drawers)


def rest(steps, shown="y", **fields):
    """An example of where a drawer rests."""
    return law(steps, shown, rest=fields)


def option(steps, shown="y", drawers=(BAR,), description=None, laws=None, **options):
    """An example of an option of CollapsingHeader whose drawers shift."""
    return Example(steps, shown, {"drawers": laws or [{"shift": True}], **options}, drawers, description)


def of(steps, shown="y", drawers=(BAR,), description=None, **options):
    """An example of an option of another behavior; what it needs stands first."""
    options = {name: options[name] for name in [*(FLEXIBLE | CASH), *options] if name in options}
    return Example(steps, shown, options, drawers, description)


def scroll(**content):
    """A description with other members of its scroll view."""
    return {"scrollViews": {"content": {"viewport": {"width": 375, "height": 800}, "contentSize": {"height": 3000}, **content}}}


STATUS = {"environment": {"statusBarHeight": 20}}
# By behavior and section of its page: the rule, and its example.
EXAMPLES = {
    "CollapsingHeader": {
        "THE LAW OF A DRAWER": {
            "collapse": law("up 30, up 60, down 20", "height", (TITLE,), collapse=True),
            "shift": law("up 30, up 60, down 20"),
            "pin": law("up 30, up 60", pin=True),
            "keeps": law("up 30, up 60", keeps=20),
            "beyond": law("up 60, up 60", beyond=10),
            "slack": law("up 100, down 10, down 20", slack=20),
            "returns": law("up 200, down 30, down 170", returns="atTop"),
            "threshold": law("up 200, down 30, down 30", threshold=40),
            "resistance": law("up 30, up 30, down 10", resistance=20),
            "resistanceReturns": law("up 30, down 10, up 10", resistance=20, resistanceReturns="ends"),
            "slop": law("up 8, up 30, down 5, down 20", slop=10),
            "order": law("up 30", "y, tabs.y", (BAR, TABS), order={"hide": 1, "show": 1}, drawer="bar", others=[{"drawer": "tabs", "shift": True, "order": {"hide": 2, "show": 2}}]),
            "weight": law("up 30", "y, tabs.y", (BAR, TABS), order={"hide": 1, "show": 1}, weight=2, drawer="bar", others=[{"drawer": "tabs", "shift": True, "order": {"hide": 1, "show": 1}, "weight": 1}]),
            "speed": law("up 20, down 10", speed=2),
            "curve": law("up 16, up 16, up 32", curve="square"),
            "stretch": law("down 40, down 40", "height", stretch={"factor": 0.5, "limit": 30}),
            "rest": law("up 40, lift", rest={"by": "nearest"}),
            "fade": law("up 16, up 16, up 16", "alpha", fade=True),
            "parallax": law("up 20, up 20", parallax=0.5),
            "scale": law("up 26, up 26", "scale", (TITLE | ELEMENT,), collapse=True, scale=0.5),
        },
        "WHERE A DRAWER RESTS": {
            "stops": rest("up 40, lift", stops={"shown": 0, "half": 0.5, "hidden": 1}, by="nearest"),
            "by": rest("up 200, down 10, lift", by="direction"),
            "threshold": rest("up 20, lift", by="threshold", threshold=0.25),
            "margins": rest("up 6, lift", by="nearest", margins=0.1),
            "velocity": rest("up 20, fling 0.5, lift", by="velocity", velocity=0.1),
            "takesContent": rest("up 40, lift", "y, offset", by="nearest", takesContent=False),
            "drawnBy": rest("up 40, lift", "y, animation", by="nearest", drawnBy="renderer"),
            "duration": rest("up 40, lift", "animation", by="nearest", drawnBy="renderer", duration=0.4),
            "spring": rest("up 40, lift", "animation", by="nearest", drawnBy="renderer", spring={"mass": 1, "stiffness": 400, "damping": 40}),
            "scaled": rest("up 48, lift", "animation", by="nearest", drawnBy="renderer", scaled=True),
            "always": rest("up 64, lift", "animation", by="nearest", drawnBy="renderer", always=True),
        },
        "OPTIONS": {
            "asOne": option("up 30", "y, tabs.y", (BAR, TABS), asOne=True),
            "enabled": option("up 30", enabled=False),
            "content": option("offer 30", "y, offset", content="below"),
            "insets": option("up 30", "y, inset", insets="follow"),
            "origin": option("up 0, up 64", "y", description=STATUS, origin="edge"),
            "start": option("up 100, up 80", start=120),
            "consumes": option("up 50, offer 30", "y, consumed", consumes="whole"),
            "returnsBy": option("up 200, program -30, down 30", returnsBy="finger"),
            "shortContent": option("offer 30", description=scroll(contentSize={"height": 300}), content="below", shortContent="moves"),
            "onNewContent": option("up 0", "y", description=scroll(offset={"y": 500}), onNewContent="collapsed"),
            "trackingScrollViewIsBeingScrubbed": option("up 200, down 30, down 170", trackingScrollViewIsBeingScrubbed=True),
            "tellsProgress": option("up 16", "values.traveled, values.progress", tellsProgress=True),
            "tellsPhases": option("up 16, up 48", "values.phase", tellsPhases=True),
            "liftsAt": option("up 20, up 60", "values.overlap, values.isLifted", laws=[{"pin": True}], liftsAt=30),
            "refreshDistance": option("down 60, down 30, lift", "values.isRefreshArmed, notices", refreshDistance=80),
            "refreshReleaseDistance": option("down 90, up 50", "values.isRefreshArmed", refreshDistance=80, refreshReleaseDistance=60),
            "hidesStatusBar": option("up 10, up 10", "hidesBar", description=STATUS, hidesStatusBar=True),
            "statusBarStyle": option("up 10, up 20", "barStyle", description=STATUS, statusBarStyle="lightContent"),
            "indicators": option("up 30", "indicatorInset, inset", indicators="follow"),
            "follows": option("up 30, down 10", description=scroll(offset={"y": 500}), follows="movement"),
            "initially": option("up 10", follows="movement", initially={"traveled": 40, "contentMoved": 0}),
            "onActive": option("up 200, activate", onActive="expands"),
            "between": option("up 200, down 170", laws=[{"shift": True, "returns": "atTop"}], follows="movement", between=40),
            "contentMoves": option("up 30, down 10", follows="movement", contentMoves="hide"),
            "delay": option("offer 15, offer 10", description=scroll(offset={"y": 500}), follows="movement", contentMoves="none", delay=20),
            "movementFactor": option("up 10", follows="movement", movementFactor=2),
            "room": option("up 30", description=scroll(contentSize={"height": 900}), follows="movement", room=2),
            "takesOffers": option("offer 30", "y, consumed", follows="movement", takesOffers=False),
            "snaps": option("up 40, lift", laws=[{"shift": True, "rest": {"by": "nearest"}}], follows="movement", snaps=False),
            "holdsContent": option("offer 30", "y, offset", follows="movement", holdsContent=True),
            "lookTolerance": option("up 40, up 4, down 8", follows="looks", insets="application", lookTolerance={"hide": 5, "show": 5}),
            "topZone": option("up 80, up 80", follows="looks", insets="application", lookTolerance={"hide": 0, "show": 0}, topZone={"hide": 100, "show": 100}),
            "holds": option("up 200", follows="looks", insets="application", stands="flow", lookTolerance={"hide": 0, "show": 0}, holds=True),
            "showThreshold": option("offer 15, lift", drawers=PAIR, follows="ratio", insets="application", contentMoves="none", showThreshold=0.3, hideThreshold=0.3),
            "hideThreshold": option("offer 64, offer -12, lift", drawers=PAIR, follows="ratio", insets="application", contentMoves="none", showThreshold=0.3, hideThreshold=0.3),
            "blocks": option("offer 30, offer -10", "y", drawers=(BAR,), follows="block", content="below", blocks=[{"drawer": "bar", "flags": ["scroll", "enterAlways"]}]),
        },
    },
    "ShyNavBar": {
        "OPTIONS": {
            "contractionResistance": of("up 30, up 30, up 30", contractionResistance=40),
            "expansionResistance": of("up 200, up 200, down 60, down 60", expansionResistance=100),
            "disable": of("up 30, up 30", disable=True),
            "drawers": Example("up 30, up 30", "y, tabs.y", {"drawers": 1}, (BAR, TABS)),
            "fadeBehavior": of("up 30, up 30", "y, alpha", fadeBehavior="navbar"),
            "hasCustomRefreshControl": of("up 30, up 30", "y, inset", hasCustomRefreshControl=True),
            "stickyExtensionView": of("up 30, up 30", "y, tabs.y", (BAR, TABS), stickyExtensionView=True),
            "stickyNavigationBar": of("up 30, up 30", "y, tabs.y", (BAR, TABS), stickyNavigationBar=True),
        },
    },
    "StretchyHeader": {
        "OPTIONS": {
            "headerHeight": of("down 40, up 100", "y, height", headerHeight=160),
            "followsScroll": of("up 60, up 60", "y, height", headerHeight=160, followsScroll=False),
            "titleSpacing": of("up 30", "height, tabs.y", (BAR, TABS), headerHeight=160, titleSpacing=10),
            "titleMargin": of("up 30", "tabs.x, tabs.width", (BAR, TABS), headerHeight=160, titleMargin=30),
        },
    },
    "FlexibleHeader": {
        "OPTIONS": {
            "maximumHeight": of("up 30", "height", (TITLE,), **FLEXIBLE),
            "minimumHeight": of("up 30, up 60", "height", (TITLE,), **FLEXIBLE),
            "minMaxHeightIncludesSafeArea": of("up 100", "height", (TITLE,), description={"environment": {"safeAreaInset": {"top": 20}, "statusBarHeight": 20}}, minMaxHeightIncludesSafeArea=False, **FLEXIBLE),
            "canOverExtend": of("down 40", "height", (TITLE,), canOverExtend=False, **FLEXIBLE),
            "shiftBehavior": of("up 30, up 60, up 30", "y, height", (TITLE,), shiftBehavior="enabled", **FLEXIBLE),
            "minimumHeaderViewHeight": of("up 200", "y, height", (TITLE,), shiftBehavior="enabled", minimumHeaderViewHeight=10, **FLEXIBLE),
            "headerContentImportance": of("up 600, down 20, down 20", "y", (TITLE,), shiftBehavior="enabled", headerContentImportance="high", **FLEXIBLE),
            "visibleShadowOpacity": of("up 200", "values.shadowOpacity", (TITLE,), visibleShadowOpacity=0.25, **FLEXIBLE),
            "inFrontOfInfiniteContent": of("up 0", "values.shadowOpacity", (TITLE,), inFrontOfInfiniteContent=True, **FLEXIBLE),
            "trackingScrollViewIsBeingScrubbed": of("up 200, down 300", "y", (TITLE,), shiftBehavior="enabled", trackingScrollViewIsBeingScrubbed=True, **FLEXIBLE),
            "showsHairline": of("up 30", "values.hairlineY", (TITLE,), showsHairline=True, **FLEXIBLE),
            "elevation": of("up 0", "values.absoluteElevation", (TITLE,), elevation=4, **FLEXIBLE),
        },
    },
    "FlexibleHeightBar": {
        "OPTIONS": {
            "definer": of("up 30, up 60", "height", **CASH),
            "maximumBarHeight": of("up 30", "height", **CASH),
            "minimumBarHeight": of("up 90", "height", **CASH),
            "elasticMaximumHeightAtTop": of("down 30", "height", elasticMaximumHeightAtTop=True, **CASH),
            "snapping": of("up 20, lift", "height", snapping=[{"progress": 0, "start": 0, "end": 0.5}, {"progress": 1, "start": 0.5, "end": 1}], **CASH),
            "snappingEnabled": of("up 20, lift", "height", snapping=[{"progress": 0, "start": 0, "end": 0.5}], snappingEnabled=False, **CASH),
            "currentlySnapping": of("up 30", "height", currentlySnapping=True, **CASH),
            "isScrollViewDelegate": of("up 30", "height", isScrollViewDelegate=False, **CASH),
            "thresholdFromTop": of("up 30, up 30", "height", **FACEBOOK, thresholdFromTop=40),
            "thresholdNegativeDirection": of("up 200, lift, down 30, down 30", "height", **FACEBOOK, thresholdNegativeDirection=40),
            "thresholdPositiveDirection": of("up 30, up 30", "height", description=scroll(offset={"y": 500}), **FACEBOOK, thresholdPositiveDirection=40),
        },
    },
}  # fmt: skip


def track(steps, shown, **fields):
    """An example of a track of Keyframes, beside a CollapsingHeader."""
    keys = [{"progress": 0}, {"progress": 1, "alpha": 0, "translation": {"x": 40, "y": 0}}]
    track = {"element": "text", **fields, "keys": keys}
    return Example(steps, shown, {"tracks": [track]}, (TITLE | ELEMENT,), beside=[COLLAPSING])


EXAMPLES["Keyframes"] = {
    "TRACKS": {
        "drawer": track("up 26, up 26", "element's alpha, element's x", drawer="bar", by="collapse"),
        "value": track("up 26, up 26", "element's alpha", value="progress"),
        "from": track("up 20, up 20", "element's alpha", drawer="bar", by="height", **{"from": 96, "to": 56}),
    },
}


class Run:
    """A header that goes through an example's steps."""

    def __init__(self, wire, behavior, example):
        self.wire, self.example, self.number, self.clock = wire, example, 0, 1.0
        description = {**scroll(), **example.description}
        drawers = list(example.drawers)
        self.ask("header.open", header="example", frames="events", drawers=drawers, delegates=[*example.beside, {"behavior": behavior, "options": example.options}], **description)
        self.ask("ping")
        at_top = "offset" not in description["scrollViews"]["content"]
        self.offset = -self.view()["contentInset"]["top"] if at_top else self.view()["contentOffset"]["y"]
        self.consumed, self.isDragging = 0, False
        # Some behaviors only note the first scroll.
        self.step("up 0")

    def ask(self, method, **params):
        self.number += 1
        self.wire.write(json.dumps({"id": self.number, "method": method, "params": params}) + "\n")
        self.wire.flush()
        self.states = []
        while True:
            got = json.loads(self.wire.readline())
            if got.get("method") == "state":
                self.states.append(got["params"])
                self.state = got["params"]
            elif got.get("id") == self.number:
                if "error" in got:
                    sys.exit(f"examples.py: {self.example.options}: {got['error']['message']}")
                return got["result"]

    def view(self):
        return self.state["scrollViews"]["content"]

    def correction(self):
        return self.view().get("correction", {"y": 0})["y"]

    def send(self, event, **fields):
        before = self.correction()
        self.clock += 0.1
        answer = self.ask("event", header="example", event=event, time=round(self.clock, 3), correction={"y": before}, **fields)
        self.happened += self.states
        self.offset += self.correction() - before
        return answer

    def scroll(self, distance, **fields):
        self.offset += distance
        self.send("didScroll", offset={"y": self.offset}, **fields)

    def step(self, text):
        word, _, rest = text.partition(" ")
        amount = float(rest or 0)
        self.happened = []
        if word in ("up", "down", "offer") and not self.isDragging:
            self.send("willBeginDragging")
        self.isDragging = word in ("up", "down", "offer") or self.isDragging and word != "lift"
        if word in ("up", "down"):
            self.scroll(amount if word == "up" else -amount)
        elif word == "program":
            self.scroll(amount, reason="program")
        elif word == "offer":
            answer = self.send("willScroll", delta={"x": 0, "y": amount}, source="drag")
            self.consumed = answer["consumed"]["y"]
            if self.consumed != amount:
                self.scroll(amount - self.consumed)
        elif word == "fling":
            self.send("willEndDragging", velocity={"y": amount})
        elif word == "lift":
            self.send("didEndDragging", willDecelerate=False)
            self.clock += 1
            self.send("advance")
        elif word == "wait":
            self.clock += 1
            self.send("advance")
        elif word == "activate":
            self.send("didBecomeActive")
        else:
            raise ValueError(text)

    def look(self, name):
        first = self.state["drawers"][0]
        if name in ("x", "y", "width", "height"):
            return first["frame"][name]
        if name.startswith("tabs."):
            return self.state["drawers"][1]["frame"][name[5:]]
        if name.startswith("values."):
            return self.state.get("values", {}).get(name[7:])
        if name == "alpha":
            return 0 if first.get("hidden") else first.get("alpha", 1)
        element = next(iter(self.state.get("elements", [])), {})
        if name == "scale":
            return element.get("transform", [1])[0]
        if name == "element's alpha":
            return element.get("alpha", 1)
        if name == "element's x":
            return element.get("transform", [0] * 16)[12]
        if name == "inset":
            return self.view()["contentInset"]["top"]
        if name == "indicatorInset":
            return self.view().get("scrollIndicatorInsets", self.view()["contentInset"])["top"]
        if name == "offset":
            return self.offset
        if name == "consumed":
            return self.consumed
        if name == "hidesBar":
            return self.state.get("wants", {}).get("prefersStatusBarHidden", False)
        if name == "barStyle":
            return self.state.get("wants", {}).get("preferredStatusBarStyle")
        if name == "animation":
            return next((one["duration"] for state in self.happened for one in state.get("animations", [])), None)
        if name == "notices":
            return next((one["name"] for state in self.happened for one in state.get("notices", [])), None)
        raise ValueError(name)


# What is looked at, as a reader calls it.
CALLED = {
    "tabs.y": "y of the second", "tabs.x": "x of the second", "tabs.width": "width of the second", "hidesBar": "prefersStatusBarHidden",
    "barStyle": "preferredStatusBarStyle", "notices": "notice", "indicatorInset": "indicators' inset", "scale": "scale of an element"}  # fmt: skip


def written(value):
    """A value as TOML has it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {written(one)}" for name, one in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value)


def plain(value):
    if value is None:
        return "none"
    return f"{round(value, 3) + 0:g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else json.dumps(value).strip('"')


def told(behavior, section, run, rows):
    """An example in a line: what is given, the steps, and what was seen after each."""
    options = dict(run.example.options)
    if behavior == "CollapsingHeader" and section != "OPTIONS":
        shown = options.pop("drawers")
        shown = shown[0] if len(shown) == 1 else shown
        options = {**({"drawers": shown} if isinstance(shown, list) else shown), **options}
    elif options.get("drawers") == [{"shift": True}]:
        options.pop("drawers")
    given = [f"`{written(options)}`"]
    if tuple(run.example.drawers) != (BAR,):
        given.append("heights " + ", ".join(
            str(one["height"]) + (f" to {one['minimumHeight']}" if "minimumHeight" in one else "") for one in run.example.drawers))
    for part in run.example.description.values():
        content = part.get("content")
        given += [f"`{written(content if content is None else {k: v for k, v in content.items() if scroll()['scrollViews']['content'].get(k) != v})}`" if content else f"`{written(part)}`"]
    seen = "; ".join(f"{CALLED.get(name, name.removeprefix('values.'))} " + ", ".join(plain(row[index]) for row in rows)
                     for index, name in enumerate(run.example.shown))
    return f"Example: {'; '.join(given)}; {', '.join(run.example.steps)}: {seen}."


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr if sys.argv[1:] != ["--help"] else sys.stdout)
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    found = {}
    with running(pathlib.Path(sys.argv[1]).resolve()) as wire:
        wire.write('{"id":0,"method":"subscribe","params":{"headers":"example","mode":"every"}}\n')
        for behavior, sections in EXAMPLES.items():
            for section, rules in sections.items():
                for rule, example in rules.items():
                    run = Run(wire, behavior, example)
                    rows = []
                    for step in example.steps:
                        run.step(step)
                        rows.append([run.look(name) for name in example.shown])
                    run.ask("header.close", header="example")
                    found.setdefault(behavior, {}).setdefault(section, {})[rule] = told(behavior, section, run, rows)
    print(json.dumps(found, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
