// SPDX-License-Identifier: MIT
//
// How the header goes on, as its last state says, and beside each state what the one before said of its offset: in a page what
// `headerctl watch --predict` shows in a terminal.

import { HeaderView } from "./client/browser.js";
import { make, onceAFrame } from "./phone.js";
import { edge } from "./timeline.js";

const statesShown = 8;
/** Points within which a state is what was foreseen. */
const exact = 1e-6;

/** A listener of the link's. */
export class Ahead {
  #rows;
  #keyframes;
  #ways;
  #error;
  #counts;
  #view = new HeaderView();
  #state = null;
  /** The last states, newest first: `offset`, the edge `decided`, `isForeseen`, and where anything was said the edge `foreseen` and `error`. */
  #states = [];
  // Since the page was opened.
  #decided = 0;
  #foreseen = 0;
  #worst = 0;
  #schedule = onceAFrame(() => this.#draw());

  constructor(section) {
    const [ahead, states] = section.querySelectorAll("tbody");
    this.#keyframes = [...ahead.rows];
    const cells = () => Array.from({ length: 5 }, () => make("td", { textContent: "–" }));
    this.#rows = Array.from({ length: statesShown }, () => make("tr", {}, ...cells()));
    states.append(...this.#rows);
    [this.#ways, this.#error, this.#counts] = ["ways", "error", "counts"].map((name) => section.querySelector(`#ahead-${name}`));
  }

  /** Of each state that comes. */
  message({ type, state }) {
    if (type !== "state") return this.forget();
    // The same state comes once more, with what follows it.
    if (state.epoch === this.#view.epoch && state.seq !== this.#view.seq) this.#judge(state);
    this.#view.apply(state);
    this.#state = state;
    this.#schedule();
  }

  /** What was said is no longer so; what was counted stays. */
  forget() {
    this.#view = new HeaderView();
    this.#state = null;
    this.#states = [];
    this.#schedule();
  }

  lost() {
    this.forget();
  }

  #judge(state) {
    const one = { offset: offsetOf(state), decided: edge(state) };
    if (this.#state.ahead) {
      const foreseen = this.#view.at(one.offset);
      Object.assign(one, { foreseen: edge(foreseen), error: distance(foreseen, state) });
      this.#worst = Math.max(this.#worst, one.error);
    }
    // A decision is not foreseen, though the edges may be those that were told for where it takes the content.
    const isDecision = ["animations", "commands"].some((list) => state[list]?.length > 0);
    one.isForeseen = one.error <= exact && !isDecision;
    this.#decided += 1;
    this.#foreseen += one.isForeseen ? 1 : 0;
    this.#states = [one, ...this.#states].slice(0, statesShown);
  }

  #draw() {
    const ahead = this.#state?.ahead;
    for (const row of this.#keyframes) {
      const direction = row.cells[0].textContent;
      const known = ahead?.[direction] ?? [];
      fill(row, [direction, shown(ahead && known.length), shown(known.at(-1)?.offset)]);
    }
    const ways = ahead?.reversible ? "They hold both ways." : "They hold until the content turns back.";
    this.#ways.textContent = ahead ? ways : "Nothing is known ahead.";
    for (const [index, row] of this.#rows.entries()) {
      const { offset, foreseen, decided, error, isForeseen } = this.#states[index] ?? {};
      const result = isForeseen === undefined ? "–" : isForeseen ? "foreseen" : "not foreseen";
      row.dataset.result = result;
      fill(row, [shown(offset), shown(foreseen), shown(decided), shownError(error), result]);
    }
    this.#error.textContent = `error ${shownError(this.#states[0]?.error)}, at most ${shownError(this.#worst)} points`;
    this.#counts.textContent = `${this.#decided} states decided: ${this.#foreseen} foreseen, ${this.#decided - this.#foreseen} not foreseen`;
  }
}

function fill(row, texts) {
  for (const [index, text] of texts.entries()) row.cells[index].textContent = text;
}

/** A number in few places; none is a dash, as in the terminal. */
function shown(value, decimals = 2) {
  return value === undefined ? "–" : String(Number(value.toFixed(decimals))).replace("-", "−");
}

/** A small error to the millionth of a point, from where on it is not foreseen. */
const shownError = (error) => shown(error, error < 0.01 ? 6 : 2);

/** Where the content of the tracking scroll view is. */
function offsetOf({ scrollViews, trackingScrollView }) {
  return (scrollViews[trackingScrollView] ?? Object.values(scrollViews)[0])?.contentOffset.y;
}

/** How far apart edges of drawers and insets are at most, in points. */
function distance(one, other) {
  const apart = (numbers, others) => numbers.map((number, index) => Math.abs(number - others[index]));
  const drawers = one.drawers.map((drawer, index) => [drawer, other.drawers[index]]).filter(([drawer, decided]) => !drawer.hidden || !decided.hidden);
  const box = ({ frame: { x, y, width, height } }) => [x, y, x + width, y + height];
  const inset = ({ contentInset: { top = 0, left = 0, bottom = 0, right = 0 } }) => [top, left, bottom, right];
  const views = Object.entries(one.scrollViews).map(([name, view]) => [view, other.scrollViews[name]]);
  return Math.max(0, ...drawers.flatMap((pair) => apart(...pair.map(box))), ...views.flatMap((pair) => apart(...pair.map(inset))));
}
