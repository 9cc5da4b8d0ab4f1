// SPDX-License-Identifier: MIT
//
// A header in React: a hook for elements that an app has, and a component. Nothing is rendered anew as the header moves: its elements are
// moved by transforms.

import { createElement, useEffect, useRef } from "react";
import { attach } from "./browser.js";

/**
 * Has headerd move a header. Gives `scroller`, a ref of what scrolls (the page if nobody takes it), and `drawer(name)`, the ref of a drawer.
 * The options are those of `attach`; another header, behavior or `open` begins the header anew.
 */
export function useCollapsingHeader(options = {}) {
  const scroller = useRef(null);
  const { current: elements } = useRef(new Map());
  const { current: refs } = useRef(new Map());
  const attachment = useRef(null);
  const latest = useRef(options);
  latest.current = options;
  const { header, behavior, open, ifExists, mode, address, token } = options;
  useEffect(() => {
    const own = scroller.current ?? document.scrollingElement;
    const content = own === document.scrollingElement ? document.body : own.firstElementChild;
    // What the attachment has changed goes with it: in strict mode there are two, one after the other.
    const styles = [content, ...elements.values()].map((element) => [element, element.style.cssText]);
    const call = (name) => (...values) => latest.current[name]?.(...values);
    const { status } = latest.current;
    attachment.current = attach(own, {
      ...latest.current,
      content,
      drawers: Object.fromEntries(elements),
      onState: call("onState"),
      onEvent: call("onEvent"),
      ...(status ? { status: call("status") } : {}),
    });
    return () => {
      attachment.current.detach();
      attachment.current = null;
      for (const [element, text] of styles) element.style.cssText = text;
    };
  }, [JSON.stringify([header, behavior, open, ifExists, mode, address, token])]);
  const drawer = (name) => {
    // The same function each time: React calls another one with null, and then with the element.
    if (!refs.has(name)) refs.set(name, (element) => (element ? elements.set(name, element) : elements.delete(name)));
    return refs.get(name);
  };
  return { scroller, drawer, attachment };
}

/** `drawers` has elements by name, from the edge outward; `children` scroll below them. Everything else is `attach`'s. */
export function CollapsingHeader({ drawers, children, className, style, ...options }) {
  const { scroller, drawer } = useCollapsingHeader(options);
  const names = Object.keys(drawers);
  return createElement(
    "div",
    { className, style: { position: "relative", overflow: "hidden", ...style } },
    // Earlier drawers lie over later ones, and come before the content for whoever goes by keys.
    ...names.map((name, index) =>
      createElement("div", { key: name, ref: drawer(name), style: { zIndex: names.length - index } }, drawers[name])),
    createElement("div", { ref: scroller, tabIndex: 0, style: { height: "100%", overflowY: "auto" } }, createElement("div", null, children)),
  );
}
