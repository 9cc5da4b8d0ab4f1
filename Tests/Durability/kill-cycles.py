#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills a daemon with a journal at random moments, again and again, and checks after each start what is there.

Every input has a header time of its own, and `header.get` with `saved` says at which one a header is: so it is known
exactly which inputs were lost. With the durability "acknowledged" none that was answered may be; with "interval" none
that was answered longer ago than the interval and what one write takes. Prints a line of JSON at the end.
"""

import argparse
import json
import os
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time


class Daemon:
    """headerd in a folder, killed and started again."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.socket_path = os.path.join(folder, "socket")
        config = os.path.join(folder, "headerd.toml")
        with open(config, "w") as file:
            file.write(
                f'threads = {options.threads}\n[state]\ndirectory = "{folder}/state"\n'
                f'durability = "{options.durability}"\n[log]\nlevel = "warning"\n'
            )
        self.command = [os.path.join(options.bin, "headerd"), "--config", config, "--socket", self.socket_path]
        self.environment = dict(os.environ, HEADERD_PLUGIN_PATH=options.bin, SWIFT_BACKTRACE="enable=no")
        self.process = None

    def start(self):
        """Starts it. Returns a connection, and the seconds until it answered."""
        begun = time.monotonic()
        self.process = subprocess.Popen(self.command, env=self.environment)
        while True:
            try:
                client = Client(self.socket_path)
                client.call("ping")
                return client, time.monotonic() - begun
            except (ConnectionRefusedError, FileNotFoundError, ConnectionError):
                if self.process.poll() is not None:
                    sys.exit(f"headerd ended with {self.process.returncode}")
                if time.monotonic() - begun > 60:
                    sys.exit("headerd does not answer within 60 s")
                time.sleep(0.001)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Client:
    """A connection that sends requests without waiting for their answers."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.unread, self.last = b"", 0

    def send(self, method, params):
        self.last += 1
        line = json.dumps({"id": self.last, "method": method, "params": params}, separators=(",", ":"))
        self.socket.sendall(line.encode() + b"\n")
        return self.last

    def lines(self, wait):
        """The answers that have come, at most after `wait` seconds. Raises EOFError at the end."""
        if not select.select([self.socket], [], [], wait)[0]:
            return []
        try:
            data = self.socket.recv(1 << 20)
        except ConnectionResetError:
            data = b""
        if not data:
            raise EOFError
        *whole, self.unread = (self.unread + data).split(b"\n")
        return [json.loads(line) for line in whole]

    def call(self, method, params=None):
        number = self.send(method, params or {})
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for line in self.lines(1):
                if line.get("id") == number:
                    if "error" in line:
                        sys.exit(f"{method}: {line['error']}")
                    return line["result"]
        sys.exit(f"{method}: no answer within 60 s")


class Run:
    """What was sent, answered and found over all cycles."""

    def __init__(self, options, daemon):
        self.options, self.daemon = options, daemon
        self.random = random.Random(options.seed)
        self.names = [f"h{index}" for index in range(options.headers)]
        # By header: the header time of the last input that was answered, and all answers of the last moments.
        self.answered, self.recent = {}, {}
        self.times = {}
        self.inputs = self.acknowledged = self.lost = 0
        self.oldest_lost = 0.0
        self.recoveries = []

    def open_all(self, client):
        for name in self.names:
            client.call("header.open", {
                "header": name, "frames": "events",
                "scrollViews": {"content": {"viewport": {"width": 375, "height": 667}, "contentSize": {"height": 9e6}}},
                "drawers": [{"name": "navBar", "height": 44}], "delegates": [{"behavior": "ShyNavBar"}]})
            self.times[name] = 0

    def check(self, client, killed_at):
        """Compares what is there with what was answered. Header times are in whole milliseconds."""
        for name in self.names if len(self.names) < 50 else self.random.sample(self.names, 50):
            saved = client.call("header.get", {"header": name, "include": ["saved"]})["saved"]
            found = round(int(saved["time"]) / 1e6)
            for header_time, answered_at in self.recent.get(name, []):
                if header_time > found:
                    self.lost += 1
                    self.oldest_lost = max(self.oldest_lost, killed_at - answered_at)
            self.times[name] = found

    def stream(self, client):
        """Sends inputs for a random while, then kills. Returns when that was."""
        self.recent = {}
        open_requests, shifts = {}, {}
        kill_at = time.monotonic() + self.random.uniform(0.002, self.options.most / 1000)
        killed = False
        active = self.random.sample(self.names, min(len(self.names), 20))
        while True:
            now = time.monotonic()
            if now >= kill_at and not killed:
                self.daemon.kill()
                killed = now
            try:
                if not killed:
                    while len(open_requests) < self.options.window:
                        name = self.random.choice(active)
                        # The first event of a connection happens at the header's present time, the others behind it.
                        shifts.setdefault(name, self.times[name])
                        self.times[name] += self.random.randint(1, 30) if name in self.recent else 0
                        self.recent.setdefault(name, [])
                        number = client.send("event", {
                            "header": name, "event": "didScroll", "time": (self.times[name] - shifts[name]) / 1000,
                            "offset": {"y": self.random.uniform(0, 500)}})
                        open_requests[number] = (name, self.times[name])
                        self.inputs += 1
                for line in client.lines(0.001):
                    if "error" in line:
                        sys.exit(f"refused: {line['error']}")
                    if line.get("id") in open_requests:
                        name, header_time = open_requests.pop(line["id"])
                        self.recent[name].append((header_time, time.monotonic()))
                        self.acknowledged += 1
            except (EOFError, BrokenPipeError, ConnectionResetError):
                return killed or time.monotonic()

    def go(self):
        client, _ = self.daemon.start()
        self.open_all(client)
        # Where answers do not mean that it is there, it is by now.
        time.sleep(0.3)
        shown = time.monotonic()
        for cycle in range(self.options.cycles):
            killed_at = self.stream(client)
            client, seconds = self.daemon.start()
            self.recoveries.append(seconds * 1000)
            self.check(client, killed_at)
            if sys.stderr.isatty() and time.monotonic() - shown > 0.5:
                shown = time.monotonic()
                print(f"\r{cycle + 1} of {self.options.cycles} cycles, {self.lost} lost\x1b[K", end="", file=sys.stderr)
        self.daemon.kill()
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", help="the folder of headerd and the plugins")
    parser.add_argument("--cycles", type=int, default=100)
    parser.add_argument("--durability", choices=["acknowledged", "interval", "none"], default="acknowledged")
    parser.add_argument("--headers", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--window", type=int, default=16, help="requests under way at once")
    parser.add_argument("--most", type=float, default=120, help="milliseconds until the daemon is killed, at most")
    parser.add_argument("--folder", help="where the journal lies; a temporary folder without it")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="headerd-kills-", dir=options.folder)
    run = Run(options, Daemon(options, folder))
    try:
        run.go()
    finally:
        if run.daemon.process and run.daemon.process.poll() is None:
            run.daemon.kill()
        shutil.rmtree(folder, ignore_errors=True)
    times = sorted(run.recoveries)
    result = {
        "durability": options.durability, "cycles": options.cycles, "headers": options.headers,
        "threads": options.threads, "inputs": run.inputs, "acknowledged": run.acknowledged, "lost": run.lost,
        "oldestLostMilliseconds": round(run.oldest_lost * 1000, 1),
        "recoveryMilliseconds": {
            "p50": round(times[len(times) // 2], 1), "p99": round(times[int(len(times) * 0.99)], 1),
            "most": round(times[-1], 1)}}
    print(json.dumps(result))
    # One write may be under way when the interval is over.
    bound = {"acknowledged": 0, "interval": 0.05 + 0.05}.get(options.durability)
    if bound is not None and (run.lost and (bound == 0 or run.oldest_lost > bound)):
        sys.exit(f"{run.lost} answered inputs are lost, the oldest of {run.oldest_lost * 1000:.0f} ms before the kill")


if __name__ == "__main__":
    main()
