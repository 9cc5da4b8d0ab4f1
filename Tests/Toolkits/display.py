# SPDX-License-Identifier: MIT
"""A display with a screen in memory, a touch screen and a touchpad.

It is Xorg with its drivers for tests: `dummy` for the screen, `inputtest` for devices, which take events from sockets. To whoever is shown on
it they are a real touch screen and a real touchpad, which Xvfb does not have, and whose events the extension XTEST does not know.
"""
import ctypes
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import zlib

SERVER = "/usr/lib/xorg/Xorg"
DEVICES = {"touchscreen": "Touch", "touchpad": "Pointer", "keyboard": "Keyboard"}
CONFIG = """
Section "ServerFlags"
  Option "AutoAddDevices" "false"
EndSection
Section "Device"
  Identifier "card"
  Driver "dummy"
  VideoRam 16384
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 5-1000
  VertRefresh 5-200
  Modeline "only" {clock} {width} {width4} {width8} {width12} {height} {height4} {height8} {height12}
EndSection
Section "Screen"
  Identifier "screen"
  Device "card"
  Monitor "monitor"
  DefaultDepth 24
  SubSection "Display"
    Modes "only"
    Virtual {width} {height}
  EndSubSection
EndSection
{devices}
Section "ServerLayout"
  Identifier "layout"
  Screen "screen"
  InputDevice "touchscreen"
  InputDevice "touchpad" "CorePointer"
  InputDevice "keyboard" "CoreKeyboard"
EndSection
"""
DEVICE = """
Section "InputDevice"
  Identifier "{name}"
  Driver "inputtest"
  Option "DeviceType" "{kind}"
  Option "SocketPath" "{path}"
EndSection
"""


class Device:
    """Speaks with the driver as its xf86-input-inputtest-protocol.h says."""

    VERSION, SYNC, MOTION, TOUCH = 0, 1, 2, 6
    BEGIN, UPDATE, END = 18, 19, 20

    def __init__(self, path, width, height):
        self.width, self.height = width, height
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.ask(self.VERSION, struct.pack("HH", 1, 0))

    def ask(self, kind, body=b""):
        self.send(kind, body)
        return self.socket.recv(64)

    def send(self, kind, body):
        self.socket.sendall(struct.pack("II", 8 + len(body), kind) + body)

    def post(self, kind, head, values):
        """Sends values of axes, by their numbers, and waits until the server has them."""
        mask, numbers = bytearray(8), [0.0] * 128
        for axis, value in values.items():
            mask[axis // 8] |= 1 << axis % 8
            numbers[axis] = value
        self.send(kind, head + struct.pack("I8s4x128d", 0, bytes(mask), *numbers))
        self.ask(self.SYNC)

    def touch(self, kind, x, y, finger=0):
        self.post(self.TOUCH, struct.pack("II", finger, kind), {0: 65535 * x / self.width, 1: 65535 * y / self.height})

    def roll(self, y):
        """Two fingers on the touchpad move by so much, 120 being a step of a wheel; 0 when they leave."""
        self.post(self.MOTION, struct.pack("I4x", 0), {3: y})


class XImage(ctypes.Structure):
    """The beginning of Xlib's."""

    _fields_ = [(name, ctypes.c_int) for name in ("width", "height", "xoffset", "format")] + [("data", ctypes.c_void_p)] + [
        (name, ctypes.c_int) for name in ("byte_order", "unit", "bit_order", "pad", "depth", "stride")]


class XDeviceInfo(ctypes.Structure):
    _fields_ = [("id", ctypes.c_ulong), ("type", ctypes.c_ulong), ("name", ctypes.c_char_p), ("classes", ctypes.c_int), ("use", ctypes.c_int),
                ("info", ctypes.c_void_p)]


class Display:
    def __init__(self, width=400, height=700):
        self.folder = tempfile.mkdtemp(prefix="headerd-display-")
        devices = "".join(DEVICE.format(name=name, kind=kind, path=f"{self.folder}/{name}") for name, kind in DEVICES.items())
        sizes = {f"{name}{more or ''}": size + more for name, size in (("width", width), ("height", height)) for more in (0, 4, 8, 12)}
        # Of 60 frames a second, in MHz.
        clock = 60 * sizes["width12"] * sizes["height12"] / 1e6
        pathlib.Path(f"{self.folder}/config").write_text(CONFIG.format(devices=devices, clock=clock, **sizes))
        read, write = os.pipe()
        # It ends with the test, also with one that is killed.
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", SERVER, "-displayfd", str(write), "-config", f"{self.folder}/config", "-logfile", f"{self.folder}/log", "-noreset",
             "-nolisten", "tcp"], pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            number = numbers.readline().strip()
        assert number, [line for line in pathlib.Path(f"{self.folder}/log").read_text().splitlines() if "(EE)" in line]
        self.name = f":{number}"
        self.touchscreen, self.touchpad = (Device(f"{self.folder}/{name}", width, height) for name in ("touchscreen", "touchpad"))
        self.x11 = ctypes.CDLL("libX11.so.6")
        for call in ("XOpenDisplay", "XGetImage"):
            getattr(self.x11, call).restype = ctypes.c_void_p
        self.x11.XDefaultRootWindow.restype = ctypes.c_ulong
        self.connection = ctypes.c_void_p(self.x11.XOpenDisplay(self.name.encode()))
        self.root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.connection))
        self.width, self.height = width, height
        self._mark_touchpad()

    def _mark_touchpad(self):
        """Toolkits take a pointer for a touchpad by a property that libinput's driver gives it."""
        xi, count = ctypes.CDLL("libXi.so.6"), ctypes.c_int()
        xi.XListInputDevices.restype = ctypes.POINTER(XDeviceInfo)
        devices = xi.XListInputDevices(self.connection, ctypes.byref(count))
        (number,) = [one.id for one in devices[:count.value] if one.name == b"touchpad"]
        atom = ctypes.c_ulong(self.x11.XInternAtom(self.connection, b"libinput Tapping Enabled", 0))
        integer, replace = ctypes.c_ulong(19), 0
        xi.XIChangeProperty(self.connection, number, atom, integer, 8, replace, ctypes.byref(ctypes.c_ubyte(1)), 1)
        self.x11.XSync(self.connection, 0)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        shutil.rmtree(self.folder)

    def picture(self):
        """What is on the screen: blue, green, red and nothing, of every pixel."""
        every, z_pixmap = ctypes.c_ulong(0xffffffff), 2
        address = self.x11.XGetImage(self.connection, self.root, 0, 0, self.width, self.height, every, z_pixmap)
        image = XImage.from_address(address)
        stride, data = image.stride, ctypes.string_at(image.data, image.stride * image.height)
        self.x11.XDestroyImage(ctypes.c_void_p(address))
        rows = []
        for y in range(self.height):
            line = data[y * stride: y * stride + 4 * self.width]
            row = bytearray(3 * self.width)
            row[0::3], row[1::3], row[2::3] = line[2::4], line[1::4], line[0::4]
            rows.append(bytes(row))
        return Picture(self.width, rows)


class Picture:
    """Rows of red, green and blue bytes."""

    def __init__(self, width, rows):
        self.width, self.rows = width, rows

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
