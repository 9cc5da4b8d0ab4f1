#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws each preset and each behavior as a small animated SVG, from what a recording of it says.

    config/manual/gallery.py FOLDER-OF-THE-PROGRAMS FOLDER

A finger moves the content up, a part of the way back, to the top, and pulls it. A daemon of its own says what the header does, in header
time alone, and its states are drawn as a film. Beside each film NAME.svg is NAME.still.svg, one moment of it for readers who want no
motion. A test checks that they are current.
"""
import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
import types

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WIDTH, HEIGHT, CONTENT = 240, 320, 1600
# Seconds between two events of a drag.
STEP = 1 / 30
COLORS = ["#2b6cb0", "#dd6b20", "#2f855a"]
# What behaviors are shown with where no preset is.
BEHAVIORS = {
    "ShyNavBar": {}, "StretchyHeader": {"headerHeight": 96, "titleSpacing": 0},
    "FlexibleHeader": {"minimumHeight": 44, "maximumHeight": 96, "shiftBehavior": "enabled"},
    "FlexibleHeightBar": {"definer": "squareCash", "elasticMaximumHeightAtTop": True}, "CollapsingHeader": {}, "Keyframes": {}}  # fmt: skip
# Presets of bars at the bottom.
BOTTOM = {"compose-exit-always-bottom", "ios-tab-bar-minimize", "safari-bottom-bar"}


def subjects():
    """What is drawn: name, delegates, drawers."""
    bar = {"name": "bar", "height": 96, "minimumHeight": 44, "maximumHeight": 96}
    for name, options in BEHAVIORS.items():
        drawers = [bar]
        delegates = [{"behavior": name, "options": options}]
        if name == "ShyNavBar":
            drawers = [{"name": "bar", "height": 44}, {"name": "extension", "height": 40}]
        if name == "Keyframes":
            look = [{"progress": 0}, {"progress": 1, "alpha": 0, "translation": {"x": 60, "y": 0}}]
            drawers = [bar | {"elements": [{"name": "title", "frame": {"x": 16, "y": 56, "width": 100, "height": 24}}]}]
            delegates = [
                {"behavior": "CollapsingHeader", "options": {}},
                {"behavior": name, "options": {"tracks": [{"element": "title", "drawer": "bar", "by": "height", "from": 96, "to": 60, "keys": look}]}}]  # fmt: skip
        yield name.lower(), delegates, drawers
    for path in sorted((ROOT / "config/presets").glob("*.toml")):
        preset = tomllib.loads(path.read_text(encoding="utf-8"))
        drawers = [bar]
        delegate = {"behavior": preset["behavior"], "options": preset["options"]}
        if path.stem in BOTTOM:
            drawers = [bar | {"edge": "bottom", "direction": "finger"}]
            delegate["edge"] = "bottom"
        if path.stem == "chromium-browser-controls":
            drawers = [{"name": "top", "height": 56}, {"name": "bottom", "height": 48}]
        if path.stem.startswith("app-bar"):
            drawers = [bar, {"name": "tabs", "height": 40}]
        yield path.stem, [delegate], drawers


class Film:
    """A header, moved by a finger; what it looks like at each moment."""

    def __init__(self, wire, name, delegates, drawers):
        self.wire, self.name, self.number = wire, name, 0
        options = delegates[0]["options"]
        self.offers = options.get("follows") in ("movement", "ratio", "block") and options.get("bounce") != "noted"
        self.below = options.get("content") == "below"
        self.clock = 1.0
        # (time, drawers, offset of the content on the screen, elements that are changed)
        self.moments = []
        self.elements = {one["name"]: (index, one["frame"]) for index, drawer in enumerate(drawers) for one in drawer.get("elements", [])}
        scroll_view = {"viewport": {"width": WIDTH, "height": HEIGHT}, "contentSize": {"height": CONTENT}}
        self.ask("header.open", header=name, frames="events", drawers=drawers, delegates=delegates, scrollViews={"content": scroll_view})
        self.state = self.ask("header.get", header=name)["state"]
        self.top = self.offset = self.content()["contentOffset"]["y"]
        self.note()

    def ask(self, method, **params):
        self.number += 1
        self.wire.write(json.dumps({"id": self.number, "method": method, "params": params}) + "\n")
        self.wire.flush()
        answer = json.loads(self.wire.readline())
        if "error" in answer:
            sys.exit(f"gallery.py: {self.name}: {answer['error']['message']}")
        return answer["result"]

    def content(self):
        return self.state["scrollViews"]["content"]

    def send(self, event, **fields):
        before = self.content().get("correction", {"y": 0})["y"]
        answer = self.ask("event", header=self.name, event=event, time=round(self.clock, 4), correction={"y": before}, **fields)
        self.state = self.ask("header.get", header=self.name)["state"]
        self.offset += self.content().get("correction", {"y": 0})["y"] - before
        return answer

    def note(self):
        drawers = self.state["drawers"][:1] if self.name == "chromium-browser-controls" else self.state["drawers"]
        edge = max(drawer["frame"]["y"] + drawer["frame"]["height"] for drawer in drawers)
        self.moments.append((self.clock, self.state["drawers"], self.offset - edge if self.below else self.offset, self.looks()))

    def looks(self):
        """Of each element where it is in its drawer, and its alpha."""
        changed = {element["name"]: element for element in self.state.get("elements", [])}
        found = {}
        for name, (_, frame) in self.elements.items():
            element = changed.get(name, {})
            x, y = frame["x"], frame["y"]
            if "center" in element:
                moved = element.get("transform", [0] * 16)
                x = element["center"]["x"] - element["bounds"]["width"] / 2 + moved[12]
                y = element["center"]["y"] - element["bounds"]["height"] / 2 + moved[13]
            found[name] = (x, y, element.get("alpha", 1))
        return found

    def move(self, distance, pull):
        if not self.offers:
            self.offset = max(self.offset + distance, self.top - pull)
            self.send("didScroll", offset={"y": round(self.offset, 3)}, isTracking=True, isDragging=True)
            return
        residual = self.send("willScroll", delta={"x": 0, "y": distance}, source="drag").get("residual", {"y": distance})["y"]
        to = max(self.offset + residual, self.top)
        left = residual - (to - self.offset)
        self.offset = to
        self.send("didScroll", offset={"y": round(to, 3)}, isTracking=True, isDragging=True)
        if left:
            self.send("didOverscroll", delta={"x": 0, "y": left}, source="drag")

    def drag(self, distance, seconds, pull=0):
        self.send("willBeginDragging")
        steps = round(seconds / STEP)
        for _ in range(steps):
            self.clock += STEP
            self.move(distance / steps, pull)
            self.note()
        self.send("didEndDragging", willDecelerate=False)
        for _ in range(15):
            self.clock += STEP
            self.send("advance")
            self.note()

    def run(self):
        self.drag(260, 1.2)
        self.drag(-70, 0.5)
        self.drag(-300, 1.2, pull=40)
        self.offset = self.top
        self.clock += STEP
        self.send("didScroll", offset={"y": self.top})
        for _ in range(15):
            self.note()
            self.clock += STEP
        self.ask("header.close", header=self.name)
        return self


def number(value):
    """To a hundredth, without zeros behind it, nor a sign before 0."""
    return f"{round(value, 2) + 0:g}"


def corners(values, tolerance):
    """The indices that a line through the values needs, to a tolerance."""
    kept, low = [0], 0
    for high in range(2, len(values)):
        for index in range(low + 1, high):
            line = values[low] + (values[high] - values[low]) * (index - low) / (high - low)
            if abs(line - values[index]) > tolerance:
                low = high - 1
                kept.append(low)
                break
    return [*kept, len(values) - 1]


def animated(attribute, values, seconds, still, transform=False):
    """An attribute's value, and its film where it changes."""
    if still is not None or max(values) - min(values) < 0.01:
        return values[still or 0], ""
    kept = corners(values, 0.02 if attribute == "opacity" else 0.5)
    times = ";".join(f"{index / (len(values) - 1):.3f}".rstrip("0").rstrip(".") for index in kept)
    points = ";".join(("0 " if transform else "") + number(values[index]) for index in kept)
    kind = f'animateTransform attributeName="{attribute}" type="translate"' if transform else f'animate attributeName="{attribute}"'
    return values[0], f'<{kind} dur="{seconds:.1f}s" repeatCount="indefinite" keyTimes="{times}" values="{points}"/>'


def picture(film, still=None):
    """The film as SVG, or one moment of it."""
    moments, seconds = film.moments, film.moments[-1][0] - film.moments[0][0]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        '<defs><pattern id="rows" width="240" height="40" patternUnits="userSpaceOnUse"><rect width="240" height="40" fill="#fff"/>'
        '<rect x="16" y="10" width="120" height="8" rx="4" fill="#cbd5e0"/><rect x="16" y="24" width="180" height="6" rx="3" fill="#e2e8f0"/>'
        "</pattern></defs>", f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#edf2f7"/>']  # fmt: skip
    first, motion = animated("transform", [-moment[2] for moment in moments], seconds, still, transform=True)
    lines.append(f'<g transform="translate(0 {number(first)})"><rect width="{WIDTH}" height="{CONTENT}" fill="url(#rows)"/>{motion}</g>')
    # Drawers that stand before others lie over them.
    for index in reversed(range(len(moments[0][1]))):
        drawer = [moment[1][index] for moment in moments]
        attributes = {
            "y": [one["frame"]["y"] for one in drawer], "height": [one["frame"]["height"] for one in drawer],
            "opacity": [0.0 if one.get("hidden") else one.get("alpha", 1) for one in drawer]}  # fmt: skip
        films = {name: animated(name, values, seconds, still) for name, values in attributes.items()}
        places = " ".join(f'{name}="{number(first)}"' for name, (first, _) in films.items())
        lines.append(
            f'<rect width="{WIDTH}" {places} fill="{COLORS[index % len(COLORS)]}">{"".join(motion for _, motion in films.values())}</rect>')
    for name, (index, frame) in film.elements.items():
        looks = [moment[3][name] for moment in moments]
        attributes = {
            "x": [look[0] for look in looks], "y": [moment[1][index]["frame"]["y"] + look[1] for moment, look in zip(moments, looks)],
            "opacity": [float(look[2]) for look in looks]}  # fmt: skip
        films = {name: animated(name, values, seconds, still) for name, values in attributes.items()}
        places = " ".join(f'{name}="{number(first)}"' for name, (first, _) in films.items())
        lines.append(
            f'<rect width="{frame["width"]}" height="{frame["height"]}" {places} rx="4" fill="#fff">{"".join(motion for _, motion in films.values())}</rect>')
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def telling(looks, is_below):
    """The moment in which a third of the header has gone; of one that only grows that in which it is largest."""
    if is_below:
        seen = [max(0, HEIGHT - min(one["frame"]["y"] for one in drawers)) for drawers in looks]
    else:
        seen = [max(0, *(one["frame"]["y"] + one["frame"]["height"] for one in drawers)) for drawers in looks]
    way = seen[0] - min(seen)
    wanted = seen[0] - way / 3 if way > 1 else max(seen)
    return min(range(len(seen)), key=lambda index: abs(seen[index] - wanted))


@contextlib.contextmanager
def running(programs):
    """A daemon of its own, as a connection to read from and to write to."""
    with tempfile.TemporaryDirectory(prefix="headerd-manual-") as place:
        path = f"{place}/headerd.sock"
        config = pathlib.Path(place, "headerd.toml")
        config.write_text("")
        environment = {**os.environ, "XDG_RUNTIME_DIR": place}
        daemon = subprocess.Popen([programs / "headerd", "--config", config, "--socket", path], env=environment, stderr=subprocess.DEVNULL)
        try:
            connection = socket.socket(socket.AF_UNIX)
            while connection.connect_ex(path) != 0:
                if daemon.poll() is not None:
                    sys.exit("the daemon ended")
                time.sleep(0.02)
            # One text file for both directions would drop at a write what it has read ahead.
            with connection, connection.makefile("r") as read, connection.makefile("w") as written:
                yield types.SimpleNamespace(readline=read.readline, write=written.write, flush=written.flush)
        finally:
            daemon.terminate()
            daemon.wait()


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    programs, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with running(programs) as wire:
        for name, delegates, drawers in subjects():
            film = Film(wire, name, delegates, drawers).run()
            # Bars at both ends share one movement.
            count = 1 if name == "chromium-browser-controls" else None
            still = telling([drawers[:count] for _, drawers, *_ in film.moments], name in BOTTOM)
            (folder / f"{name}.svg").write_text(picture(film))
            (folder / f"{name}.still.svg").write_text(picture(film, still))


if __name__ == "__main__":
    main()
