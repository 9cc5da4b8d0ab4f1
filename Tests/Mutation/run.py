#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes the sources in small ways, one at a time, and sees whether the tests notice (README.md).

    run.py --count 300 --seed 1        choose changes, build them, run the tests for each; goes on where it was stopped
    run.py --again                     run those again that nothing noticed, with the tests as they are now
    run.py --built                     with the last build as it is
    run.py --programs                  what nothing notices also meets the tests that start programs and compilers
    run.py --page                      write what is known to Results/README.md

Works on a copy in .build-mutation; Sources stay untouched. What is known stands in Results/changes.jsonl.
"""

import argparse
import collections
import dataclasses
import datetime
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import mutants
from mutants import Mutant

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests"))
from suites import BUILD, HEAVY, SEEN_BY, STARTS_PROGRAMS  # noqa: E402

WORK = ROOT / ".build-mutation"
COPY = WORK / "source"
CHOICE = WORK / "mutant"
REACHED = WORK / "reached"
REACHED_SIZE = 65_536
SUITES = WORK / "suites.json"
RESULTS = Path(__file__).with_name("Results") / "changes.jsonl"
PAGE = RESULTS.with_name("README.md")
NOTES = RESULTS.with_name("notes.md")
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
PROGRAM = COPY / ".build/release/headerdPackageTests.xctest"

# What is changed.
CHANGED = [
    "Sources/HeaderModel", "Sources/HeaderCore", "Sources/HeaderInsight", "Sources/HeaderMotion", "Sources/Installation",
    "Sources/HeaderWire", "Plugins/CollapsingHeader/Laws", "Plugins/CollapsingHeader",
    "Plugins/FlexibleHeader", "Plugins/FlexibleHeightBar", "Plugins/Keyframes", "Plugins/ShyNavBar", "Plugins/StretchyHeader",
    "Sources/HeaderLayoutAttributes", "Sources/Fanout", "Sources/HeaderHost", "Sources/Gateway", "Sources/Shards",
    "Sources/HeaderPluginKit", "Sources/PluginHost",
]  # fmt: skip
CONCERNED = {folder: SEEN_BY[folder] for folder in CHANGED}
# What a change meets that they do not notice.
WIDER = (
    r"^(HeaderModelTests|HeaderCoreTests|HeaderInsightTests|HeaderServiceTests|FanoutTests|GatewayTests|HeaderHostTests|ShardsTests|ConformanceTests|PluginTests|HeaderTraceTests|HeaderLayoutAttributesTests|"
    r"HeaderWorkerTests|HeaderJournalTests|HeaderConfigTests|HeaderWireTests|SimulationTests|ScreenTests)\."
)
# The heavy tests run last, with those that start programs and compilers: `--programs`.
# Suites that take longer than that many seconds of a processor are left to them, too.
LONG = 20
PROGRAMS = rf"{STARTS_PROGRAMS}|^{re.escape(HEAVY)}$"

SWITCH = """// Which change is in force, 0: none; and by which ones the tests have come.
internal import Glibc

private let present: Int = {
  let file = unsafe open("%s", O_RDONLY)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var (number, byte) = (0, UInt8(0))
  while unsafe read(file, &byte, 1) == 1, byte >= 48, byte <= 57 { number = number * 10 + Int(byte) - 48 }
  return number
}()

/// A byte for each change, in memory that all processes share.
nonisolated(unsafe) private let reached: UnsafeMutableRawPointer? = {
  let file = unsafe open("%s", O_RDWR)
  guard file >= 0 else { return nil }
  defer { close(file) }
  let memory = unsafe mmap(nil, %d, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
  return unsafe memory == MAP_FAILED ? nil : memory
}()

@inline(never) func _mutant(_ number: Int) -> Bool {
  unsafe reached?.storeBytes(of: 1, toByteOffset: number, as: UInt8.self)
  return number == present
}
"""


def candidates() -> list[Mutant]:
    """Every change of every file that is concerned."""
    paths = [path for folder in CONCERNED for path in sorted((ROOT / folder).rglob("*.swift"))]
    names = dict.fromkeys(str(path.relative_to(ROOT)) for path in paths)
    return [mutant for name in names for mutant in mutants.find(name, (ROOT / name).read_text())]


def shuffled(seed: int) -> list[Mutant]:
    """The changes in the order of choice: the kinds in turn, one change a line."""
    chance = random.Random(seed)
    by_kind: dict[str, list[Mutant]] = collections.defaultdict(list)
    for mutant in candidates():
        by_kind[mutant.kind].append(mutant)
    for row in by_kind.values():
        chance.shuffle(row)
    order: list[Mutant] = []
    while any(by_kind.values()):
        order += [row.pop() for row in by_kind.values() if row]
    lines, chosen = set(), []
    for mutant in order:
        if (mutant.file, mutant.line) not in lines:
            lines.add((mutant.file, mutant.line))
            chosen.append(mutant)
    return chosen


def in_order(seed: int, known: dict[str, dict]) -> list[Mutant]:
    """What was chosen before, each with its number, so that nothing is built anew; then the order of choice."""
    present = {mutant.id: mutant for mutant in candidates()}
    for name in [name for name in known if name not in present]:
        # Its line is another one now.
        del known[name]
    lines, order = set(), []
    for mutant in [present[name] for name in known] + shuffled(seed):
        refused = known.get(mutant.id, {}).get("status") == "does not build"
        if not refused and (mutant.file, mutant.line) not in lines:
            lines.add((mutant.file, mutant.line))
            order.append(mutant)
    return order


def write(path: Path, text: str) -> None:
    """Only what is different, so that little is built anew."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def copy_sources(numbered: dict[int, Mutant]) -> None:
    """The checkout as it is, with the chosen changes behind their switches."""
    files = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    by_file: dict[str, list[tuple[int, Mutant]]] = collections.defaultdict(list)
    for number, mutant in numbered.items():
        by_file[mutant.file].append((number, mutant))
    for name in files:
        source, target = ROOT / name, COPY / name
        if name in by_file:
            write(target, mutants.with_switches(source.read_text(), by_file[name]))
        elif name == "Package.swift":
            text = source.read_text().replace("  .treatAllWarnings(as: .error),\n", "")
            write(target, text.replace("let checked: [SwiftSetting] = [", 'let checked: [SwiftSetting] = [\n  .unsafeFlags(["-suppress-warnings"]),'))
        elif source.is_file() and (not target.exists() or source.read_bytes() != target.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    for folder in CONCERNED:
        write(COPY / folder / "MutantSwitch.swift", SWITCH % (CHOICE, REACHED, REACHED_SIZE))


def built(known: dict[str, dict]) -> dict[int, Mutant]:
    """The changes of the last build, whatever has become of the sources meanwhile, but for those whose lines are gone."""
    present = {mutant.id: mutant for mutant in candidates()}
    rows = {name: row for name, row in known.items() if "number" in row and row["status"] != "does not build"}
    return {row["number"]: present[name] for name, row in rows.items() if name in present}


def build(seed: int, wanted: int, known: dict[str, dict]) -> dict[int, Mutant]:
    """Builds as many as are wanted; those that the compiler refuses give way to the next ones."""
    queue = in_order(seed, known)
    chosen, rest = queue[:wanted], queue[wanted:]
    # A change keeps its number, so that little is built anew.
    numbered = {known[mutant.id]["number"]: mutant for mutant in chosen if "number" in known.get(mutant.id, {})}
    free = (number for number in range(1, REACHED_SIZE) if number not in numbered)
    numbered |= {next(free): mutant for mutant in chosen if mutant not in list(numbered.values())}
    while True:
        copy_sources(numbered)
        begin = time.monotonic()
        result = subprocess.run(BUILD, cwd=COPY, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if result.returncode == 0:
            for number, mutant in numbered.items():
                known[mutant.id] = describe(mutant, "open") | known.get(mutant.id, {}) | {"line": mutant.line, "number": number}
            save(known)
            print(f"built {len(numbered)} changes in {time.monotonic() - begin:.0f} seconds", flush=True)
            return numbered
        text = result.stdout + result.stderr
        refused = [number for number, mutant in numbered.items() if mutant in blamed(text, list(numbered.values()))]
        if not refused:
            sys.exit(f"the copy does not build:\n{text[-4000:]}")
        for number in refused:
            mutant = numbered.pop(number)
            known[mutant.id] = describe(mutant, "does not build")
            if rest:
                numbered[number] = rest.pop(0)
        save(known)
        print(f"{len(refused)} changes do not build", flush=True)


def blamed(text: str, present: list[Mutant]) -> list[Mutant]:
    """The changes that a compiler's errors speak of."""
    places = {(m[1], int(m[2])) for m in re.finditer(r"^(/\S+?):(\d+):\d+: error", text, re.M)}
    found = [m for m in present if any(str(COPY / m.file) == file and m.line == line for file, line in places)]
    if found:
        return found
    for file, line in places:
        # An error beside the line: the nearest change before it is to blame.
        before = [m for m in present if str(COPY / m.file) == file and m.line < line]
        found += [max(before, key=lambda m: m.line)] if before else []
    return found


def describe(mutant: Mutant, status: str, **more: object) -> dict:
    return {
        "file": mutant.file, "line": mutant.line, "kind": mutant.kind, "before": mutant.before, "after": mutant.after,
        "nth": mutant.nth, "status": status, **more,
    }  # fmt: skip


def run_tests(expression: str, silence: float, spared: list[str], ends_at_failure: bool) -> tuple[str, list[str]]:
    """`passed`, `failed` with the tests, `crashed`, or `hung`; it may end with the first failure that is not spared.

    They hang when for so many seconds no test begins or ends.
    """
    command = [str(PROGRAM), "--testing-library", "swift-testing", "--filter", expression]
    if HEAVY not in expression:
        command += ["--skip", HEAVY]
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
    process = subprocess.Popen(
        command, cwd=COPY, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", errors="replace", start_new_session=True,
    )  # fmt: skip
    failed, ending, is_over, heard = [], "", False, time.monotonic()
    has_ended = threading.Event()

    def watch() -> None:
        nonlocal is_over
        while not has_ended.wait(1):
            if time.monotonic() - heard > silence:
                is_over = True
                os.killpg(process.pid, signal.SIGKILL)
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    for colored in process.stdout:
        heard = time.monotonic()
        line = re.sub(r"\x1b\[[0-9;]*m", "", colored)
        if match := re.search(r"✘ Test (?!run with)(.+?)(?: with \d+ argument.*?| with \d+ test case.*?)? (?:recorded|failed)", line):
            failed.append(match[1])
            if ends_at_failure and match[1] not in spared:
                os.killpg(process.pid, signal.SIGKILL)
                break
        if "Test run with" in line:
            ending = line
    process.wait()
    has_ended.set()
    watcher.join()
    real = [name for name in dict.fromkeys(failed) if name not in spared]
    if real:
        return "failed", real
    return ("passed" if ending else "hung" if is_over else "crashed"), []


def processor_seconds() -> float:
    """What the tests that have ended took of a processor."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclasses.dataclass
class Suite:
    """Tests that stand together: how long they take, which of them fail without any change, by which changes they come."""

    seconds: float
    # Of a processor, whatever else runs beside them.
    processor: float
    skipped: list[str]
    reached: list[int]


class Suites:
    """All suites by name, each run once without any change before it is first used."""

    def __init__(self) -> None:
        self.build = PROGRAM.stat().st_mtime
        kept = json.loads(SUITES.read_text()) if SUITES.exists() else {}
        rows = kept["suites"] if kept.get("build") == self.build else {}
        self.known = {name: Suite(**row) for name, row in rows.items()}
        listed = subprocess.run(
            [str(PROGRAM), "--testing-library", "swift-testing", "--list-tests"], cwd=COPY, capture_output=True, text=True,
            check=True, stdin=subprocess.DEVNULL,
        ).stdout  # fmt: skip
        names = {line.split("/")[0] for line in listed.splitlines() if re.match(r"\w+\.", line)}
        self.names = sorted(names) + [HEAVY]

    @staticmethod
    def expression(names: list[str]) -> str:
        return HEAVY if names == [HEAVY] else "^(" + "|".join(re.escape(name) for name in names) + ")(/|$)"

    def __getitem__(self, name: str) -> Suite:
        if name not in self.known:
            CHOICE.write_text("0")
            REACHED.write_bytes(bytes(REACHED_SIZE))
            begin, spent = time.monotonic(), processor_seconds()
            result, skipped = run_tests(self.expression([name]), 1800, [], False)
            if result in ("crashed", "hung"):
                sys.exit(f"without any change {name} {result}")
            seconds, processor = round(time.monotonic() - begin, 1), round(processor_seconds() - spent, 1)
            self.known[name] = Suite(seconds, processor, skipped, [at for at, byte in enumerate(REACHED.read_bytes()) if byte])
            rows = {name: dataclasses.asdict(suite) for name, suite in self.known.items()}
            SUITES.write_text(json.dumps({"build": self.build, "suites": rows}))
            if skipped or seconds > 10:
                print(f"{name}: {seconds:.0f} seconds; not counted: {skipped or 'none'}", flush=True)
        return self.known[name]

    def notice(self, number: int, pattern: str, takes_long: bool) -> str | None:
        """Which of some suites' tests notices a change, None if none does. Those that never come by it are not run."""
        names = [
            name for name in self.names
            if re.match(pattern, name) and number in self[name].reached and (takes_long or self[name].processor <= LONG)
        ]  # fmt: skip
        for part in ([name for name in names if name != HEAVY], [name for name in names if name == HEAVY]):
            if not part:
                continue
            spared = [test for name in part for test in self[name].skipped]
            CHOICE.write_text(str(number))
            silence = 10 + 3 * max(self[name].seconds for name in part)
            result, failed = run_tests(self.expression(part), silence, spared, True)
            if result != "passed":
                return failed[0] if failed else result
        return None


def stages(mutant: Mutant, with_programs: bool) -> dict[str, str]:
    """What concerns a change, then everything else."""
    folder = next(folder for folder in CONCERNED if mutant.file.startswith(folder + "/"))
    return {"room": CONCERNED[folder], "wider": WIDER} | ({"programs": f"{PROGRAMS}|{WIDER}"} if with_programs else {})


def examine(number: int, mutant: Mutant, stage: str, pattern: str, suites: Suites, known: dict[str, dict]) -> None:
    """Runs for one change the tests of a stage, unless it has met them or something has noticed it."""
    row = known[mutant.id]
    met = row.setdefault("met", [])
    if row["status"] not in ("open", "survived") or stage in met:
        return
    begin = time.monotonic()
    by = suites.notice(number, pattern, takes_long=stage == "programs")
    met.append(stage)
    row["status"] = "survived" if by is None else "noticed"
    if by is not None:
        row["by"] = by
    save(known)
    seconds = time.monotonic() - begin
    print(f"{number} {row['status']} {stage} {seconds:.0f}s {mutant.file}:{mutant.line} {mutant.kind}: {by or '-'}", flush=True)


def equivalents() -> dict[tuple[str, str, str], str]:
    """Changes that are none, by file and both lines: `file | before | after | reason`."""
    rows = {}
    for line in EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []:
        if line.strip() and not line.startswith("#"):
            file, before, after, reason = line.split(" ¦ ")
            rows[(file, before, after)] = reason
    return rows


def load() -> dict[str, dict]:
    """The changes that are known, in the order in which they were chosen."""
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []
    return {"|".join((row["file"], row["kind"], row["before"], row["after"], str(row["nth"]))): row for row in rows}


def save(known: dict[str, dict]) -> None:
    fresh = RESULTS.with_suffix(".new")
    fresh.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in known.values()))
    fresh.rename(RESULTS)


def outcome(row: dict, same: dict[tuple[str, str, str], str]) -> str:
    """What became of a change."""
    is_same = row["status"] == "survived" and (row["file"], row["before"], row["after"]) in same
    return "equivalent" if is_same else row["status"]


def page(known: dict[str, dict]) -> str:
    """Rooms and kinds with what became of their changes, then the survivors."""
    same = equivalents()
    rows = [row | {"status": outcome(row, same)} for row in known.values()]
    examined = [row for row in rows if row["status"] in ("noticed", "survived", "equivalent")]
    lines = [
        "# Mutation testing: results\n", f"## {datetime.date.today()}\n",
        f"{len(examined)} changes met the tests. {sum(row['status'] == 'open' for row in rows)} more are chosen and have not yet, "
        f"{sum(row['status'] == 'does not build' for row in rows)} did not build and gave way to others. "
        "Each is in [changes.jsonl](changes.jsonl), with what noticed it. Written by `Tests/Mutation/run.py --page`.\n",
    ]  # fmt: skip
    if NOTES.exists():
        lines.append(NOTES.read_text())
    for title, key in (("room", lambda row: "/".join(row["file"].split("/")[:2])), ("kind", lambda row: row["kind"])):
        lines.append(f"| {title} | changes | noticed | survived | equivalent | share noticed |")
        lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
        groups = collections.defaultdict(collections.Counter)
        for row in examined:
            groups[key(row)][row["status"]] += 1
            groups["all"][row["status"]] += 1
        for name in sorted(groups, key=lambda name: (name == "all", name)):
            count = groups[name]
            share = 100 * count["noticed"] / max(1, count["noticed"] + count["survived"])
            lines.append(
                f"| {name} | {sum(count.values())} | {count['noticed']} | {count['survived']} | {count['equivalent']} | {share:.1f} % |"
            )
        lines.append("")
    lines.append("What nothing noticed:\n")
    for row in examined:
        if row["status"] == "survived":
            lines.append(f"- {row['file']}:{row['line']} {row['kind']}: `{row['before']}` → `{row['after']}`")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="how many changes, those that are known already included")
    parser.add_argument("--seed", type=int, default=1, help="which ones are chosen")
    parser.add_argument("--again", action="store_true", help="run those again that nothing noticed, and no others")
    parser.add_argument("--programs", action="store_true", help="run the tests that start programs, too")
    parser.add_argument("--built", action="store_true", help="go on with the last build as it is")
    parser.add_argument("--page", action="store_true", help="write the page of results and end")
    options = parser.parse_args()
    known = load()
    if options.page:
        PAGE.write_text(page(known))
        return
    WORK.mkdir(exist_ok=True)
    for row in known.values():
        if row["status"] == "survived" and options.again:
            row["met"] = []
    numbered = built(known) if options.built else build(options.seed, options.count, known)
    suites = Suites()
    # What takes long comes when all have met the rest.
    same = equivalents()
    wanted = ("survived",) if options.again else ("open", "survived")
    order = [(number, mutant) for number, mutant in numbered.items() if known[mutant.id]["status"] in wanted]
    order.sort(key=lambda item: known[item[1].id]["status"])
    for group in (("room", "wider"), ("programs",)):
        for number, mutant in order:
            for stage, pattern in stages(mutant, options.programs).items():
                if stage in group and outcome(known[mutant.id], same) != "equivalent":
                    examine(number, mutant, stage, pattern, suites, known)
    CHOICE.write_text("0")
    print(page(known))


if __name__ == "__main__":
    main()
