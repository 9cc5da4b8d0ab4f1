// SPDX-License-Identifier: MIT
//
// Forms for the laws of drawers, CollapsingHeader's option `drawers`: a record for each drawer, and one for all others. The daemon
// tells the names of a record's fields (a test compares them), headerd-collapsingheader(7) their types and meanings.

import { make, words } from "./phone.js";

const [bool, number] = [{ type: "bool" }, { type: "number" }];
const cases = (...words) => ({ type: "case", cases: words });
const either = { hide: number, show: number };
const curve = cases("linear", "square", "decelerate", "easeIn", "easeOut", "easeInOut");
const moves = (law) => law.pin !== true;

/** A field is a control, a record of fields, or both: a control whose value may also be a record. `applies` hides it elsewhere. */
export const fields = {
  collapse: { ...bool, applies: moves, meaning: "It loses height, to its minimum" },
  shift: { ...bool, applies: moves, meaning: "It moves off by the edge; behind a collapse, if there is one" },
  pin: { ...bool, applies: (law) => !law.collapse && !law.shift, meaning: "It neither collapses nor shifts" },
  returns: { ...cases("anywhere", "atTop", "collapsedAnywhere"), applies: moves, meaning: "With any movement down, at the content's top, or to its minimum anywhere" },
  keeps: { ...number, words: ["minimum"], applies: moves, meaning: "Points that a shift leaves on the screen" },
  beyond: { ...number, applies: moves, meaning: "Points by which a shift goes beyond the edge" },
  slack: { ...number, words: ["minimum"], applies: moves, meaning: "Points at the hidden end in which nothing moves" },
  threshold: { ...number, applies: (law) => moves(law) && law.returns !== "atTop", meaning: "Points of a movement down before it comes back" },
  resistance: { ...number, fields: either, applies: moves, meaning: "First points of a direction, which do not move it" },
  resistanceReturns: { ...cases("turn", "ends"), applies: (law) => moves(law) && law.resistance !== undefined, meaning: "When the resistance is there again" },
  slop: { ...number, fields: either, applies: moves, meaning: "Points before its first movement and after each turn" },
  order: { fields: either, applies: moves, meaning: "Its place in the order, the least first" },
  weight: { ...number, applies: moves, meaning: "Its share of the finger's points among drawers of one place" },
  speed: { ...number, applies: moves, meaning: "Points that it goes for one point of its share; 1" },
  curve: { ...curve, applies: moves, meaning: "From the share of its way that is gone to the share that is seen" },
  stretch: { fields: { factor: number, limit: number, trigger: number, repeats: bool }, meaning: "It grows when the content is pulled" },
  rest: {
    applies: moves,
    meaning: "It comes to rest when the finger leaves",
    fields: {
      by: cases("nearest", "direction", "showing", "velocity", "threshold"),
      threshold: { ...number, applies: (rest) => rest.by === "threshold" },
      velocity: { ...number, applies: (rest) => rest.by === "velocity" },
      stops: { type: "json" },
      margins: { ...number, fields: either },
      target: bool,
      takesContent: bool,
      drawnBy: cases("daemon", "renderer"),
      beginsWithFrame: { ...bool, applies: (rest) => rest.drawnBy !== "renderer" },
      always: { ...bool, applies: (rest) => rest.drawnBy === "renderer" },
      scaled: { ...bool, applies: (rest) => rest.drawnBy === "renderer" },
      duration: { ...number, applies: (rest) => rest.spring === undefined },
      curve: { ...curve, applies: (rest) => rest.spring === undefined },
      spring: { fields: { mass: number, stiffness: number, damping: number } },
    },
  },
  fade: { ...bool, fields: { from: number, to: number }, meaning: "Its alpha goes from 1 to 0 on its way" },
  parallax: { ...number, applies: moves, meaning: "Points that it is drawn further down for one point of its shift" },
  scale: { ...number, fields: { x: number, y: number }, applies: moves, meaning: "The size of its elements at the end of its way" },
  zIndex: { ...number, applies: moves, meaning: "Where it lies among the drawers at the end of its way" },
};

/** A form for each drawer; `change(records)` gives null or what is wrong with them. */
export function lawForms(records, names, change) {
  const laws = structuredClone(records ?? []);
  const wrong = make("p", { className: "meaning", role: "status" });
  const apply = async () => (wrong.textContent = (await change(laws.filter((law) => Object.keys(law).some((key) => key !== "drawer")))) ?? "");
  const form = (name) => {
    let law = laws.find(({ drawer }) => drawer === name);
    if (!law) laws.push((law = name === undefined ? {} : { drawer: name }));
    const title = name ?? "all other drawers";
    const summary = make("summary");
    const show = () => {
      const told = Object.entries(law).filter(([key]) => key !== "drawer").map(([key, value]) => `${key} ${brief(value)}`.trim());
      summary.textContent = `Law of ${title}: ${told.join(", ") || "none of its own"}`;
    };
    show();
    const body = recordFields(fields, law, title, () => {
      show();
      apply();
    });
    return make("details", { className: "law" }, summary, body);
  };
  return make("div", { className: "laws" }, ...[...names, undefined].map(form), wrong);
}

const brief = (value) => (value === true ? "" : typeof value === "object" ? Object.entries(value).map(([key, one]) => `${key} ${brief(one)}`.trim()).join(" ") : value);

/** Controls for the fields of a record, which they change; those that do not apply to it are hidden. */
function recordFields(known, record, title, changed) {
  const rows = Object.entries(known).map(([name, field]) => [field, fieldRow(name, field, record, title, () => update())]);
  const hide = () => rows.forEach(([{ applies }, row]) => (row.hidden = applies !== undefined && !applies(record)));
  const update = () => {
    hide();
    changed();
  };
  hide();
  return make("div", { className: "fields" }, ...rows.map(([, row]) => row));
}

function fieldRow(name, field, record, title, changed) {
  const row = make("div", { className: "field" });
  const set = (value) => {
    if (value === undefined) delete record[name];
    else record[name] = value;
    changed();
  };
  const isRecord = field.fields !== undefined && (field.type === undefined || isObject(record[name]));
  const label = make("label", { title: field.meaning ?? "" }, make("span", {}, ...words(name)));
  const input = isRecord ? switchFor(record[name], set, row, name, field, title) : inputFor(field, record[name], set);
  input.setAttribute("aria-label", `${name} of ${title}`);
  label.prepend(input);
  row.append(label);
  if (isRecord && isObject(record[name])) row.append(recordFields(field.fields, record[name], `${name} of ${title}`, changed));
  return row;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** A record is there or not; its fields are shown while it is. */
function switchFor(value, set, row, name, field, title) {
  const box = make("input", { type: "checkbox", checked: value !== undefined });
  box.onchange = () => {
    const made = box.checked ? {} : undefined;
    row.querySelector(":scope > .fields")?.remove();
    if (made) row.append(recordFields(field.fields, made, `${name} of ${title}`, () => set(made)));
    set(made);
  };
  return box;
}

function inputFor(field, value, set) {
  // What a control cannot show, such as a curve of four numbers, is JSON.
  const isOdd = value !== undefined && !(field.type === typeof value || (field.type === "bool" && typeof value === "boolean") ||
    (field.type === "case" && field.cases.includes(value)) || field.words?.includes(value));
  if (field.type === "json" || isOdd) {
    const text = make("input", { type: "text", value: value === undefined ? "" : JSON.stringify(value), placeholder: "JSON" });
    text.onchange = () => set(parsed(text.value));
    return text;
  }
  if (field.type === "bool") {
    const box = make("input", { type: "checkbox", checked: value === true, indeterminate: value === undefined });
    box.onchange = () => set(box.checked);
    return box;
  }
  if (field.type === "case") {
    const select = make("select", {}, ...["", ...field.cases].map((word) => new Option(word || "as usual", word, false, word === (value ?? ""))));
    select.onchange = () => set(select.value || undefined);
    return select;
  }
  const input = make("input", { type: field.words ? "text" : "number", step: "any", value: value ?? "", placeholder: "as usual" });
  input.onchange = () => set(input.value === "" ? undefined : Number.isFinite(Number(input.value)) ? Number(input.value) : input.value);
  return input;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text || undefined;
  }
}
