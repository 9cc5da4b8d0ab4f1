#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What it costs others when many clients subscribe to everything at once: the daemon's memory, and how long pings and events of a
client wait meanwhile whose connection has nothing to do with it.

usage: snapshots.py FOLDER-OF-THE-PROGRAMS [--clients 200] [--headers 10000]"""
import argparse
import contextlib
import json
import os
import pathlib
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def send(self, requests):
        self.socket.sendall(b"".join(
            json.dumps({"id": number, "method": method, "params": params}, separators=(",", ":")).encode() + b"\n"
            for number, (method, params) in enumerate(requests)))
        for _ in requests:
            answer = json.loads(self.file.readline())
            if "error" in answer:
                sys.exit(f"unexpected error: {answer}")

    def seconds(self, method, params):
        began = time.monotonic()
        self.send([(method, params)])
        return time.monotonic() - began


def memory(pid, name):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(name))


def processor(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Daemon:
    """A daemon that answers; `seconds` is how long it took to."""

    def __init__(self, programs, folder, config=""):
        self.path = f"{folder}/headerd.sock"
        pathlib.Path(f"{folder}/headerd.toml").write_text(config)
        began = time.monotonic()
        self.process = subprocess.Popen(
            [f"{programs}/headerd", "--config", f"{folder}/headerd.toml", "--socket", self.path], stderr=subprocess.DEVNULL,
            env={**os.environ, "HEADERD_PLUGIN_PATH": programs, "XDG_CONFIG_HOME": folder})
        self.client = None
        while self.client is None:
            with contextlib.suppress(OSError):
                self.client = Client(self.path)
            time.sleep(0.0005)
        self.client.send([("ping", {})])
        self.seconds = time.monotonic() - began

    def children(self):
        return [int(pid) for of_thread in pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/children")
                for pid in of_thread.read_text().split()]


@contextlib.contextmanager
def daemon(programs, config=""):
    with tempfile.TemporaryDirectory() as folder:
        one = Daemon(programs, folder, config)
        try:
            yield one
        finally:
            one.process.send_signal(signal.SIGTERM)
            one.process.wait()


def subscribe(path, count, headers, ready):
    """The clients, in a process of their own: all subscribe, then all read until each has a state of each header."""
    selector = selectors.DefaultSelector()
    clients = []
    for _ in range(count):
        client = socket.socket(socket.AF_UNIX)
        client.connect(path)
        clients.append(client)
    os.write(ready, b".")
    for client in clients:
        client.sendall(b'{"id":1,"method":"subscribe","params":{"headers":"**"}}\n')
        client.setblocking(False)
        selector.register(client, selectors.EVENT_READ, [headers + 1])
    left = count
    while left:
        for key, _ in selector.select():
            piece = key.fileobj.recv(1 << 18)
            key.data[0] -= piece.count(b"\n")
            if not piece:
                os._exit(1)
            if key.data[0] <= 0:
                selector.unregister(key.fileobj)
                left -= 1
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", metavar="FOLDER-OF-THE-PROGRAMS", type=os.path.abspath)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--headers", type=int, default=10_000)
    options = parser.parse_args()
    with daemon(options.programs, f"[limits]\nheaders = {options.headers + 1}\nconnections = {options.clients + 8}\n") as one:
        run(options, one.path, one.process)


def run(options, path, daemon):
    publisher = Client(path)
    for first in range(0, options.headers, 100):
        publisher.send([("header.open", {
            "header": f"shop.{index}", "drawers": [{"name": "bar", "height": 44}], "delegates": [{"behavior": "ShyNavBar"}],
            "scrollViews": {"content": {"viewport": {"width": 375, "height": 667}, "contentSize": {"height": 9000}}},
        }) for index in range(first, min(first + 100, options.headers))])
    before, busy = memory(daemon.pid, "VmRSS:"), processor(daemon.pid)
    reading, ready = os.pipe()
    readers = os.fork()
    if readers == 0:
        subscribe(path, options.clients, options.headers, ready)
    os.read(reading, 1)
    began, waits, step = time.monotonic(), [], 0
    while os.waitpid(readers, os.WNOHANG) == (0, 0):
        step += 1
        waits.append(publisher.seconds("ping", {}))
        waits.append(publisher.seconds("event", {
            "header": "shop.0", "event": "didScroll", "offset": {"y": step % 200}}))
        time.sleep(0.002)
    took = time.monotonic() - began
    waits.sort()
    milliseconds = [1000 * waits[min(len(waits) - 1, int(len(waits) * part))] for part in (0.5, 0.99, 1)]
    print(f"{options.clients} clients, {options.headers} headers: all have all after {took:.1f} s "
          f"({processor(daemon.pid) - busy:.1f} s of a processor); a ping or an event waits "
          f"{milliseconds[0]:.1f} ms in the middle, {milliseconds[1]:.0f} ms at the 99th of 100 places, {milliseconds[2]:.0f} ms at most; "
          f"memory {before:.0f} MB before, {memory(daemon.pid, 'VmHWM:'):.0f} MB at most; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
