# SPDX-License-Identifier: MIT
"""What a window of any toolkit must do with its header. GTK and Qt have it in common; what differs is in their `Window`."""
import json
import re
import time

from stage import CLIENTS, PATIENCE, ROOT, clients, hand, headerd
from headerd import toolkit
from display import Device
from stages import BAR, ROWS, STAGES, TABS, Geometry

WIDTH, HEIGHT = 360, 640
# What lies behind everything, and must never be seen.
BEHIND = (255, 0, 255)
DRAG = ["willBeginDragging", "willEndDragging", "didEndDragging"]


def same(found, wanted, slack=0.5):
    assert abs(found - wanted) <= slack, f"{found}, not {wanted}"


class Loop:
    """A toolkit's main loop. `turn` runs it until something happens, 5 ms at most."""

    def __init__(self, turn):
        self.turn = turn

    def spin(self, until, patience=PATIENCE):
        """Runs until something is so."""
        end = time.monotonic() + patience
        while not until():
            if time.monotonic() > end:
                raise TimeoutError("it does not become so")
            self.turn()

    def wait(self, seconds):
        end = time.monotonic() + seconds
        self.spin(lambda: time.monotonic() > end)

    def use(self, *words):
        """Does something with mouse or keys, and lets the app take it."""
        process = hand(*words)
        self.spin(lambda: process.poll() is not None)

    def becomes(self, find, wanted):
        """Something becomes what is wanted, and stays it."""
        try:
            self.spin(lambda: abs(find() - wanted) <= 0.5, PATIENCE / 3)
        except TimeoutError:
            pass
        self.wait(0.05)
        same(find(), wanted)


class LinkedWindow:
    """A window whose `adapter` has a HeaderLink."""

    @property
    def is_connected(self):
        return self.adapter.connected

    @property
    def gesture(self):
        return self.adapter.link.gestures.state

    @property
    def knows_more(self):
        """The last state says how it goes on."""
        view = self.adapter.link.view
        return "ahead" in view.at(view.scroll_views["content"].offset.y).params

    def told(self):
        """The events but didScroll that the window tells from now on."""
        events, gestures = [], self.adapter.link.gestures
        report = gestures._report
        gestures._report = lambda event, **fields: (events.append((event, fields)), report(event, **fields))
        return events


class Windows:
    """Tests of a toolkit's `Window`; headers without a name begin with `name`."""

    def __init__(self, Window, loop, display, name):
        self.Window, self.loop, self.display, self.name = Window, loop, display, name

    def tests(self):
        names = [name for name in dir(self) if name.startswith("test_")]
        return {name.removeprefix("test_"): getattr(self, name) for name in names}

    def nothing_behind(self):
        """Nothing is seen of what lies behind header and content."""
        picture = self.display.picture()
        gaps = [y for y in range(HEIGHT) if picture.at(WIDTH // 2, y) == BEHIND]
        assert not gaps, f"a gap at {gaps[:5]}"

    def finger(self, kind, y):
        self.display.touchscreen.touch(kind, 180, y)
        self.loop.wait(0.016)

    def swipe(self, one, begin, step, rest=0):
        """A finger moves 12 steps; header and content go together."""
        self.finger(Device.BEGIN, begin)
        for number in range(1, 13):
            self.finger(Device.UPDATE, begin + step * number)
            same(one.bottom, max(84, one.top), 1)
        self.loop.wait(rest)
        self.finger(Device.END, begin + 12 * step)

    def drag_to_rest(self, one, told):
        """A swipe from the top that ends at rest. On a busy machine all of it may come at once, which is a fling, and a toolkit may take
        more of it for the beginning of a drag, which moves nothing."""
        for _ in range(5):
            self.swipe(one, 500, -6, rest=0.2)
            self.loop.spin(lambda: one.gesture == "idle" and len(told) >= 3)
            if len(told) == 3 and one.top < 84:
                return
            one.scroll(0)
            self.loop.spin(lambda: one.gesture == "idle")
            told.clear()
        raise AssertionError(f"no swipe ends at rest below the top: {told}")

    def fling(self, one, told):
        """A swipe that goes on by itself; on a busy machine a finger may be too slow for that, or all of it come at once."""
        for _ in range(20):
            self.loop.spin(lambda: one.gesture == "idle")
            told.clear()
            self.swipe(one, 500, -20)
            if one.gesture == "decelerating":
                # A motion that the daemon asked for meanwhile ends with the touch.
                del told[:[event for event, _ in told].index("willBeginDragging")]
                return
        raise AssertionError(f"no swipe is a fling: {told}")

    @staticmethod
    def gestures(told):
        """A fling that a busy machine holds up for 150 ms has ended, and goes on as a movement by itself, which is left out."""
        return [event for event, _ in told if event != "didEndScrollingAnimation"]

    def test_touch(self, daemon):
        """A finger on the touch screen: a drag that ends at rest, a fling, a finger that stops it, and back to the top."""
        with self.Window(daemon).connected() as one:
            told = one.told()

            self.drag_to_rest(one, told)
            assert [event for event, _ in told] == DRAG and told[1][1]["velocity"]["y"] == 0 and not told[2][1]["willDecelerate"], told
            assert 64 <= one.top < 84, one.top
            self.fling(one, told)
            self.loop.wait(0.1)
            self.finger(Device.BEGIN, 400)
            self.loop.spin(lambda: len(told) > 4)
            assert self.gestures(told) == [*DRAG, "willBeginDecelerating", "didEndDecelerating"], told
            assert told[1][1]["velocity"]["y"] > 0.3 and told[2][1]["willDecelerate"], told
            same(one.bottom, 84)
            self.finger(Device.END, 400)
            self.nothing_behind()
            # Three times, or more often on a busy machine, where much of a swipe is taken for its beginning.
            for number in range(12):
                if number >= 3 and one.top >= 136:
                    break
                self.swipe(one, 200, 30)
            self.loop.becomes(lambda: one.bottom, 136)
            self.loop.becomes(lambda: one.top, 136)

    def test_touchpad(self, daemon):
        """Two fingers on the touchpad: X tells toolkits of them as of a wheel with small steps."""
        with self.Window(daemon).connected() as one:
            told = one.told()
            self.loop.use("mousemove", 150, 400)
            # How far a step goes differs: by 20 points in Qt 6.4, by 3 in 6.8.
            for _ in range(60):
                self.display.touchpad.roll(12)
                self.loop.wait(0.016)
                same(one.bottom, max(84, one.top), 1)
                if one.top < 84:
                    break
            self.display.touchpad.roll(0)
            # Once, or more often on a machine that is slow between two steps.
            self.loop.spin(lambda: told and [event for event, _ in told] == DRAG * (len(told) // 3))
            assert one.top < 84, one.top

    def test_touchpad_ends_a_fling(self, daemon):
        with self.Window(daemon).connected() as one:
            told = one.told()
            self.loop.use("mousemove", 150, 400)
            self.fling(one, told)
            # After a finger some windows of GTK get no scroll of a touchpad before the pointer has moved: X does not tell them of it.
            self.loop.use("mousemove", 151, 401)
            for _ in range(60):
                self.display.touchpad.roll(-12)
                self.loop.wait(0.016)
                if len(told) > 5:
                    break
            flung = [*DRAG, "willBeginDecelerating", "didEndDecelerating"]

            def is_told():
                events = self.gestures(told)
                return len(events) > 5 and events == flung + DRAG * ((len(events) - 5) // 3)

            self.loop.spin(is_told)

    def test_first_look(self, daemon):
        with self.Window(daemon).connected() as one:
            same(one.bottom, 136)
            same(one.top, 136)

            def seen():
                picture = self.display.picture()
                return [picture.at(300, y) for y in (90, 130, 160)]

            self.loop.spin(lambda: seen() == [BAR, TABS, ROWS[0]])
            self.nothing_behind()

    def test_stages(self, daemon):
        """Header and content are where they belong in the picture of each stage."""
        geometry = Geometry()
        with self.Window(daemon).connected() as one:
            for stage in STAGES:
                place = geometry.place(stage)
                if stage == "pulled":
                    one.scroll(0)
                    place = one.pull()
                elif stage == "back":
                    one.release()
                elif stage == "restarted":
                    daemon.do("kill")
                    self.loop.spin(lambda: not one.is_connected)
                    one.scroll(place)
                    daemon.do("start")
                    one.connected()
                else:
                    one.scroll(place)

                def wrong():
                    return geometry.wrong(self.display.picture().column(300)[:HEIGHT], place)

                try:
                    self.loop.spin(lambda: not wrong(), PATIENCE / 6)
                    self.loop.wait(0.05)
                except TimeoutError:
                    pass
                assert not (found := wrong()), f"{stage}: {'; '.join(found)}"

    def test_publisher(self, daemon):
        """A window that publishes draws no drawer, and its content has room for them."""
        with self.Window(daemon, header="drawn.elsewhere", mode="publisher").connected() as one:
            assert not one.is_drawn("bar") and not one.is_drawn("tabs")
            same(one.top, 136)

    def test_mirror(self, daemon):
        """A window that mirrors shows also the content where another one has it, while the header rests, and from the beginning."""
        with self.Window(daemon, header="mirrored").connected() as one:
            with self.Window(daemon, header="mirrored", mode="mirror", width=300).connected() as two:
                for place in (20, 300, 900, 500, 0, 600):
                    one.scroll(place)
                    self.loop.becomes(lambda: two.top, 136 - place)
                    same(one.top, 136 - place)
                    self.loop.becomes(lambda: two.bottom, one.bottom)
                two.scroll(0)
                same(one.top, -464)
            with self.Window(daemon, header="mirrored", mode="mirror").connected() as two:
                self.loop.becomes(lambda: two.top, -464)
                one.scroll(700)
                self.loop.becomes(lambda: two.top, -564)

    def test_own_headers(self, daemon):
        """Windows without a name do not move each other's header, and the headers go with them."""
        with self.Window(daemon).connected() as one, self.Window(daemon).connected() as two:
            one.scroll(300)
            same(one.bottom, 84)
            same(two.bottom, 136)
        with headerd.Client(daemon.socket) as client:
            self.loop.spin(lambda: not client.request("header.list", match=f"{self.name}-*")["headers"])

    def test_other_description(self, daemon):
        """A shared header that is described otherwise is refused loudly, and not drawn as if it were this one."""
        with self.Window(daemon, header="described").connected(), self.Window(daemon, header="described", bar=120) as two:
            self.loop.spin(lambda: two.failures)
            assert "another description" in two.failures[0], two.failures
            assert not two.is_connected
            same(two.bottom, 160)

    def test_refused_for_now(self, daemon):
        """Once the other header is gone, the window has its own without anybody's help. What was refused is said once."""
        with self.Window(daemon, header="refused").connected():
            pass
        with headerd.Client(daemon.socket) as client, self.Window(daemon, header="refused", bar=120) as two:
            self.loop.spin(lambda: two.failures)
            self.loop.wait(1.5)
            assert len(two.failures) == 1 and not two.is_connected, two.failures
            client.request("header.close", header="refused")
            two.connected()
            same(two.bottom, 160)

    def test_lasting_errors(self, _):
        """The adapters know after which errors the same request is refused again."""
        errors = json.loads((ROOT / "config/schema/openrpc.json").read_text())["components"]["errors"]
        lasting = {name for name, error in errors.items() if error["x-retry"] == "no"}
        assert lasting == toolkit.LASTING
        (in_c,) = re.findall(r"LASTING\[\] = {(.*?), NULL};", (CLIENTS / "GTK/C/headered.c").read_text(), re.DOTALL)
        assert lasting == set(json.loads(f"[{in_c}]")), in_c

    def test_lost_daemon(self, daemon):
        """Without a daemon the header goes with the content; when it is back, the header is where it belongs."""
        with self.Window(daemon).connected() as one:
            one.scroll(20)
            daemon.do("kill")
            self.loop.spin(lambda: not one.is_connected)
            one.scroll(50)
            same(one.bottom, 86)
            same(one.top, 86)
            self.nothing_behind()
            one.scroll(300)
            same(one.bottom, -164)
            daemon.do("start")
            one.connected()
            same(one.top, -164)
            self.loop.becomes(lambda: one.bottom, 84)
            one.scroll(0)
            same(one.bottom, 136)
            self.nothing_behind()

    def test_paused_daemon(self, daemon):
        """A daemon that stands still holds up no frame for long, and the content goes on."""
        with self.Window(daemon, within=0.004).connected() as one:
            daemon.do("pause")
            try:
                began = time.monotonic()
                for place in range(1, 51):
                    one.put(2 * place)
                took = time.monotonic() - began
                self.loop.wait(0.1)
                assert took < 50 * 0.02, f"{took / 50} s a scroll"
                same(one.top, 36)
            finally:
                daemon.do("continue")
            self.loop.spin(lambda: one.bottom == 84)

    def test_stopped_daemon(self, daemon):
        """While the daemon stands still for 50 ms, header and content go on together, as the last state says."""
        with self.Window(daemon, within=0.004).connected() as one:
            self.know_more(one)
            daemon.do("pause")
            try:
                apart = self.apart(one, range(4, 24, 2))
            finally:
                daemon.do("continue")
            assert max(apart) <= 0.5, apart
            self.loop.becomes(lambda: one.bottom, 136 - 22)

    def test_late_daemon(self, daemon):
        """A state that comes when the content is elsewhere already is drawn as it goes on to there."""
        with self.Window(clients.Relay(daemon, size=65536, delay=0.02), within=0.004).connected() as one:
            self.know_more(one)
            apart = self.apart(one, range(4, 50, 2))
            assert max(apart) <= 0.5, apart
            self.loop.becomes(lambda: one.bottom, 136 - 48)

    def know_more(self, one):
        """A first scroll, and a state that says how it goes on."""
        one.scroll(2)
        self.loop.spin(lambda: one.knows_more)
        self.loop.wait(0.1)

    def apart(self, one, places):
        """How far header and content are apart after each scroll, and after each turn until the next one."""
        found = []
        for place in places:
            one.put(place)
            end = time.monotonic() + 0.005
            found.append(abs(one.bottom - one.top))
            while time.monotonic() < end:
                self.loop.turn()
                found.append(abs(one.bottom - one.top))
        return found


class Frames:
    """Frames of a scroll up and down through the bar's way, and beyond both of its ends; those in which something moved are counted."""

    def __init__(self, count):
        self.count, self.step = count, 0
        self.recorded, self.changed, self.waits = [], [], []

    def next(self):
        """Where the content is to be scrolled to."""
        self.step += 1
        place = self.step * 7 % 160
        return place if place < 80 else 160 - place

    @property
    def are_done(self):
        return self.step >= self.count

    def scrolled(self):
        self.changed.append(time.monotonic())

    def painted(self, window):
        if self.changed:
            self.waits.append(time.monotonic() - self.changed[0])
            self.changed.clear()
        self.recorded.append((window.top, window.bottom))

    def check(self):
        """Header and content were in the same frame."""
        moved = [pair for pair, before in zip(self.recorded[1:], self.recorded) if pair != before]
        apart = sorted(abs(bottom - max(84, top)) for top, bottom in moved)
        late = sum(distance > 0.5 for distance in apart)
        waits = sorted(self.waits)
        print(f"{len(moved)} frames in which they moved: {late} with header and content more than half a pixel apart, the worst by {apart[-1]:g};"
              f" from scroll to paint {1000 * waits[len(waits) // 2]:.1f} ms in the median, {1000 * waits[-1]:.1f} at most")
        assert len(moved) > 0.8 * self.count, len(moved)
        assert late <= len(moved) / 100, f"{late} of {len(moved)}"
