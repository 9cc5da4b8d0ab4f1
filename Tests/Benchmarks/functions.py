#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where the instructions of an event go: a workload of headerd-bench, function by function, as Markdown.

    Tests/Benchmarks/functions.py .build/release plugin laws-32 [--least 10]

Each workload runs twice under callgrind, with 1,000 and 3,000 events; the difference leaves out what does not recur. An instruction counts
for the function that it stands in after inlining. Plugins are loaded from copies that are gone when callgrind writes its file, so their
functions come as addresses, which are found in the libraries of the build.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import tempfile

FEW, MANY = 1_000, 3_000
ROOM = re.compile(r"^\$s(\d+)(\w+)")


def costs(text):
    """Instructions by (object, function) in callgrind's format: those of the function itself."""
    names, costs = {}, collections.Counter()
    place, is_call = {"ob": "", "fn": ""}, False
    for line in text.splitlines():
        head, _, rest = line.partition("=")
        if head in ("ob", "fn", "cob", "cfn"):
            number, _, name = rest.partition(" ")
            if name:
                names[head[-2:], number] = name
            if head in place:
                place[head] = names[head, number]
        elif head == "calls":
            is_call = True
        elif re.match(r"[+\-*\d]\S* \d", line):
            # The line behind a call has what was called, which counts there.
            if not is_call:
                costs[place["ob"], place["fn"]] += int(line.split()[1])
            is_call = False
    return costs


def run(bench, workload, count):
    with tempfile.NamedTemporaryFile() as file:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file.name}", bench, "--once", workload, str(count)]
        subprocess.run(command, check=True, capture_output=True)
        return costs(pathlib.Path(file.name).read_text())


def symbols(library):
    lines = subprocess.run(["nm", library], check=True, capture_output=True, text=True).stdout.splitlines()
    return {int(words[0], 16): words[2] for words in map(str.split, lines) if len(words) == 3 and words[1] in "tT"}


def found(addresses, libraries):
    """The names of functions at addresses where libraries were loaded: of each library at the place where most of them begin a function."""
    names, left = {}, set(addresses)
    while left:
        matches = collections.Counter()
        for library, table in libraries.items():
            for address in left:
                for start in table:
                    if (address - start) % 4096 == 0:
                        matches[library, address - start] += 1
        if not matches:
            break
        (library, base), count = matches.most_common(1)[0]
        if count < 2:
            break
        here = {address: libraries[library][address - base] for address in left if address - base in libraries[library]}
        names |= {address: (library.stem.removeprefix("lib"), name) for address, name in here.items()}
        left -= here.keys()
    return names


def demangled(names):
    command = ["swift", "demangle", "--compact", "--simplified"]
    lines = subprocess.run(command, input="\n".join(names), check=True, capture_output=True, text=True).stdout.splitlines()
    return dict(zip(names, lines))


def room(place, name):
    """The module of a Swift function, else the library that it is in."""
    match = ROOM.match(name)
    return match[2][: int(match[1])] if match else place


def table(build, workload, least, libraries):
    few, many = (run(build / "headerd-bench", workload, count) for count in (FEW, MANY))
    events = MANY - FEW
    each = {key: (many[key] - few[key]) / events for key in many if many[key] - few[key] >= events}
    unknown = {key: int(key[1], 16) for key in each if key[1].startswith("0x")}
    names = found(unknown.values(), libraries)
    rows = collections.Counter()
    for (place, name), cost in each.items():
        place, name = names.get(unknown.get((place, name)), (pathlib.Path(place).name, name.split("'")[0]))
        rows[room(place, name), name] += cost
    texts = demangled(list({name for _, name in rows}))
    rooms = collections.Counter()
    for (where, _), cost in rows.items():
        rooms[where] += cost
    lines = [f"### {workload}: {sum(rows.values()):.0f}", "", "| room | function | instructions |", "| --- | --- | ---: |"]
    for where, cost in rooms.most_common():
        parts = [(texts[name], part) for (its, name), part in rows.most_common() if its == where and part >= least]
        if parts:
            lines.append(f"| **{where}** | | **{cost:.0f}** |")
            lines += [f"| | `{text}` | {part:.0f} |" for text, part in parts]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="the folder of the built programs")
    parser.add_argument("workloads", nargs="+", metavar="WORKLOAD")
    parser.add_argument("--least", type=int, default=10, help="leave out functions with fewer instructions an event (default 10)")
    arguments = parser.parse_args()
    libraries = {path: symbols(path) for path in sorted(arguments.build.glob("lib*.so"))}
    for workload in arguments.workloads:
        print(table(arguments.build, workload, arguments.least, libraries), end="\n\n")


if __name__ == "__main__":
    main()
