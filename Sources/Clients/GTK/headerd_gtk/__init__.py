# SPDX-License-Identifier: MIT
"""Headers in GTK 4 that headerd moves: a scrolled window, and drawers that the app gives it."""
from ._window import HeaderedScrolledWindow

__all__ = ["HeaderedScrolledWindow"]
