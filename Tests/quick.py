#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds, and runs the suites that see a change (the table is suites.py).

    quick.py                     what git says has changed since the last commit
    quick.py --room Fanout       a room, a plugin, or a folder of tests, by its name
    quick.py --file PATH         a file

The build is a debug build, which takes up a change of one line much faster than an optimized one. The heavy tests are left out.
Exit status: 0 all passed, 1 something failed, 2 wrong usage.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests"))
from suites import HEAVY, SEEN_BY, folder_of  # noqa: E402

SWIFT = os.environ.get("SWIFT", "swift")
BUILD = [SWIFT, "build", "--build-tests", "--explicit-target-dependency-import-check", "error"]


def changed():
    """The files that differ from the last commit, and those that git does not know yet."""
    listed = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [line[3:].split(" -> ")[-1].strip('"') for line in listed.stdout.splitlines()]


def room_named(name, parser):
    """The folder that a name means."""
    rooms = {folder.split("/", 1)[1]: folder for folder in SEEN_BY} | {folder: folder for folder in SEEN_BY}
    rooms |= {path.name: f"Tests/{path.name}" for path in (ROOT / "Tests").glob("*Tests")}
    if name not in rooms:
        parser.error(f'there is no room "{name}"; there are {", ".join(sorted(n for n in rooms if "/" not in n))}')
    return rooms[name]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--room", help="a folder of Sources, Plugins or Tests")
    parser.add_argument("--file", action="append", default=[], help="a file of the repository")
    options = parser.parse_args()
    folders, unseen = {room_named(options.room, parser)} if options.room else set(), []
    for file in options.file or ([] if options.room else changed()):
        folder = folder_of(str(pathlib.Path(file)))
        if folder is None and file.startswith("Tests/") and file.split("/")[1].endswith("Tests"):
            folder = "/".join(file.split("/")[:2])
        folders.add(folder) if folder else unseen.append(file)
    if unseen:
        print(f"no suite of its own sees {', '.join(unseen)}; make check runs all", file=sys.stderr)
    if not folders:
        sys.exit(0)
    # A folder of tests that the table does not have is the suite of that name.
    patterns = sorted({SEEN_BY.get(folder, rf"^{folder.split('/')[1]}\.") for folder in folders})
    begun = time.monotonic()
    if subprocess.run(BUILD, cwd=ROOT).returncode:
        sys.exit(1)
    built = time.monotonic()
    program = ROOT / ".build/debug/headerdPackageTests.xctest"
    status = subprocess.run(
        [program, "--testing-library", "swift-testing", "--filter", "|".join(patterns), "--skip", HEAVY], cwd=ROOT
    ).returncode  # fmt: skip
    print(f"{', '.join(sorted(folders))}: built in {built - begun:.0f} s, tested in {time.monotonic() - built:.0f} s")
    sys.exit(1 if status else 0)


if __name__ == "__main__":
    main()
