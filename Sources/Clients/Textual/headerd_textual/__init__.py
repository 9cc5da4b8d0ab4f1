# SPDX-License-Identifier: MIT
"""Headers in terminals that headerd moves: a widget of Textual that scrolls below drawers that the app gives it."""
from ._widget import HeaderedScroll

__all__ = ["HeaderedScroll"]
