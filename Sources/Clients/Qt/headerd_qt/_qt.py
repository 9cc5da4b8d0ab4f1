# SPDX-License-Identifier: MIT
"""Qt by PySide6 or PyQt6: the one that the app has imported, else PyQt6 if it is there."""
import importlib.util
import sys

if "PySide6" in sys.modules or "PyQt6" not in sys.modules and importlib.util.find_spec("PyQt6") is None:
    from PySide6.QtCore import (  # noqa: F401
        Property, QEvent, QObject, QRectF, QSocketNotifier, Qt, QTimer, QUrl, Signal, Slot, qWarning)
    from PySide6.QtGui import QGuiApplication  # noqa: F401
    from PySide6.QtQml import QJSValue, QQmlComponent, QQmlListReference, QQmlProperty, qmlEngine, qmlRegisterType  # noqa: F401
    from PySide6.QtQuick import QQuickItem, QQuickWindow  # noqa: F401
else:
    from PyQt6.QtCore import (  # noqa: F401
        QEvent, QObject, QRectF, QSocketNotifier, Qt, QTimer, QUrl, pyqtProperty as Property, pyqtSignal as Signal, pyqtSlot as Slot, qWarning)
    from PyQt6.QtGui import QGuiApplication  # noqa: F401
    from PyQt6.QtQml import QJSValue, QQmlComponent, QQmlListReference, QQmlProperty, qmlEngine, qmlRegisterType  # noqa: F401
    from PyQt6.QtQuick import QQuickItem, QQuickWindow  # noqa: F401
