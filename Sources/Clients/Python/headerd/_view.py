# SPDX-License-Identifier: MIT
"""What a renderer does with states, and what a publisher says about its offset."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Optional, Tuple

from ._types import Drawer, Insets, Json, Point, State


@dataclass
class AppliedScrollView:
    """A scroll view of this process: where its content is, and how much of the header's own moves is in that."""

    offset: Point
    inset: Insets
    correction: Point


class HeaderView:
    """A header as this process shows it: drawers to draw, insets to set, offsets that follow `correction`.

    The first state of an epoch sets the offset; later ones move it by what `correction` grew by, so that what the user
    scrolled in the meantime stays. One that mirrors the content of another process shows each state's offset
    (`include=["contentOffset"]`).
    """

    def __init__(self, mirrors: bool = False) -> None:
        self.mirrors = mirrors
        self.header = ""
        self.epoch: Optional[int] = None
        self.seq = 0
        self.drawers: Tuple[Drawer, ...] = ()
        self.scroll_views: Dict[str, AppliedScrollView] = {}

    def apply(self, state: State) -> None:
        """Takes over a state."""
        if state.epoch != self.epoch:
            self.header, self.epoch = state.header, state.epoch
            self.scroll_views = {}
        self.seq = state.seq
        self.drawers = state.drawers
        views = {}
        for name, wanted in state.scroll_views.items():
            view = self.scroll_views.get(name)
            if view is None or self.mirrors:
                offset = wanted.content_offset
            else:
                grown = (wanted.correction.x - view.correction.x, wanted.correction.y - view.correction.y)
                offset = Point(view.offset.x + grown[0], view.offset.y + grown[1])
            views[name] = AppliedScrollView(offset, wanted.content_inset, wanted.correction)
        self.scroll_views = views

    def scroll(self, scroll_view: str, x: Optional[float] = None, y: Optional[float] = None) -> Json:
        """Moves the content and gives the fields of the event that reports it: `scrollView`, `offset`, `correction`."""
        view = self.scroll_views.get(scroll_view)
        if view is None:
            raise LookupError(f"no scroll view {scroll_view!r} in the states that were applied: {', '.join(self.scroll_views) or 'none yet'}")
        view.offset = Point(view.offset.x if x is None else x, view.offset.y if y is None else y)
        return {"scrollView": scroll_view, "offset": view.offset._asdict(), "correction": view.correction._asdict()}
