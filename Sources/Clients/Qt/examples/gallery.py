#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Shows gallery.qml. headerd runs beside it."""
import pathlib
import sys

from PyQt6.QtCore import QUrl
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtQuick import QQuickView

import headerd_qt

app = QGuiApplication(sys.argv)
headerd_qt.register()
view = QQuickView(resizeMode=QQuickView.ResizeMode.SizeRootObjectToView)
view.setSource(QUrl.fromLocalFile(str(pathlib.Path(__file__).with_name("gallery.qml"))))
view.show()
sys.exit(app.exec())
