// SPDX-License-Identifier: MIT
//
// Controls for options, made of what a plugin says of them: type, unit, range, cases, meaning.

import { lawForms } from "./laws.js";
import { make, words } from "./phone.js";

let count = 0;

/** The controls of one behavior's options; `change(name, value)` gives null or what is wrong with a value. */
export function optionControls(behavior, options, drawers, change) {
  const values = { ...Object.fromEntries(behavior.options.map((option) => [option.name, option.default])), ...options };
  const rows = behavior.options.map((option) => [option, control(option, values[option.name], drawers, async (value) => {
    const wrong = await change(option.name, value);
    if (!wrong) values[option.name] = value;
    hide();
    return wrong;
  })]);
  const hide = () => rows.forEach(([option, row]) => (row.hidden = !applies(option, values)));
  hide();
  return rows.map(([, row]) => row);
}

/** Whether an option has an effect beside others: `With follows = "looks": …`, says its meaning, if it has one with that alone. */
function applies({ meaning }, values) {
  const [, name, value] = meaning.match(/^With (\w+) = "(\w+)": /) ?? [];
  return name === undefined || values[name] === value;
}

function control(option, present, drawers, change) {
  if (option.name === "drawers" && option.type === "list of record") {
    const row = make("div", { className: "option" });
    row.append(lawForms(present, drawers, change));
    return row;
  }
  const id = `option-${(count += 1)}`;
  const unit = option.unit ? `, ${option.unit}` : "";
  const range = [option.minimum, option.maximum].map((bound) => bound ?? "…").join(" to ");
  const bounds = option.minimum === undefined && option.maximum === undefined ? "" : `, ${range}`;
  const meaning = make("p", { className: "meaning", id: `${id}-meaning` });
  const said = `${option.meaning} (${option.type}${unit}${bounds})`;
  meaning.textContent = said;
  const row = make("div", { className: "option" });
  const apply = async (value) => {
    const wrong = value === undefined ? "this is not JSON" : await change(value);
    row.toggleAttribute("data-wrong", Boolean(wrong));
    meaning.textContent = wrong ?? said;
  };
  const field = input(option, present, apply);
  const first = field.matches("input, select, textarea") ? field : field.querySelector("input");
  first.id = id;
  for (const one of [first, ...field.querySelectorAll("input")]) {
    one.setAttribute("aria-describedby", meaning.id);
    if (one !== first) one.setAttribute("aria-label", `${option.name}, as a number`);
  }
  row.append(make("label", { htmlFor: id }, ...words(option.name)), field, meaning);
  return row;
}

function input(option, present, apply) {
  switch (option.type) {
    case "bool": {
      const box = make("input", { type: "checkbox", checked: present === true });
      box.onchange = () => apply(box.checked);
      return box;
    }
    case "case": {
      const cases = [...(option.nullable ? [["none", ""]] : []), ...option.cases.map((name) => [name, name])];
      const select = make("select", {}, ...cases.map(([text, name]) => new Option(text, name, false, name === (present ?? ""))));
      select.onchange = () => apply(select.value || null);
      return select;
    }
    case "number":
    case "integer":
      if (option.nullable) return numberOrNone(present, apply);
      return numbers(option, present, apply);
    case "text": {
      const text = make("input", { type: "text", value: present ?? "" });
      text.onchange = () => apply(option.nullable ? text.value || null : text.value);
      return text;
    }
    default: {
      const area = make("textarea", { rows: 1, value: JSON.stringify(present ?? null), spellcheck: false });
      area.onchange = () => apply(parsed(area.value));
      return area;
    }
  }
}

function numberOrNone(present, apply) {
  const field = make("input", { type: "number", step: "any", value: present ?? "", placeholder: "none" });
  field.onchange = () => apply(field.value === "" ? null : Number(field.value));
  return field;
}

/** A slider and a number, which is exact and has no end of its own. */
function numbers(option, present, apply) {
  const least = Math.max(option.minimum ?? -500, -500);
  const most = Math.min(option.maximum ?? 500, Math.max(500, 2 * Math.abs(present ?? 0)));
  const step = option.type === "integer" ? 1 : most - least <= 2 ? 0.01 : most - least <= 20 ? 0.1 : 1;
  const slider = make("input", { type: "range", min: least, max: most, step, value: present ?? 0 });
  const exact = make("input", { type: "number", step: "any", value: present ?? 0 });
  slider.oninput = () => {
    exact.value = slider.value;
    apply(Number(slider.value));
  };
  exact.onchange = () => {
    slider.value = exact.value;
    apply(Number(exact.value));
  };
  return make("div", { className: "both" }, slider, exact);
}

/** A value of JSON; undefined if it is none. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
