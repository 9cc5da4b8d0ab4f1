#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A faulty network between real clients and a daemon: a proxy that splits what it carries anywhere, delays it without changing its
order, ends one half or both, and breaks connections at random bytes. What was acknowledged is not lost, no state is seen twice or
missed without a gap, a client that is gone is cleared away at once, and whoever is connected directly notices nothing.

usage: proxy.py FOLDER-OF-THE-PROGRAMS [--short] [--seed N]"""
import contextlib
import os
import pathlib
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Nats"))
from realm import Client, description
from suite import Suite, arguments

OPTIONS = arguments(__doc__)
CLIENTS = 6 if OPTIONS.short else 12
EVENTS = 150 if OPTIONS.short else 2_000
EAGER = [{"behavior": "ShyNavBar", "options": {"expansionResistance": 0, "contractionResistance": 0}}]


class Proxy:
    """Carries each connection by the faults that a seed has for it."""

    def __init__(self, folder, target, faults, seed):
        self.target, self.faults, self.random = target, faults, random.Random(seed)
        self.path = f"{folder}/proxy.sock"
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(64)
        self.broken = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near = self.listener.accept()[0]
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(self.target)
            except OSError:  # The daemon refuses it, or is not there yet: so says the closed connection.
                near.close()
                far.close()
                continue
            generator = random.Random(self.random.getrandbits(64))
            # After how many bytes of either direction the fault happens that ends the connection.
            plan = (generator.choice(self.faults), generator.randrange(200, 20_000))
            shared = {"ended": False}
            for source, sink in ((near, far), (far, near)):
                seed = generator.getrandbits(64)
                threading.Thread(
                    target=self._carry, args=(source, sink, random.Random(seed), plan, shared), daemon=True).start()

    def _carry(self, source, sink, generator, plan, shared):
        (fault, place), carried = plan, 0
        try:
            while piece := source.recv(65_536):
                while piece:
                    size = generator.randrange(1, len(piece) + 1) if "split" in fault else len(piece)
                    if "split" in fault and generator.random() < 0.3:
                        size = min(size, generator.randrange(1, 8))
                    part, piece = piece[:size], piece[size:]
                    if "delay" in fault and generator.random() < 0.1:
                        time.sleep(generator.random() * 0.01)
                    if "end" in fault and carried + len(part) > place:
                        sink.sendall(part[:max(0, place - carried)])
                        return self._end(fault, source, sink, shared)
                    sink.sendall(part)
                    carried += len(part)
            # Each half ends by itself, in order, as it ended on the other side; then the rest does.
            sink.shutdown(socket.SHUT_WR)
            rest = select.poll()
            rest.register(source, 0)
            rest.poll()
        except (OSError, ValueError):
            pass
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _end(self, fault, source, sink, shared):
        self.broken += 1
        with contextlib.suppress(OSError):
            if "half" in fault:
                sink.shutdown(socket.SHUT_WR)
                # What the other one still says goes on to be carried; what comes from here is lost.
                while source.recv(65_536):
                    pass
                source.shutdown(socket.SHUT_RDWR)
                return sink.shutdown(socket.SHUT_RDWR)
            # A descriptor that is closed with bytes unread is a reset for the other side.
            if "reset" not in fault:
                source.settimeout(0.01)
                with contextlib.suppress(TimeoutError):
                    source.recv(65_536)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self):
        self.listener.close()


class Daemon:
    def __init__(self, threads):
        self.folder = tempfile.TemporaryDirectory(prefix="headerd-proxy-")
        self.socket = f"{self.folder.name}/headerd.sock"
        config = f"{self.folder.name}/headerd.toml"
        # Nobody is found to be gone by a ping, and a busy machine may take its time to load a plugin.
        pathlib.Path(config).write_text(
            "[limits]\nidlePing = 86400\nhandshakeTimeout = 86400\nresumeStates = 4096\n[plugins]\ndeadline = 60\n")
        self.log = open(f"{self.folder.name}/log", "ab")
        self.process = subprocess.Popen(
            [f"{OPTIONS.programs}/headerd", "--config", config, "--socket", self.socket, "--threads", str(threads)],
            env={**os.environ, "HEADERD_PLUGIN_PATH": OPTIONS.programs}, stdin=subprocess.DEVNULL, stderr=self.log)

    def lines(self):
        return pathlib.Path(f"{self.folder.name}/log").read_text()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        finally:
            self.process.kill()
            self.process.wait()
            self.log.close()
            self.folder.cleanup()


class Publisher(threading.Thread):
    """Scrolls a header of its own, up by a point at a time, and begins again at what the daemon has when it is cut off. With each
    point it moves the bar of another one to and fro, which is what watchers see."""

    def __init__(self, path, number):
        super().__init__(daemon=True)
        self.path, self.number, self.header, self.bar = path, number, f"place.h{number}", f"app.h{number}"
        self.random = random.Random(OPTIONS.seed * 1_000 + number)
        self.finding, self.acknowledged, self.lives = None, 0, 0

    def run(self):
        try:
            while self.acknowledged < EVENTS:
                self.lives += 1
                with contextlib.suppress(ConnectionError, BrokenPipeError):
                    self.live()
        except BaseException as error:  # Told by whoever waits for this thread.
            self.finding = error

    def live(self):
        client = Client(self.path)
        try:
            client.result("header.open", {**description(self.header), "delegates": []})
            client.result("header.open", {**description(self.bar), "delegates": EAGER})
            client.result("header.open", {"header": f"mine.h{self.number}", "lifetime": "connection"})
            place = self.place(client.result("header.get", {"header": self.header})["state"])
            assert place >= self.acknowledged, f"{self.header} is at {place}, {self.acknowledged} was acknowledged"
            self.acknowledged = max(self.acknowledged, place)
            for name in (self.header, self.bar):
                client.result("event", {"header": name, "event": "willBeginDragging"})
            next, waiting = self.acknowledged + 1, {}
            while self.acknowledged < EVENTS:
                while len(waiting) < self.random.randrange(1, 30) and next <= EVENTS:
                    client.last += 1
                    client.send("event", {"header": self.header, "event": "didScroll", "offset": {"y": next}}, client.last)
                    waiting[client.last] = next
                    client.send("event", {"header": self.bar, "event": "didScroll", "offset": {"y": 200 + abs(40 - next % 80)}})
                    next += 1
                message = client.line(10)
                assert message is not None, "no answer for 10 s"
                if message.get("id") in waiting:
                    assert "result" in message, message
                    self.acknowledged = waiting.pop(message["id"])
        finally:
            client.close()

    @staticmethod
    def place(state):
        return round(state["scrollViews"]["content"]["contentOffset"]["y"])


class Watcher(threading.Thread):
    """Sees every state of all headers once, or is told which it missed, over however many connections."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.finding, self.seen, self.gaps, self.lives = path, None, {}, 0, 0
        self.ends = threading.Event()

    def run(self):
        try:
            while not self.ends.is_set():
                self.lives += 1
                with contextlib.suppress(ConnectionError, BrokenPipeError):
                    self.live()
        except BaseException as error:
            self.finding = error

    def live(self):
        client = Client(self.path)
        try:
            points = {name: {"epoch": epoch, "seq": seq} for name, (epoch, seq) in self.seen.items()}
            client.send("subscribe", {"headers": "app.**", "mode": "every", "resumeFrom": points}, 1)
            while not self.ends.is_set():
                message = client.line(0.2)
                if message is None or message.get("method") not in ("state", "gap"):
                    continue
                params = message["params"]
                name, epoch = params["header"], params["epoch"]
                known = self.seen.get(name)
                if message["method"] == "gap":
                    self.gaps += 1
                    self.seen.pop(name, None)
                elif params.get("snapshot"):
                    assert known is None or params["seq"] >= known[1], (name, known, params["seq"])
                    self.seen[name] = epoch, params["seq"]
                else:
                    assert known is None or (epoch, params["seq"]) == (known[0], known[1] + 1), (name, known, epoch, params["seq"])
                    self.seen[name] = epoch, params["seq"]
        finally:
            client.close()


def bars(witness, publishers):
    """Epoch and number of the states that the bars have now."""
    states = [witness.result("header.get", {"header": one.bar})["state"] for one in publishers]
    return {one.bar: (state["epoch"], state["seq"]) for one, state in zip(publishers, states)}


def carried(faults, threads):
    with Daemon(threads) as daemon:
        witness = Client(daemon.socket)
        witness.result("hello")
        proxy = Proxy(daemon.folder.name, daemon.socket, faults, OPTIONS.seed)
        publishers = [Publisher(proxy.path, number) for number in range(CLIENTS)]
        watchers = [Watcher(proxy.path) for _ in range(2)]
        for one in publishers + watchers:
            one.start()
        slowest = 0
        while any(one.is_alive() for one in publishers):
            began = time.monotonic()
            witness.result("ping")
            slowest = max(slowest, time.monotonic() - began)
            assert daemon.process.poll() is None, "the daemon ended"
            time.sleep(0.02)
        for one in publishers:
            if one.finding:
                raise one.finding
        for one in publishers:
            state = witness.result("header.get", {"header": one.header})["state"]
            assert Publisher.place(state) == EVENTS, (one.header, Publisher.place(state))
        for watcher in watchers:
            # The last event of a bar is not waited for by who sent it, so the proxy may still carry it. What a watcher has missed comes
            # to it through the same faults; as long as it gets more there is no hurry.
            seen, end = None, 0
            while (now := dict(watcher.seen)) != (last := bars(witness, publishers)) and watcher.is_alive():
                if now != seen:
                    seen, end = now, time.monotonic() + 20
                assert time.monotonic() < end, ("a watcher does not get the last states", now, last)
                time.sleep(0.02)
            watcher.ends.set()
            watcher.join(10)
            if watcher.finding:
                raise watcher.finding
        kept = {name for one in publishers for name in (one.header, one.bar)}
        # Nobody is there any more: no ping finds that out, and nothing is sent to anybody.
        end = time.monotonic() + 5
        while True:
            stats = witness.result("stats")
            rows = {row["header"] for row in witness.result("header.list")["headers"]}
            if stats["connections"] == 1 and stats["subscriptions"] == 0 and rows == kept:
                break
            assert time.monotonic() < end, (stats["connections"], stats["subscriptions"], sorted(rows ^ kept))
            time.sleep(0.02)
        assert slowest < 2, f"whoever is connected directly waited {slowest:.1f} s"
        assert "level=error" not in daemon.lines(), daemon.lines()[-2000:]
        if any("end" in fault for fault in faults):
            assert proxy.broken > CLIENTS, proxy.broken
        witness.close()
        proxy.close()


def gone(count):
    """Clients that subscribe, observe, constrain and hold, and close: all of it is free again at once."""
    with Daemon(2) as daemon:
        witness = Client(daemon.socket)
        witness.result("header.open", description("main"))
        for round in range(3):
            clients = []
            for number in range(count):
                client = Client(daemon.socket)
                client.result("subscribe", {"headers": "**"})
                client.result("header.open", {"header": f"mine.h{number}", "lifetime": "connection"})
                client.result("delegate.add", {"header": "main", "client": "observe", "name": f"watcher{number}"})
                client.ask("ping")
                clients.append(client)
                if len(clients) > 12:
                    break
            for number, client in enumerate(clients):
                if number % 2:
                    client.socket.shutdown(socket.SHUT_WR)
                while select.select([client.socket], [], [], 0)[0] and client.socket.recv(65_536):
                    pass
                client.close()
            end = time.monotonic() + 5
            while True:
                stats = witness.result("stats")
                rows = witness.result("header.list")["headers"]
                if stats["connections"] == 1 and len(rows) == 1 and not any("watcher" in one for one in rows[0]["delegates"]):
                    break
                assert time.monotonic() < end, (stats["connections"], rows)
                time.sleep(0.02)


def main():
    suite = Suite("proxy", OPTIONS)
    for threads in (1, 2):
        suite.run(f"splits and delays, {threads} threads", lambda: carried(["split delay"], threads))
        suite.run(f"ends, {threads} threads", lambda: carried(
            ["end", "end reset", "end half", "split end", "split delay end reset", "split end half"], threads))
    suite.run("gone", lambda: gone(8 if OPTIONS.short else 100))
    suite.finish()


main()
