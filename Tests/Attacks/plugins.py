#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has hostile plugins run in processes of their own, and checks that nobody else notices.

Each is the plugin Tests/Attacks/Plugins/hostile.c with a script of its own, made from a seed: random system calls, writes to every
descriptor, garbage on its socket and on the page that it shares with the daemon, signals, forks, threads that live on, spoiled
memory, descriptors that signal the daemon, floods of lines, and one of nine ways to end or not to. A daemon has the header `bad` with it,
`beside` in the same process, `far` with another plugin in another process, and `here` in the daemon. What must hold after each:

  the daemon lives and answers; far and here are where they are in a daemon without any hostile plugin; beside is there, and is not
  bypassed; a file beside them is as it was; every line of the log is the daemon's

and at the end: no process of a plugin outlives a daemon that is killed. A third of them run as on a kernel with landlock 2 (Debian 12's),
a third as on one without it. Needs a C compiler.
"""

import importlib.util
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import suite

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
loader = importlib.util.spec_from_file_location("kill_cycles", os.path.join(ROOT, "Tests/Durability/kill-cycles.py"))
kill_cycles = importlib.util.module_from_spec(loader)
loader.loader.exec_module(kill_cycles)

COMPILER = shutil.which("clang") or shutil.which("cc")
LINE = re.compile(r"time=\S+ level=(error|warning|info|debug) event=[a-zA-Z]+( |$)")
CANARY = "nobody has touched this\n"


class Finding(Exception):
    """Something that must not be."""


def compile_plugin(source, library, *flags):
    contract = os.path.join(ROOT, "Sources/CHeaderPlugin")
    subprocess.run(
        [COMPILER, "-std=c11", "-w", "-O1", "-fPIC", "-shared", "-I", contract, "-I", os.path.join(ROOT, "Tests/IntegrationTests/Plugins"),
         f"-Wl,--version-script={contract}/exported.map", *flags, "-o", library, os.path.join(HERE, "Plugins", source)], check=True)


class Daemon:
    """headerd in a folder, with processes that see some version of landlock."""

    def __init__(self, bin_folder, folder, isolation, landlock=None):
        os.makedirs(os.path.join(folder, "plugins"))
        self.folder = folder
        self.log_path, self.last = os.path.join(folder, "log"), ""
        self.canary = os.path.join(folder, "canary")
        pathlib.Path(self.canary).write_text(CANARY)
        plugins = ["ShyNavBar", "FlexibleHeader"]
        for name in plugins:
            shutil.copy(os.path.join(bin_folder, f"lib{name}.so"), os.path.join(folder, "plugins"))
        if isolation:
            plugins.append("Hostile")
            compile_plugin("hostile.c", os.path.join(folder, "plugins/libHostile.so"), f'-DCANARY="{self.canary}"')
        config = os.path.join(folder, "headerd.toml")
        pathlib.Path(config).write_text(
            f'[plugins]\nfolders = ["{folder}/plugins"]\nload = {json.dumps(plugins)}\ndeadline = 0.3\nprocessMemory = 150000000\n'
            f'isolation = {{ {isolation} }}\nreadable = {{ Hostile = ["{self.canary}"] }}\n[log]\nlevel = "info"\n')
        program = os.path.join(bin_folder, "headerd")
        if landlock is not None:
            program = self.masked(bin_folder, landlock)
        self.log = open(self.log_path, "wb")
        self.socket = os.path.join(folder, "s")
        self.process = subprocess.Popen(
            [program, "--config", config, "--socket", self.socket], stderr=self.log, stdin=subprocess.DEVNULL,
            env=dict(os.environ, SWIFT_BACKTRACE="enable=no", HEADERD_PLUGIN_PATH="", LD_LIBRARY_PATH=bin_folder))
        self.client = self.connect()

    def masked(self, bin_folder, landlock):
        """A tree whose processes for plugins see an older landlock (Tests/IntegrationTests/Preloaded)."""
        prefix = os.path.join(self.folder, f"landlock-{landlock}")
        for name in ("bin", "libexec/headerd"):
            os.makedirs(os.path.join(prefix, name))
        preloaded = os.path.join(ROOT, "Tests/IntegrationTests/Preloaded")
        subprocess.run(
            [COMPILER, "-shared", "-fPIC", "-o", os.path.join(prefix, "old-landlock.so"),
             os.path.join(preloaded, "old-landlock.c")], check=True)
        os.symlink(os.path.join(preloaded, "old-landlock.sh"), os.path.join(prefix, "libexec/headerd/headerd-worker"))
        os.symlink(os.path.join(bin_folder, "headerd-worker"), os.path.join(self.folder, "headerd-worker"))
        shutil.copy(os.path.join(bin_folder, "headerd"), os.path.join(prefix, "bin"))
        return os.path.join(prefix, "bin/headerd")

    def connect(self):
        for _ in range(6000):
            try:
                client = kill_cycles.Client(self.socket)
                client.call("ping")
                return client
            except (ConnectionError, FileNotFoundError):
                if self.process.poll() is not None:
                    raise Finding(f"headerd does not start: {self.text()[-2000:]}") from None
                time.sleep(0.01)
        raise Finding("headerd does not answer")

    def call(self, method, params=None):
        """The whole answer to a request."""
        try:
            number = self.client.send(method, params or {})
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline:
                for line in self.client.lines(1):
                    if line.get("id") == number:
                        return line
        except (EOFError, ConnectionError, BrokenPipeError):
            time.sleep(0.2)
            raise Finding(f"the daemon is gone: status {self.process.poll()}") from None
        raise Finding(f"{method} has no answer within 30 s")

    def text(self):
        return pathlib.Path(self.log_path).read_text(errors="replace")

    def workers(self):
        """The numbers of its processes."""
        numbers = []
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                numbers += [int(word) for word in (task / "children").read_text().split()]
            except OSError:
                pass
        return numbers

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.last = self.text()


def open_header(daemon, name, behavior):
    return daemon.call("header.open", {
        "header": name, "frames": "events",
        "scrollViews": {"content": {"viewport": {"width": 375, "height": 667}, "contentSize": {"width": 1e9, "height": 9e6}}},
        "drawers": [{"name": "bar", "height": 44}], "delegates": [{"behavior": behavior}]})


def scroll(daemon, name, clock, y, x=0):
    return daemon.call("event", {"header": name, "event": "didScroll", "time": clock, "offset": {"x": x, "y": y}})


def state(daemon, name):
    answer = daemon.call("header.get", {"header": name})
    if "error" in answer:
        raise Finding(f"{name}: {answer['error']['message']}")
    return {key: value for key, value in answer["result"]["state"].items() if key not in ("epoch", "time")}


class Siege:
    """One daemon with hostile plugins, and one without."""

    def __init__(self, bin_folder, folder, landlock, chance, daemons):
        self.random = chance
        self.clock = 0
        self.landlock = landlock
        daemons.append(Daemon(bin_folder, os.path.join(folder, "besieged"), 'Hostile = "process", ShyNavBar = "process"', landlock))
        daemons.append(Daemon(bin_folder, os.path.join(folder, "calm"), ""))
        self.daemon, self.reference = daemons
        for daemon in (self.daemon, self.reference):
            open_header(daemon, "far", "ShyNavBar")
            open_header(daemon, "here", "FlexibleHeader")
        open_header(self.daemon, "beside", "Hostile")
        self.lost = 0

    def others(self):
        """The headers of other plugins move, as they do elsewhere."""
        for name in ("far", "here"):
            self.clock += 1
            y = self.random.uniform(0, 900)
            for daemon in (self.daemon, self.reference):
                answer = scroll(daemon, name, self.clock, y)
                if "error" in answer:
                    raise Finding(f"{name}: {answer['error']['message']}")

    def attack(self, seed):
        if "error" in open_header(self.daemon, "bad", "Hostile"):
            # What an earlier one has left in the process may end it now; a new one is there by then.
            self.renew()
            again = open_header(self.daemon, "bad", "Hostile")
            if "error" in again:
                raise Finding(f"no header with the plugin opens any more: {again['error']['message']}")
        self.clock += 1
        scroll(self.daemon, "bad", self.clock, 10)
        self.clock += 1
        self.daemon.client.send(
            "event", {"header": "bad", "event": "didScroll", "time": self.clock, "offset": {"x": seed, "y": 1000}})
        self.others()
        for step in range(3):
            self.clock += 1
            answer = scroll(self.daemon, "bad", self.clock, 20 + step)
            self.clock += 1
            beside = scroll(self.daemon, "beside", self.clock, self.random.uniform(0, 900))
            if beside.get("error", {}).get("data", {}).get("name") == "headerNotFound":
                raise Finding("beside is closed: another header of its process has brought it down")
        self.others()
        if "error" in answer and answer["error"]["data"]["name"] == "headerNotFound":
            self.lost += 1
        self.daemon.call("header.close", {"header": "bad"})
        for name in ("far", "here"):
            if state(self.daemon, name) != state(self.reference, name):
                raise Finding(f"{name} is {state(self.daemon, name)}, and {state(self.reference, name)} elsewhere")
        if pathlib.Path(self.daemon.canary).read_text() != CANARY:
            raise Finding("a file was changed")
        for place in ("/dev/shm/headerd-hostile", "/tmp/headerd-hostile"):
            if os.path.exists(place):
                os.remove(place)
                raise Finding(f"{place} was made")

    def renew(self):
        """A new process for all headers with the plugin."""
        self.daemon.call("plugin.reload", {"plugin": "Hostile"})

    def end(self):
        """The daemon is killed, and nothing of it lives on."""
        log = self.daemon.text()
        wrong = [line for line in log.splitlines() if not LINE.match(line)]
        if wrong:
            raise Finding(f"a line of the log is not the daemon's: {wrong[0][:200]!r}")
        named = re.search(r"event=(delegateBypassed|headerLost) header=(beside|far|here).*", log)
        if named:
            raise Finding(f"another header was blamed: {named[0]}")
        workers = self.daemon.workers()
        deaths = self.daemon.call("stats")["result"]["workers"]["deaths"]
        self.daemon.kill()
        deadline = time.monotonic() + 10
        while left := [number for number in workers if lives(number)]:
            if time.monotonic() > deadline:
                for number in left:
                    os.kill(number, signal.SIGKILL)
                raise Finding(f"{len(left)} processes outlive the daemon")
            time.sleep(0.02)
        return deaths


def lives(number):
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def besiege(options, part, landlock, count, daemons):
    """A third of the plugins, against daemons that see one version of landlock."""
    folder = tempfile.mkdtemp(prefix="headerd-attack-")
    seeds = range(options.seed + part, options.seed + count, 3)
    seed, begun = None, time.monotonic()
    try:
        siege = Siege(options.programs, folder, landlock, random.Random(options.seed + part), daemons)
        for index, seed in enumerate(seeds):
            siege.attack(seed)
            if index % 10 == 9:
                siege.renew()
            if index % 50 == 49:
                print(f"{index + 1} of {len(seeds)}, {time.monotonic() - begun:.0f} s", flush=True)
        deaths = siege.end()
        print(f"{len(seeds)} hostile plugins, {deaths} processes died, {siege.lost} of their headers were given up", flush=True)
    except Finding as finding:
        raise Finding(f"seed {seed}: {finding}") from None
    finally:
        for daemon in daemons:
            daemon.kill()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    options = suite.arguments(__doc__, count="how many hostile plugins (1000; 30 with --short)")
    if COMPILER is None:
        sys.exit("plugins.py needs a C compiler")
    count = options.count or (30 if options.short else 1000)
    attacks = suite.Suite("plugins", options)
    for part, (landlock, name) in enumerate(((None, "landlock as it is"), (2, "landlock 2"), (0, "no landlock"))):
        daemons = []
        attacks.run(
            name, lambda: besiege(options, part, landlock, count, daemons),
            log=lambda: daemons[0].last if daemons else "")
    attacks.finish()


if __name__ == "__main__":
    main()
