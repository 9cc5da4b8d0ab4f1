// SPDX-License-Identifier: MIT
//
// <collapsing-header>: its children with a `slot` are the drawers of a header that headerd moves, from the edge outward. They lie over the
// page, or over the element's other children, which scroll inside of it then. Without JavaScript, and without a daemon, the drawers stand
// above the content and scroll with it.

import { attach } from "./browser.js";

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { display: block; position: relative; overflow: hidden }
  :host(.page) { position: fixed; inset: 0 0 auto; z-index: 1; height: 0; overflow: visible }
  .scroller { height: 100%; overflow-y: auto }
  :host(.page) .scroller { display: none }
  ::slotted([slot]:not([hidden])) { display: flow-root; background: Canvas }
  :host(.page) ::slotted([slot]) { padding-inline: var(--margin-of-page) }
`);

/** What a change of begins the header anew. */
const attributes = ["address", "behavior", "description", "for", "header", "if-exists", "mode", "preset", "token"];

export class CollapsingHeader extends HTMLElement {
  static observedAttributes = attributes;

  /** The attachment, as `attach` gives it; null while there is none. */
  attachment = null;
  #root;
  #isWaiting = false;
  #drawers = "";
  #wasConnected = false;
  /** Brings back what the page had before. */
  #restore = () => {};

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = [sheet];
    this.#root.innerHTML = `<div class="scroller" tabindex="0"><div><slot></slot></div></div>`;
    new MutationObserver(() => this.#changed()).observe(this, { childList: true, attributes: true, subtree: true, attributeFilter: ["slot"] });
  }

  connectedCallback() {
    this.#begin();
  }

  disconnectedCallback() {
    this.#end();
  }

  attributeChangedCallback(name, before, after) {
    if (before !== after && this.attachment) this.#restart();
  }

  /** Brings an element of the content into sight. */
  reveal(element, reason) {
    this.attachment?.reveal(element, reason);
  }

  get #pieces() {
    return [...this.children].filter((child) => child.slot);
  }

  #changed() {
    if (this.attachment && this.#names() !== this.#drawers) this.#restart();
  }

  #names() {
    return this.#pieces.map((piece) => piece.slot).join();
  }

  #restart() {
    this.#end();
    this.#begin();
  }

  #end() {
    this.attachment?.detach();
    this.attachment = null;
    this.#restore();
  }

  /** Once all of what was given together is there: the children, and several attributes. */
  async #begin() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    if (document.readyState === "loading") await new Promise((go) => document.addEventListener("DOMContentLoaded", go, { once: true }));
    await Promise.resolve();
    this.#isWaiting = false;
    if (!this.isConnected || this.attachment) return;
    const pieces = this.#pieces;
    this.#drawers = this.#names();
    for (const slot of [...this.#root.querySelectorAll("slot[name]")]) slot.remove();
    for (const piece of pieces) this.#root.append(Object.assign(document.createElement("slot"), { name: piece.slot }));
    // Earlier drawers lie over later ones, and come before them all the same.
    pieces.forEach((piece, index) => (piece.style.zIndex = pieces.length - index));
    const isOverPage = pieces.length === this.childElementCount;
    this.classList.toggle("page", isOverPage);
    // What a drawer has in it stays where it is on a page without a header over it.
    this.style.setProperty("--margin-of-page", getComputedStyle(document.body).marginLeft);
    try {
      const scroller = isOverPage ? this.#scrollerOfPage() : this.#root.querySelector(".scroller");
      const content = scroller === document.scrollingElement ? document.body : scroller.firstElementChild;
      const before = [content, ...pieces].map((element) => [element, element.style.cssText]);
      this.#restore = () => before.forEach(([element, cssText]) => (element.style.cssText = cssText));
      this.attachment = attach(scroller, { ...this.#options(pieces), content });
    } catch (error) {
      this.#fail(error);
    }
  }

  #scrollerOfPage() {
    const id = this.getAttribute("for");
    const found = id ? this.getRootNode().getElementById(id) : document.scrollingElement;
    if (!found?.firstElementChild) throw new Error(`for="${id}": there is no such element with a content`);
    return found;
  }

  #options(pieces) {
    const text = (name) => this.getAttribute(name) ?? undefined;
    const given = JSON.parse(text("description") ?? "{}");
    const drawers = pieces.map((piece) => ({ name: piece.slot, height: piece.offsetHeight, ...JSON.parse(piece.dataset.drawer ?? "{}") }));
    const preset = text("preset");
    return {
      header: text("header"),
      behavior: text("behavior"),
      address: text("address"),
      token: text("token"),
      ifExists: text("if-exists"),
      mode: text("mode") ?? "both",
      drawers: Object.fromEntries(pieces.map((piece) => [piece.slot, piece])),
      open: { drawers, ...(preset ? { delegates: [{ behavior: text("behavior") ?? "CollapsingHeader", preset }] } : {}), ...given },
      status: (isConnected, error) => {
        this.toggleAttribute("connected", isConnected);
        if (error && (isConnected || !this.#wasConnected)) this.#fail(error);
        this.#wasConnected ||= isConnected;
      },
      onState: (state) => this.dispatchEvent(new CustomEvent("headerstate", { detail: state })),
    };
  }

  /** The console has what nobody takes. */
  #fail(error) {
    const isTaken = !this.dispatchEvent(new CustomEvent("headererror", { detail: error, cancelable: true }));
    if (!isTaken) console.error(`<collapsing-header>: ${error.message}`);
  }
}

customElements.define("collapsing-header", CollapsingHeader);
