# SPDX-License-Identifier: MIT
"""The protocol without a socket: requests become bytes, bytes become answers and messages. Both clients use it."""
from __future__ import annotations

import json
import os
import sys
import warnings
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

from ._types import (
    Answer,
    Closed,
    ConnectionLost,
    DaemonError,
    Failure,
    Gap,
    Json,
    Message,
    Notification,
    State,
    UnknownFieldWarning,
)

Reply = Union[Answer, DaemonError]
Received = Union[Tuple[int, Reply], Message, UnknownFieldWarning]
# What `scroll` keeps for a daemon that does not read, before the connection counts as lost: minutes of scrolling.
UNSENT_BYTES = 1 << 20


def warn(warning: UnknownFieldWarning) -> None:
    """Warns at the line that called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == os.path.dirname(__file__):
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)


def default_socket(environment: Optional[Mapping[str, str]] = None) -> str:
    """Where the daemon of this user listens: HEADERD_SOCKET, else the user's run-time folder."""
    environment = os.environ if environment is None else environment
    given = environment.get("HEADERD_SOCKET")
    if given:
        return given
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    if runtime.startswith("/"):
        separator = "" if runtime.endswith("/") else "/"
        return f"{runtime}{separator}headerd/headerd.sock"
    user = os.geteuid()
    return "/run/headerd/headerd.sock" if user == 0 else f"/tmp/headerd-{user}/headerd.sock"


def subscription_params(headers: Union[str, List[str]], mode: str, resume: bool, options: Json) -> Json:
    params: Json = {"headers": headers, "mode": mode, **options}
    if resume:
        params.setdefault("resumeFrom", {})
    return params


@dataclass
class Subscription:
    """A subscription to make again after a lost connection."""

    number: int
    params: Json


class Conversation:
    """Numbers requests, tells answers from messages, and remembers where to resume."""

    def __init__(self) -> None:
        self.reason: Optional[str] = None
        self.subscriptions: List[Subscription] = []
        self._last = 0
        self._bytes = bytearray()
        self._positions: Dict[str, Json] = {}

    def begin(self) -> None:
        """Begins a connection: half a line of the one before is forgotten."""
        self.reason = None
        self._bytes.clear()

    def request(self, method: str, params: Json) -> Tuple[int, bytes]:
        self._last += 1
        return self._last, _line({"id": self._last, "method": method, "params": params})

    def notification(self, method: str, params: Json) -> bytes:
        return _line({"method": method, "params": params})

    def receive(self, data: bytes) -> Iterator[Received]:
        """Takes bytes as they come and yields what they complete: (id, reply), a message, or a warning about a notification.

        Raises ConnectionLost when it is no headerd that answers.
        """
        self._bytes += data
        if b"\n" not in data:
            return  # Long lines come in many pieces: they are not looked through at each.
        *lines, rest = self._bytes.split(b"\n")
        self._bytes = rest
        for line in filter(bytearray.strip, lines):
            try:
                item = self._understand(json.loads(line))
            except (ValueError, LookupError, TypeError, AttributeError):
                self.reason = f"no headerd answers there, but {bytes(line[:80])!r}"
                raise ConnectionLost(self.reason) from None
            if item is not None:
                yield item

    def subscribed(self, number: int, params: Json) -> None:
        self.subscriptions.append(Subscription(number, params))

    def unsubscribed(self, number: int) -> None:
        self.subscriptions = [one for one in self.subscriptions if one.number != number]

    def resumed(self, params: Json) -> Json:
        """The parameters of a subscription with the last state seen of each header, if it asked to have states kept."""
        return {**params, "resumeFrom": dict(self._positions)} if "resumeFrom" in params else params

    def _understand(self, line: Json) -> Optional[Received]:
        method, number = line.get("method"), line.get("id")
        if method is None:
            if "error" not in line:
                return (number, Answer(line["result"], line.get("warnings", []))) if number is not None else None
            error = DaemonError(line["error"])
            return Failure(error) if number is None else (number, error)
        if number is not None:
            return None  # A request of the daemon's: only those who joined a header's chain get any.
        return self._notified(method, line.get("params", {}))

    def _notified(self, method: str, params: Json) -> Optional[Union[Message, UnknownFieldWarning]]:
        if method == "state":
            self._positions[params["header"]] = {"epoch": params["epoch"], "seq": params["seq"]}
            return State.of(params)
        if method == "gap":
            return Gap(params["header"], params["epoch"], params["reason"], params.get("from"), params.get("to"))
        if method == "closed":
            self._positions.pop(params["header"], None)
            return Closed(params["header"], params["epoch"], params["seq"], params["reason"])
        if method == "error":
            error = DaemonError(params)
            return UnknownFieldWarning("a notification", error.data) if error.name == "unknownField" else Failure(error)
        if method == "bye":
            self.reason = params.get("reason")
            return None
        return None if method == "ping" else Notification(method, params)


def _line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"
