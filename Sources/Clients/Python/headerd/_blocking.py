# SPDX-License-Identifier: MIT
"""A client that blocks; one thread uses it."""
from __future__ import annotations

import select
import socket
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Deque, Iterator, List, Optional, Union

from ._protocol import UNSENT_BYTES, Conversation, Reply, default_socket, subscription_params, warn
from ._types import (
    Answer,
    ConnectionLost,
    DaemonError,
    Failure,
    Json,
    Message,
    NoDaemon,
    Opened,
    State,
    Subscribed,
    UnknownFieldWarning,
)
from ._view import HeaderView

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .messages import HeaderOpenOptions


class Client:
    """A connection to the daemon.

    path: the socket; `default_socket()` if None. name: a text for the daemon's log.
    patience: seconds that a request waits for its answer; then it raises TimeoutError.
    Raises NoDaemon, or DaemonError where the daemon has no room. Later, any method raises ConnectionLost when the connection has ended.
    """

    def __init__(self, path: Optional[str] = None, *, name: str = "headerd for Python", patience: float = 10) -> None:
        self.path = default_socket() if path is None else path
        self.patience = patience
        self.hello: Json = {}
        self._name = name
        self._conversation = Conversation()
        self._messages: Deque[Message] = deque()
        self._unsent = bytearray()
        # The last request, until its answer comes, and the one that is waited for.
        self._asked = self._awaited = 0
        self._reply: Optional[Reply] = None
        self._socket: Optional[socket.socket] = None
        self._connect()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Requests

    def open(self, header: str, **description: Unpack[HeaderOpenOptions]) -> Opened:
        """Opens a header (`header.open`), or attaches to the open one with the same description."""
        result = self.request("header.open", header=header, **description)
        return Opened(result["header"], result["handle"], result["epoch"], result["seq"], result["created"], result.get("digest", 0))

    def subscribe(
        self, headers: Union[str, List[str]], mode: str = "latest", *, resume: bool = True, **options: Any
    ) -> Subscribed:
        """Subscribes to headers, names or globs. With `resume` the daemon keeps states for `resume()`.

        Options are those of `subscribe` in headerd-states(7): `include`, `explain`, `predict`, `maxRate`, `fields`, `grid`, `onOverflow`.
        """
        params = subscription_params(headers, mode, resume, options)
        result = self.request("subscribe", **params)
        self._conversation.subscribed(result["subscription"], params)
        return Subscribed(result["subscription"], result["matched"])

    def unsubscribe(self, subscription: int) -> None:
        """Ends a subscription."""
        self.request("unsubscribe", subscription=subscription)
        self._conversation.unsubscribed(subscription)

    def event(self, header: str, event: str, **fields: Any) -> None:
        """Streams an event; there is no answer, errors come back as `Failure` messages."""
        self.notify("event", header=header, event=event, **fields)

    def decide(self, header: str, event: str, **fields: Any) -> Json:
        """Sends an event and waits for what was decided about it."""
        return self.request("event", header=header, event=event, **fields)

    def request(self, method: str, **params: Any) -> Json:
        """Sends any request of the protocol and returns its result. Raises DaemonError; warns with UnknownFieldWarning."""
        answer = self.answer(method, params)
        for warning in answer.warnings:
            warn(UnknownFieldWarning(method, warning))
        return answer.result

    def answer(self, method: str, params: Json) -> Answer:
        """The same, with the warnings of the answer in place of Python's."""
        reply = self._ask(method, params, self.patience, None)
        if reply is None:
            raise TimeoutError(f"no answer to {method} within {self.patience} s")
        if isinstance(reply, DaemonError):
            raise reply
        return reply

    def notify(self, method: str, **params: Any) -> None:
        """Sends any notification."""
        self._write(self._conversation.notification(method, params))

    # Main loops

    def fileno(self) -> int:
        """The file descriptor, for a main loop: when it is readable, call `dispatch`. Raises ConnectionLost.

        It stays open until a method has raised ConnectionLost with no message left.
        """
        return self._connected().fileno()

    def pending(self) -> int:
        """How many messages wait for `next` or `dispatch`. The descriptor does not tell of those that came during a request."""
        return len(self._messages)

    def dispatch(self) -> List[Message]:
        """Reads once, without waiting, and returns all messages that wait. Raises ConnectionLost when there is none left."""
        try:
            self._write(b"", 0)
            self._read(0)
        except ConnectionLost:
            if not self._messages:
                raise
        return self._take_messages()

    def scroll(
        self, view: HeaderView, scroll_view: str, x: Optional[float] = None, y: Optional[float] = None, *,
        within: float = 0.004, **fields: Any
    ) -> List[Message]:
        """Moves the content of `view`, reports it by didScroll, and waits until what that does is known, at most `within` seconds.

        Applies the states that came to `view` and returns all messages that wait, as `dispatch` does. What comes later comes as
        messages; a refusal is a `Failure`.
        """
        params = {"header": view.header, "event": "didScroll", **view.scroll(scroll_view, x, y), **fields}
        reply = self._ask("event", params, within, within)
        if isinstance(reply, DaemonError):
            self._messages.append(Failure(reply))
        for message in self._messages:
            if isinstance(message, State) and message.header == view.header:
                view.apply(message)
        return self._take_messages()

    @property
    def is_behind(self) -> bool:
        """The last request has no answer yet: a `scroll` that came back without what it does."""
        return self._asked != 0

    # Messages

    def next(self, timeout: Optional[float] = None) -> Message:
        """The next message, in the order sent. Raises TimeoutError after `timeout` seconds; 0 only looks."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._messages:
            if not self._read(None if deadline is None else max(0, deadline - time.monotonic())):
                raise TimeoutError(f"no message within {timeout} s")
        return self._messages.popleft()

    def __iter__(self) -> Iterator[Message]:
        """All messages until the connection ends, by ConnectionLost."""
        while True:
            yield self.next()

    # The connection

    def resume(self) -> None:
        """Connects anew and subscribes again from the last states seen; what was missed comes as messages.

        A gap is reported where the daemon no longer has the states. Headers are not opened again. Raises NoDaemon: try
        again later.
        """
        self._connect()
        for one in self._conversation.subscriptions:
            one.number = self.request("subscribe", **self._conversation.resumed(one.params))["subscription"]

    def close(self) -> None:
        """Ends the connection."""
        if self._socket is not None:
            self._socket.close()
        self._socket = None

    def _connect(self) -> None:
        self.close()
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(self.path)
        except OSError as error:
            connection.close()
            raise NoDaemon(self.path, error.strerror or str(error)) from error
        connection.setblocking(False)
        self._socket = connection
        self._unsent.clear()
        self._conversation.begin()
        known = len(self._messages)
        try:
            self.hello = self.request("hello", protocol=1, client=self._name)
        except ConnectionLost:
            # A daemon that has no room for one more says so before it ends the connection.
            last = self._messages.pop() if len(self._messages) > known else None
            self.close()
            if isinstance(last, Failure):
                raise last.error from None
            raise

    def _ask(self, method: str, params: Json, patience: float, writing: Optional[float]) -> Optional[Reply]:
        """Sends a request, for at most `writing` seconds, and waits for its reply; None when it did not come within `patience`."""
        number, data = self._conversation.request(method, params)
        self._asked, self._awaited, self._reply = number, number, None
        deadline = time.monotonic() + patience
        left = patience
        try:
            self._write(data, writing)
            while self._reply is None and self._read(left):
                left = deadline - time.monotonic()
                if left <= 0:
                    break
            return self._reply
        finally:
            self._awaited = 0

    def _take_messages(self) -> List[Message]:
        messages = list(self._messages)
        self._messages.clear()
        return messages

    def _write(self, data: bytes, timeout: Optional[float] = None) -> None:
        """Writes everything, or what can be written in time: what is left goes first next time.

        While the daemon does not read, we read: it may wait for that.
        """
        self._unsent += data
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._unsent:
            connection = self._connected()
            try:
                del self._unsent[:connection.send(self._unsent)]
            except BlockingIOError:
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    break
                readable, _, _ = select.select([connection], [connection], [], left)
                if readable:
                    self._read(0)
            except OSError:
                # What it sent before it went, its reason above all, is still there.
                while self._read(0):
                    pass
                raise ConnectionLost(self._conversation.reason) from None
        if len(self._unsent) > UNSENT_BYTES:
            self.close()
            raise ConnectionLost("the daemon does not read")

    def _read(self, timeout: Optional[float]) -> bool:
        """Reads once; false when nothing came in time."""
        connection = self._connected()
        if not select.select([connection], [], [], None if timeout is None else max(0, timeout))[0]:
            return False
        try:
            data = connection.recv(65536)
        except OSError:
            data = b""
        if not data:
            # A main loop still looks at the descriptor as long as there are messages.
            if not self._messages:
                self.close()
            raise ConnectionLost(self._conversation.reason)
        found: List[UnknownFieldWarning] = []
        try:
            for item in self._conversation.receive(data):
                if isinstance(item, UnknownFieldWarning):
                    found.append(item)
                elif not isinstance(item, tuple):
                    self._messages.append(item)
                else:
                    self._take_reply(*item)
        except ConnectionLost:
            self.close()
            raise
        for warning in found:
            warn(warning)
        return True

    def _take_reply(self, number: int, reply: Reply) -> None:
        if number == self._asked:
            self._asked = 0
        if number == self._awaited:
            self._reply = reply
        elif isinstance(reply, DaemonError):
            self._messages.append(Failure(reply))

    def _connected(self) -> socket.socket:
        if self._socket is None:
            raise ConnectionLost(self._conversation.reason)
        return self._socket
