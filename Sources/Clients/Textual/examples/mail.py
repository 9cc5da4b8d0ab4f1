#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mail in a terminal: a title and a search field that leave as one scrolls, folders that stay. headerd runs beside it."""
from textual.app import App, ComposeResult
from textual.widgets import Input, Static, Tab, Tabs

from headerd_textual import HeaderedScroll

PEOPLE = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
SUBJECTS = ("The minutes of Monday", "Tickets for the train", "A photo from the lake", "Re: the garden", "Your order is on its way")
# The search field comes back with any movement up, the title at the top alone, and the folders stay.
LAWS = [{"drawer": "title", "shift": True, "returns": "atTop"}, {"drawer": "search", "shift": True}, {"drawer": "folders", "pin": True}]


class Mail(App[None]):
    """Sixty letters."""

    CSS = """
    #title { height: 3; padding: 1 2; text-style: bold; background: $primary; color: $text; }
    #search { height: 3; } #folders { height: 2; background: $surface; } .letter { height: 2; padding: 0 2; }
    """

    def __init__(self, **options: object) -> None:
        super().__init__()
        self.options = options

    def compose(self) -> ComposeResult:
        letters = [Static(f"[b]{PEOPLE[number % 8]}[/b]\n{SUBJECTS[number % 5]}", classes="letter") for number in range(60)]
        folders = Tabs(Tab("Inbox"), Tab("Sent"), Tab("Archive"), id="folders")
        yield HeaderedScroll(
            *letters, drawers={"title": Static("Mail", id="title"), "search": Input(placeholder="Search", id="search"), "folders": folders},
            description={"delegates": [{"behavior": "CollapsingHeader", "options": {"drawers": LAWS}}]}, **self.options)


if __name__ == "__main__":
    Mail().run()
