// SPDX-License-Identifier: MIT
//
// Lines over the last seconds: the offset, each drawer's lower edge, progress and velocity, each kind in a panel with a scale of its own.
// Drawn in animation frames, and only while something new has come.

import { make, onceAFrame } from "./phone.js";

const seconds = 10;
const samplesMost = 4000;
/** Seconds without a sample after which a line ends. */
const pause = 0.25;
const hues = ["#1a73e8", "#d93025", "#188038", "#b06000", "#8430ce", "#00838f", "#c2185b", "#5f6368"];

export class Plot {
  #canvas;
  #legend;
  #numbers;
  /** By name: `unit`, `color`, `points` of `[seconds, value]`, and whether it `holds` its value until the next state. */
  #series = new Map();
  #schedule = onceAFrame(() => this.#draw());
  #last = null;
  /** What was drawn last: each panel's unit, ticks and lines, a line as its pieces between pauses. */
  drawn = [];

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
    const passed = now - (this.#last?.now ?? now);
    if (event === "didScroll" && passed > 0 && passed < pause) {
      this.#add("velocity", "points a second", now, (offset.y - this.#last.y) / Math.max(passed, 0.004));
    }
    this.#last = { now, y: offset.y };
    for (const [name, { holds, unit, points }] of this.#series) if (holds) this.#add(name, unit, now, points.at(-1)[1], true);
  }

  state({ drawers, values }) {
    const now = performance.now() / 1000;
    for (const { name, frame, hidden } of drawers) this.#add(name, "points", now, hidden ? 0 : Math.max(0, frame.y + frame.height), true);
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === "number") this.#add(name, name.toLowerCase().includes("progress") ? "share" : "points", now, value, true);
    }
  }

  #add(name, unit, now, value, holds = false) {
    let series = this.#series.get(name);
    if (!series) {
      series = { unit, holds, points: [], color: hues[this.#series.size % hues.length] };
      this.#series.set(name, series);
      const mark = make("i");
      mark.style.background = series.color;
      this.#legend.append(make("span", { className: "key" }, mark, `${name} (${unit})`));
    }
    series.points.push([now, value]);
    if (series.points.length > samplesMost) series.points.splice(0, samplesMost / 4);
    this.#schedule();
  }

  #draw() {
    const end = performance.now() / 1000;
    const series = [...this.#series.values()];
    const panels = [...new Set(series.map(({ unit }) => unit))].map((unit) => ({ unit, lines: series.filter((one) => one.unit === unit) }));
    const ticks = [-8, -6, -4, -2, 0].map((at) => [end + at, at === 0 ? "now" : `${at} s`.replace("-", "−")]);
    this.drawn = drawPanels(this.#canvas, panels, { from: end - seconds, to: end, ticks, pause });
    const words = [...this.#series].map(([name, { points }]) => `${name} ${points.at(-1)[1].toFixed(1)}`);
    this.#numbers.textContent = words.join(" · ");
  }
}

/** Draws panels above each other, the first one twice as high; `ticks` are `[x, text]`. Gives what it has drawn. */
export function drawPanels(canvas, panels, { from, to, ticks, pause = Infinity }) {
  const scale = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  [canvas.width, canvas.height] = [width * scale, height * scale];
  const context = canvas.getContext("2d");
  const ink = getComputedStyle(canvas).color;
  context.scale(scale, scale);
  context.font = "11px system-ui, sans-serif";
  context.fillStyle = ink;
  const frame = { left: 46, right: width - 10, bottom: height - 20 };
  const x = (value) => frame.left + ((value - from) / (to - from)) * (frame.right - frame.left);
  const unit = frame.bottom / (panels.length + 1);
  const drawn = panels.map((panel, index) => {
    const [top, bottom] = [(index === 0 ? 0 : index + 1) * unit + 18, (index + 2) * unit - 6];
    return drawPanel(context, panel, { ...frame, top, bottom, x, ink, from, pause });
  });
  context.textAlign = "center";
  for (const [value, text] of ticks) context.fillText(text, Math.min(x(value), width - 14), height - 6);
  return drawn;
}

function drawPanel(context, { unit, lines }, { left, right, top, bottom, x, ink, from, pause }) {
  const cut = lines.map(({ points }) => pieces(points.filter(([at]) => at >= from), pause));
  const values = cut.flat(2).map(([, value]) => value);
  const steps = scaleOf(values.length ? Math.min(...values) : 0, values.length ? Math.max(...values) : 1, bottom - top > 60 ? 4 : 2);
  const [least, most] = [steps[0], steps.at(-1)];
  const y = (value) => bottom - ((value - least) / (most - least)) * (bottom - top);
  context.textAlign = "left";
  context.fillText(unit, left, top - 6);
  context.textAlign = "right";
  context.strokeStyle = ink;
  context.lineWidth = 1;
  for (const step of steps) {
    context.fillText(String(step).replace("-", "−"), left - 6, y(step) + 4);
    context.globalAlpha = 0.25;
    context.strokeRect(left, Math.round(y(step)) + 0.5, right - left, 0);
    context.globalAlpha = 1;
  }
  context.lineWidth = 2;
  for (const [index, line] of cut.entries()) {
    context.strokeStyle = lines[index].color;
    context.globalAlpha = lines[index].alpha ?? 1;
    context.setLineDash(lines[index].dash ?? []);
    context.beginPath();
    for (const piece of line) for (const [order, [at, value]] of piece.entries()) context[order ? "lineTo" : "moveTo"](x(at), y(value));
    context.stroke();
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
  return { unit, steps, lines: cut };
}

/** A line between pauses. */
function pieces(points, pause) {
  const made = [];
  for (const point of points) {
    const last = made.at(-1);
    if (last && point[0] - last.at(-1)[0] <= pause) last.push(point);
    else made.push([point]);
  }
  return made;
}

/** Round numbers from at most the least to at least the most value, about so many steps of 1, 2 or 5 times a power of ten. */
function scaleOf(least, most, count) {
  const span = Math.max(most - least, 1e-3) / count;
  const power = 10 ** Math.floor(Math.log10(span));
  const step = power * [1, 2, 5, 10].find((one) => one * power >= span * 0.999);
  const [first, last] = [Math.floor(least / step), Math.max(Math.ceil(most / step), Math.floor(least / step) + 1)];
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(6)));
}
