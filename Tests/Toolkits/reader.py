# SPDX-License-Identifier: MIT
"""What a screen reader finds of a program, by AT-SPI, on a session bus of its own: that of the environment, where nobody listens yet."""
import os
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

from stage import headerd  # noqa: E402


class Reader:
    """Starts a program of headerd's and reads it, in another process; one in a process, as libatspi knows one bus."""

    def __init__(self, daemon, command, paths):
        # The bus for accessibility is begun by the session's, which libdbus in this process knows from its first use on.
        address = os.environ["DBUS_SESSION_BUS_ADDRESS"]
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address={address}"],
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.bus.stdout.readline()
        more = {"PYTHONPATH": paths, "HEADERD_SOCKET": daemon.socket, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "GTK_A11Y": "atspi"}
        self.program = subprocess.Popen(command, env={**os.environ, **more})
        with headerd.Client(daemon.socket) as client:
            while not client.request("header.list", match="*")["headers"]:
                time.sleep(0.02)
        # What a program has to say is in libatspi's cache if it could say it when it was asked first.
        time.sleep(0.5)
        Atspi.init()
        self.focused = None
        self.listener = Atspi.EventListener.new(self._noticed)
        self.listener.register("object:state-changed:focused")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (self.program, self.bus):
            process.terminate()
            process.wait(30)
        Atspi.exit()

    def all(self):
        """What is in the program's window, in the order in which it is read."""
        def walk(one):
            yield one
            for index in range(one.get_child_count()):
                child = one.get_child_at_index(index)
                if child is not None:
                    yield from walk(child)

        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            program = desktop.get_child_at_index(index)
            if program is not None:
                yield from walk(program)

    def names(self):
        return [(one.get_role_name(), one.get_name()) for one in self.all()]

    def find(self, role, name):
        """All that have a role and a name."""
        return [one for one in self.all() if (one.get_role_name(), one.get_name()) == (role, name)]

    def is_active(self):
        """The program's window has the keyboard."""
        return any(one.get_state_set().contains(Atspi.StateType.ACTIVE) for one in self.all() if one.get_role_name() == "frame")

    def _noticed(self, event):
        if event.detail1:
            self.focused = event.source

    def _find_focused(self):
        """A list has the focus as well as its row."""
        return next((one for one in reversed(list(self.all())) if one.get_state_set().contains(Atspi.StateType.FOCUSED)), None)

    def press(self, loop, key, header, height):
        """Presses a key. What then has the focus comes into sight: in the window, and behind nothing of the header."""
        self.focused = None
        loop.use("key", key)
        loop.wait(0.05)
        focused, seen = None, []

        def is_seen():
            # Qt does not always tell of a focus.
            nonlocal focused
            focused = self.focused or self._find_focused()
            (top, bottom), covered = bounds(focused), [bounds(one) for one in header]
            is_in_header = any(begin <= top and bottom <= edge for begin, edge in covered)
            seen[:] = [top, bottom, covered]
            return top < bottom <= height and top >= (0 if is_in_header else max(edge for _, edge in covered))

        try:
            loop.spin(is_seen, 5)
        except TimeoutError:
            raise AssertionError(f"{key}: {focused.get_role_name()} {focused.get_name()!r} is not in sight: {seen}") from None
        return focused


def bounds(one):
    """Top and bottom in the window."""
    extents = one.get_extents(Atspi.CoordType.WINDOW)
    return extents.y, extents.y + extents.height
