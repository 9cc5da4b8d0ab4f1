#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how long `scroll` of the clients takes, from its call to its return: the event to the daemon, what it does to the header, the
state back and applied; and with the client for C how long `headerd_decide` takes, which asks where a flick ends. One call every 4
milliseconds, so that the daemon sleeps in between as behind an app that paints.

    bench.py PROGRAMS [--scrolls N]

PROGRAMS is the folder of headerd and its plugins. It prints for each the median and the 99 of 100, in milliseconds, and how busy the
machine was.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import run  # noqa: E402

sys.path.insert(0, str(run.CLIENTS / "Python"))
import headerd  # noqa: E402

PAUSE = 0.004


def check(moved, scrolls):
    assert moved > 0.9 * scrolls, f"only {moved} scrolls moved the header"


def python(daemon, scrolls):
    """The times of scrolls up and down through a header of two drawers, and of nothing else."""
    client, view, times, moved = headerd.Client(daemon.socket), headerd.HeaderView(), [], 0
    content = {"viewport": {"width": 375, "height": 667}, "contentSize": {"height": 4000}, "contentInset": {"top": 84}}
    client.open("bench", scrollViews={"content": content}, delegates=[{"behavior": "ShyNavBar", "options": {"expansionResistance": 0}}],
                drawers=[{"name": "navBar", "height": 44}, {"name": "tabs", "height": 40}])
    client.subscribe("bench", mode="every")
    view.apply(client.next(10))
    client.event("bench", "willBeginDragging")
    for number in range(scrolls):
        time.sleep(PAUSE)
        place = view.scroll_views["content"].offset.y + (3 if number % 40 < 20 else -3)
        began = time.perf_counter()
        messages = client.scroll(view, "content", y=place, within=1)
        times.append(time.perf_counter() - began)
        moved += any(isinstance(message, headerd.State) for message in messages)
    client.close()
    check(moved, scrolls)
    return {"scroll": times}


def c(daemon, scrolls):
    """The same with the client for C, as an app is built."""
    program = run.BUILD / "c-bench"
    program.parent.mkdir(parents=True, exist_ok=True)
    run.run("cc", "-std=c11", "-O2", "-I", run.CLIENTS / "C", "-I", run.ROOT / "Sources/CHeaderWire", run.HERE / "C/bench.c",
            run.CLIENTS / "C/headerd_client.c", "-o", program)
    words = run.run(program, daemon.socket, str(scrolls), str(PAUSE)).split()
    check(int(words[scrolls]), scrolls)
    return {"scroll": [float(word) for word in words[:scrolls]], "decide": [float(word) for word in words[scrolls + 1:]]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--scrolls", type=int, default=2000)
    options = parser.parse_args()
    print(f"processors: {os.cpu_count()}, others at work (load of the last minute): {os.getloadavg()[0]:.1f}")
    for measure in (c, python):
        with run.Daemon(options.programs.resolve()) as daemon:
            measured = measure(daemon, options.scrolls)
        for call, times in measured.items():
            times.sort()
            median, late = times[len(times) // 2], times[len(times) * 99 // 100]
            print(f"{measure.__name__}, {call}: median {1000 * median:.3f} ms, 99 of 100 within {1000 * late:.3f} ms, {len(times)} calls")


main()
