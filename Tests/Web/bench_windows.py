#!/usr/bin/env python3
"""How long an input in one window takes to the transform in a second one, through headerd-web and headerd.

usage: Tests/Web/bench_windows.py FOLDER-OF-THE-PROGRAMS [--scrolls 10] [--frames]

Both windows are Chromium's, which draws 60 frames a second. Measured are the wheel event (its own time stamp), the scroll event that it
makes, the message with its state in the second window, and the moment at which that has set the transform; the clock is the machine's.
Between the second and the third is what headerd, the bridge and the client take; before and behind it a browser waits for its next frame.
Besides, how many frames a second the playground draws with 8 headers that all move in each frame. With --frames only: of the compositor's
frames in which something moved on a page with <collapsing-header>, in how many the header was not where the content had it, while a wheel goes
by 300 and 3,000 points a second, with and without the page's thread blocked for 100 ms of each second, and in a second window that mirrors
the first.
"""
import argparse
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import chromium, until  # noqa: E402
from bridge import Bridge  # noqa: E402
from test_client import PAGE, open_page, setting, rest  # noqa: E402
from test_element import COLORED, RETURNS_AT_TOP, SLIDES, distances_in_pictures, pages, show  # noqa: E402
from run import Options  # noqa: E402


def share(values, part):
    return round(sorted(values)[min(len(values) - 1, int(len(values) * part))], 2)


# When the message with each state has arrived, by the state's time.
ARRIVALS = """<script>
globalThis.arrivals = {};
globalThis.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      for (const [, time] of data.matchAll(/"time":([0-9.]+)/g)) arrivals[time] ??= performance.timeOrigin + performance.now();
    });
  }
};
</script>
<script type="module">"""

FRAMES = """() => new Promise((resolve) => {
  const scrollers = [...document.querySelectorAll('.scroller')];
  const [began, top] = [performance.now(), scrollers[0].scrollTop];
  let frames = 0;
  const next = () => {
    frames += 1;
    // Up and down by 80 points, so that each header has something to do.
    const place = Math.abs(((frames * 4) % 160) - 80);
    for (const one of scrollers) one.scrollTop = top + place;
    if (performance.now() - began < 5000) return requestAnimationFrame(next);
    resolve({ frames, seconds: (performance.now() - began) / 1000 });
  };
  requestAnimationFrame(next);
})"""


def eight_headers(programs):
    with Bridge(programs) as bridge, chromium() as browser:
        page = browser.new_context(viewport={"width": 1600, "height": 900}).new_page()
        page.goto(bridge.url("?phones=8"))
        until(page, "globalThis.playground?.phones().length === 8 && playground.phones().every(({ attachment }) => attachment.state)")
        before = page.evaluate("playground.phones().map(({ attachment }) => attachment.state.seq)")
        drawn = page.evaluate(FRAMES)
        after = page.evaluate("playground.phones().map(({ attachment }) => attachment.state.seq)")
        states = sum(after) - sum(before)
        return {"framesPerSecond": round(drawn["frames"] / drawn["seconds"], 1), "statesPerSecond": round(states / drawn["seconds"])}


BLOCKED = "setInterval(() => { for (const began = performance.now(); performance.now() - began < 100;); }, 1000)"
# A header of 396 and 40 points, which moves for many frames.
HIGH = 436


def page_frames(programs, scrolls, page_text, speed, isBlocked, isMirror):
    """Of the compositor's frames while a wheel goes through the way of a header, in how many that is not where the content has it."""
    way = 500 if page_text is SLIDES else 400

    def edge(goesDown):
        if page_text is not SLIDES:
            return lambda place: max(84, HIGH - place)
        return lambda place: max(0, HIGH - place, 0 if goesDown else min(HIGH, way - place))

    shared = page_text.replace("<collapsing-header ", "<collapsing-header header=shared ")
    mirrors = shared.replace("<collapsing-header ", "<collapsing-header mode=mirror ")
    with pages(Options(programs.resolve(), None), index=shared, mirror=mirrors) as (bridge, folder), chromium() as browser:
        (folder / "style.css").write_text((folder / "style.css").read_text().replace("96px", f"{HIGH - 40}px"))
        page, mirror = (browser.new_context(viewport={"width": 120, "height": 667}).new_page() for _ in range(2))
        for one, file in ((page, ""), (mirror, "mirror.html")):
            show(one, bridge, file)
            one.evaluate(COLORED)
        if isBlocked:
            page.evaluate(BLOCKED)
        apart = []
        for index in range(2 * scrolls):
            time.sleep(0.6)
            goesDown = index % 2 == 0
            apart += distances_in_pictures(page, way if goesDown else -way, speed, HIGH, edge(goesDown), mirror if isMirror else None)
        return {"moved": len(apart), "apartMoreThanHalf": sum(one > 0.5 for one in apart), "apartMoreThanOne": sum(one > 1 for one in apart),
                "points": {"p50": share(apart, 0.5), "most": share(apart, 1)}}


def all_frames(programs, scrolls):
    for name, text in (("collapses", RETURNS_AT_TOP), ("slides", SLIDES)):
        for speed, times in ((300, 1), (3000, 4)):
            for isBlocked, isMirror in ((False, False), (True, False), (False, True)):
                found = page_frames(programs, times * scrolls, text, speed, isBlocked, isMirror)
                print(json.dumps({"header": name, "speed": speed, "blocked": isBlocked, "mirror": isMirror, **found}), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--scrolls", type=int, default=10)
    parser.add_argument("--frames", action="store_true")
    arguments = parser.parse_args()
    if arguments.frames:
        return all_frames(arguments.programs, arguments.scrolls)
    page_text = PAGE.replace("globalThis.at = attach", "scroller.addEventListener('wheel', ({ timeStamp }) => (globalThis.wheel = performance.timeOrigin "
                             "+ timeStamp), { passive: true });\nglobalThis.at = attach")
    page_text = page_text.replace("events.push({ ...event,", "events.push({ ...event, wheel: globalThis.wheel,")
    page_text = page_text.replace('<script type="module">', ARRIVALS)
    page_text = page_text.replace("onState: ({ seq,", "onState: ({ time, seq,").replace("states.push({ seq,", "states.push({ time, seq,")
    with setting(Options(arguments.programs.resolve(), None), page_text) as (bridge, origin, _), chromium() as browser:
        first, second = browser.new_context().new_page(), browser.new_context().new_page()
        open_page(first, bridge, origin)
        open_page(second, bridge, origin, "&second")
        cdp = first.context.new_cdp_session(first)
        from_wheel, from_scroll, to_scroll, on_the_way, to_frame = [], [], [], [], []
        for index in range(arguments.scrolls):
            for page in (first, second):
                page.evaluate("[events.splice(0), states.splice(0)]")
            # The bar goes away and comes back, so that each event makes a state.
            distance = -80 if index % 2 == 0 else 80
            cdp.send("Input.synthesizeScrollGesture", {"x": 180, "y": 300, "yDistance": distance, "speed": 100, "gestureSourceType": "mouse"})
            time.sleep(0.6)
            told = first.evaluate("events")
            # What comes behind the end is the header's own doing, and of no wheel.
            end = next((place for place, event in enumerate(told) if event["event"] == "willEndDragging"), len(told))
            events = {round(event["time"], 6): event for event in told[:end] if event["event"] == "didScroll"}
            arrivals = second.evaluate("Object.entries(arrivals).map(([time, now]) => [+time, now])")
            arrivals = {round(time, 6): now for time, now in arrivals}
            for state in second.evaluate("states"):
                if event := events.get(round(state["time"], 6)):
                    from_scroll.append(state["now"] - event["now"])
                    from_wheel.append(state["now"] - event["wheel"])
                    arrived = arrivals[round(state["time"], 6)]
                    to_scroll.append(event["now"] - event["wheel"])
                    on_the_way.append(arrived - event["now"])
                    to_frame.append(state["now"] - arrived)
        rest(first)
    print(json.dumps({"states": len(from_scroll), **{
        name: {"p50": share(values, 0.5), "p99": share(values, 0.99), "most": share(values, 1)}
        for name, values in (("millisecondsFromScroll", from_scroll), ("millisecondsFromWheel", from_wheel),
                             ("fromWheelToScroll", to_scroll), ("fromScrollToMessage", on_the_way), ("fromMessageToTransform", to_frame))},
        "eightHeaders": eight_headers(arguments.programs)}))


if __name__ == "__main__":
    main()
