#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the form of the commits since the rules of CONTRIBUTING.md hold for all: a linear history, subjects
`area: what changes` within 72 characters, no folder of a machine in a message.

usage: Tests/history.py [REVISION]      the last commit to look at (default HEAD)

Exit status: 0 all commits are as they should be, or there is no history here (an archive); 1 some are not.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The last commit before the rules.
BEFORE = "4cb89fc74941"
SUBJECT = re.compile(r"^[a-zA-Z0-9][a-zA-Z0-9.-]*(, [a-zA-Z0-9][a-zA-Z0-9.-]*)*: \S")
MACHINE = re.compile(r"(^|[\s'\"(`])/(work|home|root|Users)(/|\b)")


def faults(parents, subject, body):
    """What is wrong with one commit."""
    if len(parents) > 1:
        yield "it is a merge; rebase instead"
    if not SUBJECT.match(subject):
        yield 'expected a subject "area: what changes"'
    if len(subject) > 72:
        yield f"expected a subject of at most 72 characters, got {len(subject)}"
    if match := MACHINE.search(subject + "\n" + body):
        yield f'the message names a folder of a machine: "{match[0].strip()}"'


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)


def main():
    last = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    if git("cat-file", "-e", f"{BEFORE}^{{commit}}").returncode:
        print("no history here")
        return
    text = git("log", "--format=%h%x1f%P%x1f%s%x1f%b%x1e", f"{BEFORE}..{last}").stdout
    commits = [row.strip("\n").split("\x1f") for row in text.split("\x1e") if row.strip()]
    failed = 0
    for name, parents, subject, body in commits:
        for fault in faults(parents.split(), subject, body):
            failed += 1
            print(f'{name} "{subject}": {fault}', file=sys.stderr)
    print(f"{len(commits)} commits since {BEFORE}, {failed} faults")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
