#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the clients of all languages against a real daemon.

    run.py PROGRAMS [--client NAME]... [--write]
    run.py PROGRAMS --driver COMMAND

PROGRAMS is the folder of headerd, its plugins and the driver for Swift. COMMAND starts a driver for another client. README.md beside
this file tells the format of the script. The last line is "N passed, N failed".
"""
import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import queue
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CLIENTS = ROOT / "Sources/Clients"
SCRIPT = HERE / "conformance.txt"
BUILD = ROOT / ".build/clients"
PATIENCE = 30
# The conversation about that; who follows it is also scrolled at random.
GOING_ON = "how a state goes on"
PLUGINS = ["ShyNavBar", "FlexibleHeader"]
# For a scroller far from its daemon. At rest ShyNavBar moves the content, in a drag it does not; without resistance all that it then does is
# on lines.
FAR_AWAY = [
    ("at the top", {"behavior": "CollapsingHeader", "options": {
        "drawers": [{"drawer": "navBar", "collapse": True, "returns": "atTop"}, {"drawer": "tabs", "pin": True}]}}),
    ("back at once", {"behavior": "CollapsingHeader"}),
    ("in a drag", {"behavior": "ShyNavBar", "options": {"expansionResistance": 0}})]
# What records messages (Tests/Schema/recorder.c) is loaded into the daemon alone, which has them all: a client that is built with an address
# sanitizer bears no library before the sanitizer's.
RECORDER = {"LD_PRELOAD": os.environ.pop("LD_PRELOAD")} if "LD_PRELOAD" in os.environ else {}


class Daemon:
    """headerd in a folder of its own, found there by XDG_RUNTIME_DIR as a user's daemon is."""

    def __init__(self, programs, config=""):
        self.programs = programs
        self.folder = tempfile.mkdtemp(prefix="headerd-")
        self.socket = f"{self.folder}/headerd/headerd.sock"
        self.plugins = f"{self.folder}/plugins"
        os.mkdir(self.plugins)
        for plugin in PLUGINS:
            os.symlink(f"{programs}/lib{plugin}.so", f"{self.plugins}/lib{plugin}.so")
        self.config = f"{self.folder}/headerd.toml"
        pathlib.Path(self.config).write_text(config)
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("HEADERD_", "XDG_"))}
        self.environment["XDG_RUNTIME_DIR"] = self.folder
        self.process = None
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process is not None:
            self.end(signal.SIGTERM)
        shutil.rmtree(self.folder)

    def start(self):
        # It ends with the test, also with one that is killed.
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", f"{self.programs}/headerd", "--config", self.config],
            env={**self.environment, **RECORDER, "HEADERD_PLUGIN_PATH": self.plugins}, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with socket.socket(socket.AF_UNIX) as probe:
                    probe.connect(self.socket)
                    # Until the daemon has forgotten this connection.
                    probe.shutdown(socket.SHUT_WR)
                    while probe.recv(4096):
                        pass
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("headerd does not start") from None
                time.sleep(0.005)

    def end(self, number):
        self.process.send_signal(number)
        self.process.send_signal(signal.SIGCONT)
        self.process.wait(PATIENCE)
        self.process = None

    def do(self, verb):
        if verb == "start":
            self.start()
        elif verb == "pause":
            self.process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)
        elif verb == "continue":
            self.process.send_signal(signal.SIGCONT)
        else:
            self.end({"stop": signal.SIGTERM, "kill": signal.SIGKILL}[verb])


class Relay:
    """Hands on what the daemon says a few bytes at a time, so that lines and frames come in pieces, or later."""

    def __init__(self, daemon, size=3, delay=0):
        self.target, self.size, self.delay = daemon.socket, size, delay
        self.socket = f"{daemon.folder}/relay.sock"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.socket)
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            far = socket.socket(socket.AF_UNIX)
            far.connect(self.target)
            threading.Thread(target=self.pump, args=(near, far, 65536, 0), daemon=True).start()
            threading.Thread(target=self.pump, args=(far, near, self.size, self.delay), daemon=True).start()

    def pump(self, source, target, size, delay):
        try:
            while data := source.recv(size):
                time.sleep(delay)
                target.sendall(data)
            target.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Line(Relay):
    """Brings everything later, and with a chance much later, as a packet that is sent again does with all behind it."""

    def __init__(self, daemon, latency, loss, again):
        self.latency, self.loss, self.again, self.chance = latency, loss, again, random.Random(1)
        self.lost = 0
        super().__init__(daemon)

    def pump(self, source, target, *_):
        packets = queue.Queue()

        def bring():
            while packet := packets.get():
                time.sleep(max(0, packet[0] - time.monotonic()))
                with contextlib.suppress(OSError):
                    target.sendall(packet[1])
            with contextlib.suppress(OSError):
                target.shutdown(socket.SHUT_RDWR)

        threading.Thread(target=bring, daemon=True).start()
        with contextlib.suppress(OSError):
            while data := source.recv(1400):
                is_lost = self.chance.random() < self.loss
                self.lost += is_lost
                packets.put((time.monotonic() + self.latency + (self.again if is_lost else 0), data))
        packets.put(None)


class Conversation:
    def __init__(self, title):
        self.title, self.config, self.followers, self.steps = title, "", [], []

    @staticmethod
    def read(text):
        conversations = []
        for line in text.splitlines():
            mark, _, rest = line.partition(" ")
            if mark == "#":
                conversations.append(Conversation(rest))
            elif mark == "@":
                conversations[-1].config += rest + "\n"
            elif mark == "!":
                conversations[-1].followers = rest.split()
            elif mark == "<":
                conversations[-1].steps[-1][1] = rest
            elif line:
                conversations[-1].steps.append([line, None])
        return conversations

    def text(self):
        lines = [f"# {self.title}"] + [f"@ {line}" for line in self.config.splitlines()]
        lines += [f"! {' '.join(self.followers)}"] if self.followers else []
        for step, wanted in self.steps:
            lines += [step] if wanted is None else [step, f"< {wanted}"]
        return "\n".join(lines) + "\n"

    def hold(self, client, command, write=False, relayed=False):
        """Holds the conversation with a driver. Returns None, or what went wrong."""
        with Daemon(client.programs, self.config) as daemon:
            environment = {**daemon.environment, **client.environment()}
            if relayed:
                environment["HEADERD_SOCKET"] = Relay(daemon).socket
            bound = {"$path": environment.get("HEADERD_SOCKET", daemon.socket)}
            with Driver(command, environment) as driver:
                for index, (step, wanted) in enumerate(self.steps):
                    if step.startswith("daemon "):
                        daemon.do(step.split()[1])
                        continue
                    who, times = re.fullmatch(r"(\w+)(?:\*(\d+))?", step.split()[0]).groups()
                    for _ in range(int(times or 1)):
                        told = driver.ask(" ".join([who, *step.split(" ")[1:]]))
                    difference = "there is no result" if wanted is None else compare(json.loads(wanted), told, bound, "")
                    if difference and write:
                        self.steps[index][1] = json.dumps(unbind(told, bound), separators=(",", ":"), ensure_ascii=False)
                    elif difference:
                        return f"{self.title}: {step}\n    {difference}\n    {json.dumps(told)}"
        return None


class Driver:
    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.stdin.close()
        if self.process.wait(PATIENCE) != 0 and kind is None:
            raise RuntimeError(f"the driver ended with {self.process.returncode}")

    def ask(self, step):
        self.process.stdin.write(step + "\n")
        self.process.stdin.flush()
        watchdog = threading.Timer(PATIENCE, self.process.kill)
        watchdog.start()
        line = self.process.stdout.readline()
        watchdog.cancel()
        if not line:
            raise RuntimeError(f"the driver ended at: {step}")
        return json.loads(line)


def compare(wanted, told, bound, path):
    """What is different, or None."""
    if wanted == "...":
        return None
    if wanted == "*" and isinstance(told, str) and told:
        return None
    if isinstance(wanted, str) and wanted.startswith("$"):
        if wanted not in bound and told in bound.values():
            return f"{path}: {told} is not new"
        wanted = bound.setdefault(wanted, told)
    if isinstance(wanted, dict) and isinstance(told, dict) and wanted.keys() == told.keys():
        return next(filter(None, (compare(wanted[key], told[key], bound, f"{path}.{key}") for key in wanted)), None)
    if isinstance(wanted, list) and isinstance(told, list) and len(wanted) == len(told):
        pairs = enumerate(zip(wanted, told))
        return next(filter(None, (compare(*pair, bound, f"{path}[{index}]") for index, pair in pairs)), None)
    alike = type(wanted) is type(told) or {type(wanted), type(told)} == {int, float}
    return None if alike and wanted == told else f"{path[1:]}: expected {json.dumps(wanted)}, got {json.dumps(told)}"


def unbind(told, bound):
    """A result as it is written down: without what differs from run to run, and without sentences for people."""
    if isinstance(told, dict):
        words = {"epoch": lambda value: named(value, bound), "message": lambda _: "*"}
        return {key: words.get(key, lambda inner: unbind(inner, bound))(value) for key, value in told.items()}
    if isinstance(told, list):
        return [unbind(value, bound) for value in told]
    return "$path" if told == bound["$path"] else told


def named(value, bound):
    for name, known in bound.items():
        if known == value:
            return name
    bound[f"${len(bound)}"] = value
    return f"${len(bound) - 1}"


# ── Clients ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def run(*command, **options):
    end = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if end.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {end.returncode}:\n{end.stdout}")
    return end.stdout


class Client:
    """How the client of a language is built, and how its driver and its README's programs are run."""

    page: pathlib.Path

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        folder.mkdir(parents=True, exist_ok=True)

    def environment(self):
        return {}

    def program(self, name, text):
        """Writes a program of the page and returns the command that runs it."""
        raise NotImplementedError


class Python(Client):
    """Built as a wheel and used out of it: what is not packed is missing."""

    page, language = CLIENTS / "Python/README.md", "python"

    def build(self):
        shutil.rmtree(self.folder)
        shutil.copytree(CLIENTS / "Python", self.folder / "source")
        # Debian's setuptools, which make has installed; any other Python may lack it.
        run("/usr/bin/python3", "-c", "import setuptools.build_meta as b; b.build_wheel('..')", cwd=self.folder / "source")
        (wheel,) = self.folder.glob("*.whl")
        shutil.unpack_archive(wheel, self.folder / "site", "zip")
        (metadata,) = (self.folder / "site").glob("*.dist-info/METADATA")
        assert "Requires-Dist" not in metadata.read_text(), "the wheel has dependencies"
        assert (self.folder / "site/headerd/py.typed").exists(), "the wheel has no py.typed"
        # The types hold in the oldest Python that is promised, in the package and in the page's programs.
        pages = [self.program(name, source)[1] for name, (source, _) in programs_of(self).items()]
        check = ["mypy", "--strict", "--python-version", "3.9", "--cache-dir", self.folder.parent / "mypy", "--enable-incomplete-feature=Unpack"]
        run(*check, "headerd", *pages, cwd=self.folder / "site")
        # A description is checked, member by member.
        wrong = self.folder / "wrong.py"
        wrong.write_text('import headerd\nheaderd.Client().open("a", drawers=[{"name": "bar", "height": "44"}], lifetime="for ever", drawer=[])\n')
        found = subprocess.run([*check, wrong], cwd=self.folder / "site", capture_output=True, text=True).stdout
        assert all(word in found for word in ('"height"', '"lifetime"', '"drawer"')) and "Found 3 errors" in found, found

    def drivers(self):
        return {f"python-{kind}": ["python3", HERE / "Python/driver.py", kind] for kind in ("blocking", "asyncio")}

    def environment(self):
        return {"PYTHONPATH": str(self.folder / "site"), "PYTHONDONTWRITEBYTECODE": "1"}

    def program(self, name, text):
        path = self.folder / f"{name}.py"
        path.write_text(text)
        # Debian's, which has GLib.
        return ["/usr/bin/python3", path]


class JavaScript(Client):
    page, language = CLIENTS / "JavaScript/README.md", "js"

    def build(self):
        # As a package that was installed.
        package = self.folder / "node_modules/headerd"
        shutil.rmtree(package, ignore_errors=True)
        shutil.copytree(CLIENTS / "JavaScript", package)
        assert "dependencies" not in json.loads((package / "package.json").read_text())
        shutil.copy(HERE / "JavaScript/driver.js", self.folder / "driver.mjs")
        # The types hold, and the page's programs are right by them.
        pages = [self.program(name, source)[1] for name, (source, _) in programs_of(self).items()]
        modules = [shutil.copy(page, page.with_suffix(".mts")) for page in pages]
        run("tsc", "--noEmit", "--strict", "--noImplicitAny", "false", "--target", "es2022", "--module", "node16",
            *modules, cwd=self.folder)

    def drivers(self):
        return {"javascript": ["node", self.folder / "driver.mjs"]}

    def program(self, name, text):
        path = self.folder / f"{name}.mjs"
        path.write_text(text)
        return ["node", path]


class C(Client):
    """With every warning, under the address sanitizer."""

    page, language = CLIENTS / "C/README.md", "c"

    def build(self):
        self.compile(HERE / "C/driver.c", self.folder / "driver")

    def compile(self, source, program):
        run(shutil.which("cc") or "clang", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1",
            "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I", CLIENTS / "C", "-I", ROOT / "Sources/CHeaderWire", source, CLIENTS / "C/headerd_client.c", "-o", program)

    def drivers(self):
        return {"c": [self.folder / "driver"]}

    def program(self, name, text):
        (self.folder / f"{name}.c").write_text(text)
        self.compile(self.folder / f"{name}.c", self.folder / name)
        return [self.folder / name]


class Rust(Client):
    page, language = CLIENTS / "Rust/README.md", "rust"

    def build(self):
        package = tomllib.loads((CLIENTS / "Rust/Cargo.toml").read_text())
        assert package["dependencies"] == {}, "the crate has dependencies"
        self.rustc("--crate-type", "rlib", "--crate-name", "headerd", CLIENTS / "Rust/src/lib.rs", "--out-dir", self.folder)
        self.compile(HERE / "Rust/driver.rs", self.folder / "driver")

    def compile(self, source, program):
        self.rustc("--extern", f"headerd={self.folder}/libheaderd.rlib", source, "-o", program)

    @staticmethod
    def rustc(*arguments):
        run("rustc", "--edition", "2021", "-D", "warnings", *arguments)

    def drivers(self):
        return {"rust": [self.folder / "driver"]}

    def program(self, name, text):
        (self.folder / f"{name}.rs").write_text(text)
        self.compile(self.folder / f"{name}.rs", self.folder / name)
        return [self.folder / name]


class Swift(Client):
    """The client of this package; its driver was built with everything else."""

    page, language = ROOT / "Sources/HeaderClient/README.md", "swift"
    rooms = ("HeaderClient", "HeaderTrace", "HeaderWire", "HeaderCore", "HeaderMotion", "HeaderModel", "Installation", "Posix")

    def build(self):
        pass

    def program(self, name, text):
        source = self.folder / name / "main.swift"
        source.parent.mkdir(exist_ok=True)
        source.write_text(text)
        # Objects of sources that are gone stay in the folder.
        objects = [
            path for room in self.rooms for path in (self.programs / f"{room}.build").glob("*.o")
            if any((ROOT / "Sources" / room).rglob(path.stem))]
        headers = [option for room in ("CHeaderWire", "CLinux") for option in ("-I", ROOT / "Sources" / room)]
        run("swiftc", "-swift-version", "6", "-warnings-as-errors", "-I", self.programs / "Modules", *headers, source, *objects,
            "-o", self.folder / name / "program")
        return [self.folder / name / "program"]

    def drivers(self):
        return {"swift": [self.programs / "client-conformance"]}


KINDS = {"python": Python, "javascript": JavaScript, "c": C, "rust": Rust, "swift": Swift}


def programs_of(client):
    """The programs that a page prints behind the headings "A publisher" and "A renderer", with what they print."""
    found = {}
    for title, body in re.findall(r"^## A (\w+)\n(.*?)(?=^## |\Z)", client.page.read_text(), flags=re.M | re.S):
        (source,) = re.findall(rf"^```{client.language}\n(.*?)^```$", body, flags=re.M | re.S)
        (output,) = re.findall(r"^```text\n(.*?)^```$", body, flags=re.M | re.S)
        found[title] = (source, output)
    assert found.keys() == {"publisher", "renderer"}, f"{client.page}: {found.keys()}"
    return found


def run_loops(client):
    """Runs the programs behind the heading "In a main loop", if there is one. Returns None, or what went wrong."""
    for body in re.findall(r"^## In a main loop\n(.*?)(?=^## |\Z)", client.page.read_text(), flags=re.M | re.S):
        programs = re.findall(rf"^```{client.language}\n(.*?)^```$.*?^```text\n(.*?)^```$", body, flags=re.M | re.S)
        assert programs, f"{client.page}: no program"
        for number, (source, wanted) in enumerate(programs):
            with Daemon(client.programs) as daemon:
                end = subprocess.run(
                    client.program(f"loop{number}", source), env={**daemon.environment, **client.environment()}, text=True,
                    timeout=PATIENCE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if end.returncode != 0 or end.stdout != wanted:
                return f"{client.page}: a main loop ended with {end.returncode} and printed:\n{end.stdout}"
    return None


def run_page(client):
    """Runs the page's renderer and publisher beside each other. Returns None, or what went wrong."""
    programs = {name: (client.program(name, source), output) for name, (source, output) in programs_of(client).items()}
    with Daemon(client.programs) as daemon:
        environment = {**daemon.environment, **client.environment()}

        def start(name):
            return subprocess.Popen(programs[name][0], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        renderer = start("renderer")
        try:
            wait_for_subscription(daemon, renderer)
            publisher = start("publisher")
            for name, process in (("publisher", publisher), ("renderer", renderer)):
                output, errors = process.communicate(timeout=PATIENCE)
                if process.returncode != 0 or output != programs[name][1]:
                    return f"{client.page}: the {name} ended with {process.returncode} and printed:\n{output}{errors}"
        finally:
            renderer.kill()
    return None


def wait_for_subscription(daemon, renderer):
    with socket.socket(socket.AF_UNIX) as connection, connection.makefile() as lines:
        connection.connect(daemon.socket)
        deadline = time.monotonic() + PATIENCE
        while renderer.poll() is None and time.monotonic() < deadline:
            connection.sendall(b'{"id":1,"method":"stats"}\n')
            if json.loads(lines.readline())["result"]["subscriptions"]:
                return
            time.sleep(0.005)


def manual_conversation(text):
    """The messages in the examples of a page: (mark, message), where the mark is > or <."""
    messages = []
    for block in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed$", text, flags=re.M | re.S):
        for line in block.splitlines():
            if line.startswith(("> ", "< ")):
                messages.append([line[0], line[2:]])
            elif messages:
                messages[-1][1] += line.strip()
    # An escaped backslash; what a page leaves out.
    return [(mark, text.replace("\\e", "\\").replace("{...}", '"..."')) for mark, text in messages]


def run_manual(programs):
    """Holds the conversations of the pages of the protocol. Returns None, or what went wrong."""
    pages = {path.stem: path.read_text() for path in sorted((ROOT / "config/man").glob("*.7"))}
    sections = {name: dict(re.findall(r"^\.Sh (.*)\n((?:(?!\.Sh ).*\n)*)", text, flags=re.M)) for name, text in pages.items()}
    conversations = {name: manual_conversation(found["EXAMPLES"]) for name, found in sections.items()}
    ((_, shown),) = manual_conversation(sections["headerd-states"]["ONE STATE"])
    if json.loads(shown) not in [json.loads(text) for mark, text in conversations["headerd-protocol"] if mark == "<"]:
        return "the state under ONE STATE is none of the examples'"
    held = [name for name in conversations if conversations[name]]
    if len(held) < 9:
        return f"there are conversations in {', '.join(held)} alone"
    return next(filter(None, (hold(programs, name, conversations[name]) for name in held)), None)


def hold(programs, name, messages):
    # The page's epochs, and the daemon's.
    epochs = {}
    with Daemon(programs, "limits.deadline = 60\n") as daemon, contextlib.ExitStack() as stack:
        for mark, text in messages:
            for written, real in epochs.items():
                text = text.replace(str(written), str(real))
            message = json.loads(text)
            if mark == ">":
                if message.get("id") == 1 and "method" in message:
                    connection = stack.enter_context(socket.socket(socket.AF_UNIX))
                    connection.settimeout(PATIENCE)
                    connection.connect(daemon.socket)
                    lines = stack.enter_context(connection.makefile())
                connection.sendall(json.dumps(message).encode() + b"\n")
                continue
            told = json.loads(lines.readline())
            if not epochs and "epoch" in message.get("result", {}):
                epochs[message["result"]["epoch"]] = told["result"]["epoch"]
                message["result"]["epoch"] = told["result"]["epoch"]
            if difference := compare(message, told, {}, ""):
                return f"{name}(7): {difference}\n    {json.dumps(told)}"
    return None


def default_sockets(command, environment):
    """Where a client looks for the daemon, rule by rule. Returns None, or what went wrong."""
    plain = {name: value for name, value in os.environ.items() if name not in ("HEADERD_SOCKET", "XDG_RUNTIME_DIR")}
    plain |= environment
    own = "/run/headerd" if os.geteuid() == 0 else f"/tmp/headerd-{os.geteuid()}"
    cases = [
        ({"HEADERD_SOCKET": "some/where", "XDG_RUNTIME_DIR": "/run/user/7"}, "some/where"),
        ({"HEADERD_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/7"}, "/run/user/7/headerd/headerd.sock"),
        ({"XDG_RUNTIME_DIR": "/run/user/7/"}, "/run/user/7/headerd/headerd.sock"),
        ({"XDG_RUNTIME_DIR": "relative"}, f"{own}/headerd.sock"),
        ({}, f"{own}/headerd.sock"),
    ]
    for variables, wanted in cases:
        with Driver(command, {**plain, **variables}) as driver:
            told = driver.ask("someone socket")
        if told != {"socket": wanted}:
            return f"the socket with {variables}: expected {wanted}, got {told}"
    return None


def stranger(client, command):
    """What a client says when it is no headerd that answers. Returns None, or what went wrong."""
    with tempfile.TemporaryDirectory(prefix="headerd-") as folder, socket.socket(socket.AF_UNIX) as listener:
        path = f"{folder}/socket"
        listener.bind(path)
        listener.listen()

        def greet():
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"220 mail.example.org ESMTP\r\n")
                connection.recv(65536)

        threading.Thread(target=greet, daemon=True).start()
        with Driver(command, {**os.environ, **client.environment(), "HEADERD_SOCKET": path}) as driver:
            told = driver.ask("someone connect")
    return None if told.keys() == {"lost"} else f"a mail server answers: {told}"


def goes_on(client, command, behavior, scrolls=300):
    """Scrolls at random: what a client's view says of an offset is what the daemon then decides, if it has foreseen that. Returns None, or
    what went wrong."""
    chance = random.Random(behavior)
    foreseen = moved = 0
    with Daemon(client.programs) as daemon, Driver(command, {**daemon.environment, **client.environment()}) as driver:
        content = {"viewport": {"width": 375, "height": 667}, "contentSize": {"height": 4000}, "contentInset": {"top": 84}}
        description = {
            "header": "main", "scrollViews": {"content": content}, "delegates": [{"behavior": behavior}],
            "drawers": [{"name": "navBar", "height": 44}, {"name": "tabs", "height": 40}]}
        if behavior == "Keyframes":
            description["tellsObstruction"] = True
            description["drawers"][0]["elements"] = [{"name": "title", "frame": {"x": 8, "y": 8, "width": 90, "height": 28}}]
            track = {"element": "title", "drawer": "navBar", "by": "collapse", "keys": [{"progress": 0}, {"progress": 1, "alpha": 0.25}]}
            collapsing = {"behavior": "CollapsingHeader", "options": {"drawers": [{"drawer": "navBar", "collapse": True}]}}
            description["delegates"] = [collapsing, {"behavior": behavior, "options": {"tracks": [track]}}]
        constrain = 'request header.constrain {"header":"main","name":"any","permitted":[0,1]}'
        for step in ("connect", f"open {json.dumps(description)}", *[constrain] * (behavior == "Keyframes"),
                     'subscribe {"headers":["main"],"mode":"every","predict":true}'):
            driver.ask(f"someone {step}")
        shown = driver.ask("someone next")
        driver.ask("someone event main willBeginDragging")
        since = 0
        for _ in range(scrolls):
            if "ahead" not in shown["state"]:
                # The daemon finds out what follows for one header every 8 milliseconds.
                time.sleep(0.01)
                while "state" in (came := driver.ask("someone none")):
                    shown = came
            way = f"main content {chance.uniform(-14, 15)}"
            told = driver.ask(f"someone at {way}")["at"]
            driver.ask(f"someone scroll {way}")
            before, since = shown, since + 1
            # A view does not follow content that turns back, so only the first scroll from where the state was decided counts.
            is_first = since == 1 and before["view"]["scrollViews"]["content"]["offset"] == before["state"]["offsets"]["content"]
            while "state" in (came := driver.ask("someone none")):
                since = 0
                # A state that was not foreseen comes without what follows, and once more with it.
                is_next = came["state"]["seq"] == before["state"]["seq"] + 1 and shown is before
                if is_first and is_next and "ahead" in before["state"] and "ahead" in came["state"]:
                    if difference := apart(told, drawing(came), ""):
                        return f"{behavior} by {way} behind seq {before['state']['seq']}: {difference}"
                    foreseen += 1
                    moved += drawing(before) != drawing(came)
                shown = came
    least = scrolls // 10
    return None if moved >= least else f"{behavior}: {foreseen} of {scrolls} scrolls were foreseen, and {moved} moved the header; expected {least}"


def far_away(programs, title, delegate):
    """Scrolls at 60 frames a second over a line that takes 200 ms each way and loses 5 of 100 packets. But for 75 frames after a change of
    direction, which is a decision, the header is drawn where it is decided to be, and no state that comes moves it. Returns None, or what
    went wrong."""
    sys.path.insert(0, str(CLIENTS / "Python"))
    import headerd

    def edge(state):
        return max(one.frame.y + one.frame.height for one in state.drawers)

    content = {"viewport": {"width": 375, "height": 667}, "contentSize": {"height": 6000}, "contentInset": {"top": 180}}
    description = {
        "scrollViews": {"content": content}, "delegates": [delegate],
        "drawers": [{"name": "navBar", "height": 140, "minimumHeight": 44}, {"name": "tabs", "height": 40}]}
    # Each for two seconds and a half.
    speeds = [2.0] * 150 + [-1.5] * 150 + [5.0] * 150
    events, drawn, decided, jumps, states = [], [], [], [], 0
    with Daemon(programs) as daemon:
        line = Line(daemon, latency=0.2, loss=0.05, again=0.4)
        with headerd.Client(line.socket) as client:
            client.open("main", **description)
            client.subscribe("main", predict=True)
            view = headerd.HeaderView()
            while "ahead" not in (state := client.next(PATIENCE)).params:
                view.apply(state)
            view.apply(state)
            client.event("main", "willBeginDragging", time=0)
            offset, due = view.scroll_views["content"].offset.y, time.monotonic()
            for frame, speed in enumerate(speeds):
                # Whoever is late does not catch up: what the daemon says takes its time.
                time.sleep(max(0, due - time.monotonic()))
                due = time.monotonic() + 1 / 60
                before = edge(view.at(offset, is_dragged=True))
                for message in client.dispatch():
                    if isinstance(message, headerd.State):
                        states += 1
                        view.apply(message)
                jumps.append(abs(edge(view.at(offset, is_dragged=True)) - before))
                offset += speed
                events.append({"time": frame / 60, **view.scroll("content", y=offset)})
                client.event("main", "didScroll", **events[-1])
                drawn.append(edge(view.at(offset, is_dragged=True)))
        with headerd.Client(daemon.socket) as client:
            client.open("near", **description)
            client.subscribe("near", mode="every")
            client.event("near", "willBeginDragging", time=0)
            for event in events:
                client.event("near", "didScroll", **event)
                client.request("ping")
                for message in client.dispatch():
                    last = edge(message) if isinstance(message, headerd.State) else last
                decided.append(last)
    settled = [frame for frame in range(len(speeds)) if frame < 150 or frame % 150 >= 75]
    worst = max(settled, key=lambda frame: max(abs(drawn[frame] - decided[frame]), jumps[frame]))
    print(f"{title}, far away: {line.lost} packets lost, {states} states for {len(speeds)} scrolls, of {len(settled)} frames the worst "
          f"{abs(drawn[worst] - decided[worst]):g} points apart")
    if abs(drawn[worst] - decided[worst]) > 1 or jumps[worst] > 1:
        return f"{title}, frame {worst}: drawn at {drawn[worst]}, decided {decided[worst]}, a jump of {jumps[worst]}"
    if line.lost == 0 or max(decided) - min(decided) < 90:
        return f"{title}: {line.lost} packets lost, decided {min(decided)} to {max(decided)}"
    return None if states * 10 <= len(speeds) else f"{title}: {states} states for {len(speeds)} scrolls"


def drawing(told):
    """What a renderer draws by, in a result."""
    return {
        **{name: told["state"][name] for name in ("elements", "progress", "obstruction") if name in told["state"]},
        "values": told["state"]["values"], "drawers": told["view"]["drawers"],
        "insets": {name: one["inset"] for name, one in told["view"]["scrollViews"].items()}}


def apart(told, decided, path):
    """What is different by more than a rounding, or None."""
    if isinstance(decided, dict) and isinstance(told, dict) and decided.keys() == told.keys():
        return next(filter(None, (apart(told[key], decided[key], f"{path}.{key}") for key in decided)), None)
    if isinstance(decided, list) and isinstance(told, list) and len(decided) == len(told):
        return next(filter(None, (apart(*pair, f"{path}[{index}]") for index, pair in enumerate(zip(told, decided)))), None)
    if isinstance(decided, (int, float)) and isinstance(told, (int, float)) and isinstance(decided, bool) == isinstance(told, bool):
        return None if abs(told - decided) <= 1e-6 else f"{path[1:]}: foreseen {told}, decided {decided}"
    return None if told == decided else f"{path[1:]}: foreseen {json.dumps(told)}, decided {json.dumps(decided)}"


def test(name, check):
    """Runs one check and tells how it went."""
    try:
        failure = check()
    except Exception as error:  # Whatever it is, the other checks go on.
        failure = f"{type(error).__name__}: {error}"
    if failure:
        print(f"{name}: {failure}", flush=True)
    return failure is None


def follow(name, command, client, conversations):
    """All checks of one driver. Returns for each whether it held."""
    followed = [one for one in conversations if not one.followers or name in one.followers]
    return [
        *(test(name, lambda: one.hold(client, command)) for one in followed),
        test(name, lambda: conversations[0].hold(client, command, relayed=True)),
        test(name, lambda: default_sockets(command, client.environment())),
        test(name, lambda: stranger(client, command)),
        *(test(name, lambda: goes_on(client, command, behavior)) for one in followed if one.title == GOING_ON
          for behavior in ("ShyNavBar", "CollapsingHeader", "Keyframes"))]


def test_client(kind, programs, conversations):
    """All checks of one client. Returns for each whether it held."""
    began = time.monotonic()
    client = KINDS[kind](programs, BUILD / kind)
    results = [test(f"{kind}: building", client.build)]
    if not results[0]:
        return results
    for name, command in client.drivers().items():
        results += follow(name, command, client, conversations)
    results.append(test(kind, lambda: run_page(client)))
    results.append(test(kind, lambda: run_loops(client)))
    print(f"{kind}: {len(results)} checks, {time.monotonic() - began:.1f} s", flush=True)
    return results


def write(programs, conversations):
    """Writes down what the client for Python is told, where that is something else."""
    client = Python(programs, BUILD / "python")
    client.build()
    for one in conversations:
        one.hold(client, client.drivers()["python-blocking"], write=True)
    SCRIPT.write_text("\n".join(one.text() for one in conversations))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--client", action="append", choices=KINDS)
    parser.add_argument("--driver", metavar="COMMAND")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    programs = options.programs.resolve()
    conversations = Conversation.read(SCRIPT.read_text())
    if options.write:
        return write(programs, conversations)
    if options.driver:
        results = follow("driver", shlex.split(options.driver), Client(programs, BUILD / "driver"), conversations)
    else:
        with concurrent.futures.ThreadPoolExecutor(2) as executor:
            done = executor.map(lambda kind: test_client(kind, programs, conversations), options.client or KINDS)
            results = [result for results in done for result in results]
        results.append(test("manual", lambda: run_manual(programs)))
        results += [test("far away", lambda: far_away(programs, *one)) for one in FAR_AWAY]
    failed = results.count(False)
    print(f"{results.count(True)} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
