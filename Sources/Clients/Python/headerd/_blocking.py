# SPDX-License-Identifier: MIT
"""A client that blocks; one thread uses it."""
from __future__ import annotations

import select
import socket
import time
from collections import deque
from typing import Any, Deque, Iterator, List, Optional, Union

from ._protocol import Conversation, Reply, default_socket, subscription_params
from ._types import Answer, ConnectionLost, DaemonError, Failure, Json, Message, NoDaemon, Opened, Subscribed


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
        self._awaited = 0
        self._reply: Optional[Reply] = None
        self._socket: Optional[socket.socket] = None
        self._connect()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Requests

    def open(self, header: str, **description: Any) -> Opened:
        """Opens a header (`header.open`), or attaches to the open one with the same description."""
        result = self.request("header.open", header=header, **description)
        return Opened(result["header"], result["handle"], result["epoch"], result["seq"], result["created"])

    def subscribe(
        self, headers: Union[str, List[str]], mode: str = "latest", *, resume: bool = True, **options: Any
    ) -> Subscribed:
        """Subscribes to headers, names or globs. With `resume` the daemon keeps states for `resume()`.

        Options are those of `subscribe` in headerd-states(7): `include`, `explain`, `maxRate`, `fields`, `onOverflow`.
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
        """Sends any request of the protocol and returns its result. Raises DaemonError."""
        return self.answer(method, params).result

    def answer(self, method: str, params: Json) -> Answer:
        """The same, with the warnings of the answer."""
        number, data = self._conversation.request(method, params)
        self._awaited, self._reply = number, None
        self._write(data)
        deadline = time.monotonic() + self.patience
        while self._reply is None:
            if not self._read(deadline - time.monotonic()):
                raise TimeoutError(f"no answer to {method} within {self.patience} s")
        if isinstance(self._reply, DaemonError):
            raise self._reply
        return self._reply

    def notify(self, method: str, **params: Any) -> None:
        """Sends any notification."""
        self._write(self._conversation.notification(method, params))

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
        self._conversation.begin()
        known = len(self._messages)
        try:
            self.hello = self.request("hello", protocol=1, client=self._name)
        except ConnectionLost:
            # A daemon that has no room for one more says so before it ends the connection.
            last = self._messages.pop() if len(self._messages) > known else None
            if isinstance(last, Failure):
                raise last.error from None
            raise

    def _write(self, data: bytes) -> None:
        """Writes everything. While the daemon does not read, we read: it may wait for that."""
        while data:
            connection = self._connected()
            try:
                data = data[connection.send(data):]
            except BlockingIOError:
                readable, _, _ = select.select([connection], [connection], [])
                if readable:
                    self._read(0)
            except OSError:
                # What it sent before it went, its reason above all, is still there.
                while self._read(0):
                    pass
                raise ConnectionLost(self._conversation.reason) from None

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
            self.close()
            raise ConnectionLost(self._conversation.reason)
        try:
            for item in self._conversation.receive(data):
                if not isinstance(item, tuple):
                    self._messages.append(item)
                elif item[0] == self._awaited:
                    self._reply = item[1]
        except ConnectionLost:
            self.close()
            raise
        return True

    def _connected(self) -> socket.socket:
        if self._socket is None:
            raise ConnectionLost(self._conversation.reason)
        return self._socket
