#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages the state folder of a daemon, one place at a time, and sees what the next one makes of it.

A daemon at `acknowledged` fills a journal of about 100 KB in two lives, and is killed; another folder is of a daemon that ended in order.
Then one byte of one file is flipped or zeroed, or a file is cut off or continued. The rule: nothing that was acknowledged is missing
without a word. `headerctl journal verify` ends with 1, or names a torn end, or everything is there; a daemon refuses to start and
changes nothing, or logs what it cut off or did not restore, or has everything. Where a whole record lies behind the damage, it is no
torn end, and the daemon has to refuse.

What cannot be seen, and is not held against it: the newest file of a thread of a killed daemon that is cut off exactly between two records.

The long form starts a daemon 400 times, and verifies with every byte flipped. `--count N` starts it N times, and flips 10 N bytes
that are spread over all files.
"""

import collections
import contextlib
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

import suite

NAMES = [f"h{index}" for index in range(6)]
SAYING = ("event=journalCut", "event=journalIncomplete", "event=headerNotRestored")


class Client:
    """A connection to a daemon."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.file = self.socket.makefile("rwb")
        self.last = 0

    def send(self, method, params=None):
        self.last += 1
        line = json.dumps({"id": self.last, "method": method, "params": params or {}}, separators=(",", ":"))
        self.file.write(line.encode() + b"\n")
        return self.last

    def wait(self, number):
        self.file.flush()
        for line in self.file:
            message = json.loads(line)
            if message.get("id") == number:
                if "error" in message:
                    sys.exit(f"unexpected error: {message['error']}")
                return message["result"]
        raise EOFError

    def call(self, method, params=None):
        return self.wait(self.send(method, params))


class Attack:
    """The folders, and what is done to them."""

    def __init__(self, options, place):
        self.options, self.place = options, place
        self.random = random.Random(options.seed)
        self.environment = dict(
            os.environ, HEADERD_PLUGIN_PATH=options.programs, XDG_CONFIG_HOME=place, SWIFT_BACKTRACE="enable=no")
        self.ctl = os.path.join(options.programs, "headerctl")
        self.counts = collections.Counter()
        self.findings = []

    # Daemons

    def start(self, state, threads=1):
        """Starts a daemon. Returns it and a connection; None for that if it has refused, with what it has said."""
        config, path, log = (os.path.join(self.place, name) for name in ("headerd.toml", "socket", "log"))
        with open(config, "w") as file:
            file.write(f'threads = {threads}\n[state]\ndirectory = "{state}"\ndurability = "acknowledged"\n')
        with open(log, "w") as file:
            daemon = subprocess.Popen(
                [os.path.join(self.options.programs, "headerd"), "--config", config, "--socket", path],
                env=self.environment, stdout=subprocess.DEVNULL, stderr=file)
        deadline = time.monotonic() + 60
        while True:
            try:
                client = Client(path)
                client.call("ping")
                return daemon, client, ""
            except (ConnectionError, FileNotFoundError, EOFError):
                if daemon.poll() is not None:
                    return daemon, None, self.log()
                if time.monotonic() > deadline:
                    daemon.kill()
                    daemon.wait()
                    return daemon, None, "no answer within 60 s"
                time.sleep(0.005)

    def log(self):
        with open(os.path.join(self.place, "log")) as file:
            return file.read()

    def end(self, daemon, client, by):
        daemon.send_signal(by)
        daemon.wait()
        if client:
            client.socket.close()

    def headers(self, client):
        """The time of the last input of each header."""
        found = {}
        for row in client.call("header.list")["headers"]:
            saved = client.call("header.get", {"header": row["header"], "include": ["saved"]})["saved"]
            found[row["header"]] = round(int(saved["time"]) / 1e6) if "time" in saved else 0
        return found

    def fill(self):
        """Two lives of a daemon, the second one with two threads."""
        self.killed, self.ended = (os.path.join(self.place, name) for name in ("killed", "ended"))
        times = dict.fromkeys(NAMES, 0)
        for life, threads in enumerate((1, 2)):
            daemon, client, said = self.start(self.killed, threads)
            if not client:
                sys.exit(f"headerd does not start: {said}")
            if life == 0:
                for name in NAMES:
                    client.call("header.open", {
                        "header": name, "frames": "events", "drawers": [{"name": "navBar", "height": 44}],
                        "scrollViews": {"content": {
                            "viewport": {"width": 375, "height": 667}, "contentSize": {"height": 9e6}}},
                        "delegates": [{"behavior": "ShyNavBar"}]})
            while self.size(self.killed) < (50_000, 100_000)[life]:
                for _ in range(50):
                    name = self.random.choice(NAMES)
                    times[name] += self.random.randint(1, 30)
                    number = client.send("event", {
                        "header": name, "event": "didScroll", "time": times[name] / 1000,
                        "offset": {"y": self.random.randint(0, 4000)}})
                client.wait(number)
            self.truth = self.headers(client)
            self.end(daemon, client, signal.SIGKILL)
        shutil.copytree(self.killed, self.ended)
        daemon, client, _ = self.start(self.ended, 2)
        self.ended_truth = self.headers(client)
        self.end(daemon, client, signal.SIGTERM)
        # What the daemons were killed with is there.
        if self.ended_truth != self.truth:
            self.find("undamaged", f"{self.ended_truth} in place of {self.truth}")

    @staticmethod
    def size(state):
        size = 0
        for name in os.listdir(state):
            # A daemon that runs renames and removes files between the listing and the size.
            with contextlib.suppress(FileNotFoundError):
                size += os.path.getsize(os.path.join(state, name))
        return size

    # Damages

    def records(self, content):
        """Where records of a segment begin, and its end."""
        place, places = struct.unpack_from("<I", content, 16)[0] == 1 and 32 or 48, []
        while place < len(content):
            places.append(place)
            place += struct.unpack_from("<I", content, place)[0]
        return places + [len(content)]

    def damage(self, state):
        """A damage by chance: the file, its new content, what was done, and whether it cannot be seen."""
        names = sorted(os.listdir(state))
        sizes = [max(os.path.getsize(os.path.join(state, name)), 200) for name in names]
        name = self.random.choices(names, sizes)[0]
        with open(os.path.join(state, name), "rb") as file:
            content = file.read()
        place = self.random.randrange(len(content)) if content else 0
        kind = self.random.choice(["flip", "flip", "zero", "page", "cut", "between", "more", "again", "empty"])
        if not content:
            kind = "more"
        changed, hidden = bytearray(content), False
        if kind == "flip":
            changed[place] ^= 1 << self.random.randrange(8)
        elif kind == "zero":
            changed[place] = 0
        elif kind == "page":
            changed[place:place + 4096] = bytes(len(changed[place:place + 4096]))
        elif kind == "cut":
            del changed[place:]
        elif kind == "between" and name.endswith(".journal"):
            place = self.random.choice(self.records(content))
            del changed[place:]
        elif kind == "more":
            changed += self.random.randbytes(self.random.randint(1, 100))
        elif kind == "again":
            changed += content[place:place + self.random.randint(1, 5000)]
        elif kind == "empty":
            changed = bytearray()
        if name.endswith(".journal") and len(changed) < len(content) and changed == content[:len(changed)]:
            hidden = state == self.killed and len(changed) in self.records(content)
        return name, bytes(changed), f"{kind} at byte {place} of {os.path.basename(state)}/{name}", hidden

    def lies_before_records(self, name, content, changed):
        """Whether whole records are left behind what was changed."""
        if not name.endswith(".journal") or len(content) != len(changed):
            return False
        last = max((place for place, byte in enumerate(content) if byte != changed[place]), default=len(content))
        return last < self.records(content)[-2]

    def put(self, state, name, content):
        """A copy of a folder with one file changed."""
        copy = os.path.join(self.place, "copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(state, copy)
        with open(os.path.join(copy, name), "wb") as file:
            file.write(content)
        return copy

    @staticmethod
    def digest(state):
        sums = {}
        for name in sorted(os.listdir(state)):
            with open(os.path.join(state, name), "rb") as file:
                sums[name] = hashlib.sha256(file.read()).hexdigest()
        return sums

    def find(self, what, how):
        self.findings.append(f"{what}: {how}")
        print(f"finding: {what}: {how}", flush=True)

    # Checks

    def journal(self, command, state):
        try:
            return subprocess.run(
                [self.ctl, "journal", command, state, "--json"], env=self.environment, capture_output=True, text=True,
                timeout=60)
        except subprocess.TimeoutExpired:
            return None

    def verify(self, state, what, isSame=False, isDamage=False):
        """Whether `journal verify` says that something is wrong, or nothing is."""
        self.counts["verified"] += 1
        result = self.journal("verify", state)
        if result is None:
            return self.find(what, "verify does not end")
        if result.returncode == 1 and result.stderr:
            return None
        if result.returncode != 0:
            return self.find(what, f"verify ended with {result.returncode}: {result.stderr}")
        summary = json.loads(result.stdout.splitlines()[-1])["summary"]
        if isDamage or (not isSame and summary["torn"] == 0):
            self.find(what, f"verify says that nothing is damaged: {summary}")
        return None

    def begin(self, state, what, truth, hidden, isDamage):
        """Whether a daemon has everything, or says what it has not."""
        self.counts["started"] += 1
        before = self.digest(state)
        daemon, client, said = self.start(state, self.random.choice([1, 2]))
        if not client:
            if daemon.returncode != 1 or "the journal cannot be read: " + state not in said:
                self.find(what, f"the daemon ended with {daemon.returncode}: {said}")
            elif self.digest(state) != before:
                self.find(what, "a daemon that refused to start has changed the folder")
            return self.repair(state, what, truth)
        found = self.headers(client)
        self.end(daemon, client, signal.SIGKILL)
        if isDamage:
            self.find(what, "a daemon has started, though whole records lie behind what cannot be read")
        less = [name for name in truth if found.get(name, -1) < truth[name]]
        more = [name for name in found if found[name] > truth.get(name, -1)]
        if more:
            self.find(what, f"more than there was: {found} in place of {truth}")
        if less and not hidden and not any(word in self.log() for word in SAYING):
            self.find(what, f"less than there was, without a word: {found} in place of {truth}")
        return None

    def repair(self, state, what, truth):
        """Whether a repaired journal is good, and has what the damaged one shows."""
        self.counts["repaired"] += 1
        result = self.journal("repair", state)
        if result is None or result.returncode != 0:
            return self.find(what, f"repair: {result and result.stderr}")
        result = self.journal("verify", state)
        if result is None or result.returncode != 0:
            return self.find(what, f"verify after the repair: {result and result.stderr}")
        daemon, client, said = self.start(state)
        if not client:
            return self.find(what, f"no start after the repair: {said}")
        found = self.headers(client)
        self.end(daemon, client, signal.SIGKILL)
        if any(found[name] > truth.get(name, -1) for name in found):
            self.find(what, f"more than there was after the repair: {found} in place of {truth}")
        return None

    # Runs

    def by_chance(self, starts, seconds):
        """Damages by chance, each verified and started with."""
        end = time.monotonic() + seconds
        for _ in range(starts):
            if time.monotonic() > end:
                break
            state = self.random.choice([self.killed, self.killed, self.ended])
            name, content, what, hidden = self.damage(state)
            copy = self.put(state, name, content)
            isJournal = name.endswith(".journal")
            with open(os.path.join(state, name), "rb") as file:
                original = file.read()
            isDamage = self.lies_before_records(name, original, content)
            self.verify(copy, what, original == content or hidden or not isJournal, isDamage)
            self.begin(copy, what, self.truth, hidden, isDamage)

    def every_byte(self, step):
        """Each byte of the killed daemon's files, or each of so many, flipped."""
        for name in sorted(os.listdir(self.killed)):
            if not name.endswith(".journal"):
                continue
            copy = self.put(self.killed, name, b"")
            with open(os.path.join(self.killed, name), "rb") as file:
                content = file.read()
            with open(os.path.join(copy, name), "wb") as file:
                file.write(content)
            with open(os.path.join(copy, name), "r+b", buffering=0) as file:
                last = self.records(content)[-2]
                for place in range(self.random.randrange(step), len(content), step):
                    byte = content[place]
                    os.pwrite(file.fileno(), bytes([byte ^ 1 << self.random.randrange(8)]), place)
                    self.verify(copy, f"byte {place} of {name} flipped", isDamage=place < last)
                    os.pwrite(file.fileno(), bytes([byte]), place)


def main():
    options = suite.arguments(__doc__, count="how many daemons are started with a damage by chance (400; 60 with --short)")
    with tempfile.TemporaryDirectory(prefix="headerd-attack-") as place:
        attack = Attack(options, place)
        attack.fill()
        size = attack.size(attack.killed)
        attack.by_chance(options.count or (60 if options.short else 400), 25 if options.short else 3600)
        if not options.short:
            attack.every_byte(max(1, size // (10 * options.count)) if options.count else 1)
    counts = ", ".join(f"{attack.counts[word]} {word}" for word in ("verified", "started", "repaired"))
    passed = attack.counts["verified"] + attack.counts["started"] - len(attack.findings)
    print(f"journal (seed {options.seed}): {size} bytes, {counts}: {passed} passed, {len(attack.findings)} failed")
    sys.exit(1 if attack.findings else 0)


main()
