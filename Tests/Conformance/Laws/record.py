#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recordings of neighbors that nobody has recorded: made by second programs, each of which has the law of one system. Its first lines name the
sources of that law; Plugins/CollapsingHeader/LAWS.md has those that presets need, in words.

    record.py check                         the programs reproduce all recordings in ../Neighbors
    record.py random FOLDER COUNT [SYSTEM]  writes COUNT random runs of each system into FOLDER, from seeds 1 to COUNT

A program is trusted no further than `check` shows; what it makes is compared with the presets by `conformance FOLDER`.
"""

import copy
import json
import math
import random
import sys
from pathlib import Path

import am_scrolling_navbar
import browser_controls
import flutter_sliver_header
import gt_scroll_bar
import headroom_js
import react_headroom

LAWS = {law.SYSTEM: law for law in (am_scrolling_navbar, browser_controls, flutter_sliver_header, gt_scroll_bar, headroom_js, react_headroom)}
SHOWN = Path(__file__).parent.parent / "Neighbors"


def difference(expected, found, near, path=""):
    """The first place where two trees differ, or None."""
    if isinstance(expected, bool) or isinstance(found, bool) or expected is None or found is None or isinstance(expected, str):
        return None if expected == found and type(expected) is type(found) else f"{path}: expected {expected}, got {found}"
    if isinstance(expected, dict):
        for key in expected:
            if key == "internal":
                continue
            if key not in found:
                return f"{path}.{key} is missing"
            if inner := difference(expected[key], found[key], near, f"{path}.{key}"):
                return inner
        return None
    if isinstance(expected, list):
        if not isinstance(found, list) or len(expected) != len(found):
            return f"{path}: expected {expected}, got {found}"
        return next((d for i, (a, b) in enumerate(zip(expected, found)) if (d := difference(a, b, near, f"{path}[{i}]"))), None)
    if isinstance(found, (int, float)) and abs(expected - found) <= near:
        return None
    return f"{path}: expected {expected}, got {found}"


def check():
    failed = 0
    for system, module in LAWS.items():
        paths = sorted((SHOWN / system).glob("*.json"))
        for path in paths:
            recording = json.loads(path.read_text())
            law = module.Law(copy.deepcopy(recording["options"]), recording.get("scene"))
            near = recording["tolerance"]["length"]
            found = difference(recording.get("initial", {}), law.expect(), near)
            for index, step in enumerate(recording["steps"]):
                if found:
                    break
                law.step(step)
                if found := difference(step["expect"], law.expect(), near):
                    found = f"steps[{index}] {step['event']}{found}"
            if found:
                failed += 1
                print(f"{path.name}: {found}")
        print(f"{system}: {len(paths)} recordings")
    return failed


def number(value):
    """No −0, no NaN: JSON has one of them only, and nobody compares it."""
    if isinstance(value, dict):
        return {k: number(v) for k, v in value.items()}
    if isinstance(value, list):
        return [number(v) for v in value]
    return 0.0 if isinstance(value, float) and (value == 0 or math.isnan(value)) else value


def recording(module, title, options, scene, steps):
    """A recording of steps that answer to what the law shows."""
    law = module.Law(copy.deepcopy(options), copy.deepcopy(scene))
    tolerance = {"length": 1e-3, "ratio": 1e-5} if module is browser_controls else {"length": 1e-6, "ratio": 1e-6}
    head = {
        "format": "neighbor-trace/1", "system": module.SYSTEM, "original": module.SYSTEM, "revision": f"Tests/Conformance/Laws/{module.__name__}.py",
        "recorded": "derived", "title": title, "group": "by law", "options": options,
    }
    if scene is not None:
        head["scene"] = scene
    head["initial"] = number(copy.deepcopy(law.expect()))
    if module in (headroom_js,):
        del head["initial"]
    head["tolerance"] = tolerance
    lines = []
    for step in steps(law):
        law.step(step)
        lines.append(json.dumps({**step, "expect": number(copy.deepcopy(law.expect()))}, separators=(",", ":")))
    text = json.dumps(head, separators=(",", ":"))[:-1]
    return text + ',"steps":[\n' + ",\n".join(lines) + "\n]}\n"


def random_runs(folder, count, only=None):
    for system, module in LAWS.items():
        if only and system != only:
            continue
        (folder / system).mkdir(parents=True, exist_ok=True)
        for seed in range(1, count + 1):
            options, scene, steps = module.random_run(random.Random(f"{system} {seed}"))
            text = recording(module, f"random run of seed {seed}", options, scene, steps)
            (folder / system / f"{seed:04}.json").write_text(text)


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        sys.exit(check() > 0)
    elif sys.argv[1:2] == ["random"] and len(sys.argv) in (4, 5):
        random_runs(Path(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])
    else:
        sys.exit(__doc__)
