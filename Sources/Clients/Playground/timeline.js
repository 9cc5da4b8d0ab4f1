// SPDX-License-Identifier: MIT
//
// The events of this window and the states that came of them: to go back, and to run the same scroll again with other options.
//
// Two runs are compared in headers of their own, with frames "events": the same input then gives the same states on every run, so
// that what differs comes of the options alone.

import { drawPanels } from "./plot.js";

const eventsMost = 5000;
/** What makes a scroll: changes of the header are not run again. */
const kinds = ["willBeginDragging", "didScroll", "willEndDragging", "didEndDragging", "willBeginDecelerating",
  "didEndDecelerating", "didEndScrollingAnimation", "setContentOffset", "advance"];

export class Timeline {
  /** Each `{event, state}`: the state is the last one that was drawn before the next event. */
  entries = [];
  #state = null;

  event(event) {
    this.entries.push({ event, state: this.#state });
    if (this.entries.length > eventsMost) this.entries.shift();
  }

  state(state) {
    this.#state = state;
    if (this.entries.length > 0) this.entries[this.entries.length - 1].state = state;
  }

  clear() {
    this.entries = [];
  }

  /** The scroll so far, as events that can be run again. */
  get events() {
    return this.entries.map(({ event }) => event).filter(({ event }) => kinds.includes(event));
  }
}

/** One line about an event. */
export function words({ event, state }, index, count) {
  const edges = (state?.drawers ?? []).map(({ name, frame, hidden }) => `${name} ${hidden ? "hidden" : round(frame.y)}`);
  return `${index + 1} of ${count}: ${event.event} at ${round(event.time)} s, offset ${round(event.offset?.y ?? 0)}` +
    (event.velocity ? `, velocity ${round(event.velocity.y)}` : "") + (state ? `; seq ${state.seq}: ${edges.join(", ")}` : "");
}

const round = (number) => Math.round(number * 100) / 100;

/** Runs events in a header of its own. Gives for each event the lower edge of what is visible of the header. */
export async function runAgain(link, description, events, name) {
  const header = `${description.header}.${name}`;
  const states = [];
  await link.request("header.open", { ...description, header, frames: "events", lifetime: "connection", ifExists: "replace" });
  const listener = {};
  // The first state has come before the first event goes.
  await new Promise((resolve) => {
    listener.message = (message) => message.type === "state" && resolve(states.push(message.state));
    link.add(header, listener, { mode: "every" });
  });
  const seqs = [];
  for (let start = 0; start < events.length; start += 100) {
    const batch = events.slice(start, start + 100);
    const { results } = await link.request("event", { header, events: batch });
    seqs.push(...results.map(({ seq }) => seq));
  }
  // All states have come when what was asked after them is answered.
  await link.request("ping");
  await new Promise((resolve) => setTimeout(resolve));
  link.remove(header, listener);
  await link.request("header.close", { header });
  return seqs.map((seq) => edge(states.findLast((state) => state.seq <= seq)));
}

/** The lower edge of the lowest drawer that is seen. */
export function edge(state) {
  return Math.max(0, ...(state?.drawers ?? []).filter(({ hidden }) => !hidden).map(({ frame }) => frame.y + frame.height));
}

/** Draws two runs and what lies between them. Gives the largest difference and the event where it is. */
export function drawRuns(canvas, a, b) {
  const differences = a.map((value, index) => Math.abs(value - b[index]));
  const largest = Math.max(0, ...differences);
  const points = (run) => run.map((value, index) => [index, value]);
  const lines = [
    { points: points(a), color: "#1a73e8" },
    { points: points(b), color: "#d93025", dash: [8, 4] },
    { points: points(differences), color: "#8430ce", dash: [2, 3], alpha: 0.6 },
  ];
  const last = Math.max(1, a.length - 1);
  const ticks = [...new Set([0, 1, 2, 3, 4].map((part) => Math.round((part * last) / 4)))].map((at) => [at, at === 0 ? "event 1" : String(at + 1)]);
  drawPanels(canvas, [{ unit: "points", lines }], { from: 0, to: last, ticks });
  return { largest, index: differences.indexOf(largest) };
}
