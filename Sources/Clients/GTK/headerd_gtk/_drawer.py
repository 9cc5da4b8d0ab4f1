# SPDX-License-Identifier: MIT
"""A drawer: a widget of the app's, as high as the header says."""
from __future__ import annotations

from typing import Any, Dict

from gi.repository import Gtk


class DrawerBin(Gtk.Widget):
    """Shows its child from the top, and cuts off what its height has no room for."""

    __gtype_name__ = "HeaderdDrawer"

    def __init__(self, child: Gtk.Widget, elements: Dict[str, Gtk.Widget], description: Dict[str, Any]) -> None:
        super().__init__(overflow=Gtk.Overflow.HIDDEN)
        self.child = child
        self.elements = elements
        self.description = description
        child.set_parent(self)

    def natural_height(self, width: int) -> int:
        return int(self.child.measure(Gtk.Orientation.VERTICAL, width)[1])

    def do_get_request_mode(self) -> Gtk.SizeRequestMode:
        return Gtk.SizeRequestMode.HEIGHT_FOR_WIDTH

    def do_measure(self, orientation: Gtk.Orientation, for_size: int) -> tuple[int, int, int, int]:
        minimum, natural, _, _ = self.child.measure(orientation, for_size)
        return (0 if orientation == Gtk.Orientation.VERTICAL else minimum), natural, -1, -1

    def do_size_allocate(self, width: int, height: int, baseline: int) -> None:
        minimum = self.child.measure(Gtk.Orientation.VERTICAL, width)[0]
        self.child.allocate(width, max(height, minimum), -1, None)

    def do_dispose(self) -> None:
        if self.child is not None:
            self.child.unparent()
            self.child = None
        Gtk.Widget.do_dispose(self)
