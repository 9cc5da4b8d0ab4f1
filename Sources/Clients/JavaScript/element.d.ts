// SPDX-License-Identifier: MIT
import type { Attachment } from "./browser.js";

export class CollapsingHeader extends HTMLElement {
  /** The attachment, as `attach` gives it; null while there is none. */
  readonly attachment: Attachment | null;
  /** An element of the content is to be seen: the header makes room, or the content scrolls. */
  reveal(element: Element, reason?: "focus" | "anchor" | "search"): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "collapsing-header": CollapsingHeader;
  }
}
