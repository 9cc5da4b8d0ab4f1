// SPDX-License-Identifier: MIT
//
// Controls for options, made of what a plugin says of them: type, unit, range, cases, meaning.

import { make } from "./phone.js";

let count = 0;

/** The controls of one behavior's options; `change(name, value)` gives null or what is wrong with a value. */
export function optionControls(behavior, options, change) {
  return behavior.options.map((option) => {
    const present = option.name in options ? options[option.name] : option.default;
    return control(option, present, (value) => change(option.name, value));
  });
}

function control(option, present, change) {
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
  row.append(make("label", { htmlFor: id, textContent: option.name }), field, meaning);
  return row;
}

function input(option, present, apply) {
  switch (option.nullable ? "json" : option.type) {
    case "bool": {
      const box = make("input", { type: "checkbox", checked: present === true });
      box.onchange = () => apply(box.checked);
      return box;
    }
    case "case": {
      const select = make("select", {}, ...option.cases.map((name) => new Option(name, name, false, name === present)));
      select.onchange = () => apply(select.value);
      return select;
    }
    case "number":
    case "integer":
      return numbers(option, present, apply);
    case "text": {
      const text = make("input", { type: "text", value: present ?? "" });
      text.onchange = () => apply(text.value);
      return text;
    }
    default: {
      const area = make("textarea", { rows: 1, value: JSON.stringify(present ?? null), spellcheck: false });
      area.onchange = () => apply(parsed(area.value));
      return area;
    }
  }
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
