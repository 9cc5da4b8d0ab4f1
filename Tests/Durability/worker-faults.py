#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has plugins in processes of their own go wrong in every way, and kills the processes from outside, and checks what others notice.

Four headers: `bad` and `beside` with the plugin that does harm (Tests/IntegrationTests/Plugins/crasher.c), in one process; `far`, with
ShyNavBar in the daemon; and one that is a copy of `beside` in a daemon where nothing goes wrong. A fault is one scroll of
`bad`. What must hold after each: the daemon lives; `bad` answers; `beside` has every scroll that was answered, in the state of
its copy; the log names plugin, header, delegate and event. Another daemon has one process with many headers, which is killed
while all of them scroll. A third one has a plugin that never returns from opening; the answers of a header far from it are timed while
others are opened, and while none is, in turns. Prints the figures as one line of JSON.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
loader = importlib.util.spec_from_file_location("kill_cycles", os.path.join(HERE, "kill-cycles.py"))
kill_cycles = importlib.util.module_from_spec(loader)
loader.loader.exec_module(kill_cycles)

# By the offset that brings them about.
KINDS = {
    "segfault": 1000, "abort": 1001, "exit": 1002, "loop": 1003, "overflow": 1004, "wild write": 1005, "NaN": 1006,
    "leak": 1007, "slow": 1008, "fork bomb": 1009, "killed": 1010, "_exit": 1011, "huge result": 1015,
    "broken reload": None,
}


# New code that does not begin, by the option it is compiled with; None: half a file.
BROKEN = {"no entry": "-DNO_SYMBOL", "refuses": "-DREFUSES_RESTORE", "dies": "-DDIES_AT_RESTORE", "half": None}


class Daemon:
    """headerd with the plugin that does harm, isolated or not."""

    def __init__(self, options, folder, isolation, *flags):
        self.folder = folder
        os.makedirs(folder)
        self.socket_path = os.path.join(folder, "socket")
        self.log_path = os.path.join(folder, "log")
        plugins = os.path.join(folder, "plugins")
        os.makedirs(plugins)
        shutil.copy(os.path.join(options.bin, "libShyNavBar.so"), plugins)
        self.plugin = os.path.join(plugins, "libCrasher.so")
        whole = self.compile(options, "whole", *flags)
        self.code = {"whole": whole, **{name: self.compile(options, name, flag) for name, flag in BROKEN.items() if flag}}
        self.code["half"] = whole[:len(whole) // 2]
        self.install("whole")
        config = os.path.join(folder, "headerd.toml")
        with open(config, "w") as file:
            file.write(
                f'[plugins]\nfolders = ["{plugins}"]\nload = ["*"]\ndeadline = {options.deadline}\n'
                f'isolation = {{ Crasher = "{isolation}" }}\nprocessMemory = 100000000\n[log]\nlevel = "warning"\n')
        self.log = open(self.log_path, "wb")
        self.process = subprocess.Popen(
            [os.path.join(options.bin, "headerd"), "--config", config, "--socket", self.socket_path], stderr=self.log,
            env=dict(os.environ, SWIFT_BACKTRACE="enable=no", HEADERD_PLUGIN_PATH=""))
        for _ in range(6000):
            try:
                self.client = kill_cycles.Client(self.socket_path)
                self.client.call("ping")
                return
            except (ConnectionError, FileNotFoundError):
                time.sleep(0.01)
        sys.exit("headerd does not answer")

    def compile(self, options, name, *flags):
        """The plugin as it is with some options."""
        contract = os.path.join(ROOT, "Sources/CHeaderPlugin")
        library = os.path.join(self.folder, name.replace(" ", "-") + ".so")
        subprocess.run(
            [options.compiler, "-std=c11", "-w", "-O0", "-fPIC", "-shared", "-I", contract,
             f"-Wl,--version-script={contract}/exported.map", *flags, "-o", library,
             os.path.join(ROOT, "Tests/IntegrationTests/Plugins/crasher.c")], check=True)
        return pathlib.Path(library).read_bytes()

    def install(self, name):
        """Puts code in the plugin's place, as an installer does."""
        beside = self.plugin + ".new"
        pathlib.Path(beside).write_bytes(self.code[name])
        os.chmod(beside, 0o755)
        os.rename(beside, self.plugin)

    def workers(self):
        """The numbers of its processes, each the child of one of its threads."""
        threads = pathlib.Path(f"/proc/{self.process.pid}/task")
        return [int(word) for thread in threads.iterdir() for word in (thread / "children").read_text().split()]

    def end(self):
        self.process.terminate()
        return self.process.wait(timeout=60)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Run:
    def __init__(self, options, folder):
        self.options = options
        self.daemon = Daemon(options, os.path.join(folder, "bad"), "process")
        self.daemons = [self.daemon]
        self.reference = Daemon(options, os.path.join(folder, "good"), "none")
        self.daemons.append(self.reference)
        self.random = random.Random(options.seed)
        self.clock = 0
        self.offset = 0.0
        self.calm, self.stormy, self.recoveries = [], [], []
        self.answered = self.lost = self.faults = self.kills = 0
        for name, behavior in (("bad", "Crasher"), ("beside", "Crasher"), ("far", "ShyNavBar")):
            self.open(self.daemon, name, behavior)
        self.open(self.reference, "beside", "Crasher")

    @staticmethod
    def open(daemon, name, behavior):
        daemon.client.call("header.open", {
            "header": name, "frames": "events",
            "scrollViews": {"content": {"viewport": {"width": 375, "height": 667}, "contentSize": {"height": 9e6}}},
            "drawers": [{"name": "navBar", "height": 44}], "delegates": [{"behavior": behavior}]})

    @staticmethod
    def event(header, time_, offset):
        return {"header": header, "event": "didScroll", "time": time_, "offset": {"y": offset}}

    def far(self, into, count=1):
        """Times answers to events of the header that has nothing to do with it, in milliseconds."""
        for _ in range(count):
            self.clock += 1
            begun = time.perf_counter()
            self.far_client.call("event", self.event("far", self.clock, self.random.uniform(0, 900)))
            into.append((time.perf_counter() - begun) * 1000)

    def beside(self):
        """One more scroll of the header in the same process, answered, here and in the copy."""
        self.clock += 1
        self.offset = self.random.uniform(0, 900)
        event = self.event("beside", self.clock, self.offset)
        begun = time.perf_counter()
        self.daemon.client.call("event", event)
        self.recoveries.append((time.perf_counter() - begun) * 1000)
        self.reference.client.call("event", event)
        self.answered += 1

    @staticmethod
    def state(daemon, header):
        """What is seen of a header."""
        state = daemon.client.call("header.get", {"header": header})["state"]
        return {key: value for key, value in state.items() if key not in ("epoch", "seq")}

    def compare(self):
        """The header in the same process is where its copy is."""
        here, there = self.state(self.daemon, "beside"), self.state(self.reference, "beside")
        if here != there:
            self.lost += 1
            print(f"beside is {here}, and its copy {there}", file=sys.stderr)

    def fault(self, kind):
        """One scroll that does harm, with others' events meanwhile; then the plugin gets another chance."""
        if KINDS[kind] is None:
            return self.break_reload()
        self.clock += 1
        number = self.daemon.client.send("event", self.event("bad", self.clock, KINDS[kind]))
        self.answer(number, kind)
        self.faults += 1
        self.beside()
        self.clock += 1
        self.daemon.client.call("event", self.event("bad", self.clock, 10))
        self.renew()

    def answer(self, number, kind):
        """Waits for the answer to a request that does harm, and times the header far from it meanwhile."""
        self.far(self.stormy, 5)
        begun = time.monotonic()
        while time.monotonic() - begun < 60:
            for line in self.daemon.client.lines(0.05):
                if line.get("id") == number:
                    return line
            self.far(self.stormy)
        sys.exit(f"{kind}: no answer within 60 s")

    def break_reload(self):
        """In the middle of a drag new code comes that does not begin: the header goes on with the old one, and beside it does."""
        def drag(name, **more):
            self.clock += 1
            event = dict(self.event("bad", self.clock, 10), event=name, **more)
            self.daemon.client.call("event", event)
        drag("willBeginDragging")
        drag("didScroll")
        before = self.state(self.daemon, "bad")
        kind = self.random.choice(list(BROKEN))
        self.daemon.install(kind)
        number = self.daemon.client.send("plugin.reload", {"plugin": "Crasher"})
        if "error" not in self.answer(number, kind):
            sys.exit(f"broken code was taken: {kind}")
        if self.state(self.daemon, "bad") != before:
            self.lost += 1
            print(f"{kind}: bad was {before}, and is {self.state(self.daemon, 'bad')}", file=sys.stderr)
        self.faults += 1
        self.beside()
        drag("didEndDragging", willDecelerate=False)
        self.daemon.install("whole")
        self.renew()

    def renew(self):
        # The same content is loaded anew where a delegate is bypassed.
        self.daemon.client.call("plugin.reload", {"plugin": "Crasher"})

    def kill(self):
        """Kills a process at any moment while its headers scroll."""
        numbers = []
        for _ in range(self.random.randint(0, 20)):
            self.clock += 1
            event = self.event("beside", self.clock, self.random.uniform(0, 900))
            numbers.append(self.daemon.client.send("event", event))
            self.reference.client.call("event", event)
        time.sleep(self.random.uniform(0, 0.002))
        for process in self.daemon.workers():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        killed = time.perf_counter()
        left = set(numbers)
        while left:
            for line in self.daemon.client.lines(1):
                if "error" in line:
                    sys.exit(f"an event was refused: {line}")
                left.discard(line.get("id"))
            if time.perf_counter() - killed > 60:
                sys.exit("no answer within 60 s")
        self.answered += len(numbers)
        self.kills += 1
        begun = time.perf_counter()
        self.beside()
        self.recoveries[-1] = (time.perf_counter() - min(begun, killed)) * 1000

    def go(self):
        self.far_client = kill_cycles.Client(self.daemon.socket_path)
        self.far([], 200)
        each = self.options.faults
        for kind in KINDS:
            self.far(self.calm, 5 * each)
            before = len(self.daemon_log())
            for _ in range(each):
                self.fault(kind)
            self.compare()
            self.named(kind, self.daemon_log()[before:])
            if self.options.progress:
                print(f"{kind}: {each} done", file=sys.stderr)
        for count in range(self.options.kills):
            self.kill()
            if count % 100 == 99:
                self.compare()
                if self.options.progress:
                    print(f"{count + 1} processes killed", file=sys.stderr)
        self.compare()

    def daemon_log(self):
        with open(self.daemon.log_path, "r", errors="replace") as file:
            return file.read()

    def named(self, kind, log):
        """The log says who it was."""
        if kind in ("NaN", "slow", "fork bomb", "wild write", "huge result", "broken reload"):
            return
        said = re.search(r"event=workerDied plugins=Crasher .*header=bad delegate=crasher event=didScroll", log)
        if said is None:
            sys.exit(f"{kind}: the log does not name it:\n{log[-2000:]}")


class Crowd:
    """One process with many headers that all scroll; it is killed, and all of them go on."""

    def __init__(self, daemon, headers, chance):
        self.daemon, self.random = daemon, chance
        self.clock = 0
        self.calm, self.first, self.all = [], [], []
        self.names = [f"crowd{index}" for index in range(headers)]
        for name in self.names:
            Run.open(daemon, name, "Crasher")

    def round(self):
        """An event for each; milliseconds until the first answer and the last."""
        self.clock += 1
        begun = time.perf_counter()
        left = {
            self.daemon.client.send("event", Run.event(name, self.clock, self.random.uniform(0, 900)))
            for name in self.names}
        first = None
        while left:
            for line in self.daemon.client.lines(1):
                if "error" in line:
                    sys.exit(f"an event was refused: {line}")
                left.discard(line.get("id"))
                first = first or (time.perf_counter() - begun) * 1000
        return first, (time.perf_counter() - begun) * 1000

    def kill(self):
        # Somewhere between two of the saves that a new process begins with.
        for _ in range(self.random.randint(1, 64)):
            self.calm.append(self.round()[1])
        for process in self.daemon.workers():
            os.kill(process, signal.SIGKILL)
        first, last = self.round()
        self.first.append(first)
        self.all.append(last)

    def figures(self):
        return {
            "crowd": len(self.names), "crowdKills": len(self.all), "crowdCalmMedian": round(statistics.median(self.calm), 1),
            "crowdFirstMedian": round(statistics.median(self.first), 1),
            "crowdAllMedian": round(statistics.median(self.all), 1), "crowdAllP99": round(percentile(self.all, 0.99), 1)}


class Stuck:
    """A plugin that never returns when certain headers open, and a header on the same thread that has nothing to do with it."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.opener = kill_cycles.Client(daemon.socket_path)
        self.calm, self.stuck = [], []
        self.clock = self.openings = 0
        Run.open(daemon, "far", "ShyNavBar")

    def opening(self):
        """Begins to open a header that cannot be opened."""
        self.openings += 1
        return self.opener.send("header.open", {
            "header": f"stuck{self.openings}", "drawers": [{"name": "navBar", "height": 99}],
            "delegates": [{"behavior": "Crasher"}]})

    def turn(self, seconds, into, opens):
        number = self.opening() if opens else None
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.clock += 1
            begun = time.perf_counter()
            self.daemon.client.call("event", Run.event("far", self.clock, self.clock % 900))
            into.append((time.perf_counter() - begun) * 1000)
            for line in self.opener.lines(0) if opens else []:
                if line.get("id") == number:
                    if "error" not in line:
                        sys.exit(f"what never returns has opened: {line}")
                    number = self.opening()
        while opens and not any(line.get("id") == number for line in self.opener.lines(1)):
            continue

    def figures(self):
        return {
            "stuckOpenings": self.openings, "beforeP99": round(percentile(self.calm, 0.99), 3),
            "meanwhileP99": round(percentile(self.stuck, 0.99), 3), "meanwhileMost": round(max(self.stuck), 3)}


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bin", help="the folder with headerd, headerd-worker and the plugins")
    parser.add_argument("--faults", type=int, default=5, help="of each kind")
    parser.add_argument("--kills", type=int, default=50, help="processes killed from outside")
    parser.add_argument("--crowd", type=int, default=500, help="headers of a process that is killed while all of them scroll")
    parser.add_argument("--crowd-kills", type=int, default=5)
    parser.add_argument("--stuck", type=int, default=5, help="seconds in which headers are opened that cannot be")
    parser.add_argument("--deadline", type=float, default=0.1, help="seconds that an input may take")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compiler", default=shutil.which("clang") or "cc")
    parser.add_argument("--progress", action="store_true", default=sys.stderr.isatty())
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    folder = tempfile.mkdtemp(prefix="headerd-faults-")
    run = None
    try:
        run = Run(options, folder)
        run.go()
        deaths = run.daemon.client.call("stats")["workers"]["deaths"]
        crowd = Crowd(Daemon(options, os.path.join(folder, "crowd"), "process"), options.crowd, run.random)
        run.daemons.append(crowd.daemon)
        for _ in range(options.crowd_kills):
            crowd.kill()
        stuck = Stuck(Daemon(options, os.path.join(folder, "stuck"), "process", "-DWAITS_AT_ATTACH"))
        run.daemons.append(stuck.daemon)
        for _ in range(options.stuck):
            stuck.turn(1, stuck.calm, False)
            stuck.turn(1, stuck.stuck, True)
        status = run.daemon.end()
        run.reference.end()
        crash = [value for value in run.recoveries if value < 1e9]
        print(json.dumps({
            "kinds": len(KINDS), "faults": run.faults, "kills": run.kills, "deaths": deaths, "answered": run.answered,
            "lost": run.lost, "status": status,
            "recoveryMedian": round(statistics.median(crash), 2), "recoveryP99": round(percentile(crash, 0.99), 2),
            "calmP99": round(percentile(run.calm, 0.99), 3), "stormyP99": round(percentile(run.stormy, 0.99), 3),
            **(crowd.figures() if crowd.all else {}), **(stuck.figures() if stuck.stuck else {}),
        }))
        if run.lost or status:
            sys.exit(1)
    finally:
        for daemon in run.daemons if run else []:
            daemon.kill()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
