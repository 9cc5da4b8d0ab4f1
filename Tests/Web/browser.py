"""Chromium for the tests, which fails a test whose page has complained."""
import atexit
import contextlib
import functools
import http.server
import pathlib
import threading
import time

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHROMIUM = "/usr/bin/chromium"
# What axe-core looks for.
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]


def until(page, expression, seconds=10):
    """The first true value of an expression. (Playwright's own wait needs eval, which the pages' policy forbids.)"""
    deadline = time.monotonic() + seconds
    while True:
        value = page.evaluate(expression)
        if value:
            return value
        assert time.monotonic() < deadline, f"never: {expression}"
        time.sleep(0.01)


def settled(page, expression, seconds):
    """Waits until the value of an expression stays the same for this time and for two frames, which a busy machine draws late."""
    last = None
    while (now := page.evaluate(f"new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done({expression}))))")) != last:
        last = now
        time.sleep(seconds)


def in_one_drag(page, turn, rest, events):
    """Turns a wheel from the top by `turn()`, and waits for what follows. On a busy machine the turns may be several drags, behind each of
    which the header settles: then again. Returns how many events the list of that expression had before."""
    for _ in range(20):
        page.evaluate("document.querySelector('.scroller').scrollTo(0, 0)")
        rest(page)
        begun = page.evaluate(f"{events}.length")
        turn()
        until(page, f"{events}.slice({begun}).some(({{ event }}) => event === 'didEndDragging')")
        rest(page)
        if page.evaluate(f"{events}.slice({begun}).filter(({{ event }}) => event === 'willBeginDragging').length") == 1:
            return begun
    raise AssertionError("the machine is too slow for turns of a wheel in one drag")


@functools.cache
def playwright():
    """Playwright's program, which ends with the tests."""
    manager = sync_playwright()
    atexit.register(manager.__exit__)
    return manager.__enter__()


# At most one.
BROWSERS = []


@contextlib.contextmanager
def chromium():
    """A browser without pages: all tests have the same one, since it takes two seconds to start."""
    if not BROWSERS or not BROWSERS[0].is_connected():
        BROWSERS[:] = [playwright().chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)]
    try:
        yield BROWSERS[0]
    finally:
        for context in BROWSERS[0].contexts:
            context.close()


@contextlib.contextmanager
def quiet_page(context):
    """A page that may not complain."""
    complaints = []
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert not complaints, complaints
    page.close()


# Of each picture the colors from the top down at some x, each as often as it comes in a row.
COLUMNS = """([pictures, x]) => Promise.all(pictures.map(async (picture) => {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(x, 0, 1, bitmap.height);
  const runs = [];
  for (let at = 0; at < data.length; at += 4) {
    const [color, last] = [[...data.slice(at, at + 3)], runs.at(-1)];
    if (last && last[1].join() === color.join()) last[0] += 1;
    else runs.push([1, color]);
  }
  return runs;
}))"""


def filmed(page, x, act):
    """What a browser's compositor shows while `act` goes on: a column of colors from each of its frames."""
    cdp, frames = page.context.new_cdp_session(page), []

    def took(frame):
        frames.append(frame["data"])
        cdp.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    cdp.on("Page.screencastFrame", took)
    cdp.send("Page.startScreencast", {"format": "png"})
    act()
    cdp.send("Page.stopScreencast")
    reader = page.context.new_page()
    columns = [[tuple(color) for count, color in runs for _ in range(count)] for runs in reader.evaluate(COLUMNS, [frames, x])]
    reader.close()
    page.bring_to_front()
    return columns


@contextlib.contextmanager
def served(folder):
    """A folder behind a web server that is not the bridge; gives its origin."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
