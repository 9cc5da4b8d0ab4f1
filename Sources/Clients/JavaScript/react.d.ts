// SPDX-License-Identifier: MIT
import type { CSSProperties, ReactElement, ReactNode, RefCallback, RefObject } from "react";
import type { AttachOptions, Attachment } from "./browser.js";

export type HeaderOptions = Omit<AttachOptions, "drawers" | "content">;

/** Has headerd move a header; another header, behavior or `open` begins it anew. Nothing is rendered as it moves. */
export function useCollapsingHeader(options?: HeaderOptions): {
  /** What scrolls; the page, if nobody takes it. Its first element is the content. */
  scroller: RefObject<HTMLDivElement>;
  /** Of a drawer, from the edge outward in the order in which they are mounted. */
  drawer(name: string): RefCallback<HTMLElement>;
  attachment: RefObject<Attachment | null>;
};

export function CollapsingHeader(
  props: HeaderOptions & { drawers: { [name: string]: ReactNode }; children?: ReactNode; className?: string; style?: CSSProperties },
): ReactElement;
