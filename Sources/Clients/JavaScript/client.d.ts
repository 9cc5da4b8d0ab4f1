// SPDX-License-Identifier: MIT

export interface Point { x: number; y: number }
export interface Size { width: number; height: number }
export interface Rect { x: number; y: number; width: number; height: number }
export interface Insets { top: number; left: number; bottom: number; right: number }
export type Json = { [field: string]: unknown };

export interface Drawer {
  name: string;
  /** Where to draw it, translation included. */
  frame: Rect;
  alpha: number;
  hidden: boolean;
  translation: Point;
}

/** What the header wants of a scroll view. */
export interface ScrollView {
  contentOffset: Point;
  contentInset: Insets;
  scrollIndicatorInsets?: Insets;
  adjustedContentInset?: Insets;
  frame?: Rect;
  contentSize?: Size;
  /** The total of the header's own moves of the offset in this epoch. */
  correction: Point;
}

/** A header's complete state, with the defaults of what is absent; headerd-states(7), has the other fields. */
export interface State {
  header: string;
  epoch: number;
  seq: number;
  /** Seconds of header time. */
  time: number;
  snapshot: boolean;
  /** In chain order. */
  drawers: Drawer[];
  scrollViews: { [name: string]: ScrollView };
  values: { [name: string]: number | boolean | string | null };
  /** Why the state is there, of a subscription with `explain`. */
  explanation?: Explanation;
  [field: string]: unknown;
}

/** Why a state is there; headerd-stats(7), has the other fields. */
export interface Explanation {
  /** The same in plain words, a sentence each. */
  story: string[];
  /** Events since the state before that made none. */
  silent?: Explanation[];
  [field: string]: unknown;
}

/** States are missing, a snapshot follows; `from` and `to` are null with the reason `newEpoch`. */
export interface Gap {
  type: "gap";
  header: string;
  epoch: number;
  reason: "overflow" | "tooOld" | "newEpoch";
  from: number | null;
  to: number | null;
}

export interface Closed {
  type: "closed";
  header: string;
  epoch: number;
  seq: number;
  reason: "closed" | "replaced" | "connection";
}

export type Message =
  | { type: "state"; state: State }
  | Gap
  | Closed
  /** A notification of this client's that the daemon refused. */
  | { type: "failure"; error: DaemonError }
  /** Anything else that the daemon sends by itself. */
  | { type: "notification"; method: string; params: Json };

export class HeaderdError extends Error {}
export class Timeout extends HeaderdError {}
export class NoDaemon extends HeaderdError {
  path: string;
}
export class ConnectionLost extends HeaderdError {
  /** `draining`, `overflow`, or null. */
  reason: string | null;
}
export class DaemonError extends HeaderdError {
  code: number;
  /** `invalidParams`, `headerNotFound` and so on: for programs. */
  name: string;
  field: string | null;
  hint: string | null;
  /** All facts. */
  data: Json;
}

export interface Opened { header: string; handle: number; epoch: number; created: boolean; seq: number }
export interface Answer { result: Json; warnings: { field: string; hint?: string }[] }
export interface SubscribeOptions {
  mode?: "latest" | "every";
  /** Have the daemon keep states for `resume()`; true. */
  resume?: boolean;
  onOverflow?: "gap" | "disconnect";
  include?: ("routine" | "calls")[];
  /** Have each state say why it is there; needs the role tune or admin. */
  explain?: boolean;
  maxRate?: number;
  fields?: string[];
}
export interface Decision {
  seq: number;
  targetOffset?: Point;
  returned?: unknown;
  rewrittenBy?: string | null;
  consumed?: Point;
  residual?: Point;
}

/** Carries the lines of the protocol, each with its line feed. */
export interface Transport {
  send(line: string): unknown;
  close(): unknown;
}
export interface TransportListener {
  /** Text that arrived, in any pieces. */
  text(text: string): void;
  /** Nothing more arrives. */
  end(): void;
}

export interface ClientOptions {
  /** For the daemon's log. */
  name?: string;
  /** Milliseconds that a request waits for its answer; 10000. */
  patience?: number;
}

export class Client implements AsyncIterable<Message> {
  constructor(open: (listener: TransportListener) => Transport | Promise<Transport>, options?: ClientOptions);
  readonly hello: Json | null;
  connect(): Promise<this>;
  resume(): Promise<void>;
  close(): void;
  open(description: { header: string; [field: string]: unknown }): Promise<Opened>;
  subscribe(headers: string | string[], options?: SubscribeOptions): Promise<{ subscription: number; matched: number }>;
  unsubscribe(subscription: number): Promise<void>;
  event(header: string, event: string, fields?: Json): void;
  decide(header: string, event: string, fields?: Json): Promise<Decision>;
  request(method: string, params?: Json): Promise<Json>;
  answer(method: string, params?: Json): Promise<Answer>;
  notify(method: string, params?: Json): void;
  next(options?: { timeout?: number }): Promise<Message>;
  [Symbol.asyncIterator](): AsyncIterator<Message>;
}

export interface AppliedScrollView { offset: Point; inset: Insets; correction: Point }
export interface ScrollFields extends Json { scrollView: string; offset: Point; correction: Point }

export class HeaderView {
  epoch: number | null;
  seq: number;
  drawers: Drawer[];
  scrollViews: { [name: string]: AppliedScrollView };
  apply(state: State): void;
  scroll(scrollView: string, offset: Partial<Point>): ScrollFields;
}
