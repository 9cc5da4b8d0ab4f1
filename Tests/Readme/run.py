#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs what documents print, in order, each in one shell of a new user: an empty home, and no variable but HOME, PATH
and XDG_RUNTIME_DIR, so that it meets no daemon but its own.

usage: Tests/Readme/run.py
       Tests/Readme/run.py --guides FOLDER-OF-THE-PROGRAMS [NAME...]

Without --guides it runs README.md, in the repository; that builds the programs if they are not. With it the tutorials and how-tos of
config/manual/guides, or those named, each in the new user's home, where the programs have been installed from the folder.

A block of `sh` must end with status 0. In a block of `console` each command's output must be what stands below it, where … is
anything. A block of `python` is run by python3 and must print the block of `text` behind it. A block below a line that names a file in
backquotes, with a colon, is written to that file. A block of `shell` needs a machine that a test does not have: only its form is checked.
What was started in the background is ended with the shell. Exit status: 0 all of it holds, 1 something does not.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/Nats"))
from realm import free_port  # noqa: E402

# Seconds after which a document hangs.
PATIENCE = 1800
# What records the messages of clients (Tests/Schema/recorder.c), where a run of the tests asks for it.
RECORDER = {name: os.environ[name] for name in ("LD_PRELOAD", "TEST_MESSAGES") if name in os.environ}
BLOCK = re.compile(r"^(?:`([\w./-]+)`:\n\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def steps(text):
    """Pairs of a command and what it must print; None: anything."""
    blocks = [(match[1], match[2], match[3]) for match in BLOCK.finditer(text)]
    for index, (file, language, block) in enumerate(blocks):
        if file:
            yield f"cat >{file} <<'END OF FILE'\n{block}END OF FILE", ""
        elif language == "python":
            yield f"python3 - <<'END OF PYTHON'\n{block}END OF PYTHON", blocks[index + 1][2]
        elif language == "sh":
            for line in block.splitlines():
                yield line, None
        elif language == "shell":
            yield f"bash -n <<'END OF SHELL'\n{block}END OF SHELL", ""
        elif language == "console":
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                # Further lines of a command begin as in a shell.
                command, output = re.fullmatch(r"(.*\n(?:> .*\n)*)((?s:.*))", part).groups()
                yield re.sub(r"\n> ", "\n", command.rstrip("\n")), output


def pattern(output):
    return ".*".join(re.escape(piece) for piece in output.split("…"))


def run(text, folder, environment, patience):
    """Runs a document's text in a folder. Returns what does not hold."""
    failures = []
    shell = subprocess.Popen(
        ["bash", "--noprofile", "--norc"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, env=environment, start_new_session=True)
    limit = threading.Timer(patience, os.killpg, [shell.pid, 9])
    limit.start()
    try:
        for number, (command, expected) in enumerate(steps(text)):
            print(command.splitlines()[0], file=sys.stderr)
            mark = f"--- end of step {number}: "
            shell.stdin.write(f"{command}\nstatus=$?; echo; echo '{mark}'$status\n")
            shell.stdin.flush()
            output = ""
            while not output.rpartition("\n")[2].startswith(mark):
                line = shell.stdout.readline()
                if not line:
                    return failures + [f"the shell ended at: {command}\n{output}"]
                output += line if not line.startswith(mark) else line.rstrip("\n")
            output, _, status = output.rpartition("\n" + mark)
            if status != "0":
                failures.append(f"{command}\nended with the status {status}:\n{output}")
            if re.search(r"^headerd (?!--socket).*&$", command):
                # The next command of a person comes later than that of a script.
                shell.stdin.write("until headerctl ping --count 1 >/dev/null 2>&1; do sleep 0.05; done\n")
            elif expected is not None and not re.fullmatch(pattern(expected), output, re.DOTALL):
                failures.append(f"{command}\nprinted\n{output}\nand not\n{expected}")
            elif command.endswith("--for 4") and output.count('"seq"') < 20:
                failures.append(f"{command}\nprinted\n{output}\nand not twenty states")
    finally:
        limit.cancel()
        os.killpg(shell.pid, 9)
        shell.wait()
    return failures


def user(home):
    """The environment of a new user, whose home is empty."""
    run_folder = f"{home}/.run"
    os.mkdir(run_folder, 0o700)
    return {"HOME": home, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": run_folder} | RECORDER


def guide(document, programs):
    """Runs a guide of a user who has installed the programs."""
    with tempfile.TemporaryDirectory(prefix="headerd-guide-") as home:
        environment = user(home)
        environment["PATH"] = f"{home}/.local/bin:{environment['PATH']}"
        subprocess.run(
            [ROOT / "config/install/run", "install", programs], check=True, stdout=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "PREFIX": f"{home}/.local"})
        # Whatever port is free; the same for the server of NATS.
        config = pathlib.Path(home, ".config/headerd")
        config.mkdir(parents=True)
        (config / "headerd-web.toml").write_text("listen.port = 0\n")
        text = document.read_text(encoding="utf-8").replace("14222", str(free_port()))
        return run(text, home, environment, PATIENCE / 15)


def main():
    if sys.argv[1:2] == ["--guides"] and len(sys.argv) > 2:
        programs = pathlib.Path(sys.argv[2]).resolve()
        guides = sorted((ROOT / "config/manual/guides").glob("*.md"))
        documents = [path for path in guides if not sys.argv[3:] or path.stem in sys.argv[3:]]
        found = {path.name: guide(path, programs) for path in documents}
    elif not sys.argv[1:]:
        with tempfile.TemporaryDirectory(prefix="headerd-readme-") as home:
            found = {"README.md": run((ROOT / "README.md").read_text(encoding="utf-8"), ROOT, user(home), PATIENCE)}
    else:
        print(__doc__, file=sys.stderr)
        return 2
    for name, failures in found.items():
        for failure in failures:
            print(f"{name}: {failure}", file=sys.stderr)
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
