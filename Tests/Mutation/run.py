#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes the sources in small ways, one at a time, and sees whether the tests notice (README.md).

    run.py --count 300 --seed 1        choose changes, build them, run the tests for each; goes on where it was stopped
    run.py --again                     the same, and once more those that nothing noticed
    run.py --table                     print what is known

Works on a copy in .build-mutation; Sources stay untouched.
"""

import argparse
import collections
import json
import os
import random
import re
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
WORK = ROOT / ".build-mutation"
COPY = WORK / "source"
RESULTS = WORK / "results.json"
CHOSEN = WORK / "chosen.json"
CHOICE = WORK / "mutant"
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
PROGRAM = COPY / ".build/debug/headerdPackageTests.xctest"

# What is changed, and the tests that concern it, the rooms with quick tests first.
CONCERNED = {
    "Sources/HeaderCore": r"^HeaderCoreTests\.",
    "Sources/HeaderWire": r"^HeaderWireTests\.",
    "Plugins/FlexibleHeader": r"^BehaviorTests\.FlexibleHeader(?!Properties)",
    "Plugins/FlexibleHeightBar": r"^BehaviorTests\.(FlexibleHeightBar|Safari)(?!Properties)",
    "Plugins/Keyframes": r"^BehaviorTests\.Keyframes",
    "Plugins/ShyNavBar": r"^BehaviorTests\.ShyNavBar",
    "Plugins/StretchyHeader": r"^BehaviorTests\.StretchyHeader",
    "Sources/HeaderLayoutAttributes": r"^HeaderLayoutAttributesTests\.",
    "Sources/Fanout": r"^HeaderServiceTests\.",
    "Sources/HeaderHost": r"^HeaderServiceTests\.",
    "Sources/Gateway": r"^HeaderServiceTests\.",
    "Sources/Shards": r"^(HeaderServiceTests|SimulationTests)\.",
    "Sources/HeaderPluginKit": r"^BehaviorTests\.(Keyframes|ShyNavBar|StretchyHeader)",
    "Sources/PluginHost": r"^PluginHostTests\.",
}
QUICK = r"^(ConformanceTests|BehaviorTests|HeaderServiceTests|HeaderCoreTests|HeaderTraceTests|HeaderLayoutAttributesTests)\."
# Tests that take longer than all others together run last, with those that start programs and compilers.
HEAVY = "|".join([
    "nothingThatIsSentHurts", "nothingThatIsReadHurts", "sayTheSame", "nothingIsLost", "brokenBytesHurtNobodyElse",
    "a header saved at any step", "what is no saved header", "areRefusedOrLivedWith", "a spoiled state is refused",
    "bornAgain", "reloadedAfterEachEvent", "wholeIsTheSame", "twiceGivesTheSame", "aSaveAfterAny", "goesOnAfterEvery",
    "eplayIsIdentical",
])  # fmt: skip
SLOW = (
    r"^(IntegrationTests|HeaderctlTests|ExamplesTests|HeaderDaemonTests|PluginHostTests|SimulationTests|HeaderWireTests|"
    rf"HeaderConfigTests|HeaderClientTests)\.|{HEAVY}"
)

SWITCH = """// Which change is in force; 0: none.
internal import Glibc

private let present: Int = {
  let file = unsafe open("%s", O_RDONLY)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var (number, byte) = (0, UInt8(0))
  while unsafe read(file, &byte, 1) == 1, byte >= 48, byte <= 57 { number = number * 10 + Int(byte) - 48 }
  return number
}()

@inline(never) func _mutant(_ number: Int) -> Bool { number == present }
"""


def candidates() -> list[Mutant]:
    """Every change of every file that is concerned."""
    found: list[Mutant] = []
    for folder in CONCERNED:
        for path in sorted((ROOT / folder).rglob("*.swift")):
            found += mutants.find(str(path.relative_to(ROOT)), path.read_text())
    return found


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


def in_order(seed: int) -> list[Mutant]:
    """The same, beginning with those that were chosen before, each with its number, so that nothing is built anew."""
    order = shuffled(seed)
    if not CHOSEN.exists() or (before := json.loads(CHOSEN.read_text()))["seed"] != seed:
        return order
    present = {mutant.id: mutant for mutant in candidates()}
    first = [present[name] for name in before["changes"] if name in present]
    lines = {(mutant.file, mutant.line) for mutant in first}
    return first + [mutant for mutant in order if (mutant.file, mutant.line) not in lines]


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
            write(target, text.replace("let strict: [SwiftSetting] = [", 'let strict: [SwiftSetting] = [\n  .unsafeFlags(["-suppress-warnings"]),'))
        elif source.is_file() and (not target.exists() or source.read_bytes() != target.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    for folder in CONCERNED:
        write(COPY / folder / "MutantSwitch.swift", SWITCH % CHOICE)


def build(seed: int, wanted: int, known: dict[str, dict]) -> dict[int, Mutant]:
    """Builds as many as are wanted; those that the compiler refuses give way to the next ones."""
    queue = [mutant for mutant in in_order(seed) if known.get(mutant.id, {}).get("status") != "does not build"]
    present, rest = queue[:wanted], queue[wanted:]
    while True:
        numbered = dict(enumerate(present, 1))
        copy_sources(numbered)
        begin = time.monotonic()
        result = subprocess.run(
            [os.environ.get("SWIFT", "swift"), "build", "--build-tests"], cwd=COPY, capture_output=True, text=True,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if result.returncode == 0:
            CHOSEN.write_text(json.dumps({"seed": seed, "changes": [mutant.id for mutant in present]}, ensure_ascii=False))
            print(f"built {len(present)} changes in {time.monotonic() - begin:.0f} seconds", flush=True)
            return numbered
        text = result.stdout + result.stderr
        places = {(m[1], int(m[2])) for m in re.finditer(r"^(/\S+?):(\d+):\d+: error", text, re.M)}
        refused = [m for m in present if any(str(COPY / m.file) == file and m.line == line for file, line in places)]
        if not refused:
            # An error beside the line: the nearest change before it is to blame.
            for file, line in places:
                before = [m for m in present if str(COPY / m.file) == file and m.line < line]
                refused += [max(before, key=lambda m: m.line)] if before else []
        if not refused:
            sys.exit(f"the copy does not build:\n{text[-4000:]}")
        for mutant in refused:
            if mutant in present:
                present.remove(mutant)
                known[mutant.id] = describe(mutant, "does not build")
        while len(present) < wanted and rest:
            present.append(rest.pop(0))
        save(known)
        print(f"{len(refused)} changes do not build", flush=True)


def describe(mutant: Mutant, status: str, **more: object) -> dict:
    return {
        "file": mutant.file, "line": mutant.line, "kind": mutant.kind, "before": mutant.before, "after": mutant.after,
        "status": status, **more,
    }  # fmt: skip


def run_tests(expression: str, seconds: float, spared: list[str], ends_at_failure: bool) -> tuple[str, list[str]]:
    """`passed`, `failed` with the tests, `crashed`, or `hung`; it may end with the first failure that is not spared."""
    command = [str(PROGRAM), "--testing-library", "swift-testing", "--filter", expression]
    if expression != SLOW:
        command += ["--skip", HEAVY]
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
    process = subprocess.Popen(
        command, cwd=COPY, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", errors="replace", start_new_session=True,
    )  # fmt: skip
    watch = threading.Timer(seconds, lambda: os.killpg(process.pid, signal.SIGKILL))
    watch.start()
    failed, ending = [], ""
    for colored in process.stdout:
        line = re.sub(r"\x1b\[[0-9;]*m", "", colored)
        if match := re.search(r"✘ Test (.+?)(?: with \d+ argument.*?| with \d+ test case.*?)? (?:recorded|failed)", line):
            failed.append(match[1])
            if ends_at_failure and match[1] not in spared:
                os.killpg(process.pid, signal.SIGKILL)
                break
        if "Test run with" in line:
            ending = line
    process.wait()
    is_over = not watch.is_alive()
    watch.cancel()
    if "with 0 tests" in ending:
        sys.exit(f"no test matches {expression}")
    real = [name for name in dict.fromkeys(failed) if name not in spared]
    if real:
        return "failed", real
    return ("passed" if ending else "hung" if is_over else "crashed"), []


class Suite:
    """A part of the tests, with how long it takes and which of them fail without any change."""

    def __init__(self, expression: str):
        self.expression = expression
        CHOICE.write_text("0")
        begin = time.monotonic()
        result, self.skipped = run_tests(expression, 1800, [], False)
        self.seconds = time.monotonic() - begin
        if result in ("crashed", "hung"):
            sys.exit(f"without any change {expression} {result}")
        print(f"{expression}: {self.seconds:.0f} seconds; not counted: {self.skipped or 'none'}", flush=True)

    def notices(self, number: int) -> str | None:
        """What notices the change, None if nothing does."""
        CHOICE.write_text(str(number))
        result, failed = run_tests(self.expression, 30 + 4 * self.seconds, self.skipped, True)
        return None if result == "passed" else failed[0] if failed else result


SUITES: dict[str, Suite] = {}


def suite(expression: str) -> Suite:
    if expression not in SUITES:
        SUITES[expression] = Suite(expression)
    return SUITES[expression]


def stages(mutant: Mutant) -> list[str]:
    """What concerns a change, then everything else."""
    folder = next(folder for folder in CONCERNED if mutant.file.startswith(folder + "/"))
    return [CONCERNED[folder], QUICK, SLOW]


def examine(numbered: dict[int, Mutant], stage: int, known: dict[str, dict]) -> None:
    """Runs one stage of the tests for all changes that nothing has noticed so far."""
    rank = list(CONCERNED.values())
    for number, mutant in sorted(numbered.items(), key=lambda item: rank.index(stages(item[1])[0])):
        before = known.get(mutant.id)
        if before and (before["status"] != "survived" or before["stages"] != stage):
            continue
        begin = time.monotonic()
        by = suite(stages(mutant)[stage]).notices(number)
        status = "survived" if by is None else "noticed"
        known[mutant.id] = describe(mutant, status, stages=stage + 1, by=by, seconds=round(time.monotonic() - begin, 1))
        save(known)
        print(f"{number}/{len(numbered)} {status} {mutant.file}:{mutant.line} {mutant.kind}: {by or '-'}", flush=True)


def equivalents() -> dict[tuple[str, str, str], str]:
    """Changes that are none, by file and both lines: `file | before | after | reason`."""
    rows = {}
    for line in EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []:
        if line.strip() and not line.startswith("#"):
            file, before, after, reason = line.split(" ¦ ")
            rows[(file, before, after)] = reason
    return rows


def save(known: dict[str, dict]) -> None:
    fresh = RESULTS.with_suffix(".new")
    fresh.write_text(json.dumps(known, indent=1, ensure_ascii=False))
    fresh.rename(RESULTS)


def table(known: dict[str, dict]) -> None:
    """Rooms and kinds with what became of their changes, then the survivors."""
    same = equivalents()
    for row in known.values():
        if row["status"] == "survived" and (row["file"], row["before"], row["after"]) in same:
            row["status"] = "equivalent"
    rows = [row for row in known.values() if row["status"] != "does not build"]
    for title, key in (("room", lambda row: "/".join(row["file"].split("/")[:2])), ("kind", lambda row: row["kind"])):
        print(f"| {title} | changes | noticed | survived | equivalent | share noticed |\n| --- | ---: | ---: | ---: | ---: | ---: |")
        groups = collections.defaultdict(collections.Counter)
        for row in rows:
            groups[key(row)][row["status"]] += 1
            groups["all"][row["status"]] += 1
        for name in sorted(groups, key=lambda name: (name == "all", name)):
            count = groups[name]
            real = count["noticed"] + count["survived"]
            print(
                f"| {name} | {sum(count.values())} | {count['noticed']} | {count['survived']} | {count['equivalent']} | "
                f"{100 * count['noticed'] / max(1, real):.1f} % |"
            )
        print()
    print(f"{sum(row['status'] == 'does not build' for row in known.values())} changes did not build and were replaced.\n")
    for row in rows:
        if row["status"] == "survived":
            print(f"- {row['file']}:{row['line']} {row['kind']}: `{row['before']}` → `{row['after']}`")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="how many changes")
    parser.add_argument("--seed", type=int, default=1, help="which ones are chosen")
    parser.add_argument("--first", type=int, help="of those that are built, examine only so many")
    parser.add_argument("--again", action="store_true", help="run those again that nothing noticed")
    parser.add_argument("--table", action="store_true", help="print what is known and end")
    options = parser.parse_args()
    WORK.mkdir(exist_ok=True)
    known: dict[str, dict] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if options.table:
        return table(known)
    numbered = build(options.seed, options.count, known)
    for row in known.values():
        if row["status"] == "survived" and options.again:
            row["stages"] = 0
    numbered = dict(list(numbered.items())[: options.first])
    for stage in range(3):
        examine(numbered, stage, known)
    CHOICE.write_text("0")
    table(known)


main()
