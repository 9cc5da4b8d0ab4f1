#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long the programs take to start, and what they, headers, connections and subscriptions take of the memory: a table in Markdown.

usage: sizes.py FOLDER-OF-THE-PROGRAMS [--starts 11] [--count 10000]

The start of headerd ends with the answer to a ping, that of headerd-web when it says that it serves, that of a process for plugins with
the answer to the first header.open that needs it. Memory is what a program has to itself (Pss of smaps_rollup), in KiB; a header's, a
connection's or a subscription's is the growth of the daemon by COUNT of them, in bytes for each."""
import argparse
import os
import pathlib
import resource
import signal
import socket
import statistics
import subprocess
import time

from snapshots import Client, daemon


def memory(pid):
    """In KiB; what is free is given back before (the daemon does so by itself only now and then)."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))


def header(name, behavior=None):
    return ("header.open", {
        "header": name, "drawers": [{"name": "bar", "height": 44}], "delegates": [{"behavior": behavior}] if behavior else [],
        "scrollViews": {"content": {"viewport": {"width": 375, "height": 667}, "contentSize": {"height": 9000}}}})


def web(programs, one):
    """A bridge beside a daemon: seconds until it serves, and its memory."""
    began = time.monotonic()
    with subprocess.Popen([f"{programs}/headerd-web", "--socket", one.path, "--port", "0"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as bridge:
        line = bridge.stdout.readline()
        seconds = time.monotonic() - began
        assert "serves" in line, line
        kib = memory(bridge.pid)
        bridge.send_signal(signal.SIGTERM)
    return seconds, kib


def middle(values):
    return f"{1000 * statistics.median(values):.1f} ms ({1000 * min(values):.1f} … {1000 * max(values):.1f})"


def starts(programs, count):
    rows = {"headerd": [], "headerd-worker": [], "headerd-web": []}
    kib = {}
    for _ in range(count):
        with daemon(programs, '[plugins.isolation]\nShyNavBar = "process"\n') as one:
            kib["headerd"] = memory(one.process.pid)
            rows["headerd"].append(one.seconds)
            rows["headerd-worker"].append(one.client.seconds(*header("a", "ShyNavBar")))
            kib["headerd-worker"] = memory(one.children()[0])
            seconds, kib["headerd-web"] = web(programs, one)
            rows["headerd-web"].append(seconds)
    print("| program | starts in, median (least … most) | memory | file |\n|---|---:|---:|---:|")
    for name, seconds in rows.items():
        print(f"| {name} | {middle(seconds)} | {kib[name]} KiB | {os.path.getsize(f'{programs}/{name}') >> 10} KiB |")


def growth(programs, count):
    """Bytes of the daemon for each of many."""
    limits = f"[limits]\nheaders = {count + 1}\nconnections = {count + 8}\nsubscriptions = {count}\nglobs = {count}\n"
    print("\n| one of many | bytes of the daemon |\n|---|---:|")

    def row(name, add, prepare=lambda one: None):
        with daemon(programs, limits) as one:
            prepare(one)
            add(one, 0, 100)
            before = memory(one.process.pid)
            add(one, 100, count)
            print(f"| {name} | {1024 * (memory(one.process.pid) - before) / (count - 100):.0f} |")

    def headers(behavior):
        def add(one, first, last):
            for begin in range(first, last, 100):
                one.client.send([header(f"h{index}", behavior) for index in range(begin, min(begin + 100, last))])
        return add

    open_ones = []

    def connections(one, first, last):
        for index in range(first, last):
            client = socket.socket(socket.AF_UNIX)
            client.connect(one.path)
            open_ones.append(client)
        one.client.send([("ping", {})])

    def subscriptions(name):
        def add(one, first, last):
            for begin in range(first, last, 100):
                one.client.send([("subscribe", {"headers": name(index)}) for index in range(begin, min(begin + 100, last))])
        return add

    row("header without a delegate", headers(None))
    for behavior in ("ShyNavBar", "FlexibleHeader", "FlexibleHeightBar", "StretchyHeader", "CollapsingHeader"):
        row(f"header with {behavior}", headers(behavior))
    row("connection that says nothing", connections)
    for client in open_ones:
        client.close()
    row("subscription to one name of its own, of which no header is open", subscriptions(lambda index: [f"idle{index}"]))
    row("subscription to a pattern of its own", subscriptions(lambda index: [f"idle{index}.*"]))
    with daemon(programs, limits) as one:
        one.client.send([header("h", "ShyNavBar"), ("subscribe", {"headers": ["h"], "mode": "every"})])
        listener = Client(one.path)
        rounds = []
        for patterns in (0, count):
            if patterns:
                subscriptions(lambda index: [f"idle{index}.*"])(type("One", (), {"client": listener}), 0, patterns)
            rounds.append(processor_of_events(one))
        print(f"\nAn event takes {1e6 * rounds[0]:.1f} µs of the daemon's processor without, {1e6 * rounds[1]:.1f} µs with {count} patterns that"
              " no header has.")


def processor_of_events(one, events=20_000):
    def used():
        with open(f"/proc/{one.process.pid}/schedstat") as file:
            return int(file.read().split()[0]) / 1e9
    client = Client(one.path)
    before = used()
    lines = b"".join(b'{"method":"event","params":{"header":"h","event":"didScroll","offset":{"y":%d}}}\n' % (step % 200) for step in range(100))
    for _ in range(events // 100):
        client.socket.sendall(lines)
        client.send([("ping", {})])
    return (used() - before) / events


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", metavar="FOLDER-OF-THE-PROGRAMS", type=os.path.abspath)
    parser.add_argument("--starts", type=int, default=11)
    parser.add_argument("--count", type=int, default=10_000)
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    starts(options.programs, options.starts)
    growth(options.programs, options.count)


if __name__ == "__main__":
    main()
