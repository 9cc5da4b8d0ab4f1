# SPDX-License-Identifier: MIT
"""What a person does to a scrolled window, as the events that UIKit has for it.

An adjustment says that something scrolled and not why, so what came before tells: a finger, a wheel, keys, or none of them.

    idle ──scroll while fingers are down──▶ dragging ──fingers up──▶ decelerating ──rest──▶ idle
     ├──scroll after a wheel──▶ wheeling ──rest──▶ idle
     ╰──scroll by anything else──▶ moving ──rest──▶ idle

Fingers are those on a screen, and those on a touchpad that says when they are lifted.
"""
from __future__ import annotations

from typing import Any, Callable, List, Tuple

from gi.repository import GLib

# Seconds without a scroll after which one is over.
REST = 0.15
# Seconds after a wheel's turn or a key in which a scroll is its own.
CAUSE = 0.2
# Seconds over which velocity is measured.
SPAN = 0.08
# Points a millisecond from which on content goes on by itself after the finger.
FLING = 0.1


class Gestures:
    """`report(event, **fields)` gets each event but didScroll, which is whoever's who calls `scrolled`; `rested()` each end."""

    def __init__(self, report: Callable[..., None], rested: Callable[[], None]) -> None:
        self.state = "idle"
        self._report = report
        self._rested = rested
        self.fingers = False
        self._wheeled = self.typed = float("-inf")
        self._places: List[Tuple[float, float]] = []
        self._timer = 0

    def touch(self) -> None:
        """Fingers come down: they stop what was going on by itself."""
        self.fingers = True
        self._end()

    def lift(self) -> None:
        """The last finger goes."""
        self.fingers = False
        if self.state != "dragging":
            return
        velocity = self._velocity()
        will_decelerate = abs(velocity) >= FLING
        self._end_drag(velocity, will_decelerate)
        self.state = "idle"
        if will_decelerate:
            self._report("willBeginDecelerating")
            self.state = "decelerating"
            self._await_rest()
        else:
            self._rested()

    def wheel(self) -> None:
        self._wheeled = now()

    def key(self) -> None:
        self.typed = now()

    def scrolled(self, place: float) -> str:
        """The content has moved, not by the header. Returns the reason."""
        time = now()
        self._places = [one for one in self._places if one[0] > time - SPAN] + [(time, place)]
        is_hand = self.fingers or time - self._wheeled < CAUSE
        if self.state == "idle" or (self.state == "moving" and is_hand):
            if self.state == "moving":
                self._report("didEndScrollingAnimation")
            self.state = "dragging" if self.fingers else "wheeling" if is_hand else "moving"
            if is_hand:
                self._report("willBeginDragging")
        if not self.fingers:
            self._await_rest()
        return "user" if self.state != "moving" else "keyboard" if time - self.typed < CAUSE else "program"

    def close(self) -> None:
        if self._timer:
            GLib.source_remove(self._timer)
        self._timer = 0

    def _await_rest(self) -> None:
        self.close()
        self._timer = GLib.timeout_add(int(REST * 1000), self._rest)

    def _rest(self) -> bool:
        self._timer = 0
        self._end()
        return bool(GLib.SOURCE_REMOVE)

    def _end(self) -> None:
        self.close()
        state, self.state, self._places = self.state, "idle", []
        if state == "decelerating":
            self._report("didEndDecelerating")
        elif state == "moving":
            self._report("didEndScrollingAnimation")
        elif state == "wheeling":
            self._end_drag(0, False)
        if state != "idle":
            self._rested()

    def _end_drag(self, velocity: float, will_decelerate: bool) -> None:
        self._report("willEndDragging", velocity={"x": 0, "y": velocity})
        self._report("didEndDragging", willDecelerate=will_decelerate)

    def _velocity(self) -> float:
        """Points a millisecond."""
        time = now()
        places = [one for one in self._places if one[0] > time - SPAN]
        if len(places) < 2 or places[-1][0] <= places[0][0]:
            return 0
        return (places[-1][1] - places[0][1]) / (places[-1][0] - places[0][0]) / 1000


def now() -> float:
    """Seconds of the clock that events have."""
    time: Any = GLib.get_monotonic_time()
    return float(time) / 1e6
