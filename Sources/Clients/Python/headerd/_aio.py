# SPDX-License-Identifier: MIT
"""The client for asyncio. One task reads; requests may be made by any number of tasks of the loop."""
from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Any, AsyncIterator, Deque, Dict, List, Optional, Union

from ._protocol import UNSENT_BYTES, Conversation, Received, Reply, default_socket, subscription_params, warn
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


class AsyncClient:
    """A connection to the daemon; `Client` with `await`. Use `async with`, or `await connect()` and `await close()`."""

    def __init__(self, path: Optional[str] = None, *, name: str = "headerd for Python", patience: float = 10) -> None:
        self.path = default_socket() if path is None else path
        self.patience = patience
        self.hello: Json = {}
        self._name = name
        self._conversation = Conversation()
        self._messages: Deque[Message] = deque()
        # Set when there is something for `next`: a message, or the end.
        self._arrived = asyncio.Event()
        self._waiting: Dict[int, asyncio.Future[Reply]] = {}
        self._writer: Optional[asyncio.StreamWriter] = None
        self._reader: Optional[asyncio.Task[None]] = None

    async def __aenter__(self) -> AsyncClient:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # Requests

    async def open(self, header: str, **description: Unpack[HeaderOpenOptions]) -> Opened:
        """Opens a header (`header.open`), or attaches to the open one with the same description."""
        result = await self.request("header.open", header=header, **description)
        return Opened(result["header"], result["handle"], result["epoch"], result["seq"], result["created"], result.get("digest", 0))

    async def subscribe(
        self, headers: Union[str, List[str]], mode: str = "latest", *, resume: bool = True, **options: Any
    ) -> Subscribed:
        """Subscribes to headers, names or globs. With `resume` the daemon keeps states for `resume()`.

        Options are those of `subscribe` in headerd-states(7): `include`, `explain`, `predict`, `maxRate`, `fields`, `grid`, `onOverflow`.
        """
        params = subscription_params(headers, mode, resume, options)
        result = await self.request("subscribe", **params)
        self._conversation.subscribed(result["subscription"], params)
        return Subscribed(result["subscription"], result["matched"])

    async def unsubscribe(self, subscription: int) -> None:
        """Ends a subscription."""
        await self.request("unsubscribe", subscription=subscription)
        self._conversation.unsubscribed(subscription)

    async def event(self, header: str, event: str, **fields: Any) -> None:
        """Streams an event; there is no answer, errors come back as `Failure` messages."""
        await self.notify("event", header=header, event=event, **fields)

    async def decide(self, header: str, event: str, **fields: Any) -> Json:
        """Sends an event and waits for what was decided about it."""
        return await self.request("event", header=header, event=event, **fields)

    async def request(self, method: str, **params: Any) -> Json:
        """Sends any request of the protocol and returns its result. Raises DaemonError; warns with UnknownFieldWarning."""
        answer = await self.answer(method, params)
        for warning in answer.warnings:
            warn(UnknownFieldWarning(method, warning))
        return answer.result

    async def answer(self, method: str, params: Json) -> Answer:
        """The same, with the warnings of the answer in place of Python's."""
        number, data = self._conversation.request(method, params)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            await self._write(data)
            reply = await asyncio.wait_for(future, self.patience)
        except asyncio.TimeoutError:
            raise TimeoutError(f"no answer to {method} within {self.patience} s") from None
        finally:
            self._waiting.pop(number, None)
        if isinstance(reply, DaemonError):
            raise reply
        return reply

    async def notify(self, method: str, **params: Any) -> None:
        """Sends any notification."""
        await self._write(self._conversation.notification(method, params))

    async def scroll(
        self, view: HeaderView, scroll_view: str, x: Optional[float] = None, y: Optional[float] = None, *,
        within: float = 0.004, **fields: Any
    ) -> List[Message]:
        """Moves the content of `view`, reports it by didScroll, and waits until what that does is known, at most `within` seconds.

        Applies the states that came to `view` and returns all messages that wait. What comes later comes as messages; a
        refusal is a `Failure`.
        """
        params = {"header": view.header, "event": "didScroll", **view.scroll(scroll_view, x, y), **fields}
        number, data = self._conversation.request("event", params)
        writer = self._connected()
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            writer.write(data)
            if writer.transport.get_write_buffer_size() > UNSENT_BYTES:
                writer.transport.abort()
            await asyncio.wait({future}, timeout=within)
        finally:
            del self._waiting[number]
        reply = future.result() if future.done() else None
        if isinstance(reply, DaemonError):
            self._messages.append(Failure(reply))
        messages = list(self._messages)
        self._messages.clear()
        for message in messages:
            if isinstance(message, State) and message.header == view.header:
                view.apply(message)
        return messages

    # Messages

    async def next(self, timeout: Optional[float] = None) -> Message:
        """The next message, in the order sent. Raises TimeoutError after `timeout` seconds; 0 only looks."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._messages:
            if self._writer is None or self._writer.is_closing():
                raise ConnectionLost(self._conversation.reason)
            self._arrived.clear()
            left = None if deadline is None else max(0, deadline - time.monotonic())
            try:
                await asyncio.wait_for(self._arrived.wait(), left)
            except asyncio.TimeoutError:
                raise TimeoutError(f"no message within {timeout} s") from None
        return self._messages.popleft()

    async def __aiter__(self) -> AsyncIterator[Message]:
        """All messages until the connection ends, by ConnectionLost."""
        while True:
            yield await self.next()

    # The connection

    async def connect(self) -> None:
        """Connects. Raises NoDaemon, or DaemonError where the daemon has no room."""
        await self.close()
        try:
            reader, self._writer = await asyncio.open_unix_connection(self.path)
        except OSError as error:
            raise NoDaemon(self.path, error.strerror or str(error)) from error
        self._conversation.begin()
        self._arrived = asyncio.Event()
        self._reader = asyncio.ensure_future(self._read(reader))
        known = len(self._messages)
        try:
            self.hello = await self.request("hello", protocol=1, client=self._name)
        except ConnectionLost:
            # A daemon that has no room for one more says so before it ends the connection.
            last = self._messages.pop() if len(self._messages) > known else None
            if isinstance(last, Failure):
                raise last.error from None
            raise

    async def resume(self) -> None:
        """Connects anew and subscribes again from the last states seen; what was missed comes as messages.

        A gap is reported where the daemon no longer has the states. Headers are not opened again. Raises NoDaemon: try
        again later.
        """
        await self.connect()
        for one in self._conversation.subscriptions:
            result = await self.request("subscribe", **self._conversation.resumed(one.params))
            one.number = result["subscription"]

    async def close(self) -> None:
        """Ends the connection."""
        if self._writer is not None:
            self._writer.close()
        if self._reader is not None:
            await self._reader
        self._writer = self._reader = None

    def _connected(self) -> asyncio.StreamWriter:
        if self._writer is None or self._writer.is_closing():
            raise ConnectionLost(self._conversation.reason)
        return self._writer

    async def _write(self, data: bytes) -> None:
        writer = self._connected()
        writer.write(data)
        try:
            await writer.drain()
        except OSError:
            raise ConnectionLost(self._conversation.reason) from None

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while True:
                data = await reader.read(65536)
                if not data:
                    break
                for item in self._conversation.receive(data):
                    self._take(item)
        except (OSError, ConnectionLost):
            pass  # The end, as below.
        if self._writer is not None:
            self._writer.close()
        self._arrived.set()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ConnectionLost(self._conversation.reason))

    def _take(self, item: Received) -> None:
        if isinstance(item, UnknownFieldWarning):
            # Not here: where warnings are errors, that would end the reading.
            asyncio.get_running_loop().call_soon(warn, item)
            return
        if isinstance(item, tuple):
            future = self._waiting.get(item[0])
            if future is not None and not future.done():
                future.set_result(item[1])
            if future is not None or not isinstance(item[1], DaemonError):
                return
            item = Failure(item[1])
        self._messages.append(item)
        self._arrived.set()
