# SPDX-License-Identifier: MIT
"""What adapters for toolkits have in common: a header beside something that scrolls, and what a person does to that.

`HeaderLink` opens a header for a `Scroller`, the toolkit's side, reports its scrolling, and has it put and drawn where the states say.
Places are how far the content is scrolled, 0 where all of the header's room is seen:

    offset = place − room            room = the largest contentInset.top so far
"""
from __future__ import annotations

import itertools
import logging
import math
import os
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Protocol, Tuple

from ._blocking import Client
from ._types import Closed, ConnectionLost, DaemonError, Failure, Json, Message, NoDaemon, State
from ._view import HeaderView

# Of the scroll view in the description.
CONTENT = "content"
# Seconds after which a lost daemon is looked for again, and that a request may take: the app stands still as long.
RETRY, PATIENCE = 1.0, 0.5
# Seconds after somebody moved the content in which the header's own moves are told as scrolls, as UIKit does.
TOUCHED = 1.0
# What an adapter does for its header: it draws the header, reports the scrolling, or both; a mirror draws the header, and the content where
# another program has it.
MODES = ("both", "publisher", "renderer", "mirror")
# In the description of a header that several windows have, in place of their sizes: each tells its own by an event.
ANY_SIZE: Json = {"viewport": {"width": 375, "height": 667}, "contentSize": {"width": 375, "height": 4000}}
# The errors after which the same request is refused again, as `x-retry` of the schema has them.
LASTING = frozenset((
    "parseError", "invalidRequest", "methodNotFound", "invalidParams", "internalError", "subscriptionNotFound", "traceNotFound",
    "invalidOption", "timeBackwards", "notPermitted", "unsupported", "unsupportedVersion", "unknownField"))

_numbers = itertools.count(1)
_log = logging.getLogger("headerd")
Cancel = Callable[[], None]


@dataclass(frozen=True)
class Place:
    """Where a drawer is drawn."""

    y: float
    height: float
    alpha: float = 1
    hidden: bool = False
    z_index: int = 0

    def towards(self, other: Place, share: float) -> Place:
        def between(start: float, end: float) -> float:
            return start + (end - start) * share

        return Place(between(self.y, other.y), max(0, between(self.height, other.height)), between(self.alpha, other.alpha),
                     other.hidden and share >= 1, other.z_index)


def _places(state: State) -> Dict[str, Place]:
    return {one.name: Place(one.frame.y, one.frame.height, one.alpha, one.hidden, one.z_index) for one in state.drawers}


def stacked(names: Iterable[str], places: Dict[str, Place]) -> List[str]:
    """Drawers as they lie one over the other, the lowest first: of equal ones the earlier lies over the later."""
    return sorted(reversed(list(names)), key=lambda name: places[name].z_index if name in places else 0)


class Scroller(Protocol):
    """A toolkit's side."""

    # How far the content is scrolled, and the room above it.
    place: float
    room: float

    def sizes(self) -> Tuple[float, float, float]:
        """The width and the height that are seen, and the height of the content without the room."""

    def drawers(self) -> List[Json]:
        """Each with its name, its height and what more is described of it."""

    def surroundings(self) -> Json:
        """Members of the environment: reduceMotion, screenScale."""

    def is_right_to_left(self) -> bool: ...

    def put(self, place: float, room: float, keeps_value: bool) -> None:
        """Scrolls without a call of `scrolled`. With `keeps_value` a gesture of the toolkit goes on, which counts by itself."""

    def draw(self, places: Dict[str, Place], late: float) -> None:
        """Draws the drawers, and the content `late` points short of its place."""

    def shown(self, state: State) -> None:
        """A state has been applied: its elements, and whatever else the toolkit has for it."""

    def failed(self, text: str) -> None:
        """The daemon refused something; it is logged already."""

    def changed(self) -> None:
        """There is a connection, or none any more."""

    def later(self, seconds: float, call: Callable[[], None]) -> Cancel: ...

    def watch(self, descriptor: int, call: Callable[[], None]) -> Cancel:
        """Calls when the descriptor is readable."""

    def each_frame(self, call: Callable[[], None]) -> Cancel: ...


class HeaderLink:
    """A header and its scroller. `begin` when there is something to see, `end` when there is nothing any more."""

    def __init__(
        self, scroller: Scroller, kind: str, *, header: Optional[str] = None, behavior: str = "ShyNavBar",
        description: Optional[Json] = None, mode: str = "both", within: float = 0.004, grid: float = 1 / 16,
        socket: Optional[str] = None
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"mode: there are {', '.join(MODES)}, not {mode!r}")
        self.header = header or f"{kind}-{os.getpid()}-{next(_numbers)}"
        self.mode, self.within, self.grid = mode, within, grid
        self._publishes, self._mirrors = mode in ("both", "publisher"), mode == "mirror"
        self.view = HeaderView(mirrors=self._mirrors)
        self.places: Dict[str, Place] = {}
        self.is_connected = False
        self.gestures = Gestures(self.report, self._rested, scroller.later)
        self._scroller, self._kind, self._is_shared = scroller, kind, header is not None
        self._behavior, self._more, self._socket = behavior, description or {}, socket
        self._client: Optional[Client] = None
        self._epoch: Optional[int] = None
        self._sizes: Json = {}
        self._targets: Dict[str, Place] = {}
        self._unwatch: Optional[Cancel] = None
        self._cancel_retry: Optional[Cancel] = None
        self._cancel_animation: Optional[Cancel] = None
        self._is_publishing = self._is_refused = self._is_ended = False
        # What was said of the last attempts to connect, one like the other.
        self._refusal = ""
        self._touched = -math.inf

    # The toolkit's calls

    def begin(self) -> None:
        """Connects once the toolkit's turn is over, if there is no connection yet."""
        self._is_ended = False
        if self._client is None and self._cancel_retry is None and not self._is_refused:
            self._cancel_retry = self._scroller.later(0, self._connect)

    def end(self) -> None:
        self._is_ended, self._is_refused, self._refusal = True, False, ""
        self.gestures.close()
        self._stop_animation()
        self._disconnect()
        if self._cancel_retry is not None:
            self._cancel_retry()
            self._cancel_retry = None

    def scrolled(self, reason: Optional[str] = None) -> None:
        """The toolkit has moved the content; the reason is told by what a person did before, if it is not given."""
        scroller, client, known = self._scroller, self._client, self.view.scroll_views.get(CONTENT)
        offset = scroller.place - scroller.room
        if self._is_publishing and known is not None and known.offset.y == offset:
            return
        reason = reason or self.gestures.scrolled(scroller.place)
        self._touched = time.monotonic()
        if not self._is_publishing or client is None:
            self._sync_view()
            self.follow_alone()
            return
        try:
            for message in client.scroll(self.view, CONTENT, y=offset, within=self.within, time=time.monotonic(), reason=reason):
                self._receive(message, is_applied=True)
        except ConnectionLost:
            self._lost()
            return
        ahead = self._at(offset)
        if ahead is not None and client.is_behind and self._cancel_animation is None:
            self._draw(_places(ahead))

    def report(self, event: str, **fields: Any) -> None:
        """Sends an event that nobody waits for."""
        if self._is_publishing:
            self.notify("event", header=self.header, event=event, time=time.monotonic(), **fields)

    def notify(self, method: str, **params: Any) -> None:
        try:
            if self._client is not None:
                self._client.notify(method, **params)
        except ConnectionLost:
            self._lost()

    def tell_layout(self) -> None:
        """Sizes that have changed."""
        if not self._is_publishing and not self._mirrors:
            return
        sizes: Json = {**self._content_sizes(), "drawers": [
            {"name": one["name"], "height": one["height"], "maximumHeight": one["height"]} for one in self._scroller.drawers()]}
        if self._sizes and sizes != self._sizes:
            if self._mirrors:
                # There may be room now where the content is to be shown.
                self._scroller.later(0, self._show_again)
            self.report("layout", **{key: value for key, value in sizes.items() if value != self._sizes[key]})
        self._sizes = sizes

    def missing(self, y: float, height: float, reason: str = "focus") -> float:
        """How far to scroll so that something at `y` below the window's top is seen, once the header has made room."""
        scroller = self._scroller
        rect = {"x": 0, "y": y + scroller.place - scroller.room, "width": scroller.sizes()[0], "height": height}
        answer = self._ask("header.reveal", header=self.header, rect=rect, reason=reason) if self._is_publishing else None
        return float(answer["scroll"]) if answer else min(0, y - self.covered)

    def expand(self) -> None:
        """Brings the header back: the focus is in a drawer that has slid off."""
        self.notify("header.move", header=self.header, to="expanded", animated=not self._is_reduced())

    @property
    def covered(self) -> float:
        """How much of the top the header covers."""
        wanted = self.view.scroll_views.get(CONTENT)
        return wanted.inset.top if wanted is not None and self.is_connected else 0

    def follow_alone(self) -> None:
        """Without a connection the header goes with the content, as any part of an app does."""
        if self.is_connected:
            return
        scroller, y, places = self._scroller, 0.0, {}
        for one in scroller.drawers():
            places[one["name"]] = Place(y - scroller.place, one["height"])
            y += one["height"]
        scroller.put(scroller.place, max(scroller.room, y), True)
        self._draw(places)

    # States

    def _receive(self, message: Message, is_applied: bool = False) -> None:
        if isinstance(message, State):
            if not is_applied:
                self._sync_view()
                self.view.apply(message)
            self._show(message)
        elif isinstance(message, Failure):
            self._fail(message.error)
        elif isinstance(message, Closed):
            self._lost()

    def _show(self, state: State) -> None:
        """Draws a state, which the view has applied."""
        scroller = self._scroller
        is_first, self._epoch = state.epoch != self._epoch, state.epoch
        before = scroller.place - scroller.room
        wanted = self.view.scroll_views.get(CONTENT)
        if wanted is not None:
            room = wanted.inset.top if is_first else max(scroller.room, wanted.inset.top)
            offset = -wanted.inset.top if is_first and scroller.place <= 0 and not self._mirrors else wanted.offset.y
            self._put(offset + room, room)
        targets = _places(self._going_on(state))
        moved = scroller.place - scroller.room - before
        animations = state.params.get("animations", ())
        if animations and not is_first and not self._is_reduced():
            self._animate(animations[0], targets, moved)
        elif self._cancel_animation is None or moved or targets != self._targets:
            # An animation goes on as long as it leads to the same end.
            self._stop_animation()
            self._draw(targets)
        if is_first and self._publishes:
            self._is_publishing = True
            if self._is_shared:
                self.report("layout", **self._content_sizes(), **scroller.surroundings())
            self.tell_layout()
        if moved and time.monotonic() - self._touched < TOUCHED:
            self.report("didScroll", reason="user", **self.view.scroll(CONTENT, y=scroller.place - scroller.room))
        scroller.shown(state)

    def _going_on(self, state: State) -> State:
        """A state, which the view has applied, as it goes on to where the content is by now: the daemon may be behind."""
        wanted = self.view.scroll_views.get(CONTENT)
        is_behind = self._client is not None and self._client.is_behind
        return (self._at(wanted.offset.y) if wanted is not None and is_behind else None) or state

    def _at(self, offset: float) -> Optional[State]:
        return self.view.at(offset, is_dragged=self.gestures.state != "moving")

    def _put(self, place: float, room: float) -> None:
        self._scroller.put(place, room, self.gestures.state in ("dragging", "decelerating"))
        self._sync_view()

    def _show_again(self) -> None:
        wanted = self.view.scroll_views.get(CONTENT)
        if wanted is not None and self.is_connected:
            self._put(wanted.offset.y + self._scroller.room, self._scroller.room)

    def _sync_view(self) -> None:
        """What the content's range leaves of a wanted place is where it is; a mirror keeps it wanted."""
        wanted = self.view.scroll_views.get(CONTENT)
        if wanted is not None and not self._mirrors:
            wanted.offset = wanted.offset._replace(y=self._scroller.place - self._scroller.room)

    def _rested(self) -> None:
        """No gesture of the toolkit counts by itself any more."""
        self._put(self._scroller.place, self._scroller.room)

    def _draw(self, places: Dict[str, Place], late: float = 0) -> None:
        self.places = places
        self._scroller.draw({} if self.mode == "publisher" else places, late)

    def _animate(self, animation: Json, targets: Dict[str, Place], moved: float) -> None:
        """Draws from what is on the screen to the places; the content, which is at its own already, comes `moved` points later."""
        self._stop_animation()
        began, sources, self._targets = time.monotonic(), self.places, targets

        def step() -> None:
            elapsed = time.monotonic() - began
            share = progress(animation, elapsed)
            self._draw({name: sources.get(name, target).towards(target, share) for name, target in targets.items()}, moved * (1 - share))
            if elapsed >= animation["duration"] + animation.get("delay", 0):
                self._stop_animation()

        self._cancel_animation = self._scroller.each_frame(step)
        step()

    def _stop_animation(self) -> None:
        if self._cancel_animation is not None:
            self._cancel_animation()
            self._cancel_animation = None
            self._draw(self._targets)

    # The connection

    def _describe(self) -> Json:
        scroller = self._scroller
        drawers = [{"maximumHeight": one["height"], **one} for one in scroller.drawers()]
        content: Json = {
            **(ANY_SIZE if self._is_shared else self._content_sizes()), "contentInset": {"top": drawers[0]["height"] if drawers else 0}}
        if scroller.place > 0 and not self._is_shared:
            content["offset"] = {"y": scroller.place - scroller.room}
        more = dict(self._more)
        content.update(more.pop("scrollViews", {}).get(CONTENT, {}))
        environment = {**({} if self._is_shared else scroller.surroundings()), **more.pop("environment", {})}
        return {
            "drawers": drawers, "delegates": [{"behavior": self._behavior}], "environment": environment,
            "layoutDirection": "rightToLeft" if scroller.is_right_to_left() else "leftToRight",
            "lifetime": "daemon" if self._is_shared else "connection", **more, "scrollViews": {CONTENT: content}}

    def _content_sizes(self) -> Json:
        width, height, content = self._scroller.sizes()
        return {"viewport": {"width": width, "height": height}, "contentSize": {"width": width, "height": content}}

    def _is_reduced(self) -> bool:
        return bool(self._scroller.surroundings().get("reduceMotion"))

    def _connect(self) -> None:
        """Connects, opens, subscribes; tries again later if nobody listens, or if what is refused may be granted then."""
        self._cancel_retry = None
        try:
            self._client = Client(self._socket, name=f"headerd for {self._kind}", patience=PATIENCE)
            if self._publishes:
                self._sizes = {}
                self._client.open(self.header, **self._describe())
            more: Json = {"include": ["contentOffset"]} if self._mirrors else {"predict": True} if self.mode == "both" else {}
            if self.grid and not self._publishes:
                # Who scrolls the content draws the header against it, and knows its place exactly.
                more["grid"] = self.grid
            self._client.subscribe(self.header, mode="every", resume=False, **more)
        except (NoDaemon, ConnectionLost, TimeoutError):
            self._lost()
            return
        except DaemonError as error:
            # A header of this name that is described otherwise, above all: it is not drawn as if it were this one.
            self._is_refused = error.name in LASTING
            is_known, self._refusal = str(error) == self._refusal, str(error)
            self._lost()
            if not is_known:
                self._fail(error)
            return
        self.is_connected, self._refusal = True, ""
        self._unwatch = self._scroller.watch(self._client.fileno(), self._readable)
        self._scroller.changed()
        self._readable()

    def _readable(self) -> None:
        try:
            for message in self._client.dispatch() if self._client is not None else ():
                self._receive(message)
        except ConnectionLost:
            self._lost()

    def _ask(self, method: str, **params: Any) -> Optional[Json]:
        """Sends a request; None without an answer."""
        try:
            return self._client.request(method, **params) if self._client is not None else None
        except (DaemonError, TimeoutError) as error:
            self._fail(error)
        except ConnectionLost:
            self._lost()
        finally:
            # Messages that came meanwhile.
            self._scroller.later(0, self._readable)
        return None

    def _lost(self) -> None:
        self._disconnect()
        self._epoch = None
        self.follow_alone()
        if self._cancel_retry is None and not self._is_ended and not self._is_refused:
            self._cancel_retry = self._scroller.later(RETRY, self._connect)

    def _disconnect(self) -> None:
        if self._unwatch is not None:
            self._unwatch()
            self._unwatch = None
        if self._client is not None:
            self._client.close()
            self._client = None
        self._is_publishing = False
        if self.is_connected:
            self.is_connected = False
            self._scroller.changed()

    def _fail(self, error: Exception) -> None:
        # A behavior that cannot be brought to a place moves for no focus.
        if isinstance(error, DaemonError) and error.name == "unsupported":
            return
        _log.warning("%s: %s", self.header, error)
        self._scroller.failed(str(error))


class Gestures:
    """What a person does to something that scrolls, as the events that UIKit has for it.

    A toolkit says that something scrolled and not always why, so what came before tells: a finger, a wheel, keys, or none of them.

        idle ──scroll while fingers are down──▶ dragging ──fingers up──▶ decelerating ──rest──▶ idle
         ├──scroll after a wheel──▶ wheeling ──rest──▶ idle
         ╰──scroll by anything else──▶ moving ──rest──▶ idle

    `report(event, **fields)` gets each event but didScroll, which is whoever's who calls `scrolled`; `rested()` is called at each end.
    """

    # Seconds without a scroll after which one is over; after a wheel's turn or a key in which a scroll is its own; over which velocity is
    # measured; and the points a millisecond from which on content goes on by itself after the finger.
    REST, CAUSE, SPAN, FLING = 0.15, 0.2, 0.08, 0.1

    def __init__(
        self, report: Callable[..., None], rested: Callable[[], None], later: Callable[[float, Callable[[], None]], Cancel]
    ) -> None:
        self.state = "idle"
        self.fingers = False
        self.typed = self._wheeled = -math.inf
        self._report, self._at_rest, self._later = report, rested, later
        self._places: List[Tuple[float, float]] = []
        self._cancel: Optional[Cancel] = None

    def touch(self) -> None:
        """Fingers come down: they stop what was going on by itself."""
        self.fingers = True
        self._end()

    def lift(self, bounces: bool = False) -> None:
        """The last finger goes. `bounces`: the content goes back to its edge by itself, however slow the finger was."""
        self.fingers = False
        if self.state != "dragging":
            return
        velocity = self._velocity()
        will_decelerate = bounces or abs(velocity) >= self.FLING
        self._end_drag(velocity, will_decelerate)
        self.state = "idle"
        if will_decelerate:
            self._report("willBeginDecelerating")
            self.state = "decelerating"
            self._await_rest()
        else:
            self._at_rest()

    def wheel(self) -> None:
        self._wheeled = time.monotonic()

    def key(self) -> None:
        self.typed = time.monotonic()

    def scrolled(self, place: float) -> str:
        """The content has moved, not by the header. Returns the reason."""
        now = time.monotonic()
        self._places = [one for one in self._places if one[0] > now - self.SPAN] + [(now, place)]
        is_hand = self.fingers or now - self._wheeled < self.CAUSE
        if is_hand and self.state in ("moving", "decelerating"):
            # A hand ends what was going on by itself.
            self._report("didEndScrollingAnimation" if self.state == "moving" else "didEndDecelerating")
            self.state = "idle"
        if self.state == "idle":
            self.state = "dragging" if self.fingers else "wheeling" if is_hand else "moving"
            if is_hand:
                self._report("willBeginDragging")
        if not self.fingers:
            self._await_rest()
        return "user" if self.state != "moving" else "keyboard" if now - self.typed < self.CAUSE else "program"

    def close(self) -> None:
        if self._cancel is not None:
            self._cancel()
        self._cancel = None

    def _await_rest(self) -> None:
        self.close()
        self._cancel = self._later(self.REST, self._rest)

    def _rest(self) -> None:
        self._cancel = None
        self._end()

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
            self._at_rest()

    def _end_drag(self, velocity: float, will_decelerate: bool) -> None:
        self._report("willEndDragging", velocity={"x": 0, "y": velocity})
        self._report("didEndDragging", willDecelerate=will_decelerate)

    def _velocity(self) -> float:
        """Points a millisecond."""
        now = time.monotonic()
        places = [one for one in self._places if one[0] > now - self.SPAN]
        if len(places) < 2 or places[-1][0] <= places[0][0]:
            return 0
        return (places[-1][1] - places[0][1]) / (places[-1][0] - places[0][0]) / 1000


# Announced animations: from what is on the screen to the state.

_CURVES = {"linear": (0, 0, 1, 1), "easeIn": (0.42, 0, 1, 1), "easeOut": (0, 0, 0.58, 1), "easeInOut": (0.42, 0, 0.58, 1)}


def progress(animation: Mapping[str, Any], seconds: float) -> float:
    """How far an animation is, 0 to 1 and beyond where a spring is, so many seconds after its state came."""
    elapsed = seconds - animation.get("delay", 0)
    if elapsed >= animation["duration"]:
        return 1
    if elapsed <= 0:
        return 0
    if animation["curve"] == "spring":
        return _spring(animation, elapsed)
    x1, y1, x2, y2 = _CURVES[animation["curve"]]
    share, low, high = elapsed / animation["duration"], 0.0, 1.0
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (middle, high) if _cubic(x1, x2, middle) < share else (low, middle)
    return _cubic(y1, y2, low)


def _cubic(first: float, second: float, t: float) -> float:
    return 3 * (1 - t) * (1 - t) * t * first + 3 * (1 - t) * t * t * second + t * t * t


def _spring(animation: Mapping[str, Any], elapsed: float) -> float:
    mass, stiffness = animation.get("mass", 1), animation.get("stiffness", 100)
    damping, velocity = animation.get("damping", 10), animation.get("initialVelocity", 0)
    frequency = math.sqrt(stiffness / mass)
    ratio = damping / (2 * math.sqrt(stiffness * mass))
    decay = math.exp(-ratio * frequency * elapsed)
    if ratio < 1:
        damped = frequency * math.sqrt(1 - ratio * ratio)
        return float(1 - decay * (math.cos(damped * elapsed) + (ratio * frequency - velocity) / damped * math.sin(damped * elapsed)))
    return float(1 - decay * (1 + (frequency - velocity) * elapsed))


def whole(points: float) -> int:
    """Whole pixels, halves always the same way, so that what touches goes on touching."""
    return math.floor(points + 0.5)
