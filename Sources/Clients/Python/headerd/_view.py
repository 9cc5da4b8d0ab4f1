# SPDX-License-Identifier: MIT
"""What a renderer does with states, and what a publisher says about its offset."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from ._types import Drawer, Insets, Json, Point, State

_POINT = {"x": 0, "y": 0}
_DEFAULTS: Json = {
    "alpha": 1, "cornerRadius": 0, "translation": _POINT, "correction": _POINT,
    "transform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _between(start: Any, end: Any, share: float) -> Any:
    """What is at a share of the way from start to end: numbers on a line, all else as it is at the start."""
    if start == end:
        return start
    if _is_number(start) and _is_number(end):
        return start + (end - start) * share
    if isinstance(start, list) and isinstance(end, list):
        return [_between(one, other, share) for one, other in zip(start, end)]
    if isinstance(start, dict) and isinstance(end, dict):
        start = {**{name: _DEFAULTS[name] for name in end if name in _DEFAULTS}, **start}
        return {name: _between(one, end.get(name, _DEFAULTS.get(name)), share) for name, one in start.items()}
    return start


def _on_line(state: Json, start: Json, end: Json, share: float) -> Json:
    """The state with the parts of the line between two keyframes, which have only what differs from it."""
    result = dict(state)
    for part in ("drawers", "elements"):
        if part in state:
            first, last = ({one["name"]: one for one in keyframe.get(part, ())} for keyframe in (start, end))
            result[part] = [_between(first.get(one["name"], one), last.get(one["name"], one), share) for one in state[part]]
    for part in ("scrollViews", "values", "wants"):
        if part in state:
            first, last = start.get(part, {}), end.get(part, {})
            result[part] = {name: _between(first.get(name, one), last.get(name, one), share) for name, one in state[part].items()}
    if "position" in state:
        result["position"] = _between(start.get("position", state["position"]), end.get("position", state["position"]), share)
    return result


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
        self._state: Optional[State] = None
        # The offset that was farthest away, since the last state.
        self._farthest: Optional[float] = None

    def apply(self, state: State) -> None:
        """Takes over a state."""
        if state.epoch != self.epoch:
            self.header, self.epoch = state.header, state.epoch
            self.scroll_views = {}
        self.seq = state.seq
        self.drawers = state.drawers
        self._state, self._farthest = state, None
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

    def at(self, offset: float, is_dragged: bool = False) -> Optional[State]:
        """The last state as it goes on to an offset along the axis of the tracking scroll view (`predict=True`), in a drag or not.

        Beyond what is known it stays as it is there. A state without `ahead` stays as it is; before the first there is None.
        """
        ahead = self._state.params.get("ahead") if self._state else None
        if self._state is None or not ahead:
            return self._state
        origin = ahead["offset"]
        if is_dragged:
            ahead = ahead.get("dragged", ahead)
        if not ahead.get("reversible"):
            # Back it goes by laws that the way so far has a part in.
            if self._farthest is None or (offset - self._farthest) * (self._farthest - origin) >= 0:
                self._farthest = offset
            offset = self._farthest
        if offset == origin:
            return self._state
        state = self._state.params
        start: Json = {**state, "offset": origin}
        keyframes: List[Json] = ahead.get("shrinking" if offset < origin else "growing", [])
        for keyframe in keyframes:
            if abs(offset - origin) <= abs(keyframe["offset"] - origin) and keyframe["offset"] != start["offset"]:
                share = (offset - start["offset"]) / (keyframe["offset"] - start["offset"])
                return State.of(_on_line(state, start, keyframe, share))
            start = keyframe
        return State.of(_on_line(state, start, start, 0))

    def scroll(self, scroll_view: str, x: Optional[float] = None, y: Optional[float] = None) -> Json:
        """Moves the content and gives the fields of the event that reports it: `scrollView`, `offset`, `correction`."""
        view = self.scroll_views.get(scroll_view)
        if view is None:
            raise LookupError(f"no scroll view {scroll_view!r} in the states that were applied: {', '.join(self.scroll_views) or 'none yet'}")
        view.offset = Point(view.offset.x if x is None else x, view.offset.y if y is None else y)
        return {"scrollView": scroll_view, "offset": view.offset._asdict(), "correction": view.correction._asdict()}
