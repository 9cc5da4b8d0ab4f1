# SPDX-License-Identifier: MIT
"""A scrolled window with a header that headerd moves."""
from __future__ import annotations

import itertools
import logging
import math
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Graphene", "1.0")
gi.require_version("Gsk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, GObject, Graphene, Gsk, Gtk  # noqa: E402

import headerd  # noqa: E402

from ._content import RoomyContent  # noqa: E402
from ._drawer import DrawerBin  # noqa: E402
from ._gestures import Gestures, now  # noqa: E402
from ._motion import ending, progress  # noqa: E402

# Of the scroll view in the description.
CONTENT = "content"
# Seconds after which a lost daemon is looked for again, and that a request may take: the app stands still as long.
RETRY, PATIENCE = 1, 0.5
# In the description of a header that several windows have, in place of their sizes: each tells its own by an event.
ANY_SIZE = {"viewport": {"width": 375, "height": 667}, "contentSize": {"width": 375, "height": 4000}}
# Seconds after somebody moved the content in which the header's own moves are told as scrolls, as UIKit does.
TOUCHED = 1

_numbers = itertools.count(1)
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Place:
    """Where a drawer is drawn."""

    y: float
    height: float
    alpha: float = 1
    hidden: bool = False

    def towards(self, other: Place, share: float) -> Place:
        def between(start: float, end: float) -> float:
            return start + (end - start) * share

        return Place(between(self.y, other.y), max(0, between(self.height, other.height)), between(self.alpha, other.alpha),
                     other.hidden and share >= 1)


class HeaderedScrolledWindow(Gtk.Widget):
    """Scrolls `child` below and behind drawers, which are where the header's states say.

    Add drawers from the edge outward, before the widget is shown. `scrolled_window` is the Gtk.ScrolledWindow inside, for its policies.

    header: its name, which other programs may draw and scroll, too. Without one the window has a header of its own, which ends with it.
    behavior, description: of the header that is opened, the latter more of header.open, taken member by member.
    role: "both"; "publisher" reports the scrolling, and draws no drawer; "renderer" draws what others scroll, and reports nothing.
    within: seconds that a frame waits for the daemon. socket: where it listens.
    """

    __gtype_name__ = "HeaderdHeaderedScrolledWindow"
    __gsignals__ = {
        # Each state, after it was applied; what the daemon refused, which is logged, too.
        "state": (GObject.SignalFlags.RUN_LAST, None, (object,)),
        "failed": (GObject.SignalFlags.RUN_LAST, None, (str,)),
    }

    role = GObject.Property(type=str, default="both")
    connected = GObject.Property(type=bool, default=False)

    def __init__(
        self, child: Optional[Gtk.Widget] = None, *, header: Optional[str] = None, behavior: str = "ShyNavBar",
        description: Optional[Dict[str, Any]] = None, role: str = "both", within: float = 0.004, socket: Optional[str] = None,
        **properties: Any
    ) -> None:
        super().__init__(overflow=Gtk.Overflow.HIDDEN, **properties)
        if role not in ("both", "publisher", "renderer"):
            raise ValueError(f"role: there are both, publisher and renderer, not {role!r}")
        self.role = role
        self.header = header or f"gtk-{os.getpid()}-{next(_numbers)}"
        self.within = within
        self.scrolled_window = Gtk.ScrolledWindow()
        self.scrolled_window.set_parent(self)
        self.view = headerd.HeaderView()
        self._is_shared = header is not None
        self._behavior, self._more, self._socket = behavior, description or {}, socket
        self._drawers: Dict[str, DrawerBin] = {}
        self._places: Dict[str, Place] = {}
        self._targets: Dict[str, Place] = {}
        self._content: Optional[RoomyContent] = None
        self._client: Optional[headerd.Client] = None
        self._epoch: Optional[int] = None
        self._sizes: Dict[str, Any] = {}
        self._watch = self._retry = self._tick = self._focus = 0
        self._is_publishing = self._is_placing = self._is_allocating = self._is_refused = False
        self._touched = -math.inf
        self._gestures = Gestures(self._report, self._rested)
        self._listen()
        if child is not None:
            self.set_child(child)

    # The app's side

    def set_child(self, child: Gtk.Widget) -> None:
        """What scrolls: a list, a text view, or any other widget."""
        self._content = RoomyContent(child)
        self._content.child_moved = self._child_moved
        self._content.resized = self._tell_layout
        self.scrolled_window.set_child(self._content)
        self.scrolled_window.get_vadjustment().connect("value-changed", self._scrolled)

    def get_child(self) -> Optional[Gtk.Widget]:
        return self._content.child if self._content is not None else None

    def add_drawer(self, name: str, widget: Gtk.Widget, elements: Optional[Dict[str, Gtk.Widget]] = None, **description: Any) -> None:
        """Adds a drawer below the last one. `description` has more of it: minimumHeight, sticky and so on; its height is the widget's.

        `elements` are widgets inside of it, which the header fades and hides: those that a Keyframes track names.
        """
        drawer = DrawerBin(widget, elements or {}, description)
        # Earlier drawers lie over later ones.
        drawer.insert_after(self, self.scrolled_window)
        self._drawers[name] = drawer

    def reveal(self, widget: Gtk.Widget, reason: str = "focus") -> None:
        """A widget of the content is to be seen: the header makes room, or the content scrolls."""
        content = self._content
        found, bounds = widget.compute_bounds(self)
        if content is None or not found:
            return
        rect = {"x": bounds.get_x(), "y": bounds.get_y() + content.place - content.room, "width": bounds.get_width(),
                "height": bounds.get_height()}
        answer = self._ask("header.reveal", header=self.header, rect=rect, reason=reason) if self._is_publishing else None
        missing = answer["scroll"] if answer else min(0, bounds.get_y() - self._covered())
        if missing:
            adjustment = self.scrolled_window.get_vadjustment()
            adjustment.set_value(adjustment.get_value() + missing)

    # What a person does

    def _listen(self) -> None:
        # The scrolled window's own gesture says when fingers come and go: another one would end when it begins to scroll.
        for drag in self.scrolled_window.observe_controllers():
            if isinstance(drag, Gtk.GestureDrag) and drag.get_touch_only():
                drag.connect("drag-begin", lambda *_: self._gestures.touch())
                drag.connect("drag-end", lambda *_: self._gestures.lift())
                drag.connect("cancel", lambda *_: self._gestures.lift())
        wheel = Gtk.EventControllerScroll(
            flags=Gtk.EventControllerScrollFlags.BOTH_AXES, propagation_phase=Gtk.PropagationPhase.CAPTURE)
        wheel.connect("scroll-begin", lambda _: self._gestures.touch() if is_touchpad(wheel) else None)
        wheel.connect("scroll", self._wheeled)
        wheel.connect("scroll-end", lambda _: self._gestures.lift())
        self.scrolled_window.add_controller(wheel)
        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        keys.connect("key-pressed", lambda *_: self._gestures.key())
        self.add_controller(keys)
        focus = Gtk.EventControllerFocus()
        focus.connect("enter", lambda _: self._watch_focus(True))
        focus.connect("leave", lambda _: self._watch_focus(False))
        self.add_controller(focus)
        self._settings = Gtk.Settings.get_default()
        self._settings_watch = self._settings.connect("notify::gtk-enable-animations", lambda *_: self._report(
            "layout", reduceMotion=self._is_reduced()))

    def _wheeled(self, wheel: Gtk.EventControllerScroll, *_: object) -> bool:
        if not is_touchpad(wheel):
            self._gestures.wheel()
        return bool(Gdk.EVENT_PROPAGATE)

    def _scrolled(self, _: Gtk.Adjustment) -> None:
        """The scrolled window has moved the content."""
        content = self._content
        if self._is_placing or content is None:
            return
        # The range ends where the header's own moves would go beyond it.
        content.shift = content.place - self.scrolled_window.get_vadjustment().get_value()
        content.follow()
        known = self.view.scroll_views.get(CONTENT)
        if self._is_publishing and known is not None and known.offset.y == content.place - content.room:
            return
        self._tell_scroll(self._gestures.scrolled(content.place))

    def _child_moved(self, value: float) -> None:
        """The content has moved by itself: by the focus, by scroll_to, or because rows above turned out to be higher."""
        content = self._content
        if content is None or (value <= 0 and content.place <= content.room):
            return
        reason = "content" if content.is_allocating else self._gestures.scrolled(content.place)
        self._put(content.room + value, content.room)
        self._tell_scroll(reason)

    def _tell_scroll(self, reason: str) -> None:
        content, client = self._content, self._client
        assert content is not None
        self._touched = now()
        if not self._is_publishing or client is None:
            self._sync_view()
            self._follow_alone()
            return
        try:
            for message in client.scroll(
                    self.view, CONTENT, y=content.place - content.room, within=self.within, time=now(), reason=reason):
                self._receive(message, is_applied=True)
        except headerd.ConnectionLost:
            self._lost()

    def _rested(self) -> None:
        """No gesture counts by itself any more: the adjustment gets the place that is seen."""
        if self._content is not None and self._content.shift:
            self._put(self._content.place, self._content.room)

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
            if focused is None or not focused.is_ancestor(self) or now() - self._gestures.typed > TOUCHED:
                return bool(GLib.SOURCE_REMOVE)
            drawer = next((name for name, one in self._drawers.items() if focused.is_ancestor(one)), None)
            if drawer is not None and self._places[drawer].y < 0:
                self._notify("header.move", header=self.header, to="expanded", animated=not self._is_reduced())
            elif drawer is None and self._content is not None and focused.is_ancestor(self._content):
                self.reveal(focused)
            return bool(GLib.SOURCE_REMOVE)

        self.add_tick_callback(look)

    # Messages

    def _report(self, event: str, **fields: Any) -> None:
        """Sends an event that nobody waits for."""
        if self._is_publishing:
            self._notify("event", header=self.header, event=event, time=now(), **fields)

    def _notify(self, method: str, **params: Any) -> None:
        try:
            if self._client is not None:
                self._client.notify(method, **params)
        except headerd.ConnectionLost:
            self._lost()

    def _ask(self, method: str, **params: Any) -> Optional[Dict[str, Any]]:
        """Sends a request; None without an answer."""
        try:
            return self._client.request(method, **params) if self._client is not None else None
        except (headerd.DaemonError, TimeoutError) as error:
            self._fail(error)
        except headerd.ConnectionLost:
            self._lost()
        finally:
            # Messages that came meanwhile.
            GLib.idle_add(lambda: self._readable() and False)
        return None

    def _readable(self, *_: object) -> bool:
        try:
            for message in self._client.dispatch() if self._client is not None else ():
                self._receive(message)
        except headerd.ConnectionLost:
            self._lost()
        return self._client is not None

    def _receive(self, message: headerd.Message, is_applied: bool = False) -> None:
        if isinstance(message, headerd.State):
            if not is_applied:
                self._sync_view()
                self.view.apply(message)
            self._show(message)
        elif isinstance(message, headerd.Failure):
            self._fail(message.error)
        elif isinstance(message, headerd.Closed):
            self._lost()

    def _show(self, state: headerd.State) -> None:
        """Draws a state, which the view has applied."""
        content = self._content
        if content is None:
            return
        is_first, self._epoch = state.epoch != self._epoch, state.epoch
        before = content.place - content.room
        wanted = self.view.scroll_views.get(CONTENT)
        if wanted is not None:
            room = wanted.inset.top if is_first else max(content.room, wanted.inset.top)
            offset = -wanted.inset.top if is_first and content.place <= 0 else wanted.offset.y
            self._put(offset + room, room)
            self.scrolled_window.get_vscrollbar().set_margin_top(whole(self._covered()))
        targets = {one.name: Place(one.frame.y, one.frame.height, one.alpha, one.hidden) for one in state.drawers}
        self._draw_elements(state)
        animations = state.params.get("animations", ())
        moved = content.place - content.room - before
        if animations and not is_first and not self._is_reduced():
            self._animate(animations[0], targets, moved)
        elif not self._tick or moved or targets != self._targets:
            # An animation goes on as long as it leads to the same end.
            self._stop_animation()
            self._draw(targets)
        if is_first and self.role != "renderer":
            self._is_publishing = True
            if self._is_shared:
                self._report("layout", **self._content_sizes(), **self._surroundings())
            self._tell_layout()
        if moved and now() - self._touched < TOUCHED:
            self._report("didScroll", reason="user", **self.view.scroll(CONTENT, y=content.place - content.room))
        self.emit("state", state)

    def _put(self, place: float, room: float) -> None:
        """Scrolls the content; a gesture that counts by itself keeps its adjustment."""
        assert self._content is not None
        self._is_placing = True
        self._content.set_place(place, room, keeps_value=self._gestures.state in ("dragging", "decelerating"))
        self._is_placing = False
        self._sync_view()

    def _sync_view(self) -> None:
        """What the content's range leaves of a wanted place is where it is."""
        content, wanted = self._content, self.view.scroll_views.get(CONTENT)
        if content is not None and wanted is not None:
            wanted.offset = wanted.offset._replace(y=content.place - content.room)

    # Drawing

    def _draw(self, places: Dict[str, Place]) -> None:
        self._places = places
        for name, drawer in self._drawers.items():
            place = places.get(name)
            is_shown = place is not None and not place.hidden and self.role != "publisher"
            drawer.set_child_visible(is_shown)
            if place is not None:
                drawer.set_opacity(place.alpha)
        # In the layout the drawers' turn comes after the content's.
        if not self._is_allocating:
            self.queue_allocate()

    def _draw_elements(self, state: headerd.State) -> None:
        widgets = {name: widget for drawer in self._drawers.values() for name, widget in drawer.elements.items()}
        for element in state.params.get("elements", ()):
            if element["name"] in widgets:
                widgets[element["name"]].set_opacity(0 if element.get("hidden") else element.get("alpha", 1))

    def _animate(self, animation: Dict[str, Any], targets: Dict[str, Place], moved: float) -> None:
        """Draws from what is on the screen to the places; the content, which is at its own already, comes `moved` points later."""
        self._stop_animation()
        content, began, sources = self._content, now(), self._places
        assert content is not None
        self._targets = targets

        def step(*_: object) -> bool:
            share = progress(animation, now() - began)
            self._draw({name: sources.get(name, target).towards(target, share) for name, target in targets.items()})
            content.late = moved * (1 - share)
            content.follow()
            if now() - began < ending(animation):
                return bool(GLib.SOURCE_CONTINUE)
            self._tick = 0
            return bool(GLib.SOURCE_REMOVE)

        step()
        self._tick = self.add_tick_callback(step)

    def _stop_animation(self) -> None:
        if self._tick:
            self.remove_tick_callback(self._tick)
            self._tick = 0
        if self._content is not None and self._content.late:
            self._content.late = 0
            self._content.follow()

    def _covered(self) -> float:
        """How much of the top the header covers."""
        wanted = self.view.scroll_views.get(CONTENT)
        return wanted.inset.top if wanted is not None and self.connected else 0

    def _follow_alone(self) -> None:
        """Without a connection the header goes with the content, as any part of an app does."""
        if self.connected or self._content is None:
            return
        y, places = 0.0, {}
        for name, drawer in self._drawers.items():
            height = drawer.natural_height(self.get_width())
            places[name] = Place(y - self._content.place, height)
            y += height
        self._is_placing = True
        self._content.set_place(self._content.place, max(self._content.room, y), keeps_value=True)
        self._is_placing = False
        self._draw(places)

    # The connection

    def _describe(self) -> Dict[str, Any]:
        assert self._content is not None
        drawers = [
            {"name": name, "height": height, "maximumHeight": height, **drawer.description,
             **({"elements": [{"name": element, "frame": {"x": 0, "y": 0, "width": self.get_width(), "height": height}}
                              for element in drawer.elements]} if drawer.elements else {})}
            for (name, drawer), height in zip(self._drawers.items(), self._heights())]
        sizes = ANY_SIZE if self._is_shared else self._content_sizes()
        content: Dict[str, Any] = {**sizes, "contentInset": {"top": drawers[0]["height"] if drawers else 0}}
        if self._content.place > 0 and not self._is_shared:
            content["offset"] = {"y": self._content.place - self._content.room}
        more = dict(self._more)
        content.update(more.pop("scrollViews", {}).get(CONTENT, {}))
        environment = {**({} if self._is_shared else self._surroundings()), **more.pop("environment", {})}
        is_reversed = self.get_direction() == Gtk.TextDirection.RTL
        return {
            "drawers": drawers, "delegates": [{"behavior": self._behavior}], "environment": environment,
            "layoutDirection": "rightToLeft" if is_reversed else "leftToRight",
            "lifetime": "daemon" if self._is_shared else "connection", **more, "scrollViews": {CONTENT: content}}

    def _surroundings(self) -> Dict[str, Any]:
        return {"reduceMotion": self._is_reduced(), "screenScale": self.get_scale_factor()}

    def _heights(self) -> List[int]:
        return [drawer.natural_height(self.get_width()) for drawer in self._drawers.values()]

    def _content_sizes(self) -> Dict[str, Any]:
        assert self._content is not None
        width = self.get_width()
        return {"viewport": {"width": width, "height": self.get_height()},
                "contentSize": {"width": width, "height": self._content.height}}

    def _connect(self, *_: object) -> bool:
        """Connects, opens, subscribes; tries again later if nobody listens."""
        self._retry = 0
        try:
            self._client = headerd.Client(self._socket, name="headerd for GTK", patience=PATIENCE)
            if self.role != "renderer":
                self._sizes = {}
                self._client.open(self.header, **self._describe())
            self._client.subscribe(self.header, mode="every", resume=False)
        except (headerd.NoDaemon, headerd.ConnectionLost, TimeoutError):
            self._lost()
            return bool(GLib.SOURCE_REMOVE)
        except headerd.DaemonError as error:
            # A header of this name that is described otherwise, above all: it is not drawn as if it were this one.
            self._is_refused = True
            self._fail(error)
            self._disconnect()
            return bool(GLib.SOURCE_REMOVE)
        self.connected = True
        self._watch = GLib.unix_fd_add_full(
            GLib.PRIORITY_DEFAULT, self._client.fileno(), GLib.IOCondition.IN, self._readable)
        self._readable()
        return bool(GLib.SOURCE_REMOVE)

    def _lost(self) -> None:
        self._disconnect()
        self._epoch = None
        self._follow_alone()
        if not self._retry and self.get_mapped():
            self._retry = GLib.timeout_add(RETRY * 1000, self._connect)

    def _disconnect(self) -> None:
        if self._watch:
            GLib.source_remove(self._watch)
            self._watch = 0
        if self._client is not None:
            self._client.close()
        self._client = None
        self._is_publishing = False
        self.connected = False

    def _fail(self, error: Exception) -> None:
        # A behavior that cannot be brought to a place moves for no focus.
        if isinstance(error, headerd.DaemonError) and error.name == "unsupported":
            return
        _log.warning("%s: %s", self.header, error)
        self.emit("failed", str(error))

    def _tell_layout(self) -> None:
        """Sizes that have changed."""
        if not self._is_publishing or self._content is None:
            return
        sizes = {**self._content_sizes(), "drawers": [
            {"name": name, "height": height, "maximumHeight": height} for name, height in zip(self._drawers, self._heights())]}
        if self._sizes and sizes != self._sizes:
            changed = {key: value for key, value in sizes.items() if value != self._sizes[key]}
            self._report("layout", **changed)
        self._sizes = sizes

    def _is_reduced(self) -> bool:
        return not self._settings.get_property("gtk-enable-animations")

    # Gtk.Widget

    def do_get_request_mode(self) -> Gtk.SizeRequestMode:
        return Gtk.SizeRequestMode.CONSTANT_SIZE

    def do_measure(self, orientation: Gtk.Orientation, for_size: int) -> tuple[int, int, int, int]:
        sizes = [widget.measure(orientation, -1)[:2] for widget in (self.scrolled_window, *self._drawers.values())]
        return max(one[0] for one in sizes), max(one[1] for one in sizes), -1, -1

    def do_size_allocate(self, width: int, height: int, baseline: int) -> None:
        self._is_allocating = True
        if not self.connected:
            self._follow_alone()
        self.scrolled_window.allocate(width, height, -1, None)
        self._is_allocating = False
        if self._client is None and not self._retry and not self._is_refused and self._content is not None:
            self._retry = GLib.idle_add(self._connect, priority=GLib.PRIORITY_HIGH_IDLE)
        self._tell_layout()
        for name, drawer in self._drawers.items():
            place = self._places.get(name)
            if place is None or place.hidden:
                continue
            top, bottom = whole(place.y), whole(place.y + place.height)
            drawer.allocate(width, bottom - top, -1, Gsk.Transform.new().translate(Graphene.Point().init(0, top)))

    def do_unmap(self) -> None:
        self._disconnect()
        self._is_refused = False
        if self._retry:
            GLib.source_remove(self._retry)
            self._retry = 0
        Gtk.Widget.do_unmap(self)

    def do_dispose(self) -> None:
        self._gestures.close()
        self._disconnect()
        for drawer in self._drawers.values():
            drawer.unparent()
        self._drawers = {}
        if self.scrolled_window is not None:
            self.scrolled_window.unparent()
            self.scrolled_window = None
            self._settings.disconnect(self._settings_watch)
        Gtk.Widget.do_dispose(self)


def is_touchpad(controller: Gtk.EventController) -> bool:
    device = controller.get_current_event_device()
    return device is not None and device.get_source() == Gdk.InputSource.TOUCHPAD


def whole(points: float) -> int:
    """Whole pixels, halves always the same way, so that what touches goes on touching."""
    return math.floor(points + 0.5)
