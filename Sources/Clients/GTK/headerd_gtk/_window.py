# SPDX-License-Identifier: MIT
"""A scrolled window with a header that headerd moves."""
from __future__ import annotations

import time
from typing import Any, Callable, Dict, List, Optional, Tuple

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Graphene", "1.0")
gi.require_version("Gsk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, GObject, Graphene, Gsk, Gtk  # noqa: E402

import headerd  # noqa: E402
from headerd.toolkit import TOUCHED, Cancel, HeaderLink, Place, stacked, whole  # noqa: E402

from ._content import RoomyContent  # noqa: E402
from ._drawer import DrawerBin  # noqa: E402


class HeaderedScrolledWindow(Gtk.Widget):
    """Scrolls `child` below and behind drawers, which are where the header's states say.

    Add drawers from the edge outward, before the widget is shown. `scrolled_window` is the Gtk.ScrolledWindow inside, for its policies.

    header: its name, which other programs may draw and scroll, too. Without one the window has a header of its own, which ends with it.
    behavior, description: of the header that is opened, the latter more of header.open, taken member by member.
    mode: "both"; "publisher" reports the scrolling, and draws no drawer; "renderer" draws what others scroll, and reports nothing; "mirror" shows
    their content's place, too.
    within: seconds that a frame waits for the daemon. socket: where it listens.
    grid: points of which lengths are multiples in the modes "renderer" and "mirror"; 0: they are exact.
    """

    __gtype_name__ = "HeaderdHeaderedScrolledWindow"
    __gsignals__ = {
        # Each state, after it was applied; what the daemon refused, which is logged, too.
        "state": (GObject.SignalFlags.RUN_LAST, None, (object,)),
        "failed": (GObject.SignalFlags.RUN_LAST, None, (str,)),
    }

    connected = GObject.Property(type=bool, default=False)

    def __init__(
        self, child: Gtk.Widget, *, header: Optional[str] = None, behavior: str = "ShyNavBar",
        description: Optional[Dict[str, Any]] = None, mode: str = "both", within: float = 0.004, grid: float = 1 / 16,
        socket: Optional[str] = None, **properties: Any
    ) -> None:
        super().__init__(overflow=Gtk.Overflow.HIDDEN, **properties)
        self.link = HeaderLink(_Scroller(self), "gtk", header=header, behavior=behavior, description=description, mode=mode,
                               within=within, grid=grid, socket=socket)
        self.drawer_bins: Dict[str, DrawerBin] = {}
        self._stacked: List[str] = []
        self.is_placing = self._is_allocating = False
        self._focus = 0
        self.content = RoomyContent(child)
        self.content.child_moved = self._child_moved
        self.content.resized = self.link.tell_layout
        self.scrolled_window = Gtk.ScrolledWindow(child=self.content)
        self.scrolled_window.set_parent(self)
        self.scrolled_window.get_vadjustment().connect("value-changed", self._scrolled)
        self._listen()

    @property
    def header(self) -> str:
        return self.link.header

    @property
    def view(self) -> headerd.HeaderView:
        """The last state, as it was applied."""
        return self.link.view

    def get_child(self) -> Gtk.Widget:
        return self.content.child

    def add_drawer(self, name: str, widget: Gtk.Widget, elements: Optional[Dict[str, Gtk.Widget]] = None, **description: Any) -> None:
        """Adds a drawer below the last one. `description` has more of it: minimumHeight, sticky and so on; its height is the widget's.

        `elements` are widgets inside of it, which the header fades and hides: those that a Keyframes track names.
        """
        drawer = DrawerBin(widget, elements or {}, description)
        # Earlier drawers lie over later ones.
        drawer.insert_after(self, self.scrolled_window)
        self.drawer_bins[name] = drawer

    def reveal(self, widget: Gtk.Widget, reason: str = "focus") -> None:
        """A widget of the content is to be seen: the header makes room, or the content scrolls."""
        found, bounds = widget.compute_bounds(self)
        missing = self.link.missing(bounds.get_y(), bounds.get_height(), reason) if found else 0
        if missing:
            adjustment = self.scrolled_window.get_vadjustment()
            adjustment.set_value(adjustment.get_value() + missing)

    # What a person does

    def _listen(self) -> None:
        gestures = self.link.gestures
        # The scrolled window's own gesture says when fingers come and go: another one would end when it begins to scroll.
        for drag in self.scrolled_window.observe_controllers():
            if isinstance(drag, Gtk.GestureDrag) and drag.get_touch_only():
                drag.connect("drag-begin", lambda *_: gestures.touch())
                drag.connect("drag-end", lambda *_: gestures.lift())
                drag.connect("cancel", lambda *_: gestures.lift())
        wheel = Gtk.EventControllerScroll(
            flags=Gtk.EventControllerScrollFlags.BOTH_AXES, propagation_phase=Gtk.PropagationPhase.CAPTURE)
        wheel.connect("scroll-begin", lambda _: gestures.touch() if is_touchpad(wheel) else None)
        wheel.connect("scroll", self._wheeled)
        wheel.connect("scroll-end", lambda _: gestures.lift())
        self.scrolled_window.add_controller(wheel)
        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        keys.connect("key-pressed", lambda *_: gestures.key())
        self.add_controller(keys)
        focus = Gtk.EventControllerFocus()
        focus.connect("enter", lambda _: self._watch_focus(True))
        focus.connect("leave", lambda _: self._watch_focus(False))
        self.add_controller(focus)
        self.settings = Gtk.Settings.get_default()
        self._settings_watch = self.settings.connect("notify::gtk-enable-animations", lambda *_: self.link.report(
            "layout", reduceMotion=self.is_reduced()))

    def _wheeled(self, wheel: Gtk.EventControllerScroll, *_: object) -> bool:
        if not is_touchpad(wheel):
            self.link.gestures.wheel()
        return bool(Gdk.EVENT_PROPAGATE)

    def _scrolled(self, adjustment: Gtk.Adjustment) -> None:
        """The scrolled window has moved the content."""
        if self.is_placing:
            return
        # The range ends where the header's own moves would go beyond it.
        self.content.shift = self.content.place - adjustment.get_value()
        self.content.follow()
        self.link.scrolled()

    def _child_moved(self, value: float) -> None:
        """The content has moved by itself: by the focus, by scroll_to, or because rows above turned out to be higher."""
        content = self.content
        if value <= 0 and content.place <= content.room:
            return
        self.put(content.room + value, content.room, False)
        self.link.scrolled("content" if content.is_allocating else None)

    def _watch_focus(self, is_inside: bool) -> None:
        root = self.get_root()
        if self._focus and (root is None or not is_inside):
            self._focus_root.disconnect(self._focus)
            self._focus = 0
        if is_inside and root is not None and not self._focus:
            self._focus_root = root
            self._focus = root.connect("notify::focus-widget", lambda *_: self._focus_moved())
            self._focus_moved()

    def _focus_moved(self) -> None:
        """The widget with the focus is never left behind the header. Lists scroll to it in their next layout: after that."""
        def look(*_: object) -> bool:
            root = self.get_root()
            focused = root.get_focus() if root is not None else None
            if focused is None or not focused.is_ancestor(self) or time.monotonic() - self.link.gestures.typed > TOUCHED:
                return bool(GLib.SOURCE_REMOVE)
            if not focused.get_height():
                # A row that the list lays out when it has scrolled there.
                return bool(GLib.SOURCE_CONTINUE)
            drawer = next((name for name, one in self.drawer_bins.items() if focused.is_ancestor(one)), None)
            if drawer is not None and self.link.places[drawer].y < 0:
                self.link.expand()
            elif drawer is None and focused.is_ancestor(self.content):
                self.reveal(focused)
            return bool(GLib.SOURCE_REMOVE)

        self.add_tick_callback(look)

    def is_reduced(self) -> bool:
        return not self.settings.get_property("gtk-enable-animations")

    # What the header wants

    def put(self, place: float, room: float, keeps_value: bool) -> None:
        self.is_placing = True
        self.content.set_place(place, room, keeps_value)
        self.is_placing = False

    def draw(self, places: Dict[str, Place], late: float) -> None:
        self._stack(stacked(self.drawer_bins, places))
        for name, drawer in self.drawer_bins.items():
            place = places.get(name)
            drawer.set_child_visible(place is not None and not place.hidden)
            if place is not None:
                drawer.set_opacity(place.alpha)
        if self.content.late != late:
            self.content.late = late
            self.content.follow()
        self.scrolled_window.get_vscrollbar().set_margin_top(whole(self.link.covered))
        # In the layout the drawers' turn comes after the content's.
        if not self._is_allocating:
            self.queue_allocate()

    def _stack(self, names: List[str]) -> None:
        """Later children are drawn over earlier ones."""
        if names == (self._stacked or stacked(self.drawer_bins, {})):
            return
        self._stacked = names
        for name in names:
            self.drawer_bins[name].insert_before(self, None)

    # Gtk.Widget

    def do_get_request_mode(self) -> Gtk.SizeRequestMode:
        return Gtk.SizeRequestMode.CONSTANT_SIZE

    def do_measure(self, orientation: Gtk.Orientation, for_size: int) -> tuple[int, int, int, int]:
        sizes = [widget.measure(orientation, -1)[:2] for widget in (self.scrolled_window, *self.drawer_bins.values())]
        return max(one[0] for one in sizes), max(one[1] for one in sizes), -1, -1

    def do_size_allocate(self, width: int, height: int, baseline: int) -> None:
        self._is_allocating = True
        self.link.follow_alone()
        self.scrolled_window.allocate(width, height, -1, None)
        self._is_allocating = False
        self.link.begin()
        self.link.tell_layout()
        for name, drawer in self.drawer_bins.items():
            place = self.link.places.get(name)
            if place is not None and drawer.get_child_visible():
                top, bottom = whole(place.y), whole(place.y + place.height)
                drawer.allocate(width, bottom - top, -1, Gsk.Transform.new().translate(Graphene.Point().init(0, top)))

    def do_unmap(self) -> None:
        self.link.end()
        Gtk.Widget.do_unmap(self)

    def do_dispose(self) -> None:
        self.link.end()
        for drawer in self.drawer_bins.values():
            drawer.unparent()
        self.drawer_bins = {}
        if self.scrolled_window is not None:
            self.scrolled_window.unparent()
            self.scrolled_window = None
            self.settings.disconnect(self._settings_watch)
        Gtk.Widget.do_dispose(self)


class _Scroller:
    """The window as a HeaderLink sees it."""

    def __init__(self, window: HeaderedScrolledWindow) -> None:
        self._window = window
        self.put = window.put
        self.draw = window.draw

    @property
    def place(self) -> float:
        return self._window.content.place

    @property
    def room(self) -> float:
        return self._window.content.room

    def sizes(self) -> Tuple[float, float, float]:
        return self._window.get_width(), self._window.get_height(), self._window.content.height

    def drawers(self) -> List[Dict[str, Any]]:
        width, found = self._window.get_width(), []
        for name, drawer in self._window.drawer_bins.items():
            height = drawer.natural_height(width)
            elements = [{"name": one, "frame": {"x": 0, "y": 0, "width": width, "height": height}} for one in drawer.elements]
            found.append({"name": name, "height": height, **({"elements": elements} if elements else {}), **drawer.description})
        return found

    def surroundings(self) -> Dict[str, Any]:
        return {"reduceMotion": self._window.is_reduced(), "screenScale": self._window.get_scale_factor()}

    def is_right_to_left(self) -> bool:
        return bool(self._window.get_direction() == Gtk.TextDirection.RTL)

    def shown(self, state: headerd.State) -> None:
        widgets = {name: widget for drawer in self._window.drawer_bins.values() for name, widget in drawer.elements.items()}
        for element in state.params.get("elements", ()):
            if element["name"] in widgets:
                widgets[element["name"]].set_opacity(0 if element.get("hidden") else element.get("alpha", 1))
        self._window.emit("state", state)

    def failed(self, text: str) -> None:
        self._window.emit("failed", text)

    def changed(self) -> None:
        self._window.connected = self._window.link.is_connected

    def later(self, seconds: float, call: Callable[[], None]) -> Cancel:
        # What ends this turn comes before the next frame.
        priority = GLib.PRIORITY_DEFAULT if seconds else GLib.PRIORITY_HIGH_IDLE
        sources = [GLib.timeout_add(int(seconds * 1000), lambda: sources.clear() or call() or False, priority=priority)]
        return lambda: GLib.source_remove(sources.pop()) if sources else None

    def watch(self, descriptor: int, call: Callable[[], None]) -> Cancel:
        source = GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, descriptor, GLib.IOCondition.IN, lambda *_: call() or True)
        return lambda: GLib.source_remove(source)

    def each_frame(self, call: Callable[[], None]) -> Cancel:
        tick = self._window.add_tick_callback(lambda *_: call() or True)
        return lambda: self._window.remove_tick_callback(tick)


def is_touchpad(controller: Gtk.EventController) -> bool:
    device = controller.get_current_event_device()
    return device is not None and device.get_source() == Gdk.InputSource.TOUCHPAD
