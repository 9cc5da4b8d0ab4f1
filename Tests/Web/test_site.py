"""The manual as `make docs` makes it, opened as files: no server, and no script but for the search."""
import functools
import pathlib
import re
import shutil
import subprocess
import tempfile

from axe_playwright_python.sync_playwright import Axe
from browser import ROOT, RULES, chromium, quiet_page, until
from bridge import Bridge

# Removed as the tests end.
MADE = tempfile.TemporaryDirectory()


@functools.cache
def site():
    """The folder of the site, made once; that it can be made says that all its links resolve."""
    made = subprocess.run([ROOT / "config/manual/site.py", MADE.name], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return pathlib.Path(MADE.name)


def accessible(wanted, schemes):
    """Holds pages against axe-core's rules for each scheme of colors. It cannot load styles once more that are files."""
    reports = []
    with chromium() as browser:
        for scheme, rules in schemes.items():
            with quiet_page(browser.new_context(color_scheme=scheme)) as page:
                for file in sorted(site().glob("*.html")):
                    if wanted is None or file.stem in wanted:
                        page.goto(file.as_uri())
                        found = Axe().run(page, options=rules | {"preload": False, "resultTypes": ["violations"]})
                        if found.violations_count:
                            reports.append(f"{file.name}, {scheme}: {found.generate_report()[:1500]}")
    assert not reports, "\n".join(reports)


def test_pages_are_accessible(options):
    accessible({"index", "readme", "headerd-protocol.7", "headerd-stats.7", "gallery", "tutorial", "javascript"},
               {"light": RULES, "dark": {"runOnly": ["color-contrast"]}})


def test_every_page_is_accessible(options):
    accessible(None, {"light": RULES, "dark": RULES})


test_every_page_is_accessible.long = True


def test_no_page_is_wider_than_a_phone(options):
    with chromium() as browser:
        with quiet_page(browser.new_context(viewport={"width": 360, "height": 640})) as page:
            for file in sorted(site().glob("*.html")):
                page.goto(file.as_uri())
                assert page.evaluate("document.documentElement.scrollWidth") <= 360, file.name


def test_the_search_finds_sections(options):
    with chromium() as browser, quiet_page(browser.new_context()) as page:
        page.goto((site() / "index.html").as_uri())
        page.fill("#query", "refreshDistance")
        until(page, "document.querySelectorAll('#found a').length > 0")
        page.fill("#query", "headerd-connection Limits")
        first = page.locator("#found a").first
        assert re.search(r"headerd-connection\(7\): LIMITS", first.inner_text()), first.inner_text()
        first.click()
        assert page.url.endswith("headerd-connection.7.html#LIMITS"), page.url
        # No section has all words; some have two of them.
        page.fill("#query", "wordxyz power failure")
        assert any("WHAT SURVIVES" in text for text in page.locator("#found a").all_inner_texts())
        page.fill("#query", "wordxyz")
        assert page.locator("#found").inner_text() == "Nothing found."
        page.keyboard.press("Escape")
        assert page.locator("#found li").count() == 0


def test_the_search_leads_to_answers(options):
    """What readers who had a question typed, and the sections that answer it: one of them is among the first five."""
    with chromium() as browser, quiet_page(browser.new_context()) as page:
        page.goto((site() / "index.html").as_uri())
        missed = []
        for line in (ROOT / "Tests/Web/searches.txt").read_text().splitlines():
            query, answers = line.split(" => ")
            page.fill("#query", query)
            found = page.evaluate("[...document.querySelectorAll('#found a')].slice(0, 5).map((link) => [link.getAttribute('href'), link.dataset.section])")
            if not any(link.startswith(answer) for links in found for link in links for answer in answers.split(" | ")):
                missed.append(f"{query}: {found}")
        assert not missed, "\n".join(missed)


def test_messages_lead_to_what_explains_them(options):
    with chromium() as browser, quiet_page(browser.new_context()) as page:
        page.goto((site() / "headerd-protocol.7.html").as_uri())
        links = page.locator("table.Bl-column td:first-child a").all()
        assert len(links) > 35
        for link in links:
            assert not link.get_attribute("href").startswith("#"), link.inner_text()
        page.locator("td a", has_text=re.compile("^header.constrain$")).click()
        assert page.url.endswith("headerd-position.7.html#header.constrain"), page.url


def test_the_bridge_serves_it(options):
    with Bridge(options.programs, pages=site()) as bridge, chromium() as browser:
        with quiet_page(browser.new_context(reduced_motion="reduce")) as page:
            page.goto(bridge.url("gallery.html"))
            until(page, "document.querySelector('img').complete && document.querySelector('img').naturalWidth > 0")
            assert page.evaluate("document.querySelector('img').currentSrc").endswith(".still.svg")
            page.fill("#query", "refreshDistance")
            until(page, "document.querySelectorAll('#found a').length > 0")


def test_the_gallery_opens_the_playground(options):
    pages = pathlib.Path(MADE.name).parent / f"{pathlib.Path(MADE.name).name}-playground"
    shutil.copytree(ROOT / "Sources/Clients/Playground", pages)
    try:
        shutil.copytree(site(), pages / "manual")
        presets = ("[presets]", f'folders = ["{ROOT / "config/presets"}"]')
        with Bridge(options.programs, pages=pages, headerd=presets) as bridge, chromium() as browser:
            with quiet_page(browser.new_context()) as page:
                page.goto(bridge.url("manual/index.html"))
                page.locator("nav a", has_text="Gallery").click()
                until(page, "document.querySelectorAll('[data-playground]').length > 15")
                links = page.locator("[data-playground]")
                wanted = [link.get_attribute("data-playground") for link in links.all()]
                assert links.first.is_visible()
                page.locator("figure", has_text="ios-large-title").locator("[data-playground]").click()
                until(page, "!!globalThis.playground?.phones()[0]?.attachment.state")
                chosen = "document.getElementById('preset').selectedOptions[0].textContent"
                assert page.evaluate(chosen) == "ios-large-title"
                # Each preset that the playground can show has a link, and no other.
                offered = page.evaluate("[...document.querySelectorAll('#preset optgroup option')].filter((one) => !one.disabled).map((one) => one.textContent)")
                assert {name.removeprefix("preset=") for name in wanted if name.startswith("preset=")} == set(offered)
                page.goto(bridge.url("?behavior=Keyframes"))
                until(page, "!!globalThis.playground?.phones()[0]?.attachment.state")
                assert "Keyframes" in page.evaluate("playground.description().delegates.map(({ behavior }) => behavior)")
                # As a file there is no playground to go to.
                page.goto((site() / "gallery.html").as_uri())
                assert not page.locator("[data-playground]").first.is_visible()
    finally:
        shutil.rmtree(pages)


def test_pages_can_be_read_without_scripts(options):
    with chromium() as browser:
        with quiet_page(browser.new_context(java_script_enabled=False)) as page:
            page.goto((site() / "index.html").as_uri())
            assert not page.locator("#search").is_visible()
            page.locator("nav a", has_text="CollapsingHeader").click()
            assert page.locator("h1").first.inner_text() == "headerd-collapsingheader(7)"
