// SPDX-License-Identifier: MIT
//
// The playground: one description, which the controls change, and the phones that show its header.

import { Ahead } from "./ahead.js";
import { Link } from "./client/browser.js";
import { optionControls } from "./controls.js";
import { make, Phone } from "./phone.js";
import { Plot } from "./plot.js";
import { plainHeader, presets } from "./presets.js";
import { ShadowTrial } from "./shadow.js";
import { Stories } from "./stories.js";
import { readRecording, recordingFile, texts } from "./text.js";
import { drawRuns, runAgain, Timeline, words } from "./timeline.js";

const at = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const isSecondWindow = query.has("header");
const header = query.get("header") ?? `playground.p${Math.random().toString(36).slice(2, 8)}`;

/** What the list of presets has, by place: descriptions of headers. */
const choices = presets.map(({ description }) => description);
/** Behaviors by name, as their plugins describe them. */
let behaviors = {};
let description = { header, ...structuredClone(presets[0].description) };
let phones = [];
let kept = null;
let trace = null;
const timeline = new Timeline();
const plot = new Plot(at("plot"), at("legend"), at("numbers"));
const ahead = new Ahead(at("ahead"));
const windows = new BroadcastChannel(`headerd setup ${header}`);

const link = new Link({ name: "playground", status: showStatus, other: receiveTrace });
const stories = new Stories(link, header);
const trial = new ShadowTrial(link, header, (text, mayPromote) => {
  at("shadowed").textContent = text;
  at("promote").disabled = !mayPromote;
});
globalThis.playground = { link, plot, timeline, phones: () => phones, description: () => description };

function showStatus(isConnected, error) {
  if (isConnected && !error) return void start();
  at("status").textContent = isConnected ? `headerd: ${error.message}` : "No connection to headerd: the page goes on alone, and comes back.";
}

async function start() {
  at("status").textContent = `Connected to ${link.hello.server}, header ${header}`;
  if (phones.length > 0) return;
  try {
    if (isSecondWindow) return void (await showOther());
    const { plugins, presets: installed = [] } = await link.request("plugin.list");
    for (const { behaviors: found } of plugins) for (const one of found) behaviors[one.behavior] = one;
    offer(installed);
    takeWanted();
  } catch (error) {
    return void (at("status").textContent = `headerd: ${error.message}`);
  }
  at("behavior").replaceChildren(...Object.keys(behaviors).map((name) => new Option(name)));
  rebuild();
}

/** A second window shows what the first one has opened. */
async function showOther() {
  at("panels").hidden = true;
  const { description: found } = await link.request("header.get", { header, include: ["description"] });
  description = found;
  showPhones();
}
windows.onmessage = () => isSecondWindow && link.isConnected && showOther();

// Phones

/** Closes the header and opens it anew, as it is described now; one after the other. */
function rebuild() {
  return (rebuilt = rebuilt.then(rebuildNow));
}
let rebuilt = Promise.resolve();

async function rebuildNow() {
  endPhones();
  for (const name of headers()) await link.request("header.close", { header: name }).catch(() => {});
  trial.forget();
  timeline.clear();
  plot.clear();
  showPhones();
  showControls();
  showText();
  // The header is open once its first state is there.
  setTimeout(() => windows.postMessage("changed"), 300);
}

/** ?phones=8 shows as many headers, one a phone. */
function headers() {
  const count = Math.min(8, Math.max(1, Number(query.get("phones") ?? 1)));
  return Array.from({ length: count }, (_, index) => (index === 0 ? header : `${header}.${index}`));
}

function endPhones() {
  for (const phone of phones.splice(0)) phone.end();
  link.remove(header, ahead);
  ahead.forget();
}

function showPhones() {
  endPhones();
  const width = isSecondWindow ? 320 : Number(at("width").value);
  const height = isSecondWindow ? 520 : Number(at("height").value);
  for (const [index, name] of headers().entries()) {
    const tell = index === 0 ? hear : undefined;
    const label = isSecondWindow ? "Second window" : `Phone ${index + 1}`;
    phones.push(new Phone(link, { ...description, header: name }, { width, height, tell, label, isFirst: !isSecondWindow }));
  }
  if (at("second").ariaPressed === "true") {
    const size = { width: Math.round(width * 0.8), height: Math.round(height * 0.75) };
    phones.push(new Phone(link, description, { ...size, isFirst: false, label: "Second phone" }));
  }
}

function hear({ event, state }) {
  if (event) {
    // Who scrolls is back in the present.
    if (event.event === "didScroll") at("live").ariaPressed = "true";
    plot.event(event);
    timeline.event(event);
  } else {
    if (state.snapshot) {
      stories.begin();
      // A phone draws the last state of a frame; here each one counts.
      link.add(header, ahead);
    }
    plot.state(state);
    timeline.state(state);
  }
  at("step").max = Math.max(0, timeline.entries.length - 1);
  if (at("live").ariaPressed !== "false") showEvent(timeline.entries.length - 1);
}

// Controls

function showControls() {
  at("chain").replaceChildren(...description.delegates.map(behaviorField));
  at("drawers").replaceChildren(...description.drawers.map(drawerField));
}

function behaviorField(delegate, index) {
  const set = make("fieldset", {}, make("legend", { textContent: delegate.behavior }));
  const remove = make("button", { type: "button", textContent: `Remove ${delegate.behavior}` });
  remove.onclick = () => {
    description.delegates.splice(index, 1);
    rebuild();
  };
  const behavior = behaviors[delegate.behavior];
  const change = (name, value) => configure(delegate, name, value);
  set.append(...(behavior ? optionControls(behavior, delegate.options ?? {}, description.drawers.map(({ name }) => name), change) : []), remove);
  return set;
}

/** Sets an option in the running header. Gives what is wrong with it, or null. */
async function configure(delegate, name, value) {
  const known = delegate.name ?? delegate.behavior[0].toLowerCase() + delegate.behavior.slice(1);
  try {
    if (at("shadow").checked) {
      await trial.try(known, name, value);
      return null;
    }
    for (const one of headers()) {
      await link.request("delegate.configure", { header: one, delegate: known, options: { [name]: value } });
    }
  } catch (error) {
    if (at("shadow").checked || !error.message.includes("cannot be changed in a header that is open")) return error.message;
    delegate.options = { ...delegate.options, [name]: value };
    await rebuild();
    return null;
  }
  delegate.options = { ...delegate.options, [name]: value };
  showText();
  return null;
}

at("shadow").onchange = async () => {
  if (at("shadow").checked) return;
  await trial.end();
  // What was tried is not in force.
  showControls();
};
at("promote").onclick = async () => {
  const { delegate: known, options } = await trial.promote();
  const delegate = description.delegates.find((one) => (one.name ?? one.behavior[0].toLowerCase() + one.behavior.slice(1)) === known);
  delegate.options = { ...delegate.options, ...options };
  at("shadow").checked = false;
  showControls();
  showText();
};

function drawerField(drawer, index) {
  const set = make("fieldset", {}, make("legend", { textContent: `Drawer ${drawer.name}` }));
  const row = make("div", { className: "row" });
  const number = (key, text) => {
    const input = make("input", { type: "number", min: 0, max: 600, value: drawer[key] ?? "" });
    input.onchange = () => {
      if (input.value === "") delete drawer[key];
      else drawer[key] = Number(input.value);
      rebuild();
    };
    row.append(make("label", {}, `${text} `, input));
  };
  number("height", "Height");
  number("minimumHeight", "Least");
  number("maximumHeight", "Most");
  const sticky = make("input", { type: "checkbox", checked: drawer.sticky === true });
  sticky.onchange = () => {
    drawer.sticky = sticky.checked;
    rebuild();
  };
  row.append(make("label", { className: "check" }, sticky, "Sticky"), ...drawerButtons(drawer, index));
  const elements = (drawer.elements ?? []).map((element) => elementRow(drawer, element));
  set.append(row, ...elements);
  return set;
}

function drawerButtons(drawer, index) {
  const button = (text, act) => Object.assign(make("button", { type: "button", textContent: text }), {
    onclick: () => {
      act();
      rebuild();
    },
  });
  const taken = description.drawers.flatMap(({ elements = [] }) => elements.map(({ name }) => name));
  return [
    button(`Add element to ${drawer.name}`, () => {
      const frame = { x: 20, y: 8, width: 120, height: 24 };
      drawer.elements = [...(drawer.elements ?? []), { name: freeName("element", taken), frame }];
    }),
    button(`Remove ${drawer.name}`, () => description.drawers.splice(index, 1)),
  ];
}

function elementRow(drawer, element) {
  const row = make("div", { className: "row" });
  for (const key of ["x", "y", "width", "height"]) {
    const input = make("input", { type: "number", value: element.frame[key] ?? 0 });
    input.onchange = () => {
      element.frame[key] = Number(input.value);
      rebuild();
    };
    row.append(make("label", {}, `${element.name} ${key} `, input));
  }
  const remove = make("button", { type: "button", textContent: `Remove ${element.name}` });
  remove.onclick = () => {
    drawer.elements = drawer.elements.filter((one) => one !== element);
    rebuild();
  };
  row.append(remove);
  return row;
}

const freeName = (word, taken) => [word, ...Array.from({ length: 99 }, (_, index) => `${word}${index + 2}`)].find((name) => !taken.includes(name));

at("preset").append(...presets.map(({ title }, index) => new Option(title, index)));
at("preset").onchange = () => {
  description = { ...structuredClone(choices[at("preset").value]), header };
  rebuild();
};

/** A header with these options leaves alone what the content has done by itself. */
const goesByOffers = ({ follows, contentMoves, takesOffers = true }) =>
  ["ratio", "block"].includes(follows) || (contentMoves === "none" && takesOffers);

/** Adds the presets that the daemon has, over drawers that each of them has something to do with. */
function offer(installed) {
  if (installed.length === 0) return;
  const group = make("optgroup", { label: "Installed" });
  for (const { preset, behavior, summary, options } of installed) {
    const entry = make("option", { textContent: preset, value: choices.length, title: summary });
    if (goesByOffers(options)) {
      entry.disabled = true;
      entry.textContent += " (needs offers)";
      entry.title += ". It goes by movements that are offered before they are made; a page's scroller tells of them afterwards.";
    }
    group.append(entry);
    choices.push({ ...plainHeader, delegates: [{ behavior, options }] });
  }
  at("preset").append(group);
}
/** ?preset=NAME begins with an installed preset, ?behavior=NAME with the first one that has the behavior. */
function takeWanted() {
  const [preset, behavior] = [query.get("preset"), query.get("behavior")];
  const place = preset
    ? [...at("preset").options].findIndex(({ textContent, disabled }) => textContent === preset && !disabled)
    : choices.findIndex(({ delegates }) => delegates.some((one) => one.behavior === behavior));
  if (place < 0) return;
  at("preset").selectedIndex = place;
  description = { ...structuredClone(choices[at("preset").value]), header };
}
for (const id of ["width", "height"]) at(id).onchange = showPhones;
at("add-behavior").onclick = () => {
  description.delegates.push({ behavior: at("behavior").value });
  rebuild();
};
at("add-drawer").onclick = () => {
  description.drawers.push({ name: freeName("drawer", description.drawers.map(({ name }) => name)), height: 44 });
  rebuild();
};
at("second").onclick = () => {
  at("second").ariaPressed = at("second").ariaPressed !== "true";
  showPhones();
};
at("window").onclick = () => open(`?header=${header}${location.hash}`, "_blank", "popup,width=420,height=700");

// The timeline

function showEvent(index) {
  const entry = timeline.entries[index];
  if (!entry) return;
  at("step").value = index;
  at("event").textContent = words(entry, index, timeline.entries.length);
  at("why").textContent = "";
}

/** Shows why the header did what it did with an event, unless another one is shown by then. */
async function explain(entry) {
  const story = await stories.of(entry.event);
  if (timeline.entries[Number(at("step").value)] === entry) at("why").textContent = story.join("\n");
}

function step(by) {
  at("live").ariaPressed = "false";
  const index = Math.min(timeline.entries.length - 1, Math.max(0, Number(at("step").value) + by));
  showEvent(index);
  // The phone shows the place of the event; the header follows it from the record, not from the daemon.
  const entry = timeline.entries[index];
  if (!entry) return;
  for (const phone of phones) phone.attachment.preview(entry.state, entry.event.offset?.y);
  explain(entry);
}
at("back").onclick = () => step(-1);
at("forward").onclick = () => step(1);
at("step").oninput = () => step(0);
at("live").onclick = () => {
  at("live").ariaPressed = "true";
  for (const phone of phones) phone.attachment.preview(null);
  showEvent(timeline.entries.length - 1);
};
at("clear").onclick = () => {
  timeline.clear();
  plot.clear();
  at("difference").textContent = "";
};
at("keep").onclick = () => {
  kept = { description: structuredClone(description), events: timeline.events };
  at("again").disabled = kept.events.length === 0;
  at("difference").textContent = `A: ${kept.events.length} events. Change an option and run them again.`;
};
at("again").onclick = async () => {
  try {
    const a = await runAgain(link, withSize(kept.description), kept.events, "a");
    const b = await runAgain(link, withSize(description), kept.events, "b");
    globalThis.playground.runs = [a, b];
    const { largest, index } = drawRuns(at("plot"), a, b);
    at("difference").textContent = largest < 0.01
      ? `A and B are the same in all ${a.length} events.`
      : `A (line) and B (dashed) differ by at most ${largest.toFixed(1)} points, at event ${index + 1} of ${a.length}: ` +
        `A ${a[index].toFixed(1)}, B ${b[index].toFixed(1)}. Dotted: the difference.`;
  } catch (error) {
    at("difference").textContent = error.message;
  }
};

/** A description with the size of the phone's content. */
function withSize(described) {
  const content = described.scrollViews?.content ?? {};
  const [width, height] = [Number(at("width").value), Number(at("height").value)];
  const size = { viewport: { width, height }, contentSize: { width, height: 60 * 64 } };
  return { ...described, scrollViews: { ...described.scrollViews, content: { ...size, ...content } } };
}

// Recordings

at("record").onclick = async () => {
  try {
    if (trace) return void (await link.request("trace.stop", { trace: trace.number }).then(() => saveTrace("stopped")));
    trace = { first: null, steps: [], number: null };
    trace.number = (await link.request("trace.start", { header })).trace;
    at("record").ariaPressed = "true";
    at("record").textContent = "Stop and save";
  } catch (error) {
    trace = null;
    at("difference").textContent = error.message;
  }
};

function receiveTrace({ method, params }) {
  if (method !== "trace" || !trace) return;
  if (params.description) trace.first = { description: params.description, saved: params.saved };
  else if (params.step) trace.steps.push(params.step);
  else if (params.ended) saveTrace(params.ended);
}

function saveTrace(ended) {
  if (!trace?.first) return;
  const text = recordingFile(link.hello.server, trace.first, trace.steps, ended);
  const address = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  make("a", { href: address, download: `${header}.jsonl` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
  at("difference").textContent = `${trace.steps.length} steps were saved: headerctl replay verifies them.`;
  trace = null;
  at("record").ariaPressed = "false";
  at("record").textContent = "Record";
}

async function openRecording(file) {
  try {
    const recording = readRecording(await file.text());
    if (recording.description) {
      const { frames, lifetime, ...described } = recording.description;
      description = { ...described, header };
      await rebuild();
    }
    const events = recording.events.filter(({ event }) => !["addDelegate", "removeDelegate", "moveDelegate", "configure", "reload", "unload"].includes(event));
    kept = { description: structuredClone(description), events };
    at("again").disabled = false;
    at("difference").textContent = `${file.name}: ${events.length} events. Run them with these options, or change some.`;
  } catch (error) {
    at("difference").textContent = `${file.name}: ${error.message}`;
  }
}
at("file").onchange = () => at("file").files[0] && openRecording(at("file").files[0]);
at("drop").ondragover = (event) => event.preventDefault();
at("drop").ondrop = (event) => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) openRecording(event.dataTransfer.files[0]);
};

// Text

function showText() {
  at("text").value = texts[at("format").value](description);
}
at("format").onchange = showText;
at("copy").onclick = async () => {
  at("text").select();
  await navigator.clipboard.writeText(at("text").value).catch(() => document.execCommand("copy"));
  at("copy").textContent = "Copied";
  setTimeout(() => (at("copy").textContent = "Copy"), 1500);
};
