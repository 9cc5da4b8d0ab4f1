# SPDX-License-Identifier: MIT
"""A scroll with a header that headerd moves."""
from __future__ import annotations

import asyncio
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widget import Widget

import headerd
from headerd.toolkit import TOUCHED, Cancel, HeaderLink, Place, stacked, whole


class _Rows(VerticalScroll):
    """Tells of the wheel, whose events it takes for itself."""

    def __init__(self, child: Widget, wheeled: Callable[[], None]) -> None:
        super().__init__(child)
        self._wheeled = wheeled

    def on_mouse_scroll_down(self, _: events.MouseScrollDown) -> None:
        self._wheeled()

    def on_mouse_scroll_up(self, _: events.MouseScrollUp) -> None:
        self._wheeled()


class HeaderedScroll(Widget):
    """Scrolls `content` below and behind drawers, which are where the header's states say, in whole rows.

    drawers: widgets by name, from the edge outward; their heights are those of their styles. more: of a drawer, more of its description.
    row: points that a row is for the header. header, behavior, description, mode, within, grid, socket: see HeaderLink of headerd.toolkit.
    """

    DEFAULT_CSS = """
    HeaderedScroll { height: 1fr; overflow: hidden; }
    HeaderedScroll > VerticalScroll { layer: content; }
    HeaderedScroll > VerticalScroll > Vertical { height: auto; }
    """

    class StateShown(Message):
        """A state, after it was applied."""

        def __init__(self, state: headerd.State) -> None:
            super().__init__()
            self.state = state

    class Failed(Message):
        """What the daemon refused, which is logged, too."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(
        self, *content: Widget, drawers: Mapping[str, Widget], more: Optional[Mapping[str, Dict[str, Any]]] = None, row: float = 16,
        header: Optional[str] = None, behavior: str = "ShyNavBar", description: Optional[Dict[str, Any]] = None, mode: str = "both",
        within: float = 0.004, grid: float = 1 / 16, socket: Optional[str] = None, reduced_motion: bool = False, **properties: Any
    ) -> None:
        super().__init__(**properties)
        self.drawers, self.more, self.row, self.reduced_motion = dict(drawers), dict(more or {}), row, reduced_motion
        self.inner = Vertical(*content)
        self.scroll = _Rows(self.inner, lambda: self.link.gestures.wheel())
        self.heights: Dict[str, int] = {}
        self.room = self.shift = self.late = 0.0
        self._is_placing = False
        self.link = HeaderLink(_Scroller(self), "textual", header=header, behavior=behavior, description=description, mode=mode,
                               within=within, grid=grid, socket=socket)
        self._stack({})

    def compose(self) -> ComposeResult:
        yield self.scroll
        for name, widget in self.drawers.items():
            widget.styles.layer = name
            widget.styles.position = "absolute"
            widget.styles.width = "100%"
            yield widget

    @property
    def place(self) -> float:
        """How far the content is scrolled, in points; 0 where all of the header's room is seen."""
        return min(max(0.0, self.scroll.scroll_y * self.row + self.shift), self.end)

    @property
    def end(self) -> float:
        return max(0.0, self.room + self.content_height - self.size.height * self.row)

    @property
    def content_height(self) -> float:
        return float(self.inner.outer_size.height * self.row - whole(self.room / self.row) * self.row)

    def reveal(self, widget: Widget) -> None:
        """A widget of the content is to be seen: the header makes room, or the content scrolls."""
        y = (widget.region.y - self.region.y) * self.row
        missing = self.link.missing(y, widget.region.height * self.row)
        if missing:
            self.scroll.scroll_to(y=self.scroll.scroll_y + missing / self.row, animate=False)

    # Textual's calls

    def on_mount(self) -> None:
        self.watch(self.scroll, "scroll_y", self._scrolled, init=False)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.heights = {name: widget.outer_size.height for name, widget in self.drawers.items()}
        self.link.follow_alone()
        self.link.begin()

    def on_unmount(self) -> None:
        self.link.end()

    def on_resize(self, _: events.Resize) -> None:
        if self.heights:
            self.call_after_refresh(self.link.tell_layout)

    def on_key(self, _: events.Key) -> None:
        self.link.gestures.key()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if time.monotonic() - self.link.gestures.typed > TOUCHED:
            return
        focused = event.widget
        name = next((name for name, one in self.drawers.items() if one in focused.ancestors_with_self), None)
        if name is not None and self.link.places[name].y < 0:
            self.link.expand()
        elif name is None and focused is not self.scroll:
            self.call_after_refresh(self.reveal, focused)

    def _scrolled(self, _: float) -> None:
        if not self._is_placing:
            self.link.scrolled()

    # What the header wants

    def put(self, place: float, room: float, keeps_value: bool) -> None:
        self._is_placing = True
        if room != self.room:
            self.room = room
            self.inner.styles.padding = (whole(room / self.row), 0, 0, 0)
        rows = place / self.row
        if not keeps_value and not self.scroll.is_scrolling:
            self.shift = 0.0
            self.scroll.scroll_target_y = rows
            self.scroll.scroll_y = rows
        self.shift = place - self.scroll.scroll_y * self.row
        self._move_content()
        self._is_placing = False

    def _stack(self, places: Dict[str, Place]) -> None:
        layers = ("content", *stacked(self.drawers, places))
        if self.styles.layers != layers:
            self.styles.layers = layers  # type: ignore[assignment]

    def draw(self, places: Dict[str, Place], late: float) -> None:
        self._stack(places)
        for name, widget in self.drawers.items():
            place = places.get(name)
            if place is None or place.hidden or place.alpha == 0:
                widget.display = False
                continue
            top, bottom = whole(place.y / self.row), whole((place.y + place.height) / self.row)
            widget.display = bottom > top
            widget.styles.height = bottom - top
            widget.styles.offset = (0, top)
        self.late = late
        self._move_content()

    def _move_content(self) -> None:
        self.inner.styles.offset = (0, whole((self.late - self.shift) / self.row))


class _Scroller:
    """The widget as a HeaderLink sees it."""

    def __init__(self, widget: HeaderedScroll) -> None:
        self._widget = widget
        self.put = widget.put
        self.draw = widget.draw

    @property
    def place(self) -> float:
        return self._widget.place

    @property
    def room(self) -> float:
        return self._widget.room

    def sizes(self) -> Tuple[float, float, float]:
        widget = self._widget
        # A cell is about half as wide as it is high.
        return widget.size.width * widget.row / 2, widget.size.height * widget.row, widget.content_height

    def drawers(self) -> List[Dict[str, Any]]:
        widget = self._widget
        return [{"name": name, "height": height * widget.row, **widget.more.get(name, {})} for name, height in widget.heights.items()]

    def surroundings(self) -> Dict[str, Any]:
        return {"reduceMotion": self._widget.reduced_motion}

    def is_right_to_left(self) -> bool:
        return False

    def shown(self, state: headerd.State) -> None:
        self._widget.post_message(HeaderedScroll.StateShown(state))

    def failed(self, text: str) -> None:
        self._widget.post_message(HeaderedScroll.Failed(text))

    def changed(self) -> None:
        pass

    def later(self, seconds: float, call: Callable[[], None]) -> Cancel:
        return self._widget.set_timer(max(seconds, 0.001), call).stop

    def watch(self, descriptor: int, call: Callable[[], None]) -> Cancel:
        loop, widget = asyncio.get_running_loop(), self._widget
        # In the widget's own turn, where Textual knows the app.
        loop.add_reader(descriptor, lambda: widget.call_later(call))
        return lambda: loop.remove_reader(descriptor) and None

    def each_frame(self, call: Callable[[], None]) -> Cancel:
        return self._widget.set_interval(1 / 30, call).stop
