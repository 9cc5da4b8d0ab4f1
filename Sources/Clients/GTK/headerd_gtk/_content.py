# SPDX-License-Identifier: MIT
"""Content with room for the header above it, which scrolls away with the content."""
from __future__ import annotations

from typing import Any, Optional

from gi.repository import GObject, Graphene, Gsk, Gtk

from headerd.toolkit import whole


class RoomyContent(Gtk.Widget, Gtk.Scrollable):
    """A scrollable around a scrollable: `room` points, then the child's content.

    While the room is in sight the child stays at its own beginning and is drawn further down; after that the child scrolls. So a list
    that makes widgets for what is seen alone goes on doing so.

        value of vadjustment    0 …… room …… room + upper of the child − page
        the child is at         room … 0 …… 0
        the child's value       0 …… 0 …… upper − page

    `shift` is added to the place: what the header moved while a gesture of the scrolled window, which counts by itself, goes on. `late` is
    what an animation has still to go: the content is drawn that far from its place.
    """

    __gtype_name__ = "HeaderdRoomyContent"

    hadjustment = GObject.Property(type=Gtk.Adjustment)
    hscroll_policy = GObject.Property(type=Gtk.ScrollablePolicy, default=Gtk.ScrollablePolicy.MINIMUM)
    vscroll_policy = GObject.Property(type=Gtk.ScrollablePolicy, default=Gtk.ScrollablePolicy.MINIMUM)

    def __init__(self, child: Gtk.Widget, **properties: Any) -> None:
        super().__init__(**properties)
        self.set_overflow(Gtk.Overflow.HIDDEN)
        self.room = 0.0
        self.shift = self.late = 0.0
        self.is_allocating = False
        # Called when the child has moved its content by itself: a focus, scroll_to, another estimate of the rows above.
        self.child_moved: Any = None
        self.resized: Any = None
        self._vadjustment: Optional[Gtk.Adjustment] = None
        self._is_placing = False
        self._inner = Gtk.Adjustment()
        if not isinstance(child, Gtk.Scrollable):
            child = Gtk.Viewport(child=child)
        self.child = child
        child.set_vadjustment(self._inner)
        child.set_parent(self)
        self._inner.connect("value-changed", self._child_scrolled)
        self._inner.connect("changed", lambda _: self._queue())
        self.connect("notify::hadjustment", lambda *_: child.set_hadjustment(self.hadjustment))

    @GObject.Property(type=Gtk.Adjustment)
    def vadjustment(self) -> Optional[Gtk.Adjustment]:
        return self._vadjustment

    @vadjustment.setter  # type: ignore[no-redef]
    def vadjustment(self, adjustment: Optional[Gtk.Adjustment]) -> None:
        self._vadjustment = adjustment
        if adjustment is not None:
            self._configure()

    @property
    def height(self) -> float:
        """Of the child's content."""
        return float(self._inner.get_upper())

    @property
    def place(self) -> float:
        """How far the content is scrolled: 0 where all of the room is seen."""
        value = self._vadjustment.get_value() if self._vadjustment is not None else 0
        return min(max(0.0, value + self.shift), self._end)

    @property
    def _drawn(self) -> int:
        """The place in whole pixels, halves always the same way."""
        return whole(self.place - self.late - self.room) + self._whole_room

    @property
    def _whole_room(self) -> int:
        return whole(self.room)

    @property
    def _end(self) -> float:
        return max(0.0, self.room + self._inner.get_upper() - self._inner.get_page_size())

    def set_place(self, place: float, room: float, keeps_value: bool) -> None:
        """Scrolls. With `keeps_value` the adjustment is left as it is, for whoever is moving it."""
        self.room = room
        self._configure()
        if self._vadjustment is not None and not keeps_value:
            self._vadjustment.set_value(place)
        value = self._vadjustment.get_value() if self._vadjustment is not None else 0
        self.shift = place - value
        self.follow()

    def follow(self) -> None:
        """Brings the child to the place; before layout, so that it is drawn there in this frame."""
        self._is_placing = True
        self._inner.set_value(max(0, self._drawn - self._whole_room))
        self._is_placing = False
        self._queue()

    def _queue(self) -> None:
        # What is queued during the layout is lost: that looks again by itself.
        if not self.is_allocating:
            self.queue_allocate()

    def _child_scrolled(self, inner: Gtk.Adjustment) -> None:
        if not self._is_placing and self.child_moved is not None:
            self.child_moved(inner.get_value())

    def _configure(self) -> None:
        if self._vadjustment is None:
            return
        page, inner = self._inner.get_page_size(), self._inner
        self._vadjustment.configure(
            self._vadjustment.get_value(), 0, max(page, self.room + inner.get_upper()), inner.get_step_increment() or page / 10,
            inner.get_page_increment() or page * 0.9, page)

    # Gtk.Widget

    def do_get_request_mode(self) -> Gtk.SizeRequestMode:
        return self.child.get_request_mode()

    def do_measure(self, orientation: Gtk.Orientation, for_size: int) -> tuple[int, int, int, int]:
        minimum, natural, _, _ = self.child.measure(orientation, for_size)
        return minimum, natural, -1, -1

    def do_size_allocate(self, width: int, height: int, baseline: int) -> None:
        self.is_allocating = True
        down = None
        while down != (down := max(0, self._whole_room - self._drawn)):
            self.child.allocate(width, height, -1, Gsk.Transform.new().translate(Graphene.Point().init(0, down)))
            self._configure()
        if self.resized is not None:
            self.resized()
        self.is_allocating = False

    def do_dispose(self) -> None:
        if self.child is not None:
            self.child.unparent()
            self.child = None
        Gtk.Widget.do_dispose(self)
