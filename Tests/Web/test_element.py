"""<collapsing-header> on a page, from the bridge and from elsewhere."""
import contextlib
import itertools
import json
import pathlib
import re
import shutil
import sys
import tempfile
import time

from axe_playwright_python.sync_playwright import Axe
from browser import ROOT, RULES, chromium, filmed, quiet_page, served, until
from bridge import Bridge
from test_client import CLIENT, pixels, rest, wheel

sys.path.append(str(ROOT / "Tests/Toolkits"))
from display import Picture  # noqa: E402
from stages import BAR, ROWS, STAGES, TABS, Geometry, css  # noqa: E402

LAWS = {"delegates": [{"behavior": "CollapsingHeader", "options": {"drawers": [{"drawer": "bar", "collapse": True}, {"drawer": "tabs", "pin": True}]}}]}
HEAD = '<!doctype html><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,"><link rel="stylesheet" href="style.css">'
STYLE = f"""body {{ margin: 0 }} .bar {{ height: 96px; background: {css(BAR)} }} .tabs {{ height: 40px; background: {css(TABS)} }}
p {{ height: 60px; margin: 0 }} .high {{ height: 500px }}
""" + "\n".join(f"p:nth-child({len(ROWS)}n + {number + 1}) {{ background: {css(color)} }}" for number, color in enumerate(ROWS))
ROWS = "document.querySelector('main').append(...Array.from({ length: 100 }, (_, row) => Object.assign(document.createElement('p'), { textContent: `Row ${row}` })))"
EDGE = "document.querySelector('.tabs').getBoundingClientRect().bottom"
ROW = "document.querySelector('p').getBoundingClientRect().top"


def example():
    texts = re.findall(r"^```html\n(.*?)^```$", (CLIENT / "README.md").read_text(), flags=re.M | re.S)
    assert len(texts) == 1
    return texts[0]


def page_of(attributes="", inside="", more=""):
    text = f'''<collapsing-header description='{json.dumps(LAWS)}' {attributes}>
      <div slot="bar" class="bar" data-drawer='{{"minimumHeight":44}}'><input aria-label="Search"></div><div slot="tabs" class="tabs"></div>{inside}
    </collapsing-header>'''
    return f'{HEAD}<script type="module" src="client/element.js"></script>{more}{text}'


# A bar of 96 points that collapses to 44, where the content is at its top.
RETURNS_AT_TOP = page_of().replace('"collapse": true', '"collapse": true, "returns": "atTop"') + "<main></main>"
# Bars that slide off with the content, and back wherever that is.
SHY = {"delegates": [{"behavior": "ShyNavBar", "options": {"expansionResistance": 0}}]}
SLIDES = (f"{HEAD}<script type=module src=client/element.js></script><collapsing-header description='{json.dumps(SHY)}'>"
          "<div slot=bar class=bar></div><div slot=tabs class=tabs></div></collapsing-header><main></main>")
# What was painted is read behind each frame.
PAINTED = """() => {
  globalThis.painted = [];
  const channel = new MessageChannel();
  channel.port1.onmessage = () => painted.push([ROW, EDGE]);
  const next = () => (channel.port2.postMessage(null), requestAnimationFrame(next));
  requestAnimationFrame(next);
}""".replace("ROW", ROW).replace("EDGE", EDGE)


def distances(page, scrolls):
    """A wheel goes up and down through the way of that bar and beyond its ends; for each frame in which something moved, how far the header
    was from where the content had it."""
    page.evaluate(PAINTED)
    cdp = page.context.new_cdp_session(page)
    for index in range(2 * scrolls):
        distance = -80 if index % 2 == 0 else 80
        cdp.send("Input.synthesizeScrollGesture", {"x": 180, "y": 300, "yDistance": distance, "speed": 400, "gestureSourceType": "mouse"})
    frames = page.evaluate("painted")
    moved = [pair for pair, before in zip(frames[1:], frames) if pair != before]
    return [abs(edge - max(84, row)) for row, edge in moved]


# Each row has a color of its own, by which a picture says where the content is.
COLORED = "document.querySelectorAll('p').forEach((row, n) => row.style.background = `rgb(255, ${255 - 8 * (n % 16)}, ${255 - 8 * (n >> 4)})`)"


def places(column, header):
    """Where the header ends in a column of colors, and how far the content is scrolled, below a header that is so high at first."""
    edge = max((y + 1 for y, color in enumerate(column) if color[0] < 128), default=0)
    y = next(y for y in range(edge + 1, len(column)) if column[y] != column[y - 1])
    row = (255 - column[y][1]) // 8 + (255 - column[y][2]) // 8 * 16
    return edge, header + 60 * row - y


def distances_in_pictures(page, distance, speed, header, edge, mirror=None):
    """A wheel goes by a distance, so many points a second. For each frame of the compositor in which something moved, how far the header
    ended from where it belongs: `edge` says where that is, by how far the content is scrolled. Looked at is the page, or its mirror."""
    cdp = page.context.new_cdp_session(page)

    def wheel_goes():
        began, gone = time.monotonic(), 0
        while gone < abs(distance):
            time.sleep(1 / 60)
            place = min(round(speed * (time.monotonic() - began)), abs(distance))
            delta = (place - gone) * (1 if distance > 0 else -1)
            cdp.send("Input.dispatchMouseEvent", {"type": "mouseWheel", "x": 60, "y": 500, "deltaX": 0, "deltaY": delta})
            gone = place
        time.sleep(0.05)

    frames = [places(column, header) for column in filmed(mirror or page, 115, wheel_goes)]
    return [abs(found - edge(place)) for (found, place), before in zip(frames[1:], frames) if (found, place) != before]


@contextlib.contextmanager
def pages(options, **files):
    """A bridge that serves a page, its style and the client."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "style.css").write_text(STYLE)
        for file, text in files.items():
            (folder / f"{file}.html").write_text(text)
        shutil.copytree(CLIENT, folder / "client")
        with Bridge(options.programs, pages=folder) as bridge:
            yield bridge, folder


def show(page, bridge, file="", rows=True):
    page.goto(bridge.url(file))
    if rows:
        page.evaluate(ROWS)
    until(page, "document.querySelector('collapsing-header').attachment?.state")


def complaint(page, complaints):
    """The first thing that the console has."""
    deadline = time.monotonic() + 10
    while not complaints:
        assert time.monotonic() < deadline, "nobody complains"
        page.evaluate("new Promise((go) => setTimeout(go, 20))")
    return complaints[0]


def headers(page):
    """The headers that are open, by a connection of the page's."""
    return page.evaluate("""async () => {
      const { Link } = await import('./client/browser.js');
      const link = new Link();
      while (!link.isConnected) await new Promise((go) => setTimeout(go, 5));
      const { headers } = await link.request('header.list', {});
      link.close();
      return headers.map(({ header }) => header);
    }""")


def test_the_example_of_the_page(options):
    """From the bridge itself, which lets no inline script and no inline style run."""
    text = example()
    assert len(text.splitlines()) == 12
    with pages(options, index=text) as (bridge, _), chromium() as browser, quiet_page(browser.new_context()) as page:
        show(page, bridge)
        height = page.evaluate("document.querySelector('nav').offsetHeight + document.querySelector('[slot=tabs]').offsetHeight")
        rest_of(page)
        assert page.evaluate("parseFloat(document.body.style.paddingTop)") == height
        top = "document.querySelector('nav').getBoundingClientRect().bottom"
        assert page.evaluate(top) > 0
        # What is in the drawers fits into them, and is where it would be without a header.
        inside = "(one) => ((a, b) => [a.left, a.top >= b.top, a.bottom <= b.bottom])(one.getBoundingClientRect(), one.parentElement.getBoundingClientRect())"
        for selector in ("h1", "[slot=tabs] a"):
            assert page.evaluate(f"({inside})(document.querySelector('{selector}'))") == [8, True, True], selector
        if options.pictures:
            page.screenshot(path=options.pictures / "element.png")
        accessible(page)
        wheel(page, *[60] * 6)
        until(page, f"{top} <= 0")
        accessible(page)
        wheel(page, -800)
        until(page, f"document.querySelector('nav').getBoundingClientRect().top === 0")
        page.evaluate("location.hash = 'last'")
        rest_of(page)
        covered = page.evaluate("document.querySelector('collapsing-header').attachment.state.scrollViews.content.contentInset.top")
        assert page.evaluate("document.querySelector('#last').getBoundingClientRect().top") >= covered - 1


def test_the_header_moves_with_its_content(options):
    """In the same frame, since states say how they go on."""
    with pages(options, index=RETURNS_AT_TOP) as (bridge, _), chromium() as browser, quiet_page(browser.new_context(viewport={"width": 375, "height": 667})) as page:
        show(page, bridge)
        rest_of(page)
        apart = distances(page, 3)
        assert len(apart) > 20, f"{len(apart)} frames moved"
        late = [round(one, 2) for one in apart if one > 0.5]
        assert len(late) <= len(apart) // 10, f"{len(late)} of {len(apart)}: {late}"


def test_the_header_moves_while_the_page_is_busy(options):
    """The compositor moves it, in pictures of the compositor's frames."""
    with pages(options, index=RETURNS_AT_TOP) as (bridge, _), chromium() as browser, quiet_page(browser.new_context(viewport={"width": 120, "height": 667})) as page:
        show(page, bridge)
        page.evaluate(COLORED)
        page.evaluate("setInterval(() => { for (const began = performance.now(); performance.now() - began < 250;); }, 500)")
        apart, ways = [], itertools.cycle([80, -80])
        # A busy machine shows fewer frames of each way.
        deadline = time.monotonic() + 60
        while len(apart) < 40:
            assert time.monotonic() < deadline, f"{len(apart)} frames moved"
            settled(page)
            apart += distances_in_pictures(page, next(ways), 300, 136, lambda place: max(84, 136 - place))
        late = [one for one in apart if one > 1]
        assert len(late) <= len(apart) // 10, f"{len(late)} of {len(apart)}: {late}"


def test_the_compositor_knows_at_rest_how_a_drag_goes_on(options):
    """At rest, ShyNavBar moves the content as well, and not in a drag: the first frames of a drag are drawn without the daemon."""
    with pages(options, index=SLIDES) as (bridge, _), chromium() as browser, quiet_page(browser.new_context(viewport={"width": 120, "height": 667})) as page:
        show(page, bridge)
        until(page, """(() => { const keyframes = document.querySelector('.bar').getAnimations()[0].effect.getKeyframes();
          return keyframes.length > 2 && keyframes.at(-1).transform !== keyframes[0].transform })()""")


def accessible(page):
    """axe-core finds nothing wrong."""
    found = Axe().run(page, options=RULES)
    assert not found.violations_count, found.generate_report()[:1500]


def settled(page):
    """Waits until the page has the state that the daemon came to rest with, and how a drag would go on from there."""
    last = None
    while (now := page.evaluate("(({ offset, state }) => [offset, state.seq, Boolean(state.ahead)])(document.querySelector('collapsing-header').attachment)")) != last or not now[2]:
        last = now
        time.sleep(0.5)


def rest_of(page):
    page.evaluate("Object.assign(globalThis, { at: document.querySelector('collapsing-header').attachment, edge: () => 0, row: () => 0, events: [], states: [] })")
    rest(page)


def go_through_stages(page, bridge, geometry, scroll):
    """Header and content are where they belong in the picture of each stage; `scroll` is a script, given the place."""
    for stage in STAGES:
        place = geometry.place(stage)
        if stage == "restarted":
            bridge.kill_daemon()
            page.evaluate(scroll, place)
            bridge.start_daemon()
        elif stage == "pulled":
            # Chromium on Linux keeps content within its range.
            page.evaluate(scroll, 0)
            wheel(page, -60)
        else:
            page.evaluate(scroll, place)
        deadline = time.monotonic() + 10
        while found := geometry.wrong([row[0] for row in pixels(page.screenshot(clip={"x": 300, "y": 0, "width": 1, "height": 500}))], place):
            assert time.monotonic() < deadline, f"{stage}: {'; '.join(found)}"
            time.sleep(0.05)


def test_stages(options):
    page = page_of().replace('"collapse": true', '"collapse": true, "returns": "atTop"') + "<main></main>"
    with pages(options, index=page) as (bridge, _), chromium() as browser:
        page = browser.new_page(viewport={"width": 375, "height": 667})
        show(page, bridge)
        go_through_stages(page, bridge, Geometry(row=60), "(place) => scrollTo(0, place)")


@contextlib.contextmanager
def app(options, name):
    """An example in a phone's window; gives what takes a picture for the documents."""
    lines = [len(path.read_text().splitlines()) for path in (CLIENT / "examples").glob(f"{name}.*")]
    assert lines and sum(lines) <= 80, lines
    with pages(options, index=example()) as (bridge, _), chromium() as browser:
        with quiet_page(browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)) as page:
            show(page, bridge, f"client/examples/{name}.html", rows=False)
            pictures = []

            def take():
                if options.pictures:
                    rest_of(page)
                    pictures.append(Picture(360, [bytes(byte for pixel in row for byte in pixel[:3]) for row in pixels(page.screenshot())]))

            take()
            accessible(page)
            yield page, take
            if options.pictures:
                Picture.of_row(pictures).save(options.pictures / f"{name}.png")


def top(page, selector):
    return page.evaluate(f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().top")


def test_article(options):
    """The bar leaves and comes back with any movement up; a heading that is gone to is not behind the contents."""
    with app(options, "article") as (page, take):
        assert [top(page, selector) for selector in ("[slot=bar]", "[slot=contents]")] == [0, 52]
        wheel(page, *[60] * 5)
        until(page, "document.querySelector('[slot=contents]').getBoundingClientRect().top === 0")
        take()
        wheel(page, -60)
        until(page, "document.querySelector('[slot=contents]').getBoundingClientRect().top === 52")
        take()
        page.click("a[href='#birds']")
        rest_of(page)
        assert 0 <= top(page, "#birds") - page.evaluate("document.querySelector('[slot=contents]').getBoundingClientRect().bottom") < 60
        take()


def test_shop(options):
    """The picture leaves, the search field comes back first, the shelves stay; searching shortens the list."""
    with app(options, "shop") as (page, take):
        assert [top(page, f"[slot={name}]") for name in ("search", "picture", "shelves")] == [0, 56, 216]
        wheel(page, *[60] * 2)
        until(page, "document.querySelector('[slot=shelves]').getBoundingClientRect().top === 96")
        take()
        wheel(page, *[60] * 6)
        until(page, "document.querySelector('[slot=shelves]').getBoundingClientRect().top === 0")
        take()
        wheel(page, -80)
        until(page, "document.querySelector('[slot=shelves]').getBoundingClientRect().top === 56")
        take()
        page.fill("input", "ced")
        until(page, "document.querySelectorAll('li').length === 2")


def test_from_another_server(options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(CLIENT, folder / "client")
        (folder / "style.css").write_text(STYLE)
        with served(folder) as origin, Bridge(options.programs, ["[access]", f'origins = ["{origin}"]']) as bridge:
            where = f'address="ws://127.0.0.1:{bridge.port}/socket" token="{bridge.token}"'
            (folder / "index.html").write_text(page_of(where) + "<main></main>")
            with chromium() as browser, quiet_page(browser.new_context()) as page:
                page.goto(origin)
                page.evaluate(ROWS)
                until(page, "document.querySelector('collapsing-header').attachment?.state")
                wheel(page, 60, 60, 60)
                until(page, f"{EDGE} === 84")


def test_visitors_have_headers_of_their_own(options):
    with pages(options, index=page_of() + "<main></main>") as (bridge, _), chromium() as browser:
        context = browser.new_context()
        with quiet_page(context) as one:
            with quiet_page(context) as two:
                show(one, bridge)
                show(two, bridge)
                wheel(one, 60, 60, 60)
                until(one, f"{EDGE} === 84")
                assert two.evaluate(EDGE) == 136
                assert len(headers(one)) == 2
            until_gone = 50
            while len(headers(one)) > 1 and until_gone:
                until_gone -= 1
            assert len(headers(one)) == 1, "the header of a page that is gone is still there"
            # A page that is loaded again is where it was.
            one.reload()
            one.evaluate(ROWS)
            until(one, "document.querySelector('collapsing-header').attachment?.state")


def test_a_shared_header(options):
    """Pages that give the same name move it together; one draws, the other publishes."""
    page = page_of('header="shared"') + "<main></main>"
    mirror, publisher = (page_of(f'header="shared" mode="{mode}"') + "<main></main>" for mode in ("renderer", "publisher"))
    with pages(options, index=page, mirror=mirror, publisher=publisher) as (bridge, _), chromium() as browser:
        context = browser.new_context()
        with quiet_page(context) as one, quiet_page(context) as two, quiet_page(context) as three:
            show(one, bridge)
            show(two, bridge, "mirror.html")
            wheel(one, 60, 60, 60)
            until(two, f"{EDGE} === 84")
            wheel(one, -400)
            until(two, f"{EDGE} === 136")
            wheel(two, 300)
            rest_of(two)
            assert one.evaluate(EDGE) == 136 and headers(one) == ["shared"]
            show(three, bridge, "publisher.html")
            assert three.evaluate("getComputedStyle(document.querySelector('.bar')).display") == "none"
            wheel(three, 60, 60, 60)
            until(two, f"{EDGE} === 84")


def test_a_mirror(options):
    """It shows also the content where another page has it, while the header rests, and after a new connection."""
    page = page_of('header="shared"') + "<main></main>"
    mirror = page_of('header="shared" mode="mirror"') + "<main></main>"
    with pages(options, index=page, mirror=mirror) as (bridge, _), chromium() as browser:
        context = browser.new_context()
        with quiet_page(context) as one, quiet_page(context) as two:
            show(one, bridge)
            show(two, bridge, "mirror.html")
            for turns, row in (([60] * 4, -104), ([300] * 4, -1304), ([-100], -1204)):
                wheel(one, *turns)
                for page in (one, two):
                    until(page, f"Math.abs({ROW} - {row}) < 1")
            two.reload()
            two.evaluate(ROWS)
            until(two, f"Math.abs({ROW} - {row}) < 1")


def test_the_order_of_drawers(options):
    """An earlier drawer lies over a later one, unless the header says otherwise."""
    page = page_of().replace('"collapse": true', '"collapse": true, "zIndex": -2') + "<main></main>"
    order = "JSON.stringify([...document.querySelectorAll('.bar, .tabs')].map((one) => Number(getComputedStyle(one).zIndex)))"
    with pages(options, index=page) as (bridge, _), chromium() as browser, quiet_page(browser.new_context()) as one:
        show(one, bridge)
        assert one.evaluate(order) == "[2,1]"
        wheel(one, *[60] * 6)
        until(one, f"{order} === '[1,2]'")
        wheel(one, -600)
        until(one, f"{order} === '[2,1]'")


def test_another_description(options):
    """It is refused where anybody sees it, or takes the old one's place."""
    first = page_of('header="shared"') + "<main></main>"
    other = first.replace('"collapse": true', '"shift": true')
    # The first difference is one that windows may have; another one follows.
    scaled = other.replace("description='{", """description='{"environment": {"screenScale": 2}, """)
    # That one alone makes no other header.
    same = first.replace("description='{", """description='{"environment": {"screenScale": 2}, """)
    with pages(options, index=first, other=other, scaled=scaled, same=same, replace=other.replace("header=", "if-exists='replace' header=")) as (bridge, _):
        with chromium() as browser:
            context = browser.new_context()
            with quiet_page(context) as one:
                show(one, bridge)
                two = context.new_page()
                complaints = []
                two.on("console", lambda message: complaints.append(message.text))
                two.goto(bridge.url("other.html"))
                two.evaluate(ROWS)
                told = complaint(two, complaints)
                assert "<collapsing-header>" in told and "another description" in told and "delegates" in told, complaints
                assert two.evaluate("document.querySelector('collapsing-header').attachment.state") is None
                # Its drawers are part of its page.
                assert two.evaluate(EDGE) == 136 and two.evaluate(ROW) == 136
                two.add_init_script("addEventListener('headererror', (event) => { globalThis.told = event.detail.name; event.preventDefault() }, true)")
                complaints.clear()
                two.goto(bridge.url("other.html"))
                two.reload()
                until(two, "globalThis.told === 'headerExists'")
                assert not complaints, complaints
                two.goto(bridge.url("scaled.html"))
                until(two, "globalThis.told === 'headerExists'")
                two.goto(bridge.url("same.html"))
                two.evaluate(ROWS)
                until(two, f"{EDGE} === 136 && document.querySelector('collapsing-header').attachment.state !== null")
                assert two.evaluate("globalThis.told") is None
                two.close()
                with quiet_page(context) as three:
                    show(three, bridge, "replace.html")
                    wheel(three, *[60] * 6)
                    until(three, f"{EDGE} === 40")


def test_content_inside(options):
    """The element's other children scroll inside of it."""
    page = page_of('class="high"', inside="<main></main>")
    with pages(options, index=page) as (bridge, _), chromium() as browser, quiet_page(browser.new_context()) as page:
        show(page, bridge)
        assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")
        assert page.evaluate(EDGE) == 136 and page.evaluate(ROW) == 136
        wheel(page, 60, 60, 60)
        until(page, f"{EDGE} === 84")
        assert page.evaluate("document.querySelector('collapsing-header').attachment.offset") > -100


def test_without_script_and_without_daemon(options):
    page = page_of() + "<main><p>Row</p></main>"
    with pages(options, index=page) as (bridge, _), chromium() as browser:
        with quiet_page(browser.new_context(java_script_enabled=False)) as page:
            page.goto(bridge.url())
            tops = [page.locator(one).bounding_box()["y"] for one in (".bar", ".tabs", "p")]
            assert tops == [0, 96, 136], tops
        bridge.kill_daemon()
        page = browser.new_context().new_page()
        complaints = []
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(bridge.url())
        page.evaluate(ROWS)
        complaint(page, complaints)
        assert page.evaluate(ROW) == 136
        page.evaluate("scrollTo(0, 50)")
        until(page, f"{EDGE} === 86 && {ROW} === 86")
        bridge.start_daemon()
        until(page, "document.querySelector('collapsing-header').attachment.state")
        until(page, f"(({{ y, height }}) => {EDGE} === y + height)(document.querySelector('collapsing-header').attachment.state.drawers[1].frame)")
        assert page.evaluate(ROW) == 86
        page.close()


def test_it_changes(options):
    """Another drawer begins the header anew; without the element the page is as it was."""
    with pages(options, index=page_of() + "<main></main>") as (bridge, _), chromium() as browser, quiet_page(browser.new_context()) as page:
        show(page, bridge)
        page.evaluate("""document.querySelector('collapsing-header').append(Object.assign(document.createElement('div'),
          { slot: 'more', className: 'tabs' }))""")
        until(page, f"document.querySelector('collapsing-header').attachment?.state?.drawers.length === 3 && {ROW} === 176")
        page.evaluate("document.querySelector('[slot=more]').remove()")
        until(page, f"document.querySelector('collapsing-header').attachment?.state?.drawers.length === 2 && {ROW} === 136")
        page.evaluate("globalThis.gone = document.querySelector('collapsing-header'); gone.remove()")
        assert page.evaluate(ROW) == 0
        page.evaluate("document.body.prepend(gone)")
        until(page, f"gone.attachment?.state && {EDGE} === 136 && {ROW} === 136")


def test_mistakes(options):
    """Each is told where the page's author looks."""
    wrong = {"mode": page_of('mode="both of them"'), "for": page_of('for="nothing"'), "behavior": page_of().replace('"CollapsingHeader"', '"CollapsingHeadr"')}
    with pages(options, index=page_of(), **wrong) as (bridge, _), chromium() as browser:
        for name, words in (("mode", "there are both, publisher, renderer, mirror"), ("for", "no such element"), ("behavior", "CollapsingHeader")):
            page = browser.new_context().new_page()
            complaints = []
            page.on("console", lambda message: complaints.append(message.text))
            page.goto(bridge.url(f"{name}.html"))
            assert words in complaint(page, complaints), complaints
            page.close()


def test_focus_and_reduced_motion(options):
    laws = page_of().replace('"collapse": true', '"shift": true') + "<main></main>"
    with pages(options, index=laws) as (bridge, _), chromium() as browser:
        with quiet_page(browser.new_context(reduced_motion="reduce")) as page:
            show(page, bridge)
            wheel(page, *[60] * 6)
            until(page, f"{EDGE} === 40")
            page.evaluate("document.querySelector('input').focus({ preventScroll: true })")
            until(page, "document.querySelector('input').getBoundingClientRect().top >= 0")
