#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uses the adapter for Textual as a person does, through Textual's pilot: keys and a wheel in a terminal in memory, a real daemon.

    terminal.py PROGRAMS [--only WORD] [--pictures FOLDER]

PROGRAMS is the folder of headerd and its plugins. --pictures writes the picture of the mail. The last line is "N passed, N failed".
"""
import argparse
import asyncio
import os
import pathlib
import re
import sys
import time

from stage import CLIENTS, PATIENCE, Suite, check_package, clients, headerd
from stages import BAR, ROWS, STAGES, TABS, Geometry, css

sys.path[:0] = [str(CLIENTS / "Textual"), str(CLIENTS / "Textual/examples")]

from textual.app import App  # noqa: E402
from textual.events import MouseScrollDown, MouseScrollUp  # noqa: E402
from textual.widgets import Button, Static  # noqa: E402

from headerd_textual import HeaderedScroll  # noqa: E402
from mail import Mail  # noqa: E402

LAWS = [{"drawer": "bar", "collapse": True, "returns": "atTop"}, {"drawer": "tabs", "pin": True}]


class Letters(App):
    """A bar of 6 rows that collapses to 2, tabs of 2, and 60 rows."""

    CSS = f"#bar {{ height: 6; background: {css(BAR)}; }} #tabs {{ height: 2; background: {css(TABS)}; }} Button {{ height: 1; border: none; }}" + \
        "".join(f"Button.color{number} {{ background: {css(color)}; }}" for number, color in enumerate(ROWS))

    def __init__(self, daemon, laws=LAWS, within=2, **options):
        super().__init__()
        delegates = {"delegates": [{"behavior": "CollapsingHeader", "options": {"drawers": laws}}]}
        self.failures = []
        self.rows = [Button(f"Row {number}", id=f"row{number}", classes=f"color{number % len(ROWS)}") for number in range(60)]
        self.header = HeaderedScroll(
            *self.rows, drawers={"bar": Static("Bar", id="bar"), "tabs": Static("Tabs", id="tabs")}, more={"bar": {"minimumHeight": 32}},
            description=delegates, socket=daemon.socket, within=within, **options)

    def compose(self):
        yield self.header

    def on_headered_scroll_failed(self, message):
        self.failures.append(message.text)

    @property
    def bottom(self):
        return self.query_one("#tabs").region.bottom

    @property
    def top(self):
        return self.rows[0].region.y

    def line(self, y):
        """What a row of the terminal shows."""
        return "".join(segment.text for segment in self.screen._compositor.render_strips()[y])

    def column(self, x):
        """The colors behind a column of the terminal."""
        cells = [strip.crop(x, x + 1) for strip in self.screen._compositor.render_strips()]
        return [tuple(next(iter(cell)).style.bgcolor.get_truecolor()) for cell in cells]


async def until(pilot, condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it does not become so"
        await pilot.pause(0.01)
    await pilot.pause()


async def connected(pilot, header):
    await until(pilot, lambda: header.link.is_connected and header.link.view.epoch is not None)
    await pilot.pause(0.05)


async def turn(pilot, kind):
    """A step of the wheel over the content, as the terminal's driver reports it."""
    event = kind(widget=None, x=20, y=15, delta_x=0, delta_y=0, button=0, shift=False, meta=False, ctrl=False, screen_x=20, screen_y=15)
    pilot.app.screen._forward_event(event)
    await pilot.pause(0.02)


async def scroll(pilot, y):
    pilot.app.header.scroll.scroll_to(y=y, animate=False)
    await pilot.pause(0.05)


async def test_first_look(daemon):
    app = Letters(daemon)
    async with app.run_test(size=(60, 24)) as pilot:
        await connected(pilot, app.header)
        assert (app.bottom, app.top) == (8, 8)
        assert app.line(0).startswith("Bar") and app.line(6).startswith("Tabs") and "Row 0" in app.line(8)


async def test_stages(daemon):
    """Header and content are where they belong in what the terminal shows, in rows."""
    geometry = Geometry(bar=6, least=2, tabs=2, row=1, far=20, slack=0)
    app = Letters(daemon)
    async with app.run_test(size=(60, 24)) as pilot:
        await connected(pilot, app.header)
        for stage in STAGES:
            place = geometry.place(stage)
            if stage == "restarted":
                daemon.do("kill")
                await until(pilot, lambda: not app.header.link.is_connected)
                await scroll(pilot, place)
                daemon.do("start")
                await connected(pilot, app.header)
            elif stage == "pulled":
                # Terminals keep content within its range.
                await scroll(pilot, 0)
                await turn(pilot, MouseScrollUp)
            else:
                await scroll(pilot, place)
            assert not (found := geometry.wrong(app.column(14), place)), f"{stage}: {'; '.join(found)}"


async def test_wheel(daemon):
    app = Letters(daemon)
    async with app.run_test(size=(60, 24)) as pilot:
        await connected(pilot, app.header)
        told = []
        report = app.header.link.gestures._report
        app.header.link.gestures._report = lambda event, **fields: (told.append(event), report(event, **fields))
        for _ in range(10):
            await turn(pilot, MouseScrollDown)
            # The content is behind the header or touches it.
            assert app.bottom == max(4, app.top), (app.bottom, app.top)
        await until(pilot, lambda: app.bottom == 4)
        # Once, or more often on a machine that is slow between two steps.
        drag = ["willBeginDragging", "willEndDragging", "didEndDragging"]
        await until(pilot, lambda: told and told == drag * (len(told) // 3))
        for _ in range(20):
            await turn(pilot, MouseScrollUp)
        await until(pilot, lambda: (app.bottom, app.top) == (8, 8))


async def test_reduced_motion(daemon):
    """A bar that goes to its rest in frames is there at once for whoever wants less motion."""
    laws = [{"drawer": "bar", "collapse": True, "returns": "atTop", "rest": {"by": "nearest"}}, {"drawer": "tabs", "pin": True}]
    counts = []
    for reduced in (False, True):
        app = Letters(daemon, laws=laws, reduced_motion=reduced)
        async with app.run_test(size=(60, 24)) as pilot:
            await connected(pilot, app.header)
            seen = []
            show = app.header.link._scroller.shown
            app.header.link._scroller.shown = lambda state: (seen.append(state.drawers[0].frame.height), show(state))
            await turn(pilot, MouseScrollDown)
            await until(pilot, lambda: app.header.link.gestures.state == "idle")
            await until(pilot, lambda: seen and seen[-1] in (32, 96))
            counts.append(len(set(seen)))
    assert counts[0] > 4 > counts[1], counts


async def test_keys(daemon):
    """Keys scroll, and what has the focus is never behind the header."""
    app = Letters(daemon)
    async with app.run_test(size=(60, 24)) as pilot:
        await connected(pilot, app.header)
        app.rows[0].focus()
        for key, count in (("tab", 30), ("shift+tab", 25)):
            for _ in range(count):
                await pilot.press(key)
                await until(pilot, lambda: app.bottom <= app.focused.region.y and app.focused.region.bottom <= 24)


async def test_second_window(daemon):
    one, two = Letters(daemon, header="shared"), Letters(daemon, header="shared", mode="renderer")
    async with one.run_test(size=(60, 24)) as first:
        await connected(first, one.header)
        async with two.run_test(size=(40, 20)) as second:
            await connected(second, two.header)
            await scroll(second, 30)
            assert one.bottom == 8
            await scroll(first, 2)
            await until(second, lambda: two.bottom == one.bottom == 6)
    with headerd.Client(daemon.socket) as client:
        assert [one["header"] for one in client.request("header.list", match="shared")["headers"]] == ["shared"]
        client.request("header.close", header="shared")


async def test_grid(daemon):
    """Those that only draw read lengths in sixteenths of points, unless they want all of them."""
    def places(app):
        return [drawer.frame.y for drawer in app.header.link.view.drawers]

    one, two = (Letters(daemon, header="rounded", mode="renderer", **options) for options in ({}, {"grid": 0}))
    laws = [{"behavior": "CollapsingHeader", "options": {"drawers": LAWS}}]
    with headerd.Client(daemon.socket) as client:
        drawers = [{"name": "bar", "height": 96, "minimumHeight": 32}, {"name": "tabs", "height": 32}]
        client.open("rounded", drawers=drawers, delegates=laws, scrollViews={"content": {"contentSize": {"height": 2000}}})
        async with one.run_test(size=(60, 24)) as first:
            async with two.run_test(size=(60, 24)) as second:
                await connected(first, one.header)
                await connected(second, two.header)
                for step in range(1, 9):
                    client.event("rounded", "didScroll", time=step / 10, offset={"y": -128 + 4.3 * step})
                await until(second, lambda: 16 * places(two)[1] % 1 != 0)
                await until(first, lambda: abs(places(one)[1] - places(two)[1]) <= 1 / 32)
                assert places(one)[1] != places(two)[1] and all(16 * place % 1 == 0 for place in places(one))
        client.request("header.close", header="rounded")


async def test_mirror(daemon):
    """A terminal that mirrors shows also the content where another one has it; one that publishes shows no drawer."""
    one, two, three = (Letters(daemon, header="mirrored", mode=mode) for mode in ("both", "mirror", "publisher"))
    async with one.run_test(size=(60, 24)) as first:
        await connected(first, one.header)
        await scroll(first, 20)
        async with two.run_test(size=(40, 20)) as second:
            await connected(second, two.header)
            await until(second, lambda: (two.bottom, two.top) == (one.bottom, one.top) == (4, -12))
            for place in (2, 30, 25):
                await scroll(first, place)
                await until(second, lambda: (two.bottom, two.top) == (one.bottom, one.top) == (max(4, 8 - place), 8 - place))
            async with three.run_test(size=(40, 20)) as third:
                await connected(third, three.header)
                assert not three.query_one("#bar").display and not three.query_one("#tabs").display
                await scroll(third, 1)
                await until(second, lambda: two.top == three.top == 7)


async def test_the_order_of_drawers(daemon):
    """An earlier drawer is drawn over a later one, unless the header says otherwise."""
    app = Letters(daemon, laws=[{"drawer": "bar", "collapse": True, "zIndex": -2}, {"drawer": "tabs", "pin": True}])
    async with app.run_test(size=(60, 24)) as pilot:
        await connected(pilot, app.header)
        for place, order in ((0, ("tabs", "bar")), (20, ("bar", "tabs")), (0, ("tabs", "bar"))):
            await scroll(pilot, place)
            await until(pilot, lambda: app.header.styles.layers == ("content", *order))


async def test_other_description(daemon):
    one, two = Letters(daemon, header="described"), Letters(daemon, laws=[{"drawer": "bar", "shift": True}], header="described")
    async with one.run_test(size=(60, 24)) as first:
        await connected(first, one.header)
        async with two.run_test(size=(60, 24)) as second:
            await until(second, lambda: two.failures)
            assert "another description" in two.failures[0] and (two.bottom, two.top) == (8, 8), two.failures


async def test_lost_and_paused_daemon(daemon):
    app = Letters(daemon, within=0.004)
    async with app.run_test(size=(60, 24)) as pilot:
        await connected(pilot, app.header)
        daemon.do("pause")
        try:
            await scroll(pilot, 3)
            assert app.top == 5
        finally:
            daemon.do("continue")
        await until(pilot, lambda: app.bottom == 5)
        # The daemon's answer, and what follows.
        await pilot.pause(0.1)
        # While it stands still, the header goes on as the last state says.
        daemon.do("pause")
        try:
            await scroll(pilot, 2)
            assert (app.bottom, app.top) == (6, 6)
        finally:
            daemon.do("continue")
        await pilot.pause(0.1)
        assert (app.bottom, app.top) == (6, 6)
        daemon.do("kill")
        await until(pilot, lambda: not app.header.link.is_connected)
        await scroll(pilot, 4)
        assert (app.bottom, app.top) == (4, 4)
        await scroll(pilot, 0)
        daemon.do("start")
        await connected(pilot, app.header)
        assert (app.bottom, app.top) == (8, 8)


async def test_mail(daemon, folder):
    """The example: its lines, and its picture."""
    assert len((CLIENTS / "Textual/examples/mail.py").read_text().splitlines()) <= 80
    app = Mail(socket=daemon.socket, within=2)
    async with app.run_test(size=(60, 24)) as pilot:
        header = app.query_one(HeaderedScroll)
        await connected(pilot, header)
        assert [app.query_one(f"#{name}").region.y for name in ("title", "search", "folders")] == [0, 3, 6]
        header.scroll.scroll_to(y=20, animate=False)
        await until(pilot, lambda: app.query_one("#folders").region.y == 0)
        header.scroll.scroll_to(y=17, animate=False)
        await until(pilot, lambda: app.query_one("#folders").region.y == 3)
        if folder:
            # Without the fonts that it would fetch.
            picture = re.sub(r"@font-face\s*\{.*?\}|<!--.*?-->", "", app.export_screenshot(title="Mail"), flags=re.S)
            (folder / "mail.svg").write_text("\n".join(line.rstrip() for line in picture.splitlines() if line.strip()) + "\n")


async def test_readme(daemon):
    """The page's program shows a header."""
    (source,) = re.findall(r"^```python\n(.*?)^```$", (CLIENTS / "Textual/README.md").read_text(), re.M | re.S)
    names = {"__name__": "page"}
    exec(source, names)
    os.environ["HEADERD_SOCKET"] = daemon.socket
    app = names["Rows"]()
    async with app.run_test(size=(60, 24)) as pilot:
        header = app.query_one(HeaderedScroll)
        await connected(pilot, header)
        assert app.query_one("#tabs").region.y == 3
        for _ in range(6):
            await turn(pilot, MouseScrollDown)
        await until(pilot, lambda: not app.query_one("#title").display or app.query_one("#title").region.bottom <= 0)
    del os.environ["HEADERD_SOCKET"]


async def test_package(_):
    check_package("Textual", "textual")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    suite = Suite()
    tests = {name.removeprefix("test_"): test for name, test in globals().items() if name.startswith("test_")}
    with clients.Daemon(options.programs.resolve()) as daemon:
        for name, test in tests.items():
            if options.only in name:
                more = [options.pictures] if name == "mail" else []
                suite.run(name, lambda: asyncio.run(test(daemon, *more)))
    suite.end()


main()
