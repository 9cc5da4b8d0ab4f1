#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Uses the adapter for GTK 4 as a person does: a real mouse wheel, a touch screen, a touchpad, keys, a real daemon.

    gtk.py PROGRAMS [--adapter C] [--only WORD] [--frames N [--within SECONDS]] [--pictures FOLDER]

PROGRAMS is the folder of headerd and its plugins. --adapter C uses the one in C, by GObject introspection, for all that both have. --frames scrolls so many frames and tells, of those in which header and content moved, how
far apart they were drawn; --within 0.004 as an app does it, on a machine with nothing else to do. --pictures writes the picture of the
contacts. The last line is "N passed, N failed".
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from display import Display, Picture
from reader import Reader
from stage import CLIENTS, PATIENCE, Suite, check_package, clients, headerd
from stages import BAR, ROWS, TABS, css
from windows import BEHIND, HEIGHT, WIDTH, Frames, LinkedWindow, Loop, Windows, same

parser = argparse.ArgumentParser()
parser.add_argument("programs", type=pathlib.Path)
parser.add_argument("--adapter", choices=["Python", "C"], default="Python")
parser.add_argument("--frames", type=int, default=120)
parser.add_argument("--within", type=float, default=2)
parser.add_argument("--pictures", type=pathlib.Path)
parser.add_argument("--only", default="")
options = parser.parse_args()

display = Display()
os.environ.update(DISPLAY=display.name, GDK_BACKEND="x11", GSK_RENDERER="cairo", GTK_A11Y="none", NO_AT_BRIDGE="1", LC_ALL="C.UTF-8")
os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={display.folder}/bus"
sys.path[:0] = [str(CLIENTS / "GTK"), str(CLIENTS / "GTK/examples")]

import gi  # noqa: E402

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

import contacts  # noqa: E402
from headerd_gtk import HeaderedScrolledWindow  # noqa: E402
from headerd.toolkit import Gestures  # noqa: E402

ROW = 44
PATHS = os.pathsep.join([str(CLIENTS / "GTK"), str(CLIENTS / "Python")])
STYLE = f"""
window {{ background: {css(BEHIND)}; }} .bar {{ background: {css(BAR)}; }} .tabs {{ background: {css(TABS)}; }}
""" + "".join(f".row{number} {{ background: {css(color)}; }}" for number, color in enumerate(ROWS)) + """
window.solid-csd { padding: 0; box-shadow: none; }
scrollbar, .overshoot, overshoot, undershoot { background: none; border: none; }
"""
LAWS = [{"drawer": "bar", "collapse": True, "returns": "atTop"}, {"drawer": "tabs", "pin": True}]


def turn():
    timer = GLib.timeout_add(5, lambda: True)
    GLib.MainContext.default().iteration(True)
    GLib.source_remove(timer)


loop = Loop(turn)
spin, wait, use, becomes = loop.spin, loop.wait, loop.use, loop.becomes


def rows(count=100):
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for number in range(count):
        box.append(Gtk.Button(label=f"Row {number}", height_request=ROW, css_classes=[f"row{number % len(ROWS)}"], has_frame=False))
    return box


class Window(LinkedWindow):
    """A window with a bar that collapses from 96 to 44 points, and tabs of 40 that stay. A machine that is busy gets its time."""

    def __init__(self, daemon, content=None, width=WIDTH, laws=LAWS, direction=Gtk.TextDirection.LTR, bar=96, within=2, tracks=(), **options):
        self.content = content or rows()
        delegates = [{"behavior": "CollapsingHeader", "options": {"drawers": laws}}]
        if tracks:
            delegates.append({"behavior": "Keyframes", "options": {"tracks": tracks}})
        description = {"delegates": delegates} if laws else None
        self.header = self.adapter = self.make(self.content, description, socket=daemon.socket, within=within, vexpand=True, **options)
        self.header.set_direction(direction)
        self.failures = []
        self.header.connect("failed", lambda _, text: self.failures.append(text))
        self.bar = Gtk.Box(css_classes=["bar"], height_request=bar)
        self.tabs = Gtk.Box(css_classes=["tabs"], height_request=40)
        self.field = Gtk.Entry(valign=Gtk.Align.START, css_classes=["field"])
        self.bar.append(self.field)
        self.add_drawer("bar", self.bar, {"field": self.field} if tracks else {}, minimumHeight=44)
        self.add_drawer("tabs", self.tabs, {})
        self.window = self.open(self.header, decorated=False, default_width=width, default_height=HEIGHT)
        self.window.present()
        spin(lambda: self.header.get_height() > 0)

    def make(self, content, description, **options):
        return HeaderedScrolledWindow(content, description=description, **options)

    def add_drawer(self, name, widget, elements, **description):
        self.header.add_drawer(name, widget, elements, **description)

    scrolled_window = property(lambda self: self.header.scrolled_window)
    has_state = property(lambda self: self.header.view.epoch is not None)

    def height(self, drawer):
        """As the last state says."""
        return self.header.link.places[drawer].height

    def open(self, header, **properties):
        return Gtk.Window(child=header, **properties)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.window.destroy()
        wait(0.05)

    def connected(self):
        spin(lambda: self.is_connected and self.has_state)
        wait(0.1)
        return self

    @property
    def bottom(self):
        """Where the tabs end."""
        return self.bounds(self.tabs.get_parent())[1]

    @property
    def top(self):
        """Where the content begins, also behind the header."""
        return self.bounds(self.content)[0]

    def bounds(self, widget):
        found, bounds = widget.compute_bounds(self.window)
        assert found
        return bounds.get_y(), bounds.get_y() + bounds.get_height()

    def is_drawn(self, name):
        return {"bar": self.bar, "tabs": self.tabs}[name].get_mapped()

    def put(self, place):
        self.scrolled_window.get_vadjustment().set_value(place)

    def scroll(self, place):
        """Scrolls there; a frame of it is painted."""
        self.put(place)
        painted, clock = [], self.window.get_frame_clock()
        handler = clock.connect("after-paint", painted.append)
        self.window.queue_draw()
        spin(lambda: painted)
        clock.disconnect(handler)
        wait(0.1)

    def pull(self):
        """GTK keeps content within its range."""
        use("mousemove", 150, 400, *["click", 4] * 3)
        return 0

    def release(self):
        # GTK goes on at the edge for a while, and overrides what is set meanwhile.
        wait(1)


class WindowInC(Window):
    """The same with the adapter in C."""

    def make(self, content, description, mode="both", **options):
        self.states, self.events = 0, []
        made = Headered.ScrolledWindow(
            child=content, description=description and json.dumps(description), mode=getattr(Headered.Mode, mode.upper()), **options)
        made.connect("state", self.take_state)
        GLib.log_set_handler("Headered", GLib.LogLevelFlags.LEVEL_DEBUG, self.take_event, None)
        return made

    def take_state(self, *_):
        self.states += 1

    def take_event(self, _, __, text, ___):
        name, event, fields = re.fullmatch(r"(\S+): (\w+),?(.*)", text).groups()
        if name == self.header.props.header:
            self.events.append((event, json.loads(f"{{{fields}}}")))

    def add_drawer(self, name, widget, elements, **description):
        self.header.add_drawer(name, widget, json.dumps(description))
        for element, inside in elements.items():
            self.header.add_element(name, element, inside)

    def told(self):
        # What moved at the beginning has come to rest.
        wait(0.3)
        self.events.clear()
        return self.events

    @property
    def gesture(self):
        last, fields = self.events[-1] if self.events else ("", {})
        if last == "willBeginDecelerating":
            return "decelerating"
        return "idle" if last in ("", "didEndDecelerating") or fields.get("willDecelerate") is False else "dragging"

    @property
    def knows_more(self):
        """The daemon has said how the last state goes on: the snapshot of a client that subscribes after the window says it, too."""
        with headerd.Client(self.header.props.socket) as client:
            client.subscribe(self.header.props.header, predict=True)
            return "ahead" in client.next(PATIENCE).params

    is_connected = property(lambda self: self.header.props.connected)
    has_state = property(lambda self: self.states > 0)
    scrolled_window = property(lambda self: self.header.get_scrolled_window())

    def height(self, drawer):
        return self.header.get_place(drawer)[2]


def make(*words):
    subprocess.run(["make", "--no-print-directory", "-sC", CLIENTS / "GTK/C", f"OUT={clients.BUILD}/gtk-c", *words], check=True)


if options.adapter == "C":
    make()
    gi.require_version("GIRepository", "2.0")
    from gi.repository import GIRepository

    GIRepository.Repository.prepend_search_path(f"{clients.BUILD}/gtk-c")
    GIRepository.Repository.prepend_library_path(f"{clients.BUILD}/gtk-c")
    gi.require_version("Headered", "0")
    from gi.repository import Headered

    Window = WindowInC

windows = Windows(Window, loop, display, "gtk")
nothing_behind = windows.nothing_behind


def test_wheel(daemon):
    """A wheel's turn collapses the bar, and it comes back at the top."""
    with Window(daemon).connected() as one:
        use("mousemove", 150, 400, "click", 5)
        spin(lambda: one.top < 136)
        same(one.bottom, max(84, one.top))
        nothing_behind()
        use(*["click", 5] * 5)
        becomes(lambda: one.bottom, 84)
        nothing_behind()
        use(*["click", 4] * 8)
        becomes(lambda: one.bottom, 136)
        same(one.top, 136)


def test_list(daemon):
    """A list that has widgets for what is seen alone goes on doing so."""
    factory, made = Gtk.SignalListItemFactory(), []
    factory.connect("setup", lambda _, row: (row.set_child(Gtk.Label(height_request=ROW)), made.append(row)))
    factory.connect("bind", lambda _, row: row.get_child().set_label(row.get_item().get_string()))
    names = Gtk.StringList.new([str(number) for number in range(10000)])
    with Window(daemon, Gtk.ListView(model=Gtk.NoSelection(model=names), factory=factory)).connected() as one:
        assert len(made) < 400, len(made)
        adjustment = one.scrolled_window.get_vadjustment()
        one.scroll(adjustment.get_upper())
        same(one.bottom, 84)
        assert adjustment.get_value() == adjustment.get_upper() - adjustment.get_page_size()
        one.content.activate_action("list.scroll-to-item", GLib.Variant("u", 5000))
        spin(lambda: 0.3 < adjustment.get_value() / adjustment.get_upper() < 0.7)
        one.content.activate_action("list.scroll-to-item", GLib.Variant("u", 0))
        wait(0.3)
        one.scroll(0)
        same(one.bottom, 136)


def test_second_window(daemon):
    """A window that renders is in step with the one that is scrolled, and reports nothing."""
    with Window(daemon, header="shared").connected() as one, Window(daemon, header="shared", mode="renderer").connected() as two:
        for place in (20, 60, 300, 0):
            one.scroll(place)
            becomes(lambda: two.bottom, one.bottom)
        two.scroll(300)
        same(one.bottom, 136)


def test_mirror_at_rest(daemon):
    """It is laid out no more once it shows what it has to; what it has no room for it shows when there is."""
    with Window(daemon, header="resting").connected() as one, Window(daemon, rows(20), header="resting", mode="mirror").connected() as two:
        one.scroll(2000)
        becomes(lambda: two.bounds(two.content)[1], HEIGHT)
        layouts = []
        two.window.get_frame_clock().connect("layout", layouts.append)
        wait(0.5)
        assert len(layouts) < 5, len(layouts)
        two.content.append(Gtk.Box(height_request=4000))
        becomes(lambda: two.top, one.top)


def test_two_sizes(daemon):
    """Windows of different sizes share a header, whoever scrolls."""
    with Window(daemon, header="sizes").connected() as one, Window(daemon, header="sizes", width=300).connected() as two:
        for place in (30, 300, 0):
            one.scroll(place)
            becomes(lambda: two.bottom, one.bottom)
        two.scroll(300)
        becomes(lambda: one.bottom, 84)
        assert not one.failures and not two.failures, (one.failures, two.failures)


def test_keys(daemon):
    """Keys scroll, and the focus is never behind the header."""
    with Window(daemon).connected() as one:
        one.content.get_first_child().grab_focus()

        def press(key):
            before = one.window.get_focus()
            use("key", key)
            spin(lambda: one.window.get_focus() != before)

            def is_seen():
                top, bottom = one.bounds(one.window.get_focus())
                return one.bottom - 0.5 <= top and bottom <= HEIGHT

            try:
                spin(is_seen, PATIENCE / 10)
            except TimeoutError:
                raise AssertionError(f"{one.window.get_focus().get_label()} is not in sight") from None

        for _ in range(20):
            press("Tab")
        becomes(lambda: one.bottom, 84)
        for _ in range(16):
            press("shift+Tab")


def test_focus_in_header(daemon):
    """A field that has slid off comes back when the focus gets there."""
    laws = [{"drawer": "bar", "shift": True}, {"drawer": "tabs", "pin": True}]
    with Window(daemon, laws=laws).connected() as one:
        one.scroll(400)
        same(one.bottom, 40)
        row = one.content.get_first_child()
        for _ in range(9):
            row = row.get_next_sibling()
        row.grab_focus()
        use("key", "Tab")
        wait(0.1)
        one.field.grab_focus()
        spin(lambda: one.bounds(one.field)[0] >= 0)


def test_right_to_left(daemon):
    with Window(daemon, header="right.to.left", direction=Gtk.TextDirection.RTL).connected() as one:
        with headerd.Client(daemon.socket) as client:
            try:
                client.open("right.to.left", layoutDirection="leftToRight")
            except headerd.DaemonError as error:
                assert error.name == "headerExists", error
            else:
                raise AssertionError("the header is left to right")
        one.scroll(60)
        same(one.bottom, 84)


def test_the_order_of_drawers(daemon):
    """An earlier drawer is drawn over a later one, unless the header says otherwise."""
    laws = [{"drawer": "bar", "collapse": True, "zIndex": -2}, {"drawer": "tabs", "pin": True}]
    with Window(daemon, laws=laws).connected() as one:
        def drawn():
            names = {one.bar.get_parent(): "bar", one.tabs.get_parent(): "tabs"}
            return [names[child] for child in one.header.observe_children() if child in names]

        assert drawn() == ["tabs", "bar"], drawn()
        one.scroll(400)
        spin(lambda: drawn() == ["bar", "tabs"])
        one.scroll(0)
        spin(lambda: drawn() == ["tabs", "bar"])


def test_scroll_bar(daemon):
    """It lies over the content, and begins where that does with the inset that the header wants."""
    for laws, inset in ((LAWS, 136), (None, 0)):
        with Window(daemon, laws=laws).connected() as one:
            bar = one.scrolled_window.get_vscrollbar()
            becomes(lambda: one.bounds(bar)[0], one.bottom)
            use("mousemove", 150, 400, *["click", 5] * 6)
            becomes(lambda: one.bounds(bar)[0], inset)
            assert one.content.get_width() == WIDTH


def test_reduced_motion(daemon):
    """Whoever wants less motion gets none: a bar that would go to its rest in frames is there at once."""
    laws = [{"drawer": "bar", "collapse": True, "returns": "atTop", "rest": {"by": "nearest"}}, {"drawer": "tabs", "pin": True}]
    settings = Gtk.Settings.get_default()
    seen = []
    with Window(daemon, laws=laws, bar=200).connected() as one:
        one.header.connect("state", lambda *_: seen.append(one.height("bar")))
        counts = []
        for enabled in (True, False):
            settings.set_property("gtk-enable-animations", enabled)
            one.scroll(0)
            wait(0.6)
            seen.clear()
            use("mousemove", 150, 400, "click", 5)
            wait(0.8)
            counts.append(len(set(seen)))
        settings.reset_property("gtk-enable-animations")
        assert counts[0] > 4 > counts[1], counts


def test_animation(daemon):
    """ShyNavBar goes to its end by an animation that it announces: header and content are drawn on their way."""
    with Window(daemon, laws=None, bar=300).connected() as one:
        seen, begun = [], one.bounds(one.bar.get_parent())[1]
        one.window.get_frame_clock().connect("after-paint", lambda _: seen.append((one.bounds(one.bar.get_parent())[1], one.top)))
        # The first scroll of a drag moves nothing yet. On a busy machine both turns of the wheel may be one, or a drag each: then again.
        for _ in range(5):
            seen.clear()
            use("mousemove", 150, 400, "click", 5, "click", 5)
            try:
                spin(lambda: seen and seen[-1] == (0, 0), PATIENCE / 3)
                break
            except TimeoutError:
                one.scroll(0)
                becomes(lambda: one.bounds(one.bar.get_parent())[1], begun)
        assert seen and seen[-1] == (0, 0), seen
        moving = [bottom for bottom, _ in seen if bottom != begun]
        # A busy machine paints few frames, but no place twice.
        assert len(moving) > 1 and len(set(moving)) >= min(4, len(moving)), seen
        # The tabs between them are hidden: they are that far apart, in one frame as in the next.
        assert all(0 <= top - bottom <= 40 for bottom, top in seen), seen


def test_closed_by_a_state(daemon):
    """What listens to states may close the window, also in the middle of a scroll."""
    with Window(daemon, header="closing").connected() as one:
        one.header.connect("state", lambda *_: one.window.destroy())
        one.put(30)
        wait(0.2)
    with headerd.Client(daemon.socket) as client:
        assert client.request("header.list", match="closing")["headers"]


def test_elements(daemon):
    """A widget in a drawer fades as a track of Keyframes says."""
    fade = {"element": "field", "drawer": "bar", "by": "height", "from": 96, "to": 46, "keys": [{"progress": 0}, {"progress": 1, "alpha": 0}]}
    with Window(daemon, tracks=[fade]).connected() as one:
        for place, opacity in ((0, 1), (25, 0.5), (300, 0)):
            one.scroll(place)
            same(one.field.get_opacity(), opacity, 0.02)


def test_reader(daemon):
    """By AT-SPI: the header is read, and what has the focus is never out of sight."""
    with Reader(daemon, ["/usr/bin/python3", CLIENTS / "GTK/examples/contacts.py"], PATHS) as reader:
        spin(lambda: reader.find("label", "Ada Abbott"))
        names, header = reader.names(), reader.find("filler", "HeaderdDrawer")
        for one in (("label", "Contacts"), ("push button", "Favorites"), ("entry", "Search")):
            assert names.count(one) == 1, names
        use("mousemove", 150, 400)
        rows = [reader.press(loop, key, header, HEIGHT) for key in ["Down"] * 14 + ["Up"] * 12]
        assert {row.get_role_name() for row in rows} == {"list item"}
        # Back to the field, which has slid off.
        for _ in range(20):
            if reader.press(loop, "shift+Tab", header, HEIGHT).get_name() == "Search":
                break
        else:
            raise AssertionError("the search field does not get the focus")


def test_readme(daemon):
    """The page's program shows a header."""
    (source,) = re.findall(r"^```python\n(.*?)^```$", (CLIENTS / "GTK/README.md").read_text(), re.M | re.S)
    process = subprocess.Popen(["/usr/bin/python3", "-c", source], env={**os.environ, "PYTHONPATH": PATHS, **daemon.environment})
    try:
        with headerd.Client(daemon.socket) as client:
            spin(lambda: process.poll() is not None or client.request("header.list", match="gtk-*")["headers"])
        assert process.poll() is None, process.returncode
        spin(lambda: any(display.picture().at(180, y) != (0, 0, 0) for y in (20, 300)))
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_rows(daemon):
    """The example in C: its header follows the wheel, also after the daemon has been killed."""
    process = subprocess.Popen([clients.BUILD / "gtk-c/rows"], env={**os.environ, **daemon.environment})

    def header_is(place):
        try:
            with headerd.Client(daemon.socket) as client:
                found = client.request("header.list", match="gtk-c-*")["headers"]
                return found and client.request("header.get", header=found[0]["header"])["state"]["drawers"][0]["frame"]["y"] == place
        except headerd.NoDaemon:
            return False

    try:
        spin(lambda: process.poll() is not None or header_is(0))
        assert process.poll() is None, process.returncode
        spin(lambda: any(display.picture().at(180, y) != (0, 0, 0) for y in (20, 300)))
        use("mousemove", 150, 400, *["click", 5] * 3)
        spin(lambda: header_is(-44))
        daemon.do("kill")
        daemon.do("start")
        spin(lambda: header_is(-44) or header_is(0))
        use(*["click", 4] * 9)
        spin(lambda: header_is(0))
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_rows_are_read(daemon):
    """By AT-SPI, of the example in C: the header is read, and the row with the focus is never out of sight."""
    with Reader(daemon, [clients.BUILD / "gtk-c/rows"], "") as reader:
        spin(lambda: reader.find("label", "Row 0"))
        # Of the tabs, which ShyNavBar hides with the bar, AT-SPI goes on telling where they were.
        header = reader.find("label", "Rows")
        assert len(header) == 1 and reader.find("label", "All  Some"), reader.names()
        use("mousemove", 150, 400)
        rows = [reader.press(loop, key, header, HEIGHT) for key in ["Tab"] + ["Down"] * 14 + ["Up"] * 12]
        assert {row.get_role_name() for row in rows} == {"list item"}, {row.get_role_name() for row in rows}


def test_installed(_):
    """An app is built by what pkg-config says of the library in C."""
    tree = clients.BUILD / "gtk-c/tree"
    make("install", f"PREFIX={tree}")
    config = ["pkg-config", "--cflags", "--libs", "headered"]
    flags = subprocess.run(config, env={**os.environ, "PKG_CONFIG_PATH": f"{tree}/lib/pkgconfig"}, capture_output=True, text=True, check=True)
    subprocess.run(["cc", CLIENTS / "GTK/C/rows.c", "-o", tree / "rows", *flags.stdout.split()], check=True)
    assert (tree / "lib/girepository-1.0/Headered-0.typelib").exists()


def test_resize(daemon):
    """Drawers that grow, content that shrinks: the header is told."""
    with Window(daemon).connected() as one:
        one.bar.set_size_request(-1, 120)
        becomes(lambda: one.bottom, 160)
        becomes(lambda: one.top, 160)
        nothing_behind()


def test_gestures():
    """Fingers: a drag, a fling that a finger stops, and a drag that ends at rest."""
    told = []

    def later(seconds, call):
        source = GLib.timeout_add(int(seconds * 1000), lambda: call() or False)
        return lambda: GLib.source_remove(source)

    gestures = Gestures(lambda event, **fields: told.append((event, fields)), lambda: told.append(("rested", {})), later)
    gestures.touch()
    for step in range(5):
        assert gestures.scrolled(10 * step) == "user"
        wait(0.01)
    gestures.lift()
    gestures.scrolled(60)
    gestures.touch()
    assert [name for name, _ in told] == [
        "willBeginDragging", "willEndDragging", "didEndDragging", "willBeginDecelerating", "didEndDecelerating", "rested"], told
    assert told[1][1]["velocity"]["y"] > 0.3 and told[2][1]["willDecelerate"] is True, told
    told.clear()
    gestures.scrolled(61)
    wait(0.2)
    gestures.lift()
    assert told == [("willBeginDragging", {}), ("willEndDragging", {"velocity": {"x": 0, "y": 0}}),
                    ("didEndDragging", {"willDecelerate": False}), ("rested", {})], told
    told.clear()
    assert gestures.scrolled(100) == "program"
    wait(0.3)
    assert told == [("didEndScrollingAnimation", {}), ("rested", {})], told


def test_contacts(daemon, folder):
    """The example: its lines, its search, and its picture."""
    source = (CLIENTS / "GTK/examples/contacts.py").read_text()
    assert len(source.splitlines()) <= 80
    provider = Gtk.CssProvider()
    provider.load_from_data(contacts.STYLE.encode())
    window = Gtk.Window(decorated=False, default_width=WIDTH, default_height=HEIGHT, child=contacts.contacts(socket=daemon.socket))
    Gtk.StyleContext.add_provider_for_display(window.get_display(), provider, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION + 1)
    window.present()
    header = window.get_child()
    spin(lambda: header.connected and header.view.epoch is not None)
    use("mousemove", 380, 600)
    pictures = [display.picture().cut(WIDTH, HEIGHT)]
    for clicks in (1, 3):
        use("mousemove", 150, 400, *["click", 5] * clicks, "mousemove", 380, 600)
        wait(0.8)
        pictures.append(display.picture().cut(WIDTH, HEIGHT))
    assert header.view.drawers[2].frame.y == 46, header.view.drawers
    use("mousemove", 150, 400, "click", 4, "mousemove", 380, 600)
    wait(0.8)
    assert header.view.drawers[2].frame.y == 92, "the search field does not come back"
    pictures.append(display.picture().cut(WIDTH, HEIGHT))
    assert len({b"".join(picture.rows) for picture in pictures}) == 4
    people = header.get_child().get_model()
    assert people.get_n_items() == 100
    use("mousemove", 150, 66, "click", 1, "type", "hug")
    spin(lambda: people.get_n_items() == 19)
    window.destroy()
    Gtk.StyleContext.remove_provider_for_display(window.get_display(), provider)
    if folder:
        Picture.of_row(pictures).save(folder / "contacts.png")


def test_package(_):
    check_package("GTK", "gtk")


def test_killed(_):
    """A test that is killed leaves neither display nor daemon behind."""
    program = f"""if True:
        import time, display, stage
        one, two = display.Display(), stage.clients.Daemon({str(options.programs.resolve())!r})
        print(one.folder, two.folder, one.process.pid, two.process.pid, flush=True)
        time.sleep(60)"""
    process = subprocess.Popen([sys.executable, "-c", program], cwd=pathlib.Path(__file__).parent, stdout=subprocess.PIPE, text=True)
    *folders, one, two = process.stdout.readline().split()
    process.kill()
    process.wait()
    spin(lambda: not any(pathlib.Path(f"/proc/{number}").exists() for number in (one, two)))
    for folder in folders:
        shutil.rmtree(folder)


def test_frames(daemon, count, within):
    """Header and content in the same frame, of recorded frames in which they moved."""
    with Window(daemon, within=within).connected() as one:
        frames = Frames(count)
        one.scrolled_window.get_vadjustment().connect("value-changed", lambda _: frames.scrolled())
        one.window.get_frame_clock().connect("after-paint", lambda _: frames.painted(one))

        def scroll(*_):
            one.put(frames.next())
            return not frames.are_done

        one.window.add_tick_callback(scroll)
        spin(lambda: frames.are_done, PATIENCE + count / 20)
        frames.check()


def test_libadwaita(daemon):
    """Inside of libadwaita's window and containers the six stages are the same. The last test: its style stays."""
    gi.require_version("Adw", "1")
    from gi.repository import Adw

    class AdwaitaWindow(Window):
        def open(self, header, **properties):
            page = Adw.StatusPage(title="Nothing", vexpand=True)
            stack = Adw.ViewStack()
            stack.add_titled(Adw.Clamp(child=header, maximum_size=2 * WIDTH), "rows", "Rows")
            stack.add_titled(page, "nothing", "Nothing")
            return Adw.Window(content=Adw.ToastOverlay(child=stack), **properties)

    Adw.init()
    Windows(AdwaitaWindow, loop, display, "gtk").test_stages(daemon)


def main():
    style = Gtk.CssProvider()
    style.load_from_data(STYLE.encode())
    Gtk.init()
    from gi.repository import Gdk

    Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
    suite = Suite()
    tests = windows.tests() | {name.removeprefix("test_"): test for name, test in globals().items() if name.startswith("test_")}
    if options.adapter == "C":
        for name in ("gestures", "contacts", "package", "reader", "readme", "killed"):
            del tests[name]
    else:
        del tests["rows"], tests["rows_are_read"], tests["installed"]
    extra = {"gestures": [], "contacts": [options.pictures], "frames": [options.frames, options.within]}
    with clients.Daemon(options.programs.resolve()) as daemon:
        for name, test in tests.items():
            if options.only in name:
                first = [] if name == "gestures" else [daemon]
                suite.run(name, test, *first, *extra.get(name, []))
    display.close()
    suite.end()


main()
