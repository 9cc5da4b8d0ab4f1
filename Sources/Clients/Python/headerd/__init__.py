# SPDX-License-Identifier: MIT
"""Client of headerd: stream scroll events of a header, draw the states that come back.

    import headerd

    with headerd.Client() as client:
        client.subscribe("main", mode="every")
        for message in client:
            if isinstance(message, headerd.State):
                print(message.drawers[0].frame)

`Client` blocks or fits a main loop, and is used by one thread; `AsyncClient` has the same methods for asyncio. headerd-protocol(7) tells what
each request and field means.
"""
from ._aio import AsyncClient
from ._blocking import Client
from ._protocol import default_socket
from ._types import (
    Answer,
    Closed,
    ConnectionLost,
    DaemonError,
    Drawer,
    Failure,
    Gap,
    HeaderdError,
    Insets,
    Message,
    NoDaemon,
    Notification,
    Opened,
    Point,
    Rect,
    ScrollView,
    State,
    Subscribed,
    UnknownFieldWarning,
)
from ._view import AppliedScrollView, HeaderView

__all__ = [
    "Answer", "AppliedScrollView", "AsyncClient", "Client", "Closed", "ConnectionLost", "DaemonError", "Drawer", "Failure",
    "Gap", "HeaderView", "HeaderdError", "Insets", "Message", "NoDaemon", "Notification", "Opened", "Point", "Rect",
    "ScrollView", "State", "Subscribed", "UnknownFieldWarning", "default_socket",
]
