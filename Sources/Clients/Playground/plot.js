// SPDX-License-Identifier: MIT
//
// Lines over the last seconds: the offset, each drawer's lower edge, progress and velocity, each in a scale of its own kind.
// Drawn in animation frames, and only while something new has come.

import { make } from "./phone.js";

const seconds = 10;
const samplesMost = 4000;
const hues = ["#1a73e8", "#d93025", "#188038", "#b06000", "#8430ce", "#00838f", "#c2185b", "#5f6368"];

export class Plot {
  #canvas;
  #legend;
  #numbers;
  /** By name: `kind`, `points` of `[seconds, value]`. */
  #series = new Map();
  #isDue = false;
  #last = null;

  constructor(canvas, legend, numbers) {
    [this.#canvas, this.#legend, this.#numbers] = [canvas, legend, numbers];
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#schedule());
  }

  clear() {
    this.#series.clear();
    this.#legend.replaceChildren();
    this.#last = null;
    this.#schedule();
  }

  event({ offset, event }) {
    const now = performance.now() / 1000;
    if (!offset) return;
    this.#add("offset", "points", now, offset.y);
    if (event === "didScroll" && this.#last && now > this.#last.now) {
      this.#add("velocity", "points a second", now, (offset.y - this.#last.y) / Math.max(now - this.#last.now, 0.004));
    }
    this.#last = { now, y: offset.y };
  }

  state({ drawers, values }) {
    const now = performance.now() / 1000;
    for (const { name, frame, hidden } of drawers) this.#add(name, "points", now, hidden ? 0 : Math.max(0, frame.y + frame.height));
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === "number") this.#add(name, name.toLowerCase().includes("progress") ? "share" : "points", now, value);
    }
  }

  #add(name, kind, now, value) {
    let series = this.#series.get(name);
    if (!series) {
      series = { kind, points: [], color: hues[this.#series.size % hues.length] };
      this.#series.set(name, series);
      const mark = make("i");
      mark.style.background = series.color;
      this.#legend.append(make("span", { className: "key" }, mark, `${name} (${kind})`));
    }
    series.points.push([now, value]);
    if (series.points.length > samplesMost) series.points.splice(0, samplesMost / 4);
    this.#schedule();
  }

  #schedule() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#isDue = false;
    const { width, height } = this.#canvas;
    const context = this.#canvas.getContext("2d");
    context.clearRect(0, 0, width, height);
    const end = performance.now() / 1000;
    for (const kind of new Set([...this.#series.values()].map((one) => one.kind))) {
      const shown = [...this.#series].filter(([, one]) => one.kind === kind);
      drawLines(context, { width, height, from: end - seconds, to: end, lines: shown.map(([, one]) => one) });
    }
    const words = [...this.#series].map(([name, { points }]) => `${name} ${points[points.length - 1][1].toFixed(1)}`);
    this.#numbers.textContent = words.join(" · ");
  }
}

/** Draws lines of one scale; `points` are `[x, y]` with x from `from` to `to`. */
export function drawLines(context, { width, height, from, to, lines }) {
  const cut = lines.map(({ points }) => {
    const first = points.findIndex(([x]) => x >= from);
    return first < 0 ? points.slice(-1) : points.slice(Math.max(0, first - 1));
  });
  let [least, most] = [Infinity, -Infinity];
  for (const points of cut) for (const [, y] of points) [least, most] = [Math.min(least, y), Math.max(most, y)];
  if (!(most > least)) [least, most] = [least - 1, least + 1];
  const place = ([x, y]) => [((x - from) / (to - from)) * width, height - 8 - ((y - least) / (most - least)) * (height - 16)];
  context.lineWidth = 2;
  for (const [index, points] of cut.entries()) {
    context.strokeStyle = lines[index].color;
    context.setLineDash(lines[index].dash ?? []);
    context.beginPath();
    for (const [order, point] of points.entries()) context[order ? "lineTo" : "moveTo"](...place(point));
    if (points.length > 0) context.lineTo(width, place(points[points.length - 1])[1]);
    context.stroke();
  }
  context.setLineDash([]);
}
