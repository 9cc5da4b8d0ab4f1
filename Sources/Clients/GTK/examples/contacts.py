#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Contacts: a large title, a search field and tabs above a list, in GTK 4. headerd runs beside it."""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, Gtk  # noqa: E402

from headerd_gtk import HeaderedScrolledWindow  # noqa: E402

PEOPLE = [f"{first} {last}" for last in ("Abbott", "Baker", "Clarke", "Dixon", "Evans", "Foster", "Green", "Hughes", "Ito", "Jones")
          for first in ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo", "Ida", "Jan")]
STYLE = """
.bar { background: @theme_bg_color; padding: 6px 16px; }
.bar.title { padding-top: 4px; } .bar.title .small { font-weight: bold; min-height: 36px; }
.bar.title .large { font-weight: 800; font-size: 28px; } .bar.tabs { border-bottom: 1px solid alpha(currentColor, 0.15); }
"""
# The title collapses and comes back at the top; the search field slides off first and comes back first; the tabs stay.
LAWS = [{"drawer": "title", "collapse": True, "returns": "atTop"}, {"drawer": "search", "shift": True, "rest": {"by": "direction"}},
        {"drawer": "tabs", "pin": True}]
# The large letters are gone before the bar has its least height, and the small ones come.
FADES = [{"element": "large", "drawer": "title", "by": "height", "from": 96, "to": 66,
          "keys": [{"progress": 0}, {"progress": 1, "alpha": 0}]},
         {"element": "small", "drawer": "title", "by": "height", "from": 66, "to": 46,
          "keys": [{"progress": 0, "alpha": 0}, {"progress": 1, "alpha": 1}]}]


def bar(*classes, **properties):
    return Gtk.Box(css_classes=["bar", *classes], **properties)


def contacts(**options):
    """The window's content; `options` are the header's."""
    search = Gtk.SearchEntry(hexpand=True, placeholder_text="Search")
    search.update_property([Gtk.AccessibleProperty.LABEL], ["Search"])
    matches = Gtk.CustomFilter.new(lambda person: search.get_text().lower() in person.get_string().lower())
    search.connect("search-changed", lambda _: matches.changed(Gtk.FilterChange.DIFFERENT))
    rows = Gtk.SignalListItemFactory()
    rows.connect("setup", lambda _, row: row.set_child(Gtk.Label(xalign=0, height_request=44, margin_start=8)))
    rows.connect("bind", lambda _, row: row.get_child().set_label(row.get_item().get_string()))
    found = Gtk.FilterListModel(model=Gtk.StringList.new(PEOPLE), filter=matches)
    people = Gtk.SingleSelection(autoselect=False, can_unselect=True, model=found)

    title = bar("title", orientation=Gtk.Orientation.VERTICAL, height_request=96)
    # Who listens to the window needs one of them.
    small = Gtk.Label(label="Contacts", css_classes=["small"], accessible_role=Gtk.AccessibleRole.PRESENTATION)
    large = Gtk.Label(label="Contacts", xalign=0, css_classes=["large"])
    tabs = bar("tabs", homogeneous=True)
    group = None
    for label in ("All", "Favorites", "Recent"):
        group = Gtk.ToggleButton(label=label, has_frame=False, group=group, active=group is None)
        tabs.append(group)
    field = bar()
    field.append(search)
    for label in (small, large):
        title.append(label)

    window = HeaderedScrolledWindow(
        Gtk.ListView(model=people, factory=rows),
        description={"delegates": [{"behavior": "CollapsingHeader", "options": {"drawers": LAWS}},
                                   {"behavior": "Keyframes", "options": {"tracks": FADES}}]}, **options)
    window.add_drawer("title", title, {"small": small, "large": large}, minimumHeight=46)
    window.add_drawer("search", field)
    window.add_drawer("tabs", tabs)
    return window


def activate(app):
    style = Gtk.CssProvider()
    style.load_from_data(STYLE.encode())
    window = Gtk.ApplicationWindow(application=app, title="Contacts", default_width=360, default_height=640, child=contacts())
    Gtk.StyleContext.add_provider_for_display(window.get_display(), style, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
    window.present()


if __name__ == "__main__":
    app = Gtk.Application(application_id="org.headerd.Contacts", flags=Gio.ApplicationFlags.NON_UNIQUE)
    app.connect("activate", activate)
    app.run()
