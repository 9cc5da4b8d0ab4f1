// SPDX-License-Identifier: MIT
//
// A phone on the page: a scroller with rows, and the drawers that headerd moves over it. Phones of one header, in this window or
// another one, show the same place of the content: the daemon tells the header's state, and a channel between the windows
// tells where the content is, since that changes without any state.

import { attach } from "./client/browser.js";
import { dragByMouse } from "./drag.js";

/** Makes an element of the page. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** A function that has `draw` called in the next animation frame, once however often it is called before. */
export function onceAFrame(draw) {
  let isDue = false;
  return () => {
    if (!isDue) requestAnimationFrame(() => ((isDue = false), draw()));
    isDue = true;
  };
}

/** A name that a line may end in, between its words. */
export const words = (name) => name.split(/(?=[A-Z])/).flatMap((word, index) => (index ? [make("wbr"), word] : [word]));

export class Phone {
  element;
  attachment;
  #channel;
  #rows;

  /** `tell` gets each event that is sent and each state that is drawn: `{event}` and `{state}`. */
  constructor(link, description, { width, height, isFirst = true, tell = () => {}, label = "Phone" }) {
    this.#rows = make("div", { className: "rows" }, ...rows());
    const scroller = make("div", { className: "scroller", tabIndex: 0, role: "region" }, this.#rows);
    scroller.setAttribute("aria-label", `${label}: content`);
    const layer = make("div", { className: "layer" });
    const drawers = {};
    const elements = {};
    for (const [index, drawer] of (description.drawers ?? []).entries()) {
      drawers[drawer.name] = this.#drawer(drawer, index, elements);
      layer.append(drawers[drawer.name]);
    }
    const statusBarHeight = description.environment?.statusBarHeight ?? 0;
    const screen = make("div", { className: "phone" }, scroller, layer);
    if (statusBarHeight > 0) screen.append(make("div", { className: "status", textContent: "12:00" }));
    Object.assign(screen.style, { width: `${width}px`, height: `${height}px` });
    this.element = make("div", {}, screen, make("p", { className: "caption", textContent: label }));
    document.getElementById("phones").append(this.element);

    const drag = dragByMouse(scroller);
    this.#channel = new BroadcastChannel(`headerd ${description.header}`);
    this.attachment = attach(scroller, {
      link, header: description.header, drawers, elements, statusBarHeight, open: opened(description), tellsSize: isFirst,
      onEvent: (event) => {
        if (event.event === "didScroll") this.#channel.postMessage({ y: event.offset.y, correction: event.correction.y });
        drag(event);
        tell({ event });
      },
      everyState: true,
      onState: (state) => tell({ state }),
    });
    for (const element of Object.values(elements)) this.#showAtRest(element);
    this.#channel.onmessage = ({ data }) => this.attachment.show(data.y, data.correction);
  }

  end() {
    this.attachment.detach();
    this.#channel.close();
    this.element.remove();
  }

  #drawer({ name, elements = [] }, index, known) {
    const element = make("div", { className: "drawer", textContent: name });
    element.dataset.color = index % 4;
    element.dataset.drawer = name;
    element.style.zIndex = 100 - index;
    for (const { name, frame } of elements) {
      known[name] = make("div", { className: "element", textContent: name, frame });
      element.append(known[name]);
    }
    return element;
  }

  /** Where its description has it: states have only those that a behavior has changed. */
  #showAtRest(element) {
    const { x = 0, y = 0, width = 0, height = 0 } = element.frame ?? {};
    Object.assign(element.style, { transform: `translate3d(${x}px, ${y}px, 0)`, width: `${width}px`, height: `${height}px` });
  }
}

/** Behaviors that make their own room in the content begin without any. */
function opened(description) {
  const content = { contentInset: { top: 0 }, ...description.scrollViews?.content };
  return { ...description, scrollViews: { ...description.scrollViews, content } };
}

function rows() {
  return Array.from({ length: 60 }, (_, row) => make("p", { textContent: `Row ${row + 1}` }));
}
