"""The page of the tutorial, as it is printed, served by the bridge: the bar leaves, the tabs stay."""
import pathlib
import re
import shutil
import tempfile

from browser import ROOT, chromium, quiet_page, until
from bridge import Bridge


def test_the_tutorials_page_works(options):
    text = (ROOT / "config/manual/guides/tutorial.md").read_text()
    files = re.findall(r"^`page/([\w.]+)`:\n\n```\w+\n(.*?)^```$", text, flags=re.M | re.S)
    assert len(files) == 3
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files:
            (pathlib.Path(folder) / name).write_text(content)
        shutil.copytree(ROOT / "Sources/Clients/JavaScript", f"{folder}/client")
        with Bridge(options.programs, pages=folder) as bridge, chromium() as browser:
            with quiet_page(browser.new_context(viewport={"width": 390, "height": 844})) as page:
                page.goto(bridge.url())
                until(page, "!!globalThis.attached?.state")

                def places():
                    return [page.evaluate(f"document.querySelector('.{name}').getBoundingClientRect().top") for name in ("bar", "tabs")]

                until(page, "document.querySelector('.tabs').getBoundingClientRect().top === 56")
                assert places() == [0, 56], places()
                page.evaluate("document.querySelector('.scroller').scrollTo(0, 1000)")
                until(page, "document.querySelector('.tabs').getBoundingClientRect().top === 0")
                assert places() == [-56, 0], places()
