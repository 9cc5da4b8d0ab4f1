# SPDX-License-Identifier: MIT
"""Headers in Qt Quick that headerd moves: an item with a Flickable, and drawers that the app gives it."""
from ._item import HeaderedFlickable
from ._qt import qmlRegisterType

__all__ = ["HeaderedFlickable", "register"]


def register() -> None:
    """Makes HeaderedFlickable known to QML: `import Headerd`."""
    qmlRegisterType(HeaderedFlickable, "Headerd", 1, 0, "HeaderedFlickable")
