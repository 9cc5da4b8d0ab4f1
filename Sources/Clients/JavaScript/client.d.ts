// SPDX-License-Identifier: MIT

import type * as wire from "./messages.js";

export type { Methods, Messages, Decision, Explanation } from "./messages.js";
export type Point = wire.WrittenPoint;
export type Rect = wire.WrittenRect;
export type Insets = wire.WrittenInsets;
export type Json = { [field: string]: unknown };

/** Where to draw it is `frame`, translation included. */
export type Drawer = Required<wire.StateDrawer>;

/** What the header wants of a scroll view. */
export interface ScrollView extends wire.StateScrollView {
  /** The total of the header's own moves of the offset in this epoch. */
  correction: Point;
}

/** A header's complete state, with the defaults of what is absent here; headerd-states(7) explains it. */
export interface State extends wire.State {
  snapshot: boolean;
  drawers: Drawer[];
  scrollViews: { [name: string]: ScrollView };
  values: { [name: string]: number | boolean | string | null };
}

/** States are missing, a snapshot follows; `from` and `to` are null with the reason `newEpoch`. */
export interface Gap extends Omit<wire.GapParams, "from" | "to"> {
  type: "gap";
  from: number | null;
  to: number | null;
}

export interface Closed extends wire.ClosedParams {
  type: "closed";
}

/** What the daemon sends by itself beside states. */
type Others = Exclude<keyof wire.Messages, "state" | "gap" | "closed" | "error" | "ping" | "bye">;

export type Message =
  | { type: "state"; state: State }
  | Gap
  | Closed
  /** A notification of this client's that the daemon refused. */
  | { type: "failure"; error: DaemonError }
  /** Anything else that the daemon sends by itself. */
  | { [Method in Others]: { type: "notification"; method: Method; params: wire.Messages[Method] } }[Others];

/** What a request takes and is answered, of a method that this version does not know anything. */
type Params<Method extends string> = Method extends keyof wire.Methods ? wire.Methods[Method]["params"] : Json;
type Result<Method extends string> = Method extends keyof wire.Methods ? wire.Methods[Method]["result"] : Json;
type EventName = wire.Event["event"];
/** The members of an event. */
type EventFields<Name extends string> = Name extends EventName ? Omit<Extract<wire.Event, { event: Name }>, "event"> : Json;

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
  name: keyof wire.ErrorCodes;
  field: string | null;
  hint: string | null;
  /** All facts. */
  data: Json;
}

export type Opened = wire.HeaderOpenResult;
export interface Answer<Method extends string = string> { result: Result<Method>; warnings: wire.Warnings }
export interface SubscribeOptions extends Omit<wire.SubscribeParams, "headers" | "resumeFrom"> {
  /** Have the daemon keep states for `resume()`; true. */
  resume?: boolean;
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
  readonly hello: wire.HelloResult | null;
  connect(): Promise<this>;
  resume(): Promise<void>;
  close(): void;
  open(description: wire.HeaderOpenParams): Promise<Opened>;
  subscribe(headers: string | string[], options?: SubscribeOptions): Promise<wire.SubscribeResult>;
  unsubscribe(subscription: number): Promise<void>;
  event<Name extends EventName>(header: string, event: Name, fields?: EventFields<Name>): void;
  decide<Name extends EventName>(header: string, event: Name, fields?: EventFields<Name>): Promise<wire.Decision>;
  request<Method extends string>(method: Method, params?: Params<Method>): Promise<Result<Method>>;
  answer<Method extends string>(method: Method, params?: Params<Method>): Promise<Answer<Method>>;
  notify<Method extends string>(method: Method, params?: Params<Method>): void;
  next(options?: { timeout?: number }): Promise<Message>;
  [Symbol.asyncIterator](): AsyncIterator<Message>;
}

export interface AppliedScrollView { offset: Point; inset: Insets; correction: Point }
export interface ScrollFields { scrollView: string; offset: Point; correction: Point }

export class HeaderView {
  /** `mirrors`: the content is another process's; each state's offset is shown (`include` with `contentOffset`). */
  constructor(options?: { mirrors?: boolean });
  epoch: number | null;
  seq: number;
  drawers: Drawer[];
  scrollViews: { [name: string]: AppliedScrollView };
  apply(state: State): void;
  /** The last state as it goes on to an offset along the axis of the tracking scroll view (`predict`), in a drag or not. */
  at(offset: number, isDragged?: boolean): State;
  /**
   * States from one offset to another, between which the last one goes on along straight lines. None where it does not say, or no longer,
   * since the content has turned back.
   */
  keyframes(least: number, most: number, isDragged?: boolean): (State & { offset: number })[];
  scroll(scrollView: string, offset: Partial<Point>): ScrollFields;
}
