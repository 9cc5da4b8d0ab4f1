#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Uses the adapter for Qt Quick as a person does: a real mouse and its wheel, a touch screen, a touchpad, keys, a real daemon.

    qt.py PROGRAMS [--binding PySide6] [--only WORD] [--frames N [--within SECONDS]] [--pictures FOLDER]

The same options as gtk.py, and the same pictures and figures. Qt is used by PyQt6, if --binding does not say otherwise. The last line is
"N passed, N failed".
"""
import argparse
import importlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from display import Display, Picture
from reader import Reader
from stage import CLIENTS, PATIENCE, Suite, check_package, clients, headerd
from stages import BAR, ROWS, TABS, css
from windows import HEIGHT, WIDTH, Frames, LinkedWindow, Loop, Windows, same

parser = argparse.ArgumentParser()
parser.add_argument("programs", type=pathlib.Path)
parser.add_argument("--binding", choices=["PyQt6", "PySide6"], default="PyQt6")
parser.add_argument("--only", default="")
parser.add_argument("--frames", type=int, default=120)
parser.add_argument("--within", type=float, default=2)
parser.add_argument("--pictures", type=pathlib.Path)
options = parser.parse_args()

display = Display()
runtime = tempfile.mkdtemp(prefix="headerd-qt-")
os.environ.update(DISPLAY=display.name, QT_QPA_PLATFORM="xcb", QT_QUICK_BACKEND="software", LC_ALL="C.UTF-8", XDG_RUNTIME_DIR=runtime)
os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={display.folder}/bus"
sys.path.insert(0, str(CLIENTS / "Qt"))

QtCore, QtGui, QtQml, QtQuick = (importlib.import_module(f"{options.binding}.{name}") for name in ("QtCore", "QtGui", "QtQml", "QtQuick"))
import headerd_qt  # noqa: E402

app = QtGui.QGuiApplication(["tests"])
app.setQuitOnLastWindowClosed(False)
headerd_qt.register()

PATHS = os.pathsep.join([str(CLIENTS / "Qt"), str(CLIENTS / "Python")])
LAWS = [{"drawer": "bar", "collapse": True, "returns": "atTop", "stretch": {"factor": 1}}, {"drawer": "tabs", "pin": True}]
LIST = f"""ListView {{ readonly property var colors: {json.dumps([css(color) for color in ROWS])}; model: 100; cacheBuffer: 0; highlightMoveDuration: 0; focus: true
  delegate: Rectangle {{ required property int index; objectName: "row" + index; width: 360; height: 44; color: ListView.view.colors[index % {len(ROWS)}]
    Text {{ text: "Row " + index }} }} }}"""
# Of an app's own test, which has no display: the gallery's banner in what Qt draws, and the albums below it.
OFFSCREEN = """
import sys, time
from BINDING.QtCore import QUrl
from BINDING.QtGui import QGuiApplication
from BINDING.QtQuick import QQuickView
import headerd_qt
app, view = QGuiApplication(["test"]), QQuickView()
headerd_qt.register()
view.setSource(QUrl.fromLocalFile(sys.argv[1]))
view.show()
item, end = view.rootObject(), time.monotonic() + 20
def until(condition):
    while not condition():
        assert time.monotonic() < end, "it does not become so"
        app.processEvents()
until(lambda: item.connected and item.link.view.epoch is not None)
for place, height in ((0, 180), (70, 110), (500, 48), (0, 180)):
    item.flickable.setProperty("contentY", place - item.read("topMargin"))
    until(lambda: [view.grabWindow().pixelColor(340, y).name() for y in (height - 2, height + 2)] == ["#3c6a7d", "#eef2f1"])
item.link.end()
"""
QML = """
import QtQuick
import Headerd
HeaderedFlickable {
    description: (%s)
    flickable: %s
    %s
    Rectangle { objectName: "bar"; implicitHeight: %d; color: "%s"; property var drawer: ({ minimumHeight: 44 })
      TextInput { objectName: "field"; height: 20; width: 100; activeFocusOnTab: true } }
    Rectangle { objectName: "tabs"; implicitHeight: 40; color: "%s" }
}"""


def turn():
    loop = QtCore.QEventLoop()
    QtCore.QTimer.singleShot(5, loop.quit)
    loop.exec()


loop = Loop(turn)
spin, wait, use, becomes = loop.spin, loop.wait, loop.use, loop.becomes


def draw_down():
    """A finger draws the content by 120 points, and stays."""
    use("mousemove", 150, 300, "mousedown", 1, *sum((["mousemove", 150, 300 + 12 * step, "sleep", 0.02] for step in range(1, 11)), []))


class Window(LinkedWindow):
    """A window with a bar that collapses from 96 to 44 points, and tabs of 40 that stay. A machine that is busy gets its time."""

    def __init__(self, daemon, more="", laws=LAWS, bar=96, flickable=LIST, width=WIDTH, within=2, **options):
        delegates = {"delegates": [{"behavior": "CollapsingHeader", "options": {"drawers": laws}}]} if laws else {}
        given = {"socket": daemon.socket, "within": within, **options}
        lines = [f"{name}: {json.dumps(value)}" for name, value in given.items()] + [more]
        self.view = QtQuick.QQuickView()
        self.view.setFlags(QtCore.Qt.WindowType.FramelessWindowHint)
        self.view.setColor(QtCore.Qt.GlobalColor.magenta)
        self.view.setResizeMode(QtQuick.QQuickView.ResizeMode.SizeRootObjectToView)
        component = QtQml.QQmlComponent(self.view.engine(), self.view)
        component.setData((QML % (json.dumps(delegates), flickable, "\n".join(lines), bar, css(BAR), css(TABS))).encode(), QtCore.QUrl("file:///window.qml"))
        self.item = self.adapter = component.create()
        assert self.item is not None, [error.toString() for error in component.errors()]
        self.component, self.failures = component, []
        self.item.failed.connect(self.failures.append)
        self.view.setContent(QtCore.QUrl("file:///window.qml"), component, self.item)
        self.view.resize(width, HEIGHT)
        self.view.setPosition(0, 0)
        self.view.show()
        spin(self.view.isExposed)
        self.flickable = self.item.flickable

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.item.link.end()
        self.view.close()
        self.view.deleteLater()
        wait(0.05)

    def connected(self):
        spin(lambda: self.item.connected and self.item.link.view.epoch is not None)
        wait(0.1)
        return self

    def drawer(self, name):
        return self.item.drawer_items[name]

    @property
    def bottom(self):
        """Where the tabs end."""
        tabs = self.drawer("tabs")
        return tabs.y() + tabs.height()

    @property
    def top(self):
        """Where the content begins, also behind the header."""
        return self.item.read("contentItem").mapToItem(self.item, QtCore.QPointF(0, self.item.read("originY"))).y()

    def is_drawn(self, name):
        return self.drawer(name).isVisible()

    def put(self, place):
        self.flickable.setProperty("contentY", float(place) - self.item.read("topMargin"))

    def scroll(self, place):
        self.put(place)
        wait(0.05)

    def pull(self):
        """Beyond the edge; returns how far that is."""
        draw_down()
        wait(0.2)
        assert self.item.place < -10, self.item.place
        return self.item.place

    def release(self):
        use("mouseup", 1)


windows = Windows(Window, loop, display, "qt")
nothing_behind = windows.nothing_behind


def test_wheel(daemon):
    """A wheel's turn collapses the bar, and it comes back at the top."""
    with Window(daemon).connected() as one:
        use("mousemove", 150, 400, "click", 5)
        spin(lambda: one.top < 136)
        use(*["click", 5] * 3)
        becomes(lambda: one.bottom, 84)
        nothing_behind()
        use(*["click", 4] * 12)
        becomes(lambda: one.bottom, 136)
        becomes(lambda: one.top, 136)


def test_drag(daemon):
    """With the mouse: a drag that is let go moving flings the list, and the header is told of both; pulled at the top the bar stretches."""
    with Window(daemon).connected() as one:
        told = one.told()
        draw_down()
        spin(lambda: one.top > 140)
        same(one.bottom, one.top)
        use("sleep", 0.3, "mouseup", 1)
        becomes(lambda: one.bottom, 136)
        # It goes back to the edge by itself.
        order = ["willBeginDragging", "willEndDragging", "didEndDragging", "willBeginDecelerating", "didEndDecelerating"]
        spin(lambda: [event for event, _ in told] == order)
        # On a busy machine the mouse may be too slow for a fling, or all its moves come as one, which is no drag, or as few, of which
        # the list takes most for the beginning of a drag and hardly moves.
        for _ in range(5):
            told.clear()
            use("mousemove", 150, 500, "mousedown", 1, *sum((["mousemove", 150, 500 - 30 * step, "sleep", 0.01] for step in range(1, 11)), []), "mouseup", 1)
            try:
                # What the drag before made the header do may end only now, and is left out.
                spin(lambda: one.gesture == "idle" and len(windows.gestures(told)) >= 3, PATIENCE / 3)
            except TimeoutError:
                assert not windows.gestures(told), (one.gesture, told)
            if windows.gestures(told)[-1:] == ["didEndDecelerating"] and one.top < 84:
                break
        assert windows.gestures(told) == order, told
        assert dict(told)["willEndDragging"]["velocity"]["y"] > 0.1, told
        assert one.top < 84, one.top
        same(one.bottom, 84)


def test_second_window(daemon):
    """Windows of different sizes share a header; one that renders reports nothing."""
    with Window(daemon, header="shared").connected() as one, Window(daemon, header="shared", width=300).connected() as two:
        with Window(daemon, header="shared", mode="renderer").connected() as three:
            for place in (20, 60, 300, 0):
                one.scroll(place)
                becomes(lambda: two.bottom, one.bottom)
                becomes(lambda: three.bottom, one.bottom)
            three.scroll(300)
            same(one.bottom, 136)
            two.scroll(300)
            becomes(lambda: one.bottom, 84)


def test_no_flickable(_):
    said, engine = [], QtQml.QQmlEngine()
    before = QtCore.qInstallMessageHandler(lambda _, __, text: said.append(text))
    try:
        component = QtQml.QQmlComponent(engine)
        component.setData(b"import Headerd\nHeaderedFlickable {}", QtCore.QUrl())
        item = component.create()
    finally:
        QtCore.qInstallMessageHandler(before)
    assert item is not None and "flickable is missing" in said[0], said


def test_keys(daemon):
    """The current row that keys choose is never behind the header."""
    with Window(daemon).connected() as one:
        one.view.requestActivate()
        use("mousemove", 150, 400)
        subprocess.run(["xdotool", "windowfocus", str(int(one.view.winId()))], check=False)
        one.flickable.forceActiveFocus()
        for key, count in (("Down", 20), ("Up", 14)):
            for _ in range(count):
                before = one.flickable.property("currentIndex")
                use("key", key)
                spin(lambda: one.flickable.property("currentIndex") != before)

                def is_seen():
                    row = one.flickable.property("currentItem")
                    y = row.mapToItem(one.item, QtCore.QPointF(0, 0)).y()
                    return one.bottom - 0.5 <= y <= HEIGHT - 43

                try:
                    spin(is_seen, PATIENCE / 10)
                except TimeoutError:
                    raise AssertionError(f"row {one.flickable.property('currentIndex')} is not in sight") from None


def test_the_order_of_drawers(daemon):
    """An earlier drawer is drawn over a later one, unless the header says otherwise."""
    laws = [{"drawer": "bar", "collapse": True, "zIndex": -2}, {"drawer": "tabs", "pin": True}]
    with Window(daemon, laws=laws).connected() as one:
        def drawn():
            return sorted(("bar", "tabs"), key=lambda name: one.drawer(name).z())

        assert drawn() == ["tabs", "bar"], drawn()
        one.scroll(400)
        spin(lambda: drawn() == ["bar", "tabs"])
        one.scroll(0)
        spin(lambda: drawn() == ["tabs", "bar"])


def test_animation(daemon):
    """ShyNavBar goes to its end by an animation that it announces; whoever wants less motion gets none."""
    for reduced in (False, True):
        with Window(daemon, laws=None, bar=300, more=f"reducedMotion: {json.dumps(reduced)}").connected() as one:
            link = one.item.link
            link.gestures.touch()
            for place in (20, 80, 150):
                one.scroll(place)
            seen, begun = [], one.drawer("bar").y() + 300
            one.view.afterAnimating.connect(lambda: seen.append((one.drawer("bar").y() + 300, one.top)))
            link.gestures.lift()
            becomes(lambda: one.drawer("bar").y(), -300)
            wait(0.3)
            # A busy machine paints few frames of it, but no place twice.
            moving = [bottom for bottom, _ in seen if 0 < bottom < begun]
            assert not moving if reduced else moving and len(set(moving)) >= min(4, len(moving)), (begun, seen)
            # The tabs between them are hidden: they are that far apart, in one frame as in the next.
            assert seen[-1] == (0, 0) and all(-0.5 <= top - bottom <= 40.5 for bottom, top in seen), seen


def test_nothing_is_left(daemon):
    """A scroll leaves no timer behind. PySide6 keeps no metaobject: QML frees those of its types, and their addresses come again."""
    def metaobjects():
        if options.binding == "PyQt6":
            return 0
        Shiboken = importlib.import_module("shiboken6.Shiboken")
        return sum(type(one) is QtCore.QMetaObject for one in Shiboken.getAllValidWrappers())

    known = []
    for _ in range(2):
        with Window(daemon).connected() as one:
            for place in range(20):
                one.scroll(place)
            timers = one.item.findChildren(QtCore.QTimer)
            assert len(timers) <= 2, timers
            # Those of Python's classes stay.
            known.append(metaobjects())
    assert known[0] == known[1], known


def test_resize(daemon):
    """A drawer that grows: the header is told."""
    with Window(daemon).connected() as one:
        one.drawer("bar").setImplicitHeight(120)
        becomes(lambda: one.bottom, 160)
        same(one.top, 160)


def test_gallery(daemon, folder):
    """The example: its lines, and its picture."""
    examples = CLIENTS / "Qt/examples"
    assert sum(len((examples / f"gallery.{kind}").read_text().splitlines()) for kind in ("py", "qml")) <= 80
    os.environ["HEADERD_SOCKET"] = daemon.socket
    view = QtQuick.QQuickView(resizeMode=QtQuick.QQuickView.ResizeMode.SizeRootObjectToView)
    view.setFlags(QtCore.Qt.WindowType.FramelessWindowHint)
    view.setSource(QtCore.QUrl.fromLocalFile(str(examples / "gallery.qml")))
    assert not view.errors(), [error.toString() for error in view.errors()]
    view.show()
    item = view.rootObject()
    spin(lambda: item.connected and item.link.view.epoch is not None)
    wait(0.3)
    pictures = []

    def take():
        wait(0.3)
        pictures.append(display.picture().cut(WIDTH, HEIGHT))

    take()
    draw_down()
    spin(lambda: item.drawer_items["banner"].height() > 200)
    take()
    use("mouseup", 1)
    becomes(lambda: item.drawer_items["banner"].height(), 180)
    for place in (70, 500):
        item.flickable.setProperty("contentY", float(place) - item.read("topMargin"))
        take()
    same(item.drawer_items["banner"].height(), 48)
    assert len({b"".join(picture.rows) for picture in pictures}) == 4
    view.close()
    view.deleteLater()
    wait(0.05)
    del os.environ["HEADERD_SOCKET"]
    if folder:
        Picture.of_row(pictures).save(folder / "gallery.png")


def test_offscreen(daemon):
    """By Qt's platform without a display."""
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    environment.update(PYTHONPATH=PATHS, HEADERD_SOCKET=daemon.socket, QT_QPA_PLATFORM="offscreen")
    program = [sys.executable, "-c", OFFSCREEN.replace("BINDING", options.binding), CLIENTS / "Qt/examples/gallery.qml"]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_reader(daemon):
    """By AT-SPI: the header is read before the content, and what has the focus is never out of sight."""
    folder = pathlib.Path(shutil.copytree(CLIENTS / "Qt/examples", f"{display.folder}/examples"))
    program = folder / "gallery.py"
    program.write_text(program.read_text().replace("PyQt6", options.binding))
    with Reader(daemon, [sys.executable, program], PATHS) as reader:
        spin(lambda: reader.find("list item", "Picture 1"))
        header = reader.find("page tab list", "Albums")
        assert [name for _, name in reader.names() if name][1:7] == ["Gallery", "Albums", "All", "Hills", "Lakes", "Pictures"], reader.names()
        (window,) = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "gallery"], capture_output=True, text=True).stdout.split()
        use("windowfocus", window)
        spin(reader.is_active)
        # In the second column: Qt 6.10 leaves the first item below the window out of what it tells, for good, also without headerd.
        for key, count in (("Right", 1), ("Down", 10), ("Up", 9)):
            for _ in range(count):
                assert reader.press(loop, key, header, HEIGHT).get_role_name() == "list item"


def test_readme(daemon):
    """The page's program shows a header."""
    (source,) = re.findall(r"^```python\n(.*?)^```$", (CLIENTS / "Qt/README.md").read_text(), re.M | re.S)
    source = source.replace("PyQt6", options.binding)
    environment = {**os.environ, "PYTHONPATH": PATHS, "HEADERD_SOCKET": daemon.socket}
    process = subprocess.Popen([sys.executable, "-c", source], env=environment)
    try:
        with headerd.Client(daemon.socket) as client:
            spin(lambda: process.poll() is not None or client.request("header.list", match="qt-*")["headers"])
        assert process.poll() is None, process.returncode
        spin(lambda: any(display.picture().at(180, y) == (0x22, 0x44, 0x66) for y in (20, 40)))
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_package(_):
    check_package("Qt", "qt")


def test_frames(daemon, count, within):
    """Header and content in the same frame, of recorded frames in which they moved."""
    with Window(daemon, within=within).connected() as one:
        frames = Frames(count)

        def scroll():
            # Two frames may have asked for the last one, the second of them when the window is gone.
            if frames.are_done:
                return
            frames.scrolled()
            one.put(frames.next())
            one.view.update()

        def swapped():
            frames.painted(one)
            if not frames.are_done:
                QtCore.QTimer.singleShot(8, scroll)

        one.view.frameSwapped.connect(swapped)
        scroll()
        spin(lambda: frames.are_done, PATIENCE + count / 20)
        frames.check()


def main():
    suite = Suite()
    tests = windows.tests() | {name.removeprefix("test_"): test for name, test in globals().items() if name.startswith("test_")}
    extra = {"gallery": [options.pictures], "frames": [options.frames, options.within]}
    with clients.Daemon(options.programs.resolve()) as daemon:
        for name, test in tests.items():
            if options.only in name:
                suite.run(name, test, daemon, *extra.get(name, []))
    display.close()
    shutil.rmtree(runtime)
    suite.end()


main()
