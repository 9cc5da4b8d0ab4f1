#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests in parts, some side by side, and ends with one line a part: passed, failed, seconds, and those of a processor.

    run.py check               suites that start no program, recordings, schema, formats
    run.py test                that, and what a user would see: programs, sockets, clients, browser, NATS, installation
    run.py long                the long forms of the same
    run.py test --only web --only nats    those parts whose names have one of the words
    run.py test --list         what there is, and what each part runs
    run.py test --times 20 --load 2    twenty times in a row, beside two processes that do nothing but work

It builds first, programs and tests at once as they are shipped, and with --install, which `make check`, `make test` and `make test-long`
give, it installs what is missing meanwhile. What a part prints goes to .build/tests/PART.log, and to stderr once it has failed; the end of
that stands below the table again, for who sees only the end of the output. The last line is "N passed, N failed": tests where a part
counts them, else parts. Exit status: 0 all passed, 1 something failed, 2 wrong usage.
"""
import argparse
import concurrent.futures
import contextlib
import dataclasses
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests"))
from suites import BUILD, STARTS_PROGRAMS, SWIFT  # noqa: E402

LOGS = ROOT / ".build/tests"
# What suites and daemons say to each other, for the last part, which holds it against the schema (Tests/Schema).
MESSAGES, RECORDER = ROOT / ".build/messages", ROOT / ".build/recorder.so"
# Where the Python environment of the browser's driver is; the Makefile makes it.
WEB_PYTHON = ".build/web-venv/bin/python"
TOOLKITS_PYTHON = ".build/toolkits-venv/bin/python"


def suites(pattern, skip=None, **environment):
    """A command that runs the suites whose names match."""
    command = ["{bin}/headerdPackageTests.xctest", "--testing-library", "swift-testing", "--filter", pattern]
    if skip:
        command += ["--skip", skip]
    return [f"{name}={value}" for name, value in environment.items()] + command


@dataclasses.dataclass
class Part:
    """Something that runs by itself, beside any other part."""

    name: str
    command: list
    # What it says to daemons is kept in MESSAGES.
    recorded: bool = False
    # The seconds after which it is ended, and has failed.
    bound: int = 1800


# Suites by what they need; each test belongs to one of these parts.
INTEGRATION = r"^IntegrationTests\."
PROGRAMS = STARTS_PROGRAMS.replace("|IntegrationTests", "")

SUITES = Part("suites", suites(r"^", skip=STARTS_PROGRAMS), recorded=True)
CHECK = [
    SUITES,
    Part("format", ["make", "--no-print-directory", "lint"]),
    Part("history", ["Tests/history.py"]),
    Part("laws", ["Tests/Conformance/Laws/record.py", "check"]),
    Part("recordings", ["{bin}/conformance", "--plugins", "{bin}", "Tests/Conformance/Traces"]),
]
# Each file is a suite, but for what they have in common.
ATTACKS = [path for path in sorted((ROOT / "Tests/Attacks").glob("*.py")) if path.stem != "suite"]
THRESHOLDS = ["{bin}/headerd-bench", "--thresholds", "Tests/Benchmarks/thresholds.json"]
# What takes longest first, so that those that run last end at about the same time.
USER = [
    Part("web", [WEB_PYTHON, "Tests/Web/run.py", "{bin}", "--short", "--without", "test_site"], recorded=True),
    SUITES,
    Part("sockets", suites(INTEGRATION), recorded=True),
    Part("sockets, 2 threads", suites(INTEGRATION, HEADERD_TEST_THREADS=2), recorded=True),
    Part("guides", ["Tests/Readme/run.py", "--guides", "{bin}"], recorded=True),
    Part("programs", suites(PROGRAMS), recorded=True),
    Part("clients", ["Tests/Clients/run.py", "{bin}"], recorded=True),
    Part("nats", ["Tests/Nats/run.py", "{bin}", "--short"], recorded=True),
    *[Part(f"toolkits, {name}", [f"Tests/Toolkits/{name}.py", "{bin}"], recorded=True) for name in ("gtk", "qt")],
    Part("toolkits, gtk, C", ["Tests/Toolkits/gtk.py", "{bin}", "--adapter", "C"], recorded=True),
    Part("toolkits, qt, PySide6", [TOOLKITS_PYTHON, "Tests/Toolkits/qt.py", "{bin}", "--binding", "PySide6"], recorded=True),
    Part("web, site", [WEB_PYTHON, "Tests/Web/run.py", "{bin}", "--short", "--only", "test_site"], recorded=True),
    Part("install", ["Tests/Install/run", "{bin}"]),
    Part("nats, kills", ["Tests/Nats/kills.py", "{bin}", "--kills", "6"], recorded=True),
    Part("toolkits, terminal", [TOOLKITS_PYTHON, "Tests/Toolkits/terminal.py", "{bin}"], recorded=True),
    Part("instructions", [*THRESHOLDS, "--only", "laws", "--only", "service", "--only", "fanout-16"]),
    Part("readme", ["Tests/Readme/run.py"]),
    Part("clients, driver", ["Tests/Clients/run.py", "{bin}", "--driver", "env PYTHONPATH=Sources/Clients/Python python3 Tests/Clients/Python/driver.py blocking"]),
    *[Part(f"attacks, {path.stem}", [str(path), "{bin}", "--short"], recorded=True) for path in ATTACKS],
    Part("units", ["Tests/Install/units", "{bin}"]),
    Part("lives", ["{bin}/headerd-simulate", "--seeds", "1..<50"]),
    Part("nats, secure", ["Tests/Nats/secure.py", "{bin}"], recorded=True),
    Part("types", ["Tests/Schema/generated.py", "{bin}"], recorded=True),
    Part("allocations", [*THRESHOLDS, "--no-instructions"]),
    Part("kills", ["Tests/Durability/kill-cycles.py", "{bin}", "--cycles", "10"], recorded=True),
]
LONG = [
    Part("suites, long", suites(r"^", skip=STARTS_PROGRAMS, HEADERD_EFFORT=10), bound=2400),
    Part("debug", [SWIFT, "test", "--disable-xctest", "--explicit-target-dependency-import-check", "error"], bound=3600),
    Part("web, long", [WEB_PYTHON, "Tests/Web/run.py", "{bin}"]),
    Part("nats, long", ["Tests/Nats/run.py", "{bin}"]),
    Part("nats, 30 kills", ["Tests/Nats/kills.py", "{bin}", "--kills", "30"]),
    Part("lives, long", ["{bin}/headerd-simulate", "--seeds", "50..<400"]),
    Part("kills, long", ["Tests/Durability/kill-cycles.py", "{bin}", "--cycles", "40"]),
    Part("process faults", ["Tests/Durability/worker-faults.py", "{bin}", "--faults", "1", "--kills", "20"]),
    Part("thresholds", THRESHOLDS),
    Part("growth", ["{bin}/headerd-bench", "--growth"]),
]
# The last one, once all others have ended.
SCHEMA = Part("schema", ["Tests/Schema/validate.py"])
TIERS = {"check": [*CHECK, SCHEMA], "test": [*USER, *(part for part in CHECK if part is not SUITES), SCHEMA], "long": LONG}

COUNTS = re.compile(r"(\d+) passed, (\d+) failed")
SWIFT_COUNT = re.compile(r"Test run with (\d+) tests?.* (passed|failed)")
SWIFT_FAILED = re.compile(r"✘ Test (?!run with)(.+?)(?: with \d+ (?:argument|test case).*?)? (?:failed|recorded)", re.M)

# The lines that say which test failed: of Swift, and of the suites in Python.
FAULT = re.compile(r"✘(?!.*Test run with)|: FAILED$|Error(?: in line|:|$)")


@dataclasses.dataclass
class Outcome:
    """What became of a part."""

    part: Part
    passed: int
    failed: int
    seconds: float
    # What it and its processes have taken of the processors.
    processor: float
    log: pathlib.Path
    # What it printed.
    text: str


def counted(text, status):
    """How many tests passed and failed, by what a part printed; a part that counts none counts as one."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    if match := SWIFT_COUNT.search(plain):
        failed = len(set(SWIFT_FAILED.findall(plain)))
        passed = int(match[1]) - failed
    elif matches := COUNTS.findall(plain):
        passed, failed = map(int, matches[-1])
    else:
        passed, failed = (1, 0) if status == 0 else (0, 1)
    # A run of no tests, and one that ended badly without naming a test, have failed.
    if passed + failed == 0 or (status != 0 and failed == 0):
        failed += 1
    return passed, failed


def prepare_recording():
    """An empty folder, and the library that writes into it."""
    shutil.rmtree(MESSAGES, ignore_errors=True)
    MESSAGES.mkdir(parents=True)
    command = [os.environ.get("CC", "cc"), "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", RECORDER, ROOT / "Tests/Schema/recorder.c"], check=True)


class Runner:
    """Runs parts, and ends what runs when it is interrupted."""

    def __init__(self, bin):
        self.bin = bin
        self.running = set()
        self.has_ended = False
        self.lock = threading.Lock()

    def run(self, part):
        words = [word.replace("{bin}", str(self.bin)) for word in part.command]
        environment = dict(os.environ)
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            environment[name] = value
        if part.recorded:
            environment |= {"TEST_MESSAGES": str(MESSAGES), "LD_PRELOAD": str(RECORDER)}
        elif part is SCHEMA and any(MESSAGES.glob("*.messages")):
            words += ["--messages", str(MESSAGES)]
        log = LOGS / (part.name.replace(", ", "-").replace(" ", "-") + ".log")
        begun = time.monotonic()
        with open(log, "w") as output:
            process = subprocess.Popen(
                words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True)  # fmt: skip
            with self.lock:
                self.running.add(process)
                if self.has_ended:
                    kill_session(process.pid)
            ending = threading.Timer(part.bound, self.end_late, (process, part, output))
            ending.daemon = True
            ending.start()
            _, status, usage = os.wait4(process.pid, 0)
            ending.cancel()
            status = process.returncode = os.waitstatus_to_exitcode(status)
            with self.lock:
                self.running.discard(process)
        text = log.read_text(errors="replace")
        passed, failed = counted(text, status)
        return Outcome(part, passed, failed, time.monotonic() - begun, usage.ru_utime + usage.ru_stime, log, text)

    @staticmethod
    def end_late(process, part, output):
        kill_session(process.pid)
        output.write(f"\nended after {part.bound} seconds\n")
        output.flush()

    def end(self):
        with self.lock:
            self.has_ended = True
            for process in self.running:
                kill_session(process.pid)


def kill_session(leader):
    """Ends all processes of a session: some have made process groups of their own."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(int(name)) == leader:
                os.kill(int(name), signal.SIGKILL)


def say(outcome):
    """One line as a part ends, and what it printed if it failed."""
    if outcome.failed:
        sys.stdout.flush()
        print(f"--- {outcome.part.name} failed:\n{outcome.text[-20_000:]}---", file=sys.stderr, flush=True)
    verdict = "FAILED" if outcome.failed else "passed"
    print(f"{outcome.part.name}: {verdict} after {outcome.seconds:.0f} s", flush=True)


def table(outcomes, seconds):
    """A line a part, then all together, and the end of what failed."""
    print(f"\n{'part':22} {'passed':>7} {'failed':>7} {'seconds':>8} {'processor':>10}")
    for outcome in outcomes:
        print(f"{outcome.part.name:22} {outcome.passed:7} {outcome.failed:7} {outcome.seconds:8.0f} {outcome.processor:10.0f}")
    processor = sum(outcome.processor for outcome in outcomes)
    print(f"{'from begin to end':22} {'':7} {'':7} {seconds:8.0f} {processor:10.0f}")
    passed, failed = sum(o.passed for o in outcomes), sum(o.failed for o in outcomes)
    for outcome in outcomes:
        if outcome.failed:
            lines = [line[:300] for line in outcome.text.splitlines() if line.strip()]
            # A test that fails is named where it does, not at the end.
            faults = [line for line in lines if FAULT.search(line)] or lines
            print("\n".join([f"--- {outcome.part.name}, from {outcome.log.relative_to(ROOT)}:", *faults[-8:], "---"]))
    print(f"{passed} passed, {failed} failed", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tier", choices=TIERS)
    parser.add_argument("--only", action="append", help="those parts whose names have this word; may be given again")
    # Parts wait for clocks and browsers more than half of their time.
    jobs = (os.cpu_count() or 1) * 5 // 2
    parser.add_argument("--jobs", type=int, default=jobs, help=f"how many parts run side by side (default {jobs}: five for two processors)")
    parser.add_argument("--begun", type=float, default=time.time(), help="when the command that calls this began, for the table")
    parser.add_argument("--times", type=int, default=1, help="how often all of it runs, one time after the other (default 1)")
    parser.add_argument("--load", type=int, default=0, help="processes that take a processor each meanwhile (default 0)")
    parser.add_argument("--install", action="store_true", help="install what is missing while it builds")
    parser.add_argument("--list", action="store_true", help="say what there is, and end")
    options = parser.parse_args()
    parts = [part for part in TIERS[options.tier] if not options.only or any(word in part.name for word in options.only)]
    if not parts:
        words = '" or "'.join(options.only)
        parser.error(f'no part of "{options.tier}" has "{words}" in its name; --list shows all')
    if options.list:
        for part in parts:
            print(f"{part.name}: {shlex.join(part.command)}")
        return
    LOGS.mkdir(parents=True, exist_ok=True)
    build = build_and_install(options.tier if options.install else None)
    say(build)
    if build.failed:
        sys.exit(1 if table([build], time.time() - options.begun) else 0)
    shown = subprocess.run([SWIFT, "build", "-c", "release", "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True)
    runner = Runner(shown.stdout.strip())
    failed = 0
    with load(options.load):
        for number in range(1, options.times + 1):
            if options.times > 1:
                print(f"\nrun {number} of {options.times}", flush=True)
            began = options.begun if number == 1 else time.time()
            outcomes = run_all(runner, parts, options.jobs)
            failed += table([build] * (number == 1) + outcomes, time.time() - began)
    if options.times > 1:
        print(f"in all {options.times} runs {failed} failed")
    sys.exit(1 if failed else 0)


def build_and_install(tier):
    """Builds, and installs meanwhile what a tier needs: in the foreground, since sudo may ask for a password."""
    print("building", flush=True)
    runner = Runner(None)
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        building = executor.submit(runner.run, Part("build", BUILD, bound=3600))
        try:
            words = ["make", "--no-print-directory", "deps", f"FOR={'check' if tier == 'check' else 'test'}"]
            if tier and subprocess.run(words, cwd=ROOT).returncode:
                sys.exit(1)  # It has said why.
            return building.result()
        except (KeyboardInterrupt, SystemExit):
            runner.end()
            raise


@contextlib.contextmanager
def load(count):
    """Takes processors away from what runs meanwhile."""
    working = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in working:
            process.kill()
            process.wait()


def run_all(runner, parts, jobs):
    """Runs each part once, the schema last, and says how each ended."""
    outcomes = {}
    prepare_recording()
    executor = concurrent.futures.ThreadPoolExecutor(max(1, jobs))
    try:
        futures = [executor.submit(runner.run, part) for part in parts if part is not SCHEMA]
        for future in concurrent.futures.as_completed(futures):
            outcome = future.result()
            outcomes[outcome.part.name] = outcome
            say(outcome)
        if SCHEMA in parts:
            outcomes[SCHEMA.name] = runner.run(SCHEMA)
            say(outcomes[SCHEMA.name])
    except KeyboardInterrupt:
        executor.shutdown(wait=False, cancel_futures=True)
        runner.end()
        raise
    return [outcomes[part.name] for part in parts]


def interrupt(*_):
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGINT, interrupt)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
