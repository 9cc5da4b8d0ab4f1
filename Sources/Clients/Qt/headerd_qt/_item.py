# SPDX-License-Identifier: MIT
"""A Flickable below drawers that headerd moves."""
from __future__ import annotations

import time
from typing import Any, Callable, Dict, List, Optional, Tuple

import headerd
from headerd.toolkit import TOUCHED, Cancel, HeaderLink, Place, stacked

from ._qt import (
    Property, QEvent, QGuiApplication, QJSValue, QObject, QQmlComponent, QQmlListReference, QQmlProperty, QQuickItem, QQuickWindow, QRectF,
    QSocketNotifier, Qt, QTimer, QUrl, Signal, Slot, qmlEngine, qWarning)


class HeaderedFlickable(QQuickItem):
    """Shows a Flickable below and behind its other children, the drawers, which are where the header's states say.

    Drawers come from the edge outward; objectName is a drawer's name, implicitHeight its height, and a property `drawer` has more of its
    description.
    """

    failed = Signal(str, arguments=["text"])
    stateShown = Signal("QVariant", arguments=["state"])
    connectedChanged = Signal()
    flickableChanged = Signal()

    def __init__(self, parent: Optional[QQuickItem] = None) -> None:
        super().__init__(parent)
        self.setClip(True)
        self.windowChanged.connect(self._window_changed)
        self.link: Optional[HeaderLink] = None
        self.drawer_items: Dict[str, QQuickItem] = {}
        self.is_placing = self._is_settling = False
        self.shift = 0.0
        self.late = 0.0
        self._flickable: Optional[QQuickItem] = None
        self._translate: Optional[QObject] = None
        self._options: Dict[str, Any] = {
            "header": "", "behavior": "ShyNavBar", "description": {}, "mode": "both", "within": 0.004, "grid": 1 / 16, "socket": "",
            "reducedMotion": False}

    def _option(name: str, kind: Any) -> Any:  # type: ignore[misc]
        def read(self: HeaderedFlickable) -> Any:
            return self._options[name]

        def write(self: HeaderedFlickable, value: Any) -> None:
            self._options[name] = value.toVariant() if isinstance(value, QJSValue) else value
            if name == "reducedMotion" and self.link is not None:
                self.link.report("layout", reduceMotion=value)

        return Property(kind, read, write)

    # The header's name; without one the item has a header of its own, which ends with it.
    header = _option("header", str)
    behavior = _option("behavior", str)
    # More of header.open, taken member by member.
    description = _option("description", "QVariant")
    # "both"; "publisher" reports and draws no drawer; "renderer" draws what others scroll, and reports nothing; "mirror" shows their content's
    # place, too.
    mode = _option("mode", str)
    # Seconds that a frame waits for the daemon.
    within = _option("within", float)
    # Points of which lengths are multiples in the modes "renderer" and "mirror"; 0: they are exact.
    grid = _option("grid", float)
    socket = _option("socket", str)
    reducedMotion = _option("reducedMotion", bool)
    del _option

    @Property(bool, notify=connectedChanged)
    def connected(self) -> bool:
        return self.link is not None and self.link.is_connected

    @Property(QQuickItem, notify=flickableChanged)
    def flickable(self) -> Optional[QQuickItem]:
        """A Flickable: a ListView, a GridView, or one of the app's."""
        return self._flickable

    @flickable.setter  # type: ignore[no-redef]
    def flickable(self, item: QQuickItem) -> None:
        self._flickable = item
        self.flickableChanged.emit()

    @Slot(QQuickItem)
    def reveal(self, item: QQuickItem) -> None:
        """An item of the content is to be seen: the header makes room, or the content scrolls."""
        if self.link is None:
            return
        rect = item.mapRectToItem(self, QRectF(0, 0, item.width(), item.height()))
        missing = self.link.missing(rect.y(), rect.height())
        if missing:
            self.write("contentY", self.read("contentY") + missing)

    # Of the Flickable, whose class Python does not know

    def read(self, name: str) -> Any:
        assert self._flickable is not None
        return self._flickable.property(name)

    def write(self, name: str, value: Any) -> None:
        assert self._flickable is not None
        self._flickable.setProperty(name, value)

    @property
    def place(self) -> float:
        return float(self.read("contentY") - self.read("originY") + self.read("topMargin") + self.shift)

    # Qt's calls

    def componentComplete(self) -> None:
        super().componentComplete()
        flickable = self._flickable
        if flickable is None:
            qWarning("HeaderedFlickable: flickable is missing, the ListView or other Flickable that scrolls")
            return
        drawers = [child for child in self.childItems() if child is not flickable]
        flickable.setParentItem(self)
        flickable.setZ(-1)
        flickable.setSize(self.size())
        for index, item in enumerate(drawers):
            # Earlier drawers lie over later ones.
            item.setZ(len(drawers) - index)
            item.setClip(True)
            item.setWidth(self.width())
            if not item.implicitHeight():
                item.setImplicitHeight(item.height())
            self.drawer_items[item.objectName()] = item
            item.implicitHeightChanged.connect(self._sizes_changed)
        component = QQmlComponent(qmlEngine(self))
        component.setData(b"import QtQuick\nTranslate {}", QUrl())
        self._translate = component.create()
        self._translate.setParent(self)
        QQmlListReference(self.read("contentItem"), "transform").append(self._translate)
        # Rows that a shifted content shows beyond the Flickable's edges.
        for name in ("displayMarginBeginning", "displayMarginEnd"):
            if self.read(name) is not None:
                self.write(name, sum(int(item.implicitHeight()) for item in drawers))
        options = dict(self._options)
        del options["reducedMotion"]
        for name in ("header", "socket"):
            options[name] = options[name] or None
        self.link = HeaderLink(_Scroller(self), "qt", **options)
        for name, slot in (("contentY", "_scrolled"), ("contentHeight", "_sizes_changed"), ("dragging", "_dragged"), ("moving", "_moved"),
                           ("currentItem", "_current_changed")):
            # No metaObject() of an object: PySide6 goes on knowing its address when QML has freed it, and takes what comes there for it.
            QQmlProperty(flickable, name).connectNotifySignal(self, HeaderedFlickable.staticMetaObject.indexOfSlot(slot + "()"))
        self.link.follow_alone()
        self._begin()

    def _window_changed(self, window: Optional[QQuickWindow]) -> None:
        if window is not None:
            window.installEventFilter(self)
            window.activeFocusItemChanged.connect(self._focus_changed)
            self._begin()
        elif self.link is not None:
            self.link.end()

    def geometryChange(self, new: QRectF, old: QRectF) -> None:
        super().geometryChange(new, old)
        if self._flickable is not None:
            self._flickable.setSize(self.size())
        for item in self.drawer_items.values():
            item.setWidth(self.width())
        self._sizes_changed()
        self._begin()

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        if self.link is not None:
            if event.type() == QEvent.Type.Wheel:
                self.link.gestures.wheel()
            elif event.type() == QEvent.Type.KeyPress:
                self.link.gestures.key()
        return False

    def _begin(self) -> None:
        if self.link is not None and self.window() is not None and self.height() > 0:
            self.link.begin()

    @Slot()
    def _scrolled(self) -> None:
        if not self.is_placing and self.link is not None:
            self.link.scrolled("user" if self._is_settling else None)

    @Slot()
    def _sizes_changed(self) -> None:
        if self.link is not None:
            self.link.follow_alone()
            self.link.tell_layout()

    @Slot()
    def _dragged(self) -> None:
        assert self.link is not None
        if self.read("dragging"):
            self._is_settling = False
            self.link.gestures.touch()
        else:
            end = self.read("contentHeight") + self.read("topMargin") - self.height()
            self.link.gestures.lift(not 0 <= self.place <= max(0, end))
            # What has been drawn and rests is brought to a whole pixel.
            self._is_settling = self.link.gestures.state == "idle"

    @Slot()
    def _moved(self) -> None:
        """Nothing of the Flickable's counts by itself any more."""
        if self.read("moving"):
            return
        self._is_settling = False
        if self.shift:
            self.put(self.place, self.read("topMargin"), False)

    @Slot()
    def _current_changed(self) -> None:
        # A list brings its current item to its own edge, which lies behind the header.
        QTimer.singleShot(0, lambda: self._look_at(self.read("currentItem")))

    def _focus_changed(self) -> None:
        item = self.window().activeFocusItem() if self.window() is not None else None
        if item is not None and item is not self._flickable:
            QTimer.singleShot(0, lambda: self._look_at(item))

    def _look_at(self, item: Optional[QQuickItem]) -> None:
        link = self.link
        if item is None or link is None or time.monotonic() - link.gestures.typed > TOUCHED:
            return
        drawer = next((name for name, one in self.drawer_items.items() if one is item or one.isAncestorOf(item)), None)
        if drawer is not None and link.places[drawer].y < 0:
            link.expand()
        elif drawer is None and self.read("contentItem").isAncestorOf(item):
            self.reveal(item)

    # What the header wants

    def put(self, place: float, room: float, keeps_value: bool) -> None:
        self.is_placing = True
        if self.read("topMargin") != room:
            self.write("topMargin", room)
        if not keeps_value and not self.read("moving"):
            self.shift = 0.0
            self.write("contentY", place - room + self.read("originY"))
        else:
            self.shift += place - self.place
        self._translate_content()
        self.is_placing = False

    def draw(self, places: Dict[str, Place], late: float) -> None:
        for order, name in enumerate(stacked(self.drawer_items, places)):
            self.drawer_items[name].setZ(order + 1)
        for name, item in self.drawer_items.items():
            place = places.get(name)
            item.setVisible(place is not None and not place.hidden)
            if place is not None:
                item.setY(place.y)
                item.setHeight(place.height)
                item.setOpacity(place.alpha)
        self.late = late
        self._translate_content()

    def _translate_content(self) -> None:
        if self._translate is not None:
            self._translate.setProperty("y", self.late - self.shift)


class _Scroller:
    """The item as a HeaderLink sees it."""

    def __init__(self, item: HeaderedFlickable) -> None:
        self._item = item
        self.put = item.put
        self.draw = item.draw

    @property
    def place(self) -> float:
        return self._item.place

    @property
    def room(self) -> float:
        return float(self._item.read("topMargin"))

    def sizes(self) -> Tuple[float, float, float]:
        return self._item.width(), self._item.height(), max(0.0, self._item.read("contentHeight"))

    def drawers(self) -> List[Dict[str, Any]]:
        found = []
        for name, item in self._item.drawer_items.items():
            more = item.property("drawer")
            more = more.toVariant() if isinstance(more, QJSValue) else more
            found.append({"name": name, "height": item.implicitHeight(), **(more or {})})
        return found

    def surroundings(self) -> Dict[str, Any]:
        window = self._item.window()
        return {"reduceMotion": self._item.reducedMotion, "screenScale": window.effectiveDevicePixelRatio() if window is not None else 1}

    def is_right_to_left(self) -> bool:
        return QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft

    def shown(self, state: headerd.State) -> None:
        self._item.stateShown.emit(state.params)

    def failed(self, text: str) -> None:
        self._item.failed.emit(text)

    def changed(self) -> None:
        self._item.connectedChanged.emit()

    def later(self, seconds: float, call: Callable[[], None]) -> Cancel:
        timer = QTimer(self._item)
        timer.setSingleShot(True)
        timer.timeout.connect(call)
        timer.timeout.connect(timer.deleteLater)
        timer.start(int(seconds * 1000))

        def cancel() -> None:
            timer.stop()
            timer.deleteLater()

        return cancel

    def watch(self, descriptor: int, call: Callable[[], None]) -> Cancel:
        notifier = QSocketNotifier(descriptor, QSocketNotifier.Type.Read, self._item)
        notifier.activated.connect(lambda: call())

        def cancel() -> None:
            notifier.setEnabled(False)
            notifier.deleteLater()

        return cancel

    def each_frame(self, call: Callable[[], None]) -> Cancel:
        window = self._item.window()

        def step() -> None:
            call()
            window.update()

        window.afterAnimating.connect(step)
        window.update()
        return lambda: window.afterAnimating.disconnect(step)
