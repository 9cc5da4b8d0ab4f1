# SPDX-License-Identifier: MIT
"""What the tests of the toolkits have in common: a daemon, a display, pictures of it, a mouse and keys."""
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLIENTS = ROOT / "Sources/Clients"
PATIENCE = 30
PLUGINS = ["CollapsingHeader", "Keyframes", "ShyNavBar"]

sys.path.insert(0, str(CLIENTS / "Python"))
sys.path.insert(0, str(ROOT / "Tests/Clients"))
import headerd  # noqa: E402
import run as clients  # noqa: E402

clients.PLUGINS = PLUGINS


class Display:
    """An X server of its own, whose screen is a file."""

    def __init__(self, width=400, height=700):
        self.folder = tempfile.mkdtemp(prefix="headerd-display-")
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-fbdir", self.folder, "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            self.name = f":{numbers.readline().strip()}"

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)
        shutil.rmtree(self.folder)

    def picture(self):
        return Picture.of_screen(f"{self.folder}/Xvfb_screen0")


class Picture:
    """Rows of red, green and blue bytes."""

    def __init__(self, width, rows):
        self.width, self.rows = width, rows

    @classmethod
    def of_screen(cls, path):
        """Reads the file of Xvfb, an X window dump: blue, green, red and nothing, of every pixel."""
        data = pathlib.Path(path).read_bytes()
        size, _, _, _, width, height, _, _, _, _, _, _, stride, *_ = head = struct.unpack(">25I", data[:100])
        begin = size + 12 * head[19]
        rows = []
        for y in range(height):
            line = data[begin + y * stride: begin + y * stride + 4 * width]
            row = bytearray(3 * width)
            row[0::3], row[1::3], row[2::3] = line[2::4], line[1::4], line[0::4]
            rows.append(bytes(row))
        return cls(width, rows)

    def at(self, x, y):
        return tuple(self.rows[y][3 * x: 3 * x + 3])

    def column(self, x):
        return [tuple(row[3 * x: 3 * x + 3]) for row in self.rows]

    def cut(self, width, height):
        return Picture(width, [row[: 3 * width] for row in self.rows[:height]])

    @classmethod
    def of_row(cls, pictures, gap=16):
        """Pictures of one height beside each other."""
        blank = bytes([255]) * (3 * gap)
        width = sum(picture.width for picture in pictures) + gap * (len(pictures) - 1)
        return cls(width, [blank.join(rows) for rows in zip(*(picture.rows for picture in pictures))])

    def save(self, path):
        def chunk(kind, body):
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

        head = struct.pack(">IIBBBBB", self.width, len(self.rows), 8, 2, 0, 0, 0)
        pixels = zlib.compress(b"".join(b"\0" + row for row in self.rows), 9)
        pathlib.Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))


def hand(*words):
    """Moves the mouse, turns its wheel, presses keys, of the display in the environment; returns at once."""
    return subprocess.Popen(["xdotool", *map(str, words)])


def check_package(folder, name):
    """The wheel of an adapter has all modules, and takes the client for Python along."""
    build = clients.BUILD / name
    shutil.rmtree(build, ignore_errors=True)
    shutil.copytree(CLIENTS / folder, build / "source")
    clients.run("/usr/bin/python3", "-c", "import setuptools.build_meta as b; b.build_wheel('..')", cwd=build / "source")
    (wheel,) = build.glob("*.whl")
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
            trace = error.__traceback__
            while trace.tb_next is not None and trace.tb_next.tb_frame.f_code.co_filename.startswith(str(ROOT / "Tests")):
                trace = trace.tb_next
            print(f"{name}: {type(error).__name__} in line {trace.tb_lineno}: {error}", flush=True)
        else:
            self.passed += 1
            print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)

    def end(self):
        print(f"{self.passed} passed, {len(self.failed)} failed")
        sys.exit(bool(self.failed))
