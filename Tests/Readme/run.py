#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs what README.md prints, in order, in one shell of a new user: an empty home, no variable but HOME and PATH.

    Tests/Readme/run.py

A block of `sh` must end with status 0. In a block of `console` each command's output must be what stands below it, where … is
anything. A block of `python` is run by python3 and must print the block of `text` behind it. What was started in the background is ended with the shell. It needs the
programs as built (`make build`), else it builds them. Exit status: 0 all of it holds, 1 something does not.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def commands(text):
    """Pairs of a command and what it must print; None: anything."""
    blocks = re.findall(r"^```(sh|console|python|text)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for index, (language, block) in enumerate(blocks):
        if language == "text":
            continue
        if language == "python":
            yield f"python3 - <<'END OF PYTHON'\n{block}END OF PYTHON", blocks[index + 1][1]
        elif language == "sh":
            for line in block.splitlines():
                yield line, None
        else:
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield command, output


def pattern(output):
    return ".*".join(re.escape(piece) for piece in output.split("…"))


def main():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    steps = list(commands(text))
    failures = []
    with tempfile.TemporaryDirectory(prefix="headerd-readme-") as home:
        path = os.environ["PATH"]
        shell = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env={"HOME": home, "PATH": path}, start_new_session=True)
        try:
            for number, (command, expected) in enumerate(steps):
                print(command.splitlines()[0], file=sys.stderr)
                mark = f"--- end of step {number}: "
                shell.stdin.write(f"{command}\necho; echo '{mark}'$?\n")
                shell.stdin.flush()
                output = ""
                while not output.rpartition("\n")[2].startswith(mark):
                    line = shell.stdout.readline()
                    if not line:
                        sys.exit(f"README.md: the shell ended at: {command}\n{output}")
                    output += line if not line.startswith(mark) else line.rstrip("\n")
                output, _, status = output.rpartition("\n" + mark)
                if status != "0":
                    failures.append(f"{command}\nended with the status {status}:\n{output}")
                if command.endswith("&"):
                    # The next command of a person comes later than that of a script.
                    shell.stdin.write("until headerctl ping --count 1 >/dev/null 2>&1; do sleep 0.05; done\n")
                elif expected is not None and not re.fullmatch(pattern(expected), output, re.DOTALL):
                    failures.append(f"{command}\nprinted\n{output}\nand not\n{expected}")
                elif command.endswith("--for 4") and output.count('"seq"') < 20:
                    failures.append(f"{command}\nprinted\n{output}\nand not twenty states")
        finally:
            os.killpg(shell.pid, 9)
            shell.wait()
    for failure in failures:
        print(f"README.md: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
