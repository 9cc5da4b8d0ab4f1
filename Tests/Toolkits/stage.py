# SPDX-License-Identifier: MIT
"""What the tests of the toolkits have in common: a daemon, a mouse and keys."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLIENTS = ROOT / "Sources/Clients"
PATIENCE = 30
PLUGINS = ["CollapsingHeader", "Keyframes", "ShyNavBar"]

sys.path.insert(0, str(CLIENTS / "Python"))
sys.path.insert(0, str(ROOT / "Tests/Clients"))
import headerd  # noqa: E402
import run as clients  # noqa: E402

clients.PLUGINS = PLUGINS


def hand(*words):
    """Moves the mouse, turns its wheel, presses keys, of the display in the environment; returns at once."""
    return subprocess.Popen(["xdotool", *map(str, words)])


def check_package(folder, name):
    """The wheel of an adapter has all modules, and takes the client for Python along."""
    with tempfile.TemporaryDirectory() as build:
        source = pathlib.Path(shutil.copytree(CLIENTS / folder, f"{build}/source", ignore=shutil.ignore_patterns("__pycache__")))
        clients.run("/usr/bin/python3", "-c", "import setuptools.build_meta as b; b.build_wheel('..')", cwd=source)
        (wheel,) = source.parent.glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            names = set(packed.namelist())
            (metadata,) = [name for name in names if name.endswith("/METADATA")]
            assert "Requires-Dist: headerd" in packed.read(metadata).decode()
    wanted = {f"headerd_{name}/{path.name}" for path in (CLIENTS / folder / f"headerd_{name}").glob("*.py")}
    assert wanted <= names, wanted - names


class Suite:
    """Runs tests one by one, and counts."""

    def __init__(self):
        self.passed, self.failed = 0, []

    def run(self, name, test, *arguments):
        began = time.monotonic()
        try:
            test(*arguments)
        except Exception as error:  # Whatever it is, the other tests go on.
            self.failed.append(name)
            lines, trace = [], error.__traceback__.tb_next
            while trace is not None and trace.tb_frame.f_code.co_filename.startswith(str(ROOT / "Tests")):
                lines.append(f"{pathlib.Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}")
                trace = trace.tb_next
            print(f"{name}: {type(error).__name__} at {', '.join(lines)}: {error}", flush=True)
        else:
            self.passed += 1
            print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)

    def end(self):
        print(f"{self.passed} passed, {len(self.failed)} failed")
        sys.exit(bool(self.failed))
