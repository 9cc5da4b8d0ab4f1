"""The playground, as headerd-web serves it."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

from axe_playwright_python.sync_playwright import Axe
from browser import ROOT, RULES, chromium, in_one_drag, quiet_page, settled, until
from bridge import Bridge

sys.path.insert(0, str(ROOT / "Sources/Clients/Python"))
import headerd  # noqa: E402

DRAG = ["willBeginDragging", "willEndDragging", "didEndDragging"]
READY = "!!globalThis.playground?.phones()[0]?.attachment.state"


def open_playground(page, bridge, query=""):
    page.goto(bridge.url(query))
    until(page, READY)


def rest(page):
    settled(page, """[playground.timeline.entries.length, playground.phones()[0].attachment.offset, playground.phones()[0].attachment.state?.seq,
      Array.from(document.querySelectorAll(".phone .drawer"), (drawer) => drawer.getBoundingClientRect().top)]""", 0.35)


def wheel(page, *steps):
    box = page.locator(".phone").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 300)
    for step in steps:
        page.mouse.wheel(0, step)
        time.sleep(0.03)


def wheel_in_one_drag(page, *steps):
    return in_one_drag(page, lambda: wheel(page, *steps), rest, "playground.timeline.entries.map(({ event }) => event)")


def edges(page, phone=0):
    return page.evaluate(f"""() => {{ const screen = document.querySelectorAll('.phone .scroller')[{phone}].getBoundingClientRect();
      return Object.fromEntries([...document.querySelectorAll('.phone')[{phone}].querySelectorAll('.drawer')].map((drawer) =>
        [drawer.dataset.drawer, drawer.getBoundingClientRect().top - screen.top])) }}""")


def drawn_as_told(page, phone=0):
    told = page.evaluate(f"playground.phones()[{phone}].attachment.state.drawers.map(({{ name, frame }}) => [name, frame.y])")
    drawn = edges(page, phone)
    assert all(abs(drawn[name] - y) < 0.5 for name, y in told), (told, drawn)


def choose(page, preset):
    before = page.evaluate("playground.phones()[0].attachment.state.epoch")
    page.select_option("#preset", label=preset)
    until(page, f"(playground.phones()[0]?.attachment.state?.epoch ?? {before}) !== {before}")
    rest(page)


def test_presets_are_the_examples(options):
    # Before 20.19 Node takes a file of this name for a CommonJS module.
    script = (ROOT / "Sources/Clients/Playground/presets.js").read_text() + "\nconsole.log(JSON.stringify(presets))"
    presets = json.loads(subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True).stdout)
    examples = {preset["example"]: preset["description"] for preset in presets if "example" in preset}
    files = {path.stem: tomllib.loads(path.read_text())["header"][0] for path in (ROOT / "config/examples").glob("*.toml")}
    # The phone has drawers at the top alone, and its content scrolls down.
    assert examples == {name: header for name, header in files.items() if not any("edge" in one for one in header["drawers"])}
    used = {delegate["behavior"] for preset in presets for delegate in preset["description"]["delegates"]}
    assert used == {path.name for path in (ROOT / "Plugins").iterdir() if path.is_dir() and path.name != "Examples"}, used


def test_every_preset_moves(options):
    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        for preset in page.locator("#preset option").all_inner_texts():
            if preset != "ShyNavBar: bar and tabs":
                choose(page, preset)
            before = page.evaluate("playground.phones()[0].attachment.state.drawers")
            wheel(page, *[40] * 8)
            rest(page)
            assert page.evaluate("playground.phones()[0].attachment.state.drawers") != before, preset
            drawn_as_told(page)
            assert page.locator("#status").inner_text().startswith("Connected"), preset


def test_installed_presets(options):
    folder = ROOT / "config/presets"
    with Bridge(options.programs, headerd=("[presets]", f'folders = ["{folder}"]')) as bridge, \
            chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        listed = page.locator("#preset optgroup option").all_inner_texts()
        assert [name.split(" ")[0] for name in listed] == sorted(path.stem for path in folder.glob("*.toml")), listed
        # A page's scroller has moved before anybody could be asked.
        offered = {name.split(" ")[0] for name in listed if name.endswith(" (needs offers)")}
        assert offered == {path.stem for path in folder.glob("*.toml") if "by offers alone (willScroll)" in path.read_text()}
        names = [name for name in listed if " " not in name]
        moved = []
        for preset in names:
            choose(page, preset)
            before = page.evaluate("playground.phones()[0].attachment.state.drawers")
            wheel(page, *[40] * 4)
            rest(page)
            moved += [preset] if page.evaluate("playground.phones()[0].attachment.state.drawers") != before else []
            drawn_as_told(page)
            assert page.locator("#status").inner_text().startswith("Connected"), preset
        # What Compose pins stays where it is.
        assert set(names) - set(moved) == {"compose-pinned"}, set(names) - set(moved)


def test_options_become_controls(options):
    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        # Every option of the behavior has a control with its meaning.
        schema = page.evaluate("playground.link.request('plugin.list').then(({ plugins }) => plugins.flatMap(({ behaviors }) => behaviors))")
        shy = next(one for one in schema if one["behavior"] == "ShyNavBar")
        labels = page.locator("#chain .option label").all_inner_texts()
        assert labels == [option["name"] for option in shy["options"]]
        meanings = page.locator("#chain .meaning").all_inner_texts()
        assert all(meaning.startswith(option["meaning"]) for meaning, option in zip(meanings, shy["options"]))
        page.get_by_label("expansionResistance, as a number").fill("17")
        page.keyboard.press("Tab")
        header = page.evaluate("playground.description().header")
        # Between closing and opening there is none.
        get = (f"playground.link.request('header.get', {{ header: '{header}', include: ['description'] }})"
               ".catch(() => ({ description: { delegates: [], drawers: [] } }))")
        until(page, f"{get}.then(({{ description }}) => description.delegates[0]?.options.expansionResistance === 17)")
        assert "expansionResistance = 17" in page.locator("#text").input_value()
        # What the daemon refuses is said at the option.
        wrong = page.get_by_label("contractionResistance, as a number")
        wrong.fill("-5")
        page.keyboard.press("Tab")
        until(page, "!!document.querySelector('[data-wrong] .meaning')")
        assert "contractionResistance" in page.locator("[data-wrong] .meaning").inner_text()
        # Drawers and elements come and go, and behaviors.
        page.get_by_role("button", name="Add drawer").click()
        until(page, "document.querySelectorAll('.phone .drawer').length === 3")
        page.get_by_role("button", name="Add element to drawer").click()
        until(page, "document.querySelectorAll('.phone .element').length === 1")
        page.select_option("#behavior", "Keyframes")
        page.get_by_role("button", name="Add behavior").click()
        until(page, f"{get}.then(({{ description }}) => description.delegates.length === 2 && description.drawers.length === 3)")
        page.get_by_role("button", name="Remove Keyframes").click()
        until(page, f"{get}.then(({{ description }}) => description.delegates.length === 1)")


def test_what_it_exports_is_taken(options):
    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        for index, preset in enumerate(page.locator("#preset option").all_inner_texts()):
            if index:
                choose(page, preset)
            page.select_option("#format", "TOML")
            file = pathlib.Path(bridge.folder.name) / "exported.toml"
            file.write_text(page.locator("#text").input_value())
            checked = subprocess.run([options.programs / "headerd", "--check-config", "--config", file], env=bridge.environment,
                                     capture_output=True, text=True)
            assert checked.returncode == 0, (preset, checked.stderr)
            described = tomllib.loads(file.read_text())["header"][0]
            page.select_option("#format", "JSON")
            assert json.loads(page.locator("#text").input_value()) == described, preset
            page.select_option("#format", "Python")
            runs_as_python(page.locator("#text").input_value(), described, bridge)


def runs_as_python(text, described, bridge):
    """The program that is exported opens the header, and prints where its drawers are."""
    text = text.replace(described["header"], "exported")
    environment = {**bridge.environment, "PYTHONPATH": str(ROOT / "Sources/Clients/Python"), "HEADERD_SOCKET": bridge.daemon_socket, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([sys.executable, "-c", text], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        said = program.stdout.readline()
        wrong = "" if said else program.stderr.read()
        program.kill()
    assert said.startswith(f"{described['drawers'][0]['name']} at "), (said, wrong)
    with headerd.Client(bridge.daemon_socket) as client:
        client.request("header.close", header="exported")


def test_exported_programs(options):
    """A header's description as a program in Python and as a page: both have the header."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser, quiet_page(browser.new_context()) as page:
        pages = shutil.copytree(ROOT / "Sources/Clients/Playground", f"{folder}/pages")
        with Bridge(options.programs, pages=pages) as bridge:
            open_playground(page, bridge)
            choose(page, "Example: fading title")
            described = page.evaluate("playground.description()")
            page.select_option("#format", "Python")
            runs_as_python(page.locator("#text").input_value(), described, bridge)
            page.select_option("#format", "HTML")
            text = page.locator("#text").input_value()
            (pathlib.Path(bridge.pages) / "exported.html").write_text(text)
            with quiet_page(page.context) as exported:
                exported.goto(bridge.url().replace("/#", "/exported.html#"))
                until(exported, "!!document.querySelector('collapsing-header').attachment?.state")
                top = "document.querySelector('[slot]').getBoundingClientRect().top"
                assert exported.evaluate(top) == 20
                exported.mouse.move(200, 400)
                exported.mouse.wheel(0, 300)
                until(exported, f"{top} < 0")


def law_of(page, drawer):
    """What the running header has as the law of a drawer."""
    header = page.evaluate("playground.description().header")
    told = page.evaluate(f"playground.link.request('header.get', {{ header: '{header}', include: ['description'] }})")
    records = told["description"]["delegates"][0]["options"]["drawers"]
    return next((record for record in records if record.get("drawer") == drawer), None)


def test_laws_are_forms(options):
    """Each drawer's law is a form: what it changes is in force, and what does not apply is not shown."""
    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        choose(page, "Example: shop")
        summary = page.get_by_text("Law of search:")
        summary.click()
        # The names are those that the daemon tells.
        schema = page.evaluate("playground.link.request('plugin.list').then(({ plugins }) => plugins.flatMap(({ behaviors }) => behaviors))")
        collapsing = next(one for one in schema if one["behavior"] == "CollapsingHeader")
        meaning = next(option["meaning"] for option in collapsing["options"] if option["name"] == "drawers")
        told = re.search(r"\{drawer, or none for all others, (.*?)\}", meaning)[1].split(", ")
        form = page.locator("details.law", has=summary)
        assert sorted(form.locator(":scope > .fields > .field > label > span").all_text_contents()) == sorted(told)
        before = law_of(page, "search")
        form.get_by_label("threshold of search", exact=True).fill("30")
        page.keyboard.press("Tab")
        until(page, "/threshold 30/.test([...document.querySelectorAll('.law summary')].map(({ textContent }) => textContent).join())")
        assert law_of(page, "search") == {**before, "threshold": 30}, (before, law_of(page, "search"))
        # What is refused is said.
        for scale, says in (("2000", "/drawers.*scale/"), ("", "/^$/")):
            form.get_by_label("scale of search", exact=True).fill(scale)
            page.keyboard.press("Tab")
            until(page, f"{says}.test(document.querySelector('.laws > .meaning').textContent)")
        # A drawer that is pinned does not move, and has nothing to say about it.
        for name in ("collapse", "shift"):
            box = form.get_by_label(f"{name} of search", exact=True)
            if before.get(name):
                box.uncheck()
        form.get_by_label("pin of search", exact=True).check()
        assert not form.get_by_label("returns of search", exact=True).is_visible() and form.get_by_label("fade of search", exact=True).is_visible()
        assert law_of(page, "search")["pin"] is True
        # A record of its own: its fields come and go with it.
        hero = page.locator("details.law", has=page.get_by_text("Law of hero:"))
        hero.locator("summary").click()
        stretch = hero.get_by_label("stretch of hero", exact=True)
        stretch.uncheck() if stretch.is_checked() else stretch.check()
        assert hero.get_by_label("factor of stretch of hero", exact=True).count() == int(stretch.is_checked())


def test_options_that_apply(options):
    """An option that has an effect beside a certain other one alone is shown there alone."""
    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        page.get_by_role("button", name="Remove ShyNavBar").click()
        page.select_option("#behavior", "CollapsingHeader")
        page.get_by_role("button", name="Add behavior").click()
        page.get_by_label("topMargin", exact=True).wait_for()
        shown = lambda name: page.get_by_label(name, exact=True).is_visible()  # noqa: E731
        assert not shown("topZone") and not shown("delay") and shown("content")
        page.get_by_label("follows", exact=True).select_option("looks")
        # That cannot be changed in a header that is open: it is opened anew.
        until(page, "document.querySelector('#text').value.includes('looks')")
        assert shown("topZone") and not shown("delay")
        page.get_by_label("follows", exact=True).select_option("movement")
        until(page, "document.querySelector('#text').value.includes('movement')")
        assert shown("delay") and not shown("topZone")
        assert not page.locator(".option textarea", has_text="null").count()


def test_plot(options):
    """A panel for each unit, with round steps; a line ends where a pause begins."""
    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        wheel(page, *[20] * 8)
        rest(page)
        wheel(page, *[20] * 8)
        rest(page)
        drawn = until(page, "playground.plot.drawn.length === 2 && playground.plot.drawn")
        assert [panel["unit"] for panel in drawn] == ["points", "points a second"]
        for panel in drawn:
            steps = panel["steps"]
            values = [value for line in panel["lines"] for piece in line for _, value in piece]
            assert len(steps) > 1 and steps[0] <= min(values) and max(values) <= steps[-1], panel
            assert len({round(second - first, 6) for first, second in zip(steps, steps[1:])}) == 1, steps
            for line in panel["lines"]:
                assert len(line) >= 2, "no piece for each scroll"
                assert all(second[0] - first[0] <= 0.25 for piece in line for first, second in zip(piece, piece[1:]))


AHEAD = "[...document.querySelectorAll('#ahead tr')].map((row) => [...row.cells].map(({ textContent }) => textContent))"


def number(text):
    return None if text == "–" else float(text.replace("−", "-"))


def judged(messages):
    """Of the states that came, newest first: offset, lower edge that the state before said (by the client for Python) and that was decided, and
    whether that was a decision."""
    def edge(state):
        return max([0, *(drawer.frame.y + drawer.frame.height for drawer in state.drawers if not drawer.hidden)])

    view, last, found = headerd.HeaderView(), None, []
    for params in messages:
        state = headerd.State.of(params)
        if last and state.seq != last.seq:
            offset = state.scroll_views["content"].content_offset.y
            found.insert(0, (offset, edge(view.at(offset)) if last.params.get("ahead") else None, edge(state), bool(params.get("animations"))))
        view.apply(state)
        last = state
    return found


def test_ahead(options):
    """Beside each state stands what the one before said of it: what a finger scrolls is foreseen, what the header decides is not."""
    def counts(page):
        return [int(count) for count in re.findall(r"\d+", page.locator("#ahead-counts").inner_text())]

    def look(page):
        """Compares the panel with the states that came; gives its rows and the number of all states."""
        rest(page)
        states = judged(page.evaluate("got"))
        rows = page.evaluate(AHEAD)[-8:]
        for (offset, foreseen, decided, is_decision), row in zip(states, rows):
            told = [number(text) for text in row[:4]]
            assert all((one is None) == (other is None) and abs((one or 0) - (other or 0)) < 0.006 for one, other in zip((offset, foreseen, decided), told)), (row, states)
            assert not (is_decision and row[4] == "foreseen"), row
            assert row[4] == "not foreseen" or abs(foreseen - decided) <= 1e-6 and told[3] <= 1e-6, row
        return rows, len(states)

    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        rest(page)
        height = page.evaluate("document.querySelector('#ahead').clientHeight")
        page.evaluate("globalThis.got = []; playground.link.add(playground.description().header, { message: ({ state }) => got.push(state) })")
        # On a busy machine the steps of the wheel may come as few.
        for attempt in range(5):
            if attempt:
                wheel(page, *[-30] * 8)
            (_, earlier), before = look(page), counts(page)
            wheel(page, *[15] * 8)
            rows, total = look(page)
            came = total - earlier
            if came > 4 and sum(row[4] == "foreseen" for row in rows) > 2:
                break
        assert came > 4 and sum(row[4] == "foreseen" for row in rows) > 2, rows
        decided, foreseen, other = counts(page)
        assert decided == before[0] + came == foreseen + other, (before, came, decided, foreseen, other)
        # The finger has lifted.
        assert any(is_decision for *_, is_decision in judged(page.evaluate("got"))[:len(rows)]), rows
        # It can go on in both directions, and what it says is in the panel.
        until(page, "['growing', 'shrinking'].every((direction) => got.at(-1).ahead?.[direction])")
        known = page.evaluate("got.at(-1).ahead")
        shown = {row[0]: row[1:] for row in page.evaluate(AHEAD)[1:3]}
        for direction in ("growing", "shrinking"):
            assert int(shown[direction][0]) == len(known[direction]) > 0 and abs(number(shown[direction][1]) - known[direction][-1]["offset"]) < 0.006, (shown, known)
        assert page.locator("#ahead-ways").inner_text() == ("They hold both ways." if known.get("reversible") else "They hold until the content turns back.")
        # What nobody scrolls is foreseen by nobody.
        page.evaluate("playground.link.request('header.move', { header: playground.description().header, to: 'expanded' })")
        until(page, "!!got.at(-1).animations || got.at(-1).drawers[0].frame.y === 20")
        rows, _ = look(page)
        errors = [number(row[3]) for row in rows if number(row[3]) is not None]
        assert max(errors) > 1, rows
        most = re.search(r"at most ([\d.]+) points", page.locator("#ahead-error").inner_text())[1]
        assert float(most) >= max(errors), (most, rows)
        assert page.evaluate("document.querySelector('#ahead').clientHeight") == height
        # Another header begins anew; what was counted since the page was opened stays.
        choose(page, "FlexibleHeader: collapse and stretch")
        assert counts(page)[0] >= decided and float(re.search(r"at most ([\d.]+)", page.locator("#ahead-error").inner_text())[1]) >= float(most)
        wheel(page, *[15] * 8)
        rest(page)
        assert sum(row[4] == "foreseen" for row in page.evaluate(AHEAD)[-8:]) > 2, page.evaluate(AHEAD)


def test_made_plugins(options):
    """make playground offers the behaviors, and no plugins for tests."""
    script = ROOT / "config/demo/playground"
    with subprocess.Popen([script, options.programs], stdout=subprocess.PIPE, text=True, env={"PORT": "0", "PATH": "/usr/bin:/bin"}) as process:
        try:
            address = re.search(r"http://\S+", process.stdout.readline())[0]
            with chromium() as browser, quiet_page(browser.new_context()) as page:
                page.goto(address)
                until(page, READY)
                offered = set(page.locator("#behavior option").all_inner_texts())
                assert offered == {path.name for path in (ROOT / "Plugins").iterdir() if path.is_dir() and path.name != "Examples"}, offered
        finally:
            process.terminate()


def test_second_phone_and_window(options):
    with Bridge(options.programs) as bridge, chromium() as browser:
        context = browser.new_context()
        with quiet_page(context) as page:
            open_playground(page, bridge)
            page.get_by_role("button", name="Second phone").click()
            until(page, "playground.phones().length === 2 && !!playground.phones()[1].attachment.state")
            with context.expect_page() as opened:
                page.get_by_role("button", name="Second window").click()
            window = opened.value
            complaints = []
            window.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
            until(window, READY)
            wheel(page, *[30] * 6)
            rest(page)
            phones = [page.evaluate("playground.phones().map(({ attachment }) => [attachment.offset, attachment.state.seq, attachment.state.drawers])"),
                      window.evaluate("playground.phones().map(({ attachment }) => [attachment.offset, attachment.state.seq, attachment.state.drawers])")]
            first, second, third = *phones[0], *phones[1]
            assert first[0] > -60 and first == second == third, phones
            drawn_as_told(page, 1)
            drawn_as_told(window)
            # The other way round.
            wheel(window, -2000)
            until(page, "playground.phones()[0].attachment.offset < -60")
            rest(page)
            assert page.evaluate("playground.phones()[0].attachment.state.seq") == window.evaluate("playground.phones()[0].attachment.state.seq")
            # A new preset is shown in both.
            choose(page, "FlexibleHeightBar: snapping")
            until(window, "playground.description().drawers[0].name === 'bar' && !!playground.phones()[0].attachment.state")
            assert not complaints, complaints


def test_timeline(options):
    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        begun = wheel_in_one_drag(page, *[20] * 8)
        end = edges(page)
        count = page.evaluate("playground.timeline.entries.length")
        last = page.locator("#event").inner_text()
        assert f"{count} of {count}: didEndDragging" in last, last
        for _ in range(count - begun - 2):
            page.get_by_role("button", name="Step back").click()
        earlier = page.evaluate(f"playground.timeline.entries[{begun + 1}]")
        assert page.locator("#event").inner_text().startswith(f"{begun + 2} of {count}: {earlier['event']['event']}")
        assert edges(page)["navBar"] == 20 and end["navBar"] == -24
        assert abs(page.evaluate("playground.phones()[0].attachment.offset") - earlier["event"]["offset"]["y"]) < 1
        page.get_by_role("button", name="Step forward").click()
        assert page.locator("#event").inner_text().startswith(f"{begun + 3} of {count}:")
        # Why, in words.
        page.get_by_role("button", name="Step forward").click()
        until(page, "/shyNavBar heard of it/.test(document.querySelector('#why').textContent)")
        page.get_by_role("button", name="Live").click()
        rest(page)
        assert edges(page) == end, (edges(page), end)


def test_shadow(options):
    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        page.get_by_label("Try options in a shadow").check()
        page.get_by_label("stickyNavigationBar").check()
        until(page, "/differed after 0 of/.test(document.querySelector('#shadowed').textContent)")
        wheel_in_one_drag(page, *[20] * 8)
        # The header moves as before, its shadow does not.
        assert edges(page)["navBar"] == -24, edges(page)
        said = until(page, "/differed after [1-9].*at most 44 points/.test(document.querySelector('#shadowed').textContent)")
        assert said
        assert "stickyNavigationBar" not in page.locator("#text").input_value()
        page.get_by_role("button", name="Promote").click()
        until(page, "document.querySelector('#shadowed').textContent === ''")
        assert "stickyNavigationBar" in page.locator("#text").input_value()
        got = page.evaluate("playground.link.request('header.get', { header: playground.description().header, include: ['description'] })")
        assert got["description"]["delegates"][0]["options"]["stickyNavigationBar"] is True, got


def test_a_and_b(options):
    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        # On a busy machine the steps of the wheel may come as one, or as several drags, behind each of which the header settles.
        for _ in range(10):
            open_playground(page, bridge)
            wheel(page, *[10] * 16)
            rest(page)
            page.get_by_role("button", name="Keep as A").click()
            page.get_by_role("button", name="Run A again").click()
            until(page, "/are the same in all/.test(document.querySelector('#difference').textContent)")
            if page.evaluate("new Set(playground.runs[0].map(Math.round)).size") > 4:
                break
        page.get_by_label("stickyNavigationBar").check()
        page.get_by_role("button", name="Run A again").click()
        said = until(page, "/differ by/.test(document.querySelector('#difference').textContent) && document.querySelector('#difference').textContent")
        assert float(re.search(r"at most ([\d.]+) points", said)[1]) == 44, said
        # Of each event, from the first one on.
        lines = page.evaluate("playground.runs[0].map(Math.round)")
        assert lines[0] == 104 and lines[-1] == 20 and len(set(lines)) > 4, lines
        headers = page.evaluate("playground.link.request('header.list')")["headers"]
        assert len(headers) == 1, headers


def test_record_and_drop(options):
    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        page.get_by_role("button", name="Record", exact=True).click()
        until(page, "document.querySelector('#record').textContent === 'Stop and save'")
        wheel(page, *[20] * 8)
        rest(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="Stop and save").click()
        file = pathlib.Path(bridge.folder.name) / "scroll.jsonl"
        download.value.save_as(file)
        # It is a test: it replays byte for byte.
        replayed = subprocess.run([options.programs / "headerctl", "verify", file], capture_output=True, text=True,
                                  env={**bridge.environment, "HEADERD_PLUGIN_PATH": str(options.programs)})
        assert replayed.returncode == 0, replayed
        page.set_input_files("#file", file)
        until(page, "/scroll.jsonl: [0-9]+ events/.test(document.querySelector('#difference').textContent)")
        page.get_by_role("button", name="Run A again").click()
        until(page, "/are the same in all/.test(document.querySelector('#difference').textContent)")
        page.set_input_files("#file", {"name": "none.jsonl", "mimeType": "text/plain", "buffer": b"no recording"})
        until(page, "/none.jsonl: line 1 is not JSON/.test(document.querySelector('#difference').textContent)")


def test_accessibility(options):
    with Bridge(options.programs) as bridge, chromium() as browser:
        for scheme in ("light", "dark"):
            with quiet_page(browser.new_context(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")) as page:
                open_playground(page, bridge)
                for preset in ("ShyNavBar: bar and tabs", "Example: square cash", "Example: shop"):
                    if preset.startswith("Example"):
                        choose(page, preset)
                    page.evaluate("for (const law of document.querySelectorAll('.law')) law.open = true")
                    found = Axe().run(page, options=RULES)
                    assert found.violations_count == 0, f"{scheme}, {preset}:\n{found.generate_report()}"


def test_mouse_drags(options):
    """A mouse moves the content as a finger does: a drag that rests, and one whose fling goes on by itself."""
    def drag(page, pause):
        """What the header is told, but didScroll, and how far the content moves."""
        place = "document.querySelector('.phone .scroller').scrollTop"
        page.evaluate(f"globalThis.before = [playground.timeline.entries.length, {place}]")
        box = page.locator(".phone").first.bounding_box()
        x, y = box["x"] + 100, box["y"] + 500
        page.mouse.move(x, y)
        page.mouse.down()
        for step in range(1, 11):
            page.mouse.move(x, y - 20 * step)
        time.sleep(pause)
        page.mouse.up()
        rest(page)
        told = page.evaluate("playground.timeline.entries.slice(before[0]).map(({ event }) => event?.event).filter(Boolean)")
        return [event for event in told if event != "didScroll"], page.evaluate(f"{place} - before[1]")

    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        told, moved = drag(page, 0.2)
        assert told == DRAG and abs(moved - 200) < 60, (told, moved)
        # On a busy machine the mouse may be too slow for a fling, or all of the drag in one frame, which has no speed.
        flings = [drag(page, 0)]
        while "willBeginDecelerating" not in flings[-1][0] and len(flings) < 5:
            flings.append(drag(page, 0))
        told, moved = flings[-1]
        assert told == DRAG + ["willBeginDecelerating", "didEndDecelerating"] and moved > 220, flings
        drawn_as_told(page)


def test_fits_a_phone(options):
    with Bridge(options.programs) as bridge, chromium() as browser:
        with quiet_page(browser.new_context(viewport={"width": 390, "height": 844})) as page:
            open_playground(page, bridge)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            wheel(page, *[15] * 8)
            rest(page)
            clipped = page.evaluate("[...document.querySelectorAll('#ahead :is(th, td)')].filter((cell) => cell.scrollWidth > cell.clientWidth).map(({ textContent }) => textContent)")
            assert not clipped, clipped
            choose(page, "Example: shop")
            # Nothing is wider than the panel that it is in, and no name ends in the middle of a word.
            wide = page.evaluate("""() => [...document.querySelectorAll('#panels > section')].flatMap((section) => {
              const right = section.getBoundingClientRect().right;
              return [...section.querySelectorAll('input, select, textarea, button, label')].filter((one) =>
                one.checkVisibility() && one.getBoundingClientRect().right > right).map((one) => one.id || one.textContent) })""")
            assert not wide, wide


def test_keyboard(options):
    """All can be reached and used without a pointer."""
    with Bridge(options.programs) as bridge, chromium() as browser, quiet_page(browser.new_context()) as page:
        open_playground(page, bridge)
        reached = set()
        for _ in range(80):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("document.activeElement.id || document.activeElement.className || document.activeElement.textContent"))
        for wanted in ("preset", "scroller", "window", "second", "step", "keep", "record", "file", "text", "Add drawer", "add-drawer"):
            assert wanted in reached or wanted == "Add drawer", (wanted, reached)
        page.focus(".scroller")
        page.keyboard.press("PageDown")
        rest(page)
        assert page.evaluate("playground.timeline.entries.length") > 1
        page.focus("#step")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("document.querySelector('#live').ariaPressed") == "false"


def test_eight_headers(options):
    """One connection carries them; each moves."""
    with Bridge(options.programs) as bridge, chromium() as browser:
        with quiet_page(browser.new_context(viewport={"width": 1600, "height": 900})) as page:
            page.goto(bridge.url("?phones=8"))
            until(page, "globalThis.playground?.phones().length === 8 && playground.phones().every(({ attachment }) => attachment.state)")
            page.evaluate("""() => { let top = 0; const next = () => { top += 4; for (const one of document.querySelectorAll('.scroller')) one.scrollTop = top;
              if (top < 400) requestAnimationFrame(next) }; next() }""")
            until(page, "playground.phones().every(({ attachment }) => attachment.offset > 250)")
            until(page, "playground.phones().every(({ attachment }) => attachment.state.drawers[0].frame.y < 0)")
            assert len({json.dumps(drawers) for drawers in page.evaluate("playground.phones().map(({ attachment }) => attachment.state.drawers)")}) == 1


def test_pictures(options):
    """The pictures of the README."""
    with Bridge(options.programs) as bridge, chromium() as browser, tempfile.TemporaryDirectory() as folder:
        for scheme in ("light", "dark"):
            context = browser.new_context(color_scheme=scheme, viewport={"width": 1360, "height": 800})
            with quiet_page(context) as page:
                open_playground(page, bridge)
                wheel(page, *[15] * 5)
                rest(page)
                wheel(page, *[60] * 3)
                rest(page)
                wheel(page, *[-80] * 4)
                rest(page)
                page.mouse.move(0, 0)
                picture = (options.pictures or pathlib.Path(folder)) / f"playground-{scheme}.png"
                page.screenshot(path=picture)
                assert picture.stat().st_size > 20_000


def test_make_playground(options):
    script = ROOT / "config/demo/playground"
    once = subprocess.run([script, options.programs, "--once"], capture_output=True, text=True, timeout=30, env={"PORT": "0", "PATH": "/usr/bin:/bin"})
    assert once.returncode == 0 and re.search(r"http://127.0.0.1:\d+/#token=", once.stdout), once


for one in (test_every_preset_moves, test_what_it_exports_is_taken, test_eight_headers, test_accessibility):
    one.long = True
