"""The hook and the component for React, of Debian's React 18, in strict mode."""
import contextlib
import pathlib
import shutil
import tempfile

from browser import chromium, quiet_page, served, until
from bridge import Bridge
from test_client import CLIENT, check_types, wheel
from test_element import STYLE, Geometry, accessible, go_through_stages

REACT = pathlib.Path("/usr/share/nodejs")
PAGE = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>React</title><link rel="icon" href="data:,">
<style>{STYLE}</style>""" + """
<script src="react.js"></script><script src="react-dom.js"></script>
<script type="importmap">{ "imports": { "react": "./shim.js" } }</script>
<main id="root"></main>
<script type="module">
import { createElement as h, StrictMode, useState } from "react";
import { CollapsingHeader, useCollapsingHeader } from "./client/react.js";
const query = new URLSearchParams(location.search);
const bridge = { address: query.get("address"), token: query.get("token") };
const laws = (law) => ({ delegates: [{ behavior: "CollapsingHeader", options: { drawers: [
  { drawer: "bar", ...law }, { drawer: "tabs", pin: true }] } }] });
const rows = Array.from({ length: 100 }, (_, row) => h("p", { key: row }, `Row ${row}`));
globalThis.renders = 0; globalThis.states = 0;
function Inside() {
  renders += 1;
  const [law, setLaw] = useState(JSON.parse(query.get("law") ?? '{ "shift": true }'));
  const [mode, setMode] = useState("both");
  Object.assign(globalThis, { setLaw, setMode });
  return h(CollapsingHeader, { ...bridge, mode, open: laws(law), style: { height: "100vh" }, onState: () => (states += 1),
    drawers: { bar: h("div", { className: "bar" }, h("h1", { style: { margin: 0 } }, "Rows")), tabs: h("div", { className: "tabs" }) } }, rows);
}
function OverPage() {
  const { drawer, attachment } = useCollapsingHeader({ ...bridge, open: laws({ shift: true }) });
  globalThis.attachment = attachment;
  return h("div", null,
    h("div", { style: { position: "fixed", top: 0, left: 0, right: 0 } },
      h("div", { ref: drawer("bar"), className: "bar" }), h("div", { ref: drawer("tabs"), className: "tabs" })), rows);
}
globalThis.root = ReactDOM.createRoot(document.querySelector("#root"));
root.render(h(StrictMode, null, h(query.has("page") ? OverPage : Inside)));
</script>"""
SHIM = "export const { createElement, StrictMode, useEffect, useRef, useState } = globalThis.React;\n"
EDGE = "document.querySelector('.tabs').getBoundingClientRect().bottom"
ROW = "document.querySelector('p').getBoundingClientRect().top"


@contextlib.contextmanager
def setting(options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(CLIENT, folder / "client")
        for package in ("react", "react-dom"):
            shutil.copy(REACT / package / f"umd/{package}.development.js", folder / f"{package}.js")
        (folder / "shim.js").write_text(SHIM)
        (folder / "index.html").write_text(PAGE)
        with served(folder) as origin, Bridge(options.programs, ["[access]", f'origins = ["{origin}"]']) as bridge:
            yield f"{origin}/?address=ws://127.0.0.1:{bridge.port}/socket&token={bridge.token}", bridge


def test_component(options):
    """It collapses, renders nothing as it moves, begins anew with other laws, and goes."""
    with setting(options) as (address, _), chromium() as browser, quiet_page(browser.new_context()) as page:
        page.goto(address)
        until(page, f"states > 0 && {EDGE} === 136 && {ROW} === 136")
        before = page.evaluate("renders")
        accessible(page)
        wheel(page, *[60] * 5)
        until(page, f"{EDGE} === 40")
        accessible(page)
        assert page.evaluate("renders") == before
        page.evaluate("document.querySelector('[tabindex]').scrollTop = 0; setLaw({ pin: true })")
        until(page, f"{EDGE} === 136 && {ROW} === 136")
        wheel(page, *[60] * 5)
        until(page, f"{ROW} < 0")
        assert page.evaluate(EDGE) == 136
        for mode, height in (("publisher", 0), ("both", 40)):
            page.evaluate(f"setMode('{mode}')")
            until(page, f"document.querySelector('.tabs').offsetHeight === {height}")
        page.evaluate("root.unmount()")
        assert page.evaluate("document.querySelector('.tabs')") is None


def test_stages(options):
    """As the bar slides off, nothing of it is left."""
    with setting(options) as (address, bridge), chromium() as browser:
        page = browser.new_page(viewport={"width": 375, "height": 667})
        page.goto(address + '&law={"shift":true,"returns":"atTop"}')
        until(page, f"states > 0 && {EDGE} === 136 && {ROW} === 136")
        scroll = "(place) => (document.querySelector('[tabindex]').scrollTop = place)"
        go_through_stages(page, bridge, Geometry(least=0, row=60), scroll)


def test_hook(options):
    """Over the page itself, which is as it was without it."""
    with setting(options) as (address, _), chromium() as browser, quiet_page(browser.new_context()) as page:
        page.goto(address + "&page")
        until(page, f"globalThis.attachment?.current?.state && {EDGE} === 136 && {ROW} === 136")
        wheel(page, *[60] * 5)
        until(page, f"{EDGE} === 40")
        page.evaluate("root.unmount()")
        assert page.evaluate("document.body.style.paddingTop") == ""


def test_types(_):
    check_types(
        'import { createElement } from "react";\nimport { CollapsingHeader, useCollapsingHeader } from "headerd/react";\n'
        'const { scroller, drawer, attachment } = useCollapsingHeader({ behavior: "ShyNavBar" });\n'
        'attachment.current?.reveal(document.body);\n'
        'createElement("div", { ref: scroller }, createElement("nav", { ref: drawer("navBar") }));\n'
        'createElement(CollapsingHeader, { drawers: { navBar: "Rows" }, header: "shared" }, "content");\n', "--skipLibCheck",
        packages=[(name, REACT / name) for name in ("@types/react", "@types/prop-types", "@types/csstype", "@types/scheduler")
                  if (REACT / name).exists()])
