# SPDX-License-Identifier: MIT
"""What the daemon sends, with the defaults of headerd-states(7) filled in. Points are lengths, times are seconds."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Literal, Mapping, NamedTuple, Optional, Tuple, Union

Json = Dict[str, Any]


class Point(NamedTuple):
    x: float = 0
    y: float = 0


class Rect(NamedTuple):
    x: float
    y: float
    width: float
    height: float


class Insets(NamedTuple):
    top: float = 0
    left: float = 0
    bottom: float = 0
    right: float = 0


class HeaderdError(Exception):
    """Any error of this package."""


class NoDaemon(HeaderdError):
    """Nobody listens at `path`, or the user may not connect."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"no daemon at {path}: {reason}")
        self.path = path


class ConnectionLost(HeaderdError):
    """The connection has ended; `resume` makes a new one. `reason` is the daemon's: `draining`, `overflow`, or None."""

    def __init__(self, reason: Optional[str] = None) -> None:
        super().__init__(f"the connection to the daemon has ended: {reason or 'no reason given'}")
        self.reason = reason


class DaemonError(HeaderdError):
    """An error of the daemon's: `name` and `code` are for programs, `message` for people, `data` has all facts."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        self.code: int = error.get("code", 0)
        self.message: str = error.get("message", "")
        self.data: Json = error.get("data") or {}
        self.name: str = self.data.get("name", "")
        self.field: Optional[str] = self.data.get("field")
        self.hint: Optional[str] = self.data.get("hint")
        super().__init__(f"{self.message} ({self.hint})" if self.hint else self.message)


class UnknownFieldWarning(UserWarning):
    """The daemon ignored a field that it does not know: a misspelling, or a field of a later version."""

    def __init__(self, method: str, warning: Mapping[str, Any]) -> None:
        self.field: str = warning.get("field", "")
        self.hint: Optional[str] = warning.get("hint")
        super().__init__(f"{method}: the daemon does not know {self.field}" + (f"; {self.hint}" if self.hint else ""))


@dataclass(frozen=True)
class Answer:
    """A result, and the fields of the request that the daemon did not know (`field`, `hint`)."""

    result: Json
    warnings: List[Json]


@dataclass(frozen=True)
class Opened:
    """An open header. `created` is false if it was open before; `digest` is its description's, as in `header.get`."""

    header: str
    handle: int
    epoch: int
    seq: int
    created: bool
    digest: int = 0


@dataclass(frozen=True)
class Subscribed:
    subscription: int
    matched: int


@dataclass(frozen=True)
class Drawer:
    """A piece of the header; `frame` is where to draw it, `translation` included."""

    name: str
    frame: Rect
    alpha: float = 1
    hidden: bool = False
    translation: Point = Point()
    z_index: int = 0


@dataclass(frozen=True)
class ScrollView:
    """What the header wants of a scroll view. `correction` is the total of the header's own moves of the offset."""

    content_offset: Point
    content_inset: Insets
    correction: Point = Point()


@dataclass(frozen=True)
class State:
    """A header's complete state. `params` has it as sent: elements, wants, notices, commands, animations too.

    `explanation` says why the state is there, of a subscription with `explain=True`: its `story` in plain words.
    """

    header: str
    epoch: int
    seq: int
    time: float
    snapshot: bool
    drawers: Tuple[Drawer, ...]
    scroll_views: Dict[str, ScrollView]
    values: Json
    params: Json = field(repr=False)

    @property
    def explanation(self) -> Optional[Json]:
        return self.params.get("explanation")

    @classmethod
    def of(cls, params: Json) -> State:
        drawers = tuple(
            Drawer(
                drawer["name"], Rect(**drawer["frame"]), drawer.get("alpha", 1), drawer.get("hidden", False),
                Point(**drawer.get("translation", {})), drawer.get("zIndex", 0))
            for drawer in params.get("drawers", ()))
        views = {
            name: ScrollView(
                Point(**view["contentOffset"]), Insets(**view["contentInset"]), Point(**view.get("correction", {})))
            for name, view in params.get("scrollViews", {}).items()}
        return cls(
            params["header"], params["epoch"], params["seq"], params["time"], params.get("snapshot", False), drawers,
            views, params.get("values", {}), params)


@dataclass(frozen=True)
class Gap:
    """States are missing; a snapshot follows. `first` and `last` are None with the reason `newEpoch`."""

    header: str
    epoch: int
    reason: Literal["overflow", "tooOld", "newEpoch"]
    first: Optional[int] = None
    last: Optional[int] = None


@dataclass(frozen=True)
class Closed:
    """The header is gone."""

    header: str
    epoch: int
    seq: int
    reason: Literal["closed", "replaced", "connection", "failed"]


@dataclass(frozen=True)
class Failure:
    """A notification of this client's that the daemon refused."""

    error: DaemonError


@dataclass(frozen=True)
class Notification:
    """Anything else that the daemon sends by itself, such as `trace`."""

    method: str
    params: Json


Message = Union[State, Gap, Closed, Failure, Notification]
