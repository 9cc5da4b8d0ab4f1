"""The browser client on a page, with what a person does to it."""
import contextlib
import gzip
import io
import json
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

from browser import ARGUMENTS, CHROMIUM, ROOT, chromium, in_one_drag, quiet_page, served, settled, until
from bridge import Bridge

CLIENT = ROOT / "Sources/Clients/JavaScript"
MODULES = ["browser", "link", "gestures", "drawing", "client", "protocol"]


PAGE = """<!doctype html><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
<style>body { margin: 0 } .page { position: relative; height: 100vh; overflow: hidden } .scroller { height: 100%; overflow-y: auto }
nav { height: 44px; background: #f00 } .tabs { height: 40px; background: #00f } p { height: 60px; margin: 0; background: #fff }</style>
<div class="page"><div class="scroller" tabindex="0"><main></main></div><div class="tabs"></div><nav></nav></div>
<script type="module">
import { attach } from "./client/browser.js";
const [scroller, main, tabs, navBar] = document.querySelectorAll(".scroller, main, .tabs, nav");
main.innerHTML = Array.from({ length: 100 }, (_, row) => `<p>Row ${row}</p>`).join("");
const query = new URLSearchParams(location.search);
globalThis.events = []; globalThis.states = [];
globalThis.edge = () => navBar.getBoundingClientRect().top;
globalThis.row = () => document.querySelector("p").getBoundingClientRect().top;
globalThis.at = attach(scroller, {
  header: "page", drawers: { navBar, tabs }, address: query.get("address"), tellsSize: !query.has("second"),
  open: { delegates: [{ behavior: "ShyNavBar", options: { expansionResistance: 0 } }] },
  onEvent: (event) => events.push({ ...event, now: performance.timeOrigin + performance.now() }),
  onState: ({ seq, epoch, animations, drawers }) => states.push({ seq, epoch, animations, y: drawers[0].frame.y,
    now: performance.timeOrigin + performance.now() }),
});
</script>"""


@contextlib.contextmanager
def setting(options, page=PAGE, config=()):
    """A bridge, and the origin of a page that another server serves."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "index.html").write_text(page)
        shutil.copytree(CLIENT, f"{folder}/client")
        with served(folder) as origin, Bridge(options.programs, ["[access]", f'origins = ["{origin}"]', *config]) as bridge:
            yield bridge, origin, pathlib.Path(folder)


def open_page(page, bridge, origin, more=""):
    page.goto(f"{origin}/?address=ws://127.0.0.1:{bridge.port}/socket{more}#token={bridge.token}")
    until(page, "!!globalThis.at?.state")


def rest(page):
    """Waits until nothing moves any more."""
    settled(page, "[at.offset, edge(), row(), events.length, states.length]", 0.4)


def kinds(page):
    return page.evaluate("events.map(({ event }) => event)")


def wheel(page, *steps):
    page.mouse.move(180, 300)
    for step in steps:
        page.mouse.wheel(0, step)
        time.sleep(0.03)


def check_types(source, *options, packages=()):
    """A page's script in TypeScript fits the types of the client, and of other packages, folders by name."""
    with tempfile.TemporaryDirectory() as folder:
        for name, package in [("headerd", CLIENT), *packages]:
            shutil.copytree(package, f"{folder}/node_modules/{name}")
        (pathlib.Path(folder) / "page.mts").write_text(source)
        checked = subprocess.run(["tsc", "--noEmit", "--strict", *options, "--target", "es2022", "--module", "node16", "--lib", "es2022,dom",
                                  "page.mts"], cwd=folder, capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout


def test_long_line_in_many_pieces(_):
    """What has come of a line is not copied and searched again for each piece of it: here that would take minutes."""
    script = f"""
import {{ Conversation }} from "{CLIENT}/protocol.js";
const conversation = new Conversation();
const messages = conversation.receive('{{"method":"ping"}}\\n{{"method":"long","params":{{"text":"');
for (let count = 0; count < 1e5; count += 1) messages.push(...conversation.receive("x".repeat(100)));
messages.push(...conversation.receive('"}}}}\\n{{"method":"next"}}\\n{{'));
console.log(JSON.stringify(messages.map(({{ message }}) => [message.method, message.params.text?.length])));
"""
    found = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(found.stdout) == [["long", 10_000_000], ["next", None]], found.stdout


def test_size_and_types(options):
    together = b"".join((CLIENT / f"{name}.js").read_bytes() for name in MODULES)
    size = len(gzip.compress(together, 9))
    assert size <= 15_900, f"{size} bytes"
    element = len(gzip.compress((CLIENT / "element.js").read_bytes(), 9))
    assert element <= 2_550, f"{element} bytes"
    imported = set(re.findall(r'from "\./(\w+)\.js"', together.decode()))
    assert imported <= set(MODULES), imported
    check_types(
        'import { attach, Link } from "headerd/browser";\nconst link = new Link({ token: null });\n'
        'import { CollapsingHeader } from "headerd/element";\nconst element: CollapsingHeader | null = document.querySelector("collapsing-header");\n'
        'element?.reveal(document.body, "search");\n'
        'const one = attach(document.body, { header: "a", drawers: { bar: document.body }, link, onState: (state) => state.drawers[0].frame.y });\n'
        "const y: number = one.offset; one.show(y, one.correction); one.preview(one.state); one.detach();\n")


def pixels(png):
    """The rows of a picture, each with its pixels of 3 or 4 bytes."""
    data = io.BytesIO(png)
    data.read(8)
    packed = b""
    while length := data.read(4):
        (length,) = struct.unpack(">I", length)
        kind, body = data.read(4), data.read(length)
        data.read(4)
        if kind == b"IHDR":
            width, height, _, color = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
    size = {2: 3, 6: 4}[color]
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        row = bytearray(raw[start + 1:start + 1 + width * size])
        unfilter(raw[start], row, before, size)
        rows.append(row)
        before = row
    return [[tuple(row[x:x + 3]) for x in range(0, len(row), size)] for row in rows]


def unfilter(kind, row, above, size):
    for index in range(len(row)):
        left = row[index - size] if index >= size else 0
        corner = above[index - size] if index >= size else 0
        up = above[index]
        if kind == 1:
            row[index] = (row[index] + left) & 255
        elif kind == 2:
            row[index] = (row[index] + up) & 255
        elif kind == 3:
            row[index] = (row[index] + (left + up) // 2) & 255
        elif kind == 4:
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
            row[index] = (row[index] + nearest[2]) & 255


def test_pixels_follow_the_wheel(options):
    """A state is drawn in the frame after its event, and what is on the screen is what the state says."""
    with setting(options) as (bridge, origin, _), chromium() as browser:
        context = browser.new_context(viewport={"width": 375, "height": 667})
        with quiet_page(context) as page:
            open_page(page, bridge, origin)
            page.evaluate("""() => { globalThis.frames = []; const next = () => { frames.push([at.offset, edge()]); requestAnimationFrame(next) };
              requestAnimationFrame(next) }""")
            cdp = context.new_cdp_session(page)
            cdp.send("Input.synthesizeScrollGesture", {"x": 180, "y": 300, "yDistance": -70, "speed": 150, "gestureSourceType": "mouse"})
            moved = [pair for pair in page.evaluate("frames") if pair[0] > -84]
            # The header contracts point by point, so that a frame shows the offset of some frame before it.
            lags = []
            offsets = [-84] + [offset for offset, _ in moved]
            for index, (_, top) in enumerate(moved):
                shown = [back for back in range(0, min(6, index + 2)) if abs(expected(offsets[index + 1 - back]) - top) < 0.6]
                lags.append(shown[0] if shown else 6)
            assert len(moved) > 8, moved
            assert sorted(lags)[len(lags) // 2] <= 1, list(zip(moved, lags))
            rest(page)
            wheel(page, -300)
            rest(page)
            for step in (30, 20, 300):
                wheel(page, step)
                rest(page)
                compare_pixels(page)


def expected(offset):
    """Where the bar of 44 points is, behind a contracting extension of 40, from the offset -84 on."""
    return max(-44, min(0, -(offset + 84 - 40)))


def compare_pixels(page):
    drawn = page.evaluate("at.state.drawers.map(({ frame, hidden }) => [Math.round(frame.y), Math.round(frame.y + frame.height), hidden])")
    column = [row[180] for row in pixels(page.screenshot())]
    (top, bottom, _), (_, low, hidden) = drawn
    bar = {y for y in range(max(0, top), max(0, bottom))}
    tabs = set() if hidden else {y for y in range(max(0, bottom), max(0, low))}
    assert {y for y, color in enumerate(column) if color == (255, 0, 0)} == bar, (drawn, column[:100])
    assert {y for y, color in enumerate(column) if color == (0, 0, 255)} == tabs, (drawn, column[:100])


def drag(cdp, start, end, steps, pause=0):
    cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": 180, "y": start}]})
    for step in range(1, steps + 1):
        y = start + (end - start) * step / steps
        cdp.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": 180, "y": y}]})
    time.sleep(pause)
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def fling(page, cdp, momentum=0):
    """A finger that is lifted while it moves. Again if the machine was so slow that it stood still before, or gave no momentum."""
    for _ in range(20):
        page.evaluate("document.querySelector('.scroller').scrollTo(0, 0)")
        rest(page)
        page.evaluate("events.splice(0)")
        drag(cdp, 600, 100, 12)
        if momentum:
            rest(page)
        if page.evaluate("lifted - moved < 30 ? document.querySelector('.scroller').scrollTop - place : -1") >= momentum:
            return
        rest(page)
    raise AssertionError("the machine is too slow for a fling")


def test_touch(options):
    with setting(options) as (bridge, origin, _), chromium() as browser:
        context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 375, "height": 667})
        with quiet_page(context) as page:
            open_page(page, bridge, origin)
            cdp = context.new_cdp_session(page)
            page.evaluate("events.splice(0)")
            drag(cdp, 500, 430, 10, pause=0.3)
            rest(page)
            # Held still before it is let go: no momentum, and the header snaps by itself.
            found = kinds(page)
            order = [kind for kind in found if kind != "didScroll"]
            assert order == ["willBeginDragging", "willEndDragging", "didEndDragging"] and found[0] == order[0], found
            assert page.evaluate("events.find(({ event }) => event === 'didEndDragging').willDecelerate") is False
            assert page.evaluate("edge()") in (0, -44)
            page.evaluate("""() => {
              const scroller = document.querySelector(".scroller");
              addEventListener("touchmove", ({ timeStamp }) => (window.moved = timeStamp), { capture: true, passive: true });
              addEventListener("touchend", ({ timeStamp }) => Object.assign(window, { lifted: timeStamp, place: scroller.scrollTop }), { capture: true, passive: true });
            }""")
            fling(page, cdp, momentum=100)
            found = kinds(page)
            order = [kind for kind in found if kind != "didScroll"]
            assert order == ["willBeginDragging", "willEndDragging", "didEndDragging", "willBeginDecelerating", "didEndDecelerating"], found
            momentum = page.evaluate("""() => {
              const begin = events.findIndex(({ event }) => event === "willBeginDecelerating");
              const place = (told) => told.findLast(({ offset }) => offset).offset.y;
              return place(events) - place(events.slice(0, begin));
            }""")
            assert abs(momentum - page.evaluate("document.querySelector('.scroller').scrollTop - place")) <= 1, momentum
            assert page.evaluate("events.find(({ velocity }) => velocity).velocity.y") > 0.3
            assert page.evaluate("edge()") == -44
            # A wheel ends the momentum.
            fling(page, cdp)
            wheel(page, 40)
            rest(page)
            assert [kind for kind in kinds(page) if kind != "didScroll"] == order + order[:3], kinds(page)


def test_keys_and_program(options):
    with setting(options) as (bridge, origin, _), chromium() as browser, quiet_page(browser.new_context()) as page:
        open_page(page, bridge, origin)
        page.evaluate("events.splice(0)")
        page.focus(".scroller")
        page.keyboard.press("PageDown")
        rest(page)
        # On a busy machine the browser may rest on the way, and be told to have ended twice; what the header moves then is a scroll as well.
        until(page, "events.some(({ event }) => event === 'didEndScrollingAnimation')")
        rest(page)
        assert set(kinds(page)) == {"didScroll", "didEndScrollingAnimation"}, kinds(page)
        before = page.evaluate("at.offset")
        page.evaluate("document.querySelector('.scroller').scrollTo({ top: 2000, behavior: 'smooth' })")
        rest(page)
        assert page.evaluate("at.offset") > before and "willBeginDragging" not in kinds(page)
        # What is covered is told to the browser, so that a focus ends below the header.
        covered = page.evaluate("at.state.scrollViews.content.contentInset.top")
        assert page.evaluate("document.querySelector('.scroller').style.scrollPaddingTop") == f"{covered}px"


def test_what_gets_the_focus_is_not_under_the_header(options):
    """In the middle of the content, with the whole header over it, the row behind the bar is focused, and nobody scrolls."""
    with setting(options) as (bridge, origin, _), chromium() as browser, quiet_page(browser.new_context()) as page:
        open_page(page, bridge, origin)
        wheel(page, *[60] * 20)
        wheel(page, *[-40] * 5)
        rest(page)
        assert page.evaluate("edge()") == 0
        covered = page.evaluate("""() => {
          const row = [...document.querySelectorAll("p")].find((p) => p.getBoundingClientRect().bottom > 20);
          row.tabIndex = 0;
          row.focus({ preventScroll: true });
          return row.getBoundingClientRect().top < 84;
        }""")
        assert covered
        rest(page)
        top, edge = page.evaluate("[document.activeElement, document.querySelector('.tabs')].map((one) => one.getBoundingClientRect()).map(({ top, bottom }, index) => index ? bottom : top)")
        assert page.evaluate("document.activeElement.textContent").startswith("Row")
        assert top >= edge - 1, (top, edge)


def test_it_comes_back_at_the_top(options):
    """From the smallest inset up to the top, point by point: the bar and its extension follow the content."""
    with setting(options) as (bridge, origin, _), chromium() as browser:
        context = browser.new_context(viewport={"width": 375, "height": 667})
        with quiet_page(context) as page:
            open_page(page, bridge, origin)
            cdp = context.new_cdp_session(page)
            for distance, top in ((-84, -44), (90, 0), (-84, -44), (90, 0)):
                cdp.send("Input.synthesizeScrollGesture", {"x": 180, "y": 300, "yDistance": distance, "speed": 200, "gestureSourceType": "mouse"})
                rest(page)
                assert page.evaluate("edge()") == top, (distance, page.evaluate("[edge(), at.offset]"))
            view = page.evaluate("({ row: row(), offset: at.offset, top: document.querySelector('.scroller').scrollTop, state: at.state })")
            assert view["row"] == 84, view


# Those that go with time, and not with the scroller.
ANIMATIONS = "document.getAnimations().filter(({ timeline }) => timeline === document.timeline).length"
# How many animations elements have besides their first one: the compositor moves no element that has two.
SECOND = """((targets) => targets.length - new Set(targets).size)(
  document.getAnimations().filter(({ effect }) => effect.getKeyframes().length > 0).map(({ effect }) => effect.target))"""


def test_snap_is_animated_without_a_jump(options):
    """The header goes the rest of the way in 0.2 s, and the content with it: no frame shows a jump."""
    with setting(options) as (bridge, origin, _), chromium() as browser, quiet_page(browser.new_context()) as page:
        open_page(page, bridge, origin)
        page.evaluate("""() => { globalThis.frames = []; const next = (now) => { frames.push([row(), edge(), SECOND, ANIMATIONS, now]);
          requestAnimationFrame(next) }; requestAnimationFrame(next) }""".replace("ANIMATIONS", ANIMATIONS).replace("SECOND", SECOND))
        def turn():
            page.evaluate("[states, frames].forEach((list) => list.splice(0))")
            wheel(page, 25, 25, 20)

        in_one_drag(page, turn, rest, "events")
        assert page.evaluate("states.some(({ animations }) => animations?.length)"), "nothing was announced"
        frames = page.evaluate("frames")
        # What the wheel moved ends with the frame before the first one of the animation.
        begun = next((index for index, (_, _, _, animations, _) in enumerate(frames) if animations), 0)
        assert begun > 0, "no frame shows an animation, or the first one does"
        frames = frames[begun - 1 :]
        total = abs(frames[-1][0] - frames[0][0])
        steps = [(abs(after[0] - before[0]), after[4] - before[4]) for before, after in zip(frames, frames[1:])]
        assert total > 8, frames[:5]
        # A frame that comes late shows more of the way, at most twice as much as on average in these milliseconds.
        assert all(step < total * max(0.75, late / 100) for step, late in steps), (total, max(steps))
        assert not any(second for _, _, second, *_ in frames)
        # What is drawn at the end is the state, and the content lies below the header.
        view = page.evaluate("[edge(), at.state.drawers[0].frame.y, row(), -at.offset, at.state.scrollViews.content.contentOffset.y, at.offset]")
        assert view[0] == view[1] and abs(view[2] - view[3]) < 1 and abs(view[4] - view[5]) < 1, view


def test_reduced_motion(options):
    with setting(options) as (bridge, origin, _), chromium() as browser:
        with quiet_page(browser.new_context(reduced_motion="reduce")) as page:
            open_page(page, bridge, origin)
            wheel(page, 25, 25, 20)
            page.evaluate("""() => { globalThis.most = 0; const next = () => { most = Math.max(most, ANIMATIONS);
              requestAnimationFrame(next) }; requestAnimationFrame(next) }""".replace("ANIMATIONS", ANIMATIONS))
            rest(page)
            assert page.evaluate("most") == 0
            page.emulate_media(reduced_motion="no-preference")
            until(page, "events.some(({ reduceMotion }) => reduceMotion === false)")


def test_resize(options):
    with setting(options) as (bridge, origin, _), chromium() as browser:
        with quiet_page(browser.new_context(viewport={"width": 375, "height": 667})) as page:
            open_page(page, bridge, origin)
            wheel(page, 100, 100)
            rest(page)
            offset = page.evaluate("at.offset")
            page.set_viewport_size({"width": 667, "height": 375})
            until(page, "events.some(({ event, viewport }) => event === 'layout' && viewport.width === 667)")
            rest(page)
            assert abs(page.evaluate("at.offset") - offset) < 1
            assert page.evaluate("document.querySelector('nav').getBoundingClientRect().width") == 667


def test_reload(options):
    with setting(options) as (bridge, origin, _), chromium() as browser, quiet_page(browser.new_context()) as page:
        open_page(page, bridge, origin)
        wheel(page, 300, 300)
        rest(page)
        before = page.evaluate("[at.state.epoch, at.offset, edge(), row()]")
        page.reload()
        until(page, "!!globalThis.at?.state")
        rest(page)
        after = page.evaluate("[at.state.epoch, at.offset, edge(), row()]")
        assert after == before, (before, after)
        wheel(page, -100)
        rest(page)
        assert page.evaluate("edge()") == 0


def test_scrolled_while_it_is_opened(options):
    """Whoever scrolls before the first state has come stays there, and the header comes along."""
    law = 'behavior: "CollapsingHeader", options: { drawers: [{ shift: true, returns: "atTop" }] }'
    scrolls = """const send = WebSocket.prototype.send; WebSocket.prototype.send = function (data) { send.call(this, data);
      if (String(data).includes("header.open")) document.querySelector(".scroller").scrollTop = 30 }"""
    with setting(options, PAGE.replace('behavior: "ShyNavBar", options: { expansionResistance: 0 }', law)) as (bridge, origin, _), chromium() as browser:
        with quiet_page(browser.new_context()) as page:
            page.add_init_script(scrolls)
            open_page(page, bridge, origin)
            rest(page)
            assert page.evaluate("[row(), document.querySelector('.tabs').getBoundingClientRect().bottom]") == [54, 54]


def test_the_daemon_is_killed_while_scrolling(options):
    with setting(options) as (bridge, origin, _), chromium() as browser, quiet_page(browser.new_context()) as page:
        open_page(page, bridge, origin)
        wheel(page, 100, 100)
        rest(page)
        epoch = page.evaluate("at.state.epoch")
        bridge.kill_daemon()
        wheel(page, 50, 50, 50)
        # The header goes with the content, and comes back with it.
        until(page, "edge() === -document.querySelector('.scroller').scrollTop")
        wheel(page, -5000)
        until(page, "edge() === 0 && row() === 84")
        wheel(page, 200, 100)
        time.sleep(0.5)
        bridge.start_daemon()
        wheel(page, 20, 20)
        until(page, f"at.state.epoch !== {epoch}")
        wheel(page, 100, 100)
        rest(page)
        assert page.evaluate("edge()") == -44
        wheel(page, -100)
        rest(page)
        assert page.evaluate("[edge(), at.state.drawers[0].frame.y]") == [0, 0]


def test_the_connection_is_lost(options):
    """The header lives on, the page takes it up where it was."""
    with setting(options) as (bridge, origin, _), chromium() as browser:
        context = browser.new_context()
        page = context.new_page()
        open_page(page, bridge, origin)
        wheel(page, 100, 100)
        rest(page)
        before = page.evaluate("[at.state.epoch, at.offset]")
        bridge.stop()
        bridge.start()
        rest(page)
        wheel(page, -100)
        until(page, "edge() === 0")
        rest(page)
        epoch, offset = page.evaluate("[at.state.epoch, at.offset]")
        assert epoch == before[0] and offset < before[1], (epoch, offset, before)
        assert page.evaluate("edge()") == page.evaluate("at.state.drawers[0].frame.y")


def test_two_windows(options):
    """The same state at the same sequence number in both, whoever scrolls: as it was decided, not as it goes on."""
    with setting(options, PAGE.replace('header: "page",', 'header: "page", everyState: true,')) as (bridge, origin, _), chromium() as browser:
        context = browser.new_context()
        with quiet_page(context) as first, quiet_page(context) as second:
            open_page(first, bridge, origin)
            open_page(second, bridge, origin, "&second")
            wheel(first, *[20] * 10)
            rest(first)
            rest(second)
            seen = [{state["seq"]: state["y"] for state in page.evaluate("states")} for page in (first, second)]
            both = seen[0].keys() & seen[1].keys()
            assert len(both) > 3 and all(seen[0][seq] == seen[1][seq] for seq in both), seen
            assert first.evaluate("[at.state.seq, edge()]") == second.evaluate("[at.state.seq, edge()]")


def test_tabs(options):
    """Behind another tab nothing is drawn; back in front, the newest state is."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    chrome = webdriver.ChromeOptions()
    chrome.binary_location = CHROMIUM
    for argument in ["--headless=new", *ARGUMENTS]:
        chrome.add_argument(argument)
    with setting(options) as (bridge, origin, _):
        driver = webdriver.Chrome(options=chrome, service=Service("/usr/bin/chromedriver"))
        try:
            driver.get(f"{origin}/?address=ws://127.0.0.1:{bridge.port}/socket#token={bridge.token}")
            wait(driver, "return !!globalThis.at?.state")
            front = driver.current_window_handle
            driver.switch_to.new_window("tab")
            driver.get("about:blank")
            driver.switch_to.window(front)
            wait(driver, "return events.some(({ event }) => event === 'didAppear')")
            assert driver.execute_script("return events.map(({ event }) => event).filter((one) => /ppear/.test(one))") == [
                "willDisappear", "didDisappear", "willAppear", "didAppear"]
            driver.execute_script("document.querySelector('.scroller').scrollTop = 300")
            # The first position that the header is told is where it begins, whatever the scroller had moved by then.
            wait(driver, "return events.some(({ event, offset }) => event === 'didScroll' && offset?.y === 216)")
            driver.execute_script("document.querySelector('.scroller').scrollTop = 500")
            wait(driver, "return edge() === -44")
        finally:
            driver.quit()


def wait(driver, script):
    deadline = time.monotonic() + 10
    while not driver.execute_script(script):
        assert time.monotonic() < deadline, script
        time.sleep(0.02)
