// SPDX-License-Identifier: MIT
import type { DaemonError, Json, Message, Point, State } from "./client.js";

export { DaemonError, HeaderView } from "./client.js";

export interface LinkOptions {
  /** Of a bridge's WebSockets; of the page's own server if absent. */
  address?: string;
  /** What lets the page connect; what stands behind `#token=` in the page's address if absent. */
  token?: string | null;
  /** For the daemon's log. */
  name?: string;
  /** Called when the connection comes or goes, and with what the daemon refuses; the console has the errors if absent. */
  status?(isConnected: boolean, error: Error | null): void;
  /** Called with notifications that belong to no header. */
  other?(message: { type: "notification"; method: string; params: Json }): void;
}

export interface LinkListener {
  /** There is a connection; a header is opened here. */
  connected?(): void | Promise<void>;
  message?(message: Message): void;
  /** There is none any more. */
  lost?(): void;
}

/** One connection for all headers of a page, which comes back by itself. */
export class Link {
  constructor(options?: LinkOptions);
  readonly isConnected: boolean;
  readonly hello: Json | null;
  request(method: string, params?: Json): Promise<Json>;
  event(header: string, event: string, fields?: Json): void;
  add(header: string, listener: LinkListener, options?: Json): void;
  remove(header: string, listener: LinkListener): void;
  close(): void;
}

export interface AttachOptions extends LinkOptions {
  /** A name that other pages may have, too; a header of this page's own if absent. */
  header?: string;
  /** What becomes of an open header of that name that is described otherwise; it stays, and this page is refused, if absent. */
  ifExists?: "replace";
  drawers?: { [name: string]: HTMLElement };
  elements?: { [name: string]: HTMLElement };
  behavior?: string;
  open?: Json;
  content?: HTMLElement;
  statusBarHeight?: number;
  scrollView?: string;
  ownWidth?: boolean;
  /** It draws the header and sends events (`both`), or does one of them; a `mirror` shows also the content where another page has it. */
  mode?: "both" | "publisher" | "renderer" | "mirror";
  tellsSize?: boolean;
  /** Points of which lengths are multiples in the modes `renderer` and `mirror`; 1/16 if absent, 0: they are exact. */
  grid?: number;
  link?: Link;
  onEvent?(event: { event: string; time: number; offset?: Partial<Point>; [field: string]: unknown }): void;
  onState?(state: State): void;
  /** The daemon also sends the states that the page has foreseen; `onState` gets those alone. */
  everyState?: boolean;
}

export interface Attachment {
  /** The last state that was drawn; null before the first one. */
  readonly state: State | null;
  readonly header: string;
  readonly offset: number;
  readonly correction: number;
  show(offset: number, correction: number): void;
  preview(state: State | null, offset?: number): void;
  /** An element of the content is to be seen; sent by itself for what gets the focus. */
  reveal(element: Element, reason?: "focus" | "anchor" | "search"): void;
  detach(): void;
}

/** Has headerd move a header over a scroller. */
export function attach(scroller: HTMLElement, options: AttachOptions): Attachment;
