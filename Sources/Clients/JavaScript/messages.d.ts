// SPDX-License-Identifier: MIT
// Made by config/schema/bindings.py from config/schema/openrpc.json: what clients and the daemon send each other.

export interface WrittenPoint {
  /** To the right (points). */
  x: number;
  /** Downwards (points). */
  y: number;
}

export interface WrittenInsets {
  /** From the upper edge (points). */
  top: number;
  /** From the left edge (points). */
  left: number;
  /** From the lower edge (points). */
  bottom: number;
  /** From the right edge (points). */
  right: number;
}

export interface WrittenRect {
  /** To the right (points). */
  x: number;
  /** Downwards (points). */
  y: number;
  /** To the right (points). */
  width: number;
  /** Downwards (points). */
  height: number;
}

export interface State {
  /** The header's name. */
  header: string;
  /** Which life of the header; never used twice, and a later one is larger. */
  epoch: number;
  /** 1 after opening, one more for each state. */
  seq: number;
  /** Header time of the event or frame that made it (seconds). */
  time: number;
  /** The first one of a subscription (false if absent). */
  snapshot?: boolean;
  /** Whose events reach the delegates; the only one's if absent. */
  trackingScrollView?: string | null;
  /** A motion makes frames (false if absent). */
  framesActive?: boolean;
  /** In chain order; an earlier one lies over a later one. */
  drawers?: StateDrawer[];
  /** Elements that a delegate has changed. */
  elements?: StateElement[];
  /** What the header wants of each, by name. */
  scrollViews?: { [name: string]: StateScrollView };
  /** What behaviors publish, by name. */
  values?: { [name: string]: number | string | boolean | null };
  /** What the header asks of the application. */
  wants?: StateWants;
  /** Where the header is; of one that is constrained or was moved by call. */
  position?: StatePosition;
  /** In the order in which they fired. */
  notices?: Notice[];
  /** What the publisher is asked to do. */
  commands?: StateCommand[];
  /** How renderers get from what is on the screen to this state. */
  animations?: StateAnimation[];
  /** Delegates that were asked, in order. */
  calls?: StateCall[];
  /** Entries of these lists that a waiting state had no room for. */
  noticesLost?: number;
  /** Why it is there. */
  explanation?: Explanation;
  /** What the state becomes at other offsets of the tracking scroll view, where that is known. */
  ahead?: StateAhead;
}

export interface StateDrawer {
  /** Its name. */
  name: string;
  /** Where to draw it, in header space. */
  frame: WrittenRect;
  /** Opacity (1 if absent). */
  alpha?: number;
  /** It is not drawn (false if absent). */
  hidden?: boolean;
  /** Order of drawing among the drawers (0 if absent). */
  zIndex?: number;
  /** How far it is drawn off its place; the frame has it already. */
  translation?: WrittenPoint;
}

export interface StateElement {
  /** Its name. */
  name: string;
  /** The drawer's name. */
  drawer: string;
  /** Its center in the drawer. */
  center: WrittenPoint;
  /** Its own coordinates. */
  bounds: WrittenRect;
  /** Its frame in the drawer; null: the transform decides. */
  frame: WrittenRect | null;
  /** 16 numbers, m11 to m44 by rows. */
  transform?: number[];
  /** Opacity (1 if absent). */
  alpha?: number;
  /** It is not drawn (false if absent). */
  hidden?: boolean;
  /** Order of drawing within the drawer (0 if absent). */
  zIndex?: number;
  /** Radius of its corners (points, 0 if absent). */
  cornerRadius?: number;
}

export interface StateScrollViewContentSize {
  /** To the right (points). */
  width: number;
  /** Downwards (points). */
  height: number;
}

export interface StateScrollView {
  /** Where the content is, the header's own moves included. */
  contentOffset: WrittenPoint;
  /** Space around the content. */
  contentInset: WrittenInsets;
  /** Insets of its scroll indicators; the content inset if absent. */
  scrollIndicatorInsets?: WrittenInsets;
  /** The content inset with the safe area. */
  adjustedContentInset?: WrittenInsets;
  /** Where it is; absent unless a behavior decides it. */
  frame?: WrittenRect;
  /** The size of its content; absent unless a behavior decides it. */
  contentSize?: StateScrollViewContentSize;
  /** The total of the header's own moves of the offset in this epoch. */
  correction?: WrittenPoint;
}

export interface StateWants {
  /** The status bar is not shown (false if absent). */
  prefersStatusBarHidden?: boolean;
  /** What the status bar is drawn in. */
  preferredStatusBarStyle?: "default" | "lightContent" | "darkContent";
  /** What the header adds to the safe area. */
  additionalSafeAreaInset?: WrittenInsets;
  /** Where content may begin (points). */
  topLayoutGuideLength?: number;
}

export interface StatePosition {
  /** Share of the whole way: 0 is expanded, 1 is collapsed. */
  progress: number;
  /** How far the drawers have gone (points). */
  traveled: number;
  /** How far they can go (points). */
  travel: number;
  /** Number of the motion under way. */
  motion?: number;
  /** Least and greatest progress that is permitted. */
  permitted?: [number, number];
  /** Constraints of the header, the strongest first. */
  constraints?: Constraint[];
  /** How much of the tracking scroll view is covered at each edge. */
  obstruction?: WrittenInsets;
}

export interface StateCommand {
  /** The scroll view's name. */
  scrollView: string;
  /** The action, such as `scrollBy`. */
  name: string;
  /** Arguments by name. */
  arguments: { [name: string]: unknown };
}

export interface StateAnimation {
  /** How long it takes (seconds). */
  duration: number;
  /** How it runs. */
  curve: "linear" | "easeIn" | "easeOut" | "easeInOut" | "spring";
  /** The delegate that animates. */
  delegate: string;
  /** How long it waits (seconds, 0 if absent). */
  delay?: number;
  /** Mass of a spring. */
  mass?: number;
  /** Stiffness of a spring. */
  stiffness?: number;
  /** Damping of a spring. */
  damping?: number;
  /** Velocity that a spring begins with. */
  initialVelocity?: number;
}

export interface StateCall {
  /** The delegate's name. */
  delegate: string;
  /** The event's kind. */
  event: "willBeginDragging" | "didScroll" | "willEndDragging" | "didEndDragging" | "willBeginDecelerating" | "didEndDecelerating" | "didEndScrollingAnimation" | "shouldScrollToTop" | "didScrollToTop" | "didChangeAdjustedContentInset" | "willScroll" | "didOverscroll" | "willFling" | "layout" | "willAppear" | "didAppear" | "willDisappear" | "didDisappear" | "didBecomeActive" | "willTransition" | "transition" | "didTransition" | "willChangeTrackingScrollView" | "setTrackingScrollView" | "didWriteContentOffset" | "didResize";
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth: number;
}

export interface Keyframe {
  /** Where it is; two at one offset: what is no number changes there (points). */
  offset: number;
  /** In chain order; an earlier one lies over a later one. */
  drawers?: StateDrawer[];
  /** Elements that a delegate has changed. */
  elements?: StateElement[];
  /** What the header wants of each, by name. */
  scrollViews?: { [name: string]: StateScrollView };
  /** What behaviors publish, by name. */
  values?: { [name: string]: number | string | boolean | null };
  /** What the header asks of the application. */
  wants?: StateWants;
  /** Where the header is; of one that is constrained or was moved by call. */
  position?: StatePosition;
}

export interface StateAheadDragged {
  /** All but `values` depends on the offset alone; else the keyframes hold until the content turns back. */
  reversible?: boolean;
  /** Keyframes as the offset grows, the nearest first. */
  growing?: Keyframe[];
  /** Keyframes as it shrinks, the nearest first. */
  shrinking?: Keyframe[];
}

export interface StateAhead {
  /** Where the content is in the state, along the axis of the tracking scroll view, with `correction` in it (points). */
  offset: number;
  /** All but `values` depends on the offset alone; else the keyframes hold until the content turns back. */
  reversible?: boolean;
  /** Keyframes as the offset grows, the nearest first. */
  growing?: Keyframe[];
  /** Keyframes as it shrinks, the nearest first. */
  shrinking?: Keyframe[];
  /** The same for a drag that begins there (`willBeginDragging`), where more is known of that than of other scrolls. */
  dragged?: StateAheadDragged;
}

export interface Notice {
  /** `delegatePassedOver`, `didArrive` and others of the daemon, or one of the behavior. */
  name: string;
  /** The delegate that posted it; empty: the daemon. */
  delegate: string;
  /** Arguments by name ({} if absent). */
  arguments?: { [name: string]: unknown };
  /** Equal ones in a row (1 if absent). */
  count?: number;
  /** It alone makes no state (false if absent). */
  routine?: boolean;
}

export interface Error {
  /** The error's number. */
  code: -32700 | -32600 | -32601 | -32602 | -32603 | -32001 | -32002 | -32003 | -32004 | -32005 | -32006 | -32007 | -32008 | -32009 | -32010 | -32011 | -32012 | -32013 | -32014 | -32015 | -32016 | -32020 | -32021 | -32022 | -32023 | -32024 | -32025 | -32026 | -32027;
  /** What is wrong, where, what was given, and what is accepted. */
  message: string;
  /** What programs read. */
  data: ErrorData;
}

export interface ErrorDataLimit {
  /** The limit's name. */
  name: string;
  /** What it is. */
  value: number;
  /** The config's key. */
  key?: string;
  /** How much is used. */
  used?: number;
  /** The user whose quota it is. */
  user?: number;
}

export interface RoleHeaders {
  /** Globs of headers. */
  publish?: string[];
  /** Globs of headers. */
  subscribe?: string[];
  /** Globs of headers. */
  tune?: string[];
  /** Globs of headers. */
  admin?: string[];
}

export interface ErrorData {
  /** The error's name. */
  name: "parseError" | "invalidRequest" | "methodNotFound" | "invalidParams" | "internalError" | "headerNotFound" | "scrollViewNotFound" | "drawerNotFound" | "headerExists" | "behaviorNotFound" | "delegateNotFound" | "subscriptionNotFound" | "traceNotFound" | "pluginNotFound" | "invalidOption" | "conflict" | "timeBackwards" | "callFailed" | "behaviorFailed" | "pluginRefused" | "inUse" | "notPermitted" | "limitExceeded" | "rateExceeded" | "deadlineExceeded" | "unsupported" | "unsupportedVersion" | "draining" | "unknownField";
  /** Path of the member that was wrong. */
  field?: string;
  /** What was given. */
  got?: unknown;
  /** What is accepted. */
  expected?: string;
  /** The probable intention. */
  hint?: string;
  /** The header that it is about. */
  header?: string;
  /** That of the open header. */
  digest?: number;
  /** That of the description that was given. */
  givenDigest?: number;
  /** Place in the list. */
  index?: number;
  /** The delegate that it is about. */
  delegate?: string;
  /** The delegates in conflict. */
  delegates?: string[];
  /** The delegate that failed. */
  culprit?: string;
  /** The role that is needed. */
  role?: string;
  /** The exceeded limit. */
  limit?: ErrorDataLimit;
  /** The user of this connection. */
  user?: number;
  /** By role, the globs of headers that it holds for; absent: for all. */
  roleHeaders?: RoleHeaders;
  /** Versions that the daemon speaks. */
  versions?: number[];
  /** What the daemon lacks. */
  capability?: string;
  /** How long to wait before the request is sent again (seconds). */
  retryAfter?: number;
  /** Headers that use it. */
  headers?: string[];
  /** The check that failed. */
  check?: string;
  /** The file. */
  path?: string;
  /** The byte that was wrong. */
  byte?: number;
  /** Place in the line. */
  column?: number;
}

export interface Warning {
  /** Path of the member that is not known. */
  field: string;
  /** The probable intention. */
  hint?: string;
}

export type Warnings = Warning[];

export interface Decision {
  /** Number of the header's latest state. */
  seq: number;
  /** Where the delegates want the content to come to rest. */
  targetOffset?: WrittenPoint;
  /** What was returned. */
  returned?: unknown;
  /** The delegate that changed it, or null. */
  rewrittenBy?: string | null;
  /** What the header takes. */
  consumed?: WrittenPoint;
  /** What is left to the content. */
  residual?: WrittenPoint;
}

export interface Decisions {
  /** Number of the header's latest state. */
  seq: number;
  /** One an event. */
  results: Decision[];
}

export interface OptionSchema {
  /** Its name. */
  name: string;
  /** Its type. */
  type: string;
  /** The value if absent. */
  default: unknown;
  /** What it means. */
  meaning: string;
  /** Its unit. */
  unit?: string;
  /** It is at least this. */
  minimum?: number;
  /** It is at most this. */
  maximum?: number;
  /** The permitted words. */
  cases?: string[];
  /** It may be null (false if absent). */
  nullable?: boolean;
}

export interface Behavior {
  /** The behavior's name. */
  behavior: string;
  /** What it does, in a line. */
  summary: string;
  /** It moves drawers. */
  moves: boolean;
  /** Events that it responds to. */
  events: ("willBeginDragging" | "didScroll" | "willEndDragging" | "didEndDragging" | "willBeginDecelerating" | "didEndDecelerating" | "didEndScrollingAnimation" | "shouldScrollToTop" | "didScrollToTop" | "didChangeAdjustedContentInset" | "willScroll" | "didOverscroll" | "willFling" | "layout" | "willAppear" | "didAppear" | "willDisappear" | "didDisappear" | "didBecomeActive" | "willTransition" | "transition" | "didTransition" | "willChangeTrackingScrollView" | "setTrackingScrollView" | "didWriteContentOffset" | "didResize")[];
  /** Calls that it knows. */
  calls: BehaviorCall[];
  /** Values that it has in states. */
  values: BehaviorValue[];
  /** Names of notices that it posts. */
  notices: string[];
  /** Its options. */
  options: OptionSchema[];
}

export interface BehaviorCall {
  /** Its name. */
  name: string;
  /** Arguments of the call. */
  arguments: OptionSchema[];
  /** What it means. */
  meaning: string;
}

export interface BehaviorValue {
  /** Its name. */
  name: string;
  /** Its type. */
  type: string;
  /** What it is at the beginning. */
  initial: unknown;
  /** What it means. */
  meaning: string;
  /** Its unit. */
  unit?: string;
  /** The permitted words. */
  cases?: string[];
}

export interface Plugin {
  /** The plugin's name. */
  plugin: string;
  /** Its version. */
  version: string;
  /** Version of the ABI that it was built for. */
  abi: string;
  /** The file. */
  path: string;
  /** Whether it is loaded. */
  state: string;
  /** Its behaviors. */
  behaviors: Behavior[];
}

export interface Explanation {
  /** The event as recordings have it. */
  event: { [name: string]: unknown };
  /** The delegates that were called, in order. */
  turns: ExplanationTurn[];
  /** States that were sent. */
  states: number;
  /** The same in plain words, a sentence an entry. */
  story: string[];
  /** `seq` of the last of these states. */
  seq?: number;
  /** What the event itself changed. */
  changes?: ExplanationChange[];
  /** Why no state was sent. */
  silence?: ExplanationSilence;
  /** Calls, movements and changes that are left out: an explanation has room for 256. */
  lost?: number;
  /** In a state: events since the state before it that made none, the last 8 at most. */
  silent?: Explanation[];
  /** Events before those. */
  silentLost?: number;
}

export interface ExplanationTurnMoveDrawer {
  /** Its name. */
  drawer: string;
  /** How far it was offered (points). */
  wanted: number;
  /** How far it moved by (points). */
  taken: number;
  /** How far it passed on (points). */
  residual: number;
  /** The rule that cut it. */
  rule?: "expanded" | "contracted" | "sticky" | "owner" | "constraint" | "resistance" | "top";
  /** Constraints that hold it. */
  by?: string[];
}

export interface ExplanationTurnMove {
  /** What was asked of the drawers. */
  kind: "by" | "expand" | "contract";
  /** How far were asked (points). */
  distance: number;
  /** How far no drawer took (points). */
  residual: number;
  /** Each drawer that was asked. */
  drawers: ExplanationTurnMoveDrawer[];
}

export interface ExplanationTurnChange {
  /** What was written, such as `navBar top` or `contentInset of content`. */
  what: string;
  /** What it was. */
  from: unknown;
  /** What it is. */
  to: unknown;
}

export interface ExplanationTurnCut {
  /** `constraint` or `resistance`. */
  rule: "expanded" | "contracted" | "sticky" | "owner" | "constraint" | "resistance" | "top";
  /** What was asked (points). */
  wanted: number;
  /** What was left of it (points). */
  left: number;
  /** The drawer; absent: all of them. */
  drawer?: string;
  /** Constraints that hold it. */
  by?: string[];
}

export interface ExplanationTurn {
  /** The delegate that was called. */
  delegate: string;
  /** The event, or `frame`, `timer`, `afterwards`, `request`, `answer`. */
  event: string;
  /** How deep the event was nested in others. */
  depth: number;
  /** Movements that it asked of the drawers. */
  moves: ExplanationTurnMove[];
  /** What else it wrote. */
  changes: ExplanationTurnChange[];
  /** Header time of the frame that ran before the event and called it (seconds). */
  frame?: number;
  /** The content offset that it read. */
  offset?: WrittenPoint;
  /** Parts of movements that did not reach the drawers. */
  cuts?: ExplanationTurnCut[];
  /** What it noted. */
  told?: string[];
  /** What it answered. */
  answer?: { [name: string]: unknown };
  /** Why it failed. */
  failure?: string;
}

export interface ExplanationChange {
  /** What was written, such as `navBar top` or `contentInset of content`. */
  what: string;
  /** What it was. */
  from: unknown;
  /** What it is. */
  to: unknown;
}

export interface ExplanationSilence {
  /** A word for programs. */
  name: string;
  /** The same in words. */
  words: string;
}

export interface Shadow {
  /** The delegate that the shadow changes. */
  delegate: string;
  /** Inputs that the shadow got. */
  events: number;
  /** Inputs after which the two differed. */
  differences: number;
  /** Greatest distance between the lower edges of the two (points). */
  largest: number;
  /** The latest difference. */
  latest?: ShadowLatest;
  /** Why the shadow has ended by itself. */
  failure?: string;
}

export interface ShadowLatest {
  /** Header time (seconds). */
  time: number;
  /** What differed first. */
  what: string;
  /** The header's lower edge (points). */
  edge: number;
  /** The shadow's lower edge (points). */
  shadowEdge: number;
}

export interface Constraint {
  /** Its name. */
  name: string;
  /** Least and greatest progress that is permitted. */
  permitted: [number, number];
  /** If two contradict each other, the greater one holds, of equals the older. */
  priority?: number;
  /** The holder's name, for people. */
  holder?: string;
}

export interface Bypassed {
  /** The delegate's name. */
  delegate: string;
  /** Why it failed. */
  reason: string;
}

export type Event = WillBeginDraggingEvent | DidScrollEvent | WillEndDraggingEvent | DidEndDraggingEvent | WillBeginDeceleratingEvent | DidEndDeceleratingEvent | DidEndScrollingAnimationEvent | ShouldScrollToTopEvent | DidScrollToTopEvent | DidChangeAdjustedContentInsetEvent | SetContentOffsetEvent | WillScrollEvent | DidOverscrollEvent | WillFlingEvent | LayoutEvent | WillAppearEvent | DidAppearEvent | WillDisappearEvent | DidDisappearEvent | DidBecomeActiveEvent | WillTransitionEvent | TransitionEvent | DidTransitionEvent | WillChangeTrackingScrollViewEvent | SetTrackingScrollViewEvent | SetOptionsEvent | CallEvent | AdvanceEvent | MoveEvent | ConstrainEvent | ReleaseEvent | RevealEvent;

export interface Point {
  /** To the right (points). */
  x?: number;
  /** Downwards (points). */
  y?: number;
}

export interface WillBeginDraggingEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willBeginDragging";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidScrollEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didScroll";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
  /** What moved the content. */
  reason?: "user" | "program" | "keyboard" | "content" | "layout";
}

export interface Velocity {
  /** To the right (points per millisecond). */
  x?: number;
  /** Downwards (points per millisecond). */
  y?: number;
}

export interface WillEndDraggingEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willEndDragging";
  /** Velocity of the finger, in the offset's sign. */
  velocity?: Velocity;
  /** Where the content comes to rest. */
  targetOffset?: Point;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidEndDraggingEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didEndDragging";
  /** The content continues by itself. */
  willDecelerate: boolean;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillBeginDeceleratingEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willBeginDecelerating";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidEndDeceleratingEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didEndDecelerating";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidEndScrollingAnimationEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didEndScrollingAnimation";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface ShouldScrollToTopEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "shouldScrollToTop";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidScrollToTopEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didScrollToTop";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidChangeAdjustedContentInsetEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didChangeAdjustedContentInset";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface SetContentOffsetEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "setContentOffset";
  /** The application has moved it with an animation (false if absent). */
  animated?: boolean;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillScrollEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willScroll";
  /** The movement that is offered. */
  delta: Point;
  /** What moves the content. */
  source: "drag" | "fling" | "program";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidOverscrollEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didOverscroll";
  /** The movement that is offered. */
  delta: Point;
  /** What moves the content. */
  source: "drag" | "fling" | "program";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillFlingEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willFling";
  /** Velocity of the finger, in the offset's sign. */
  velocity: Velocity;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface Insets {
  /** From the upper edge (points). */
  top?: number;
  /** From the left edge (points). */
  left?: number;
  /** From the lower edge (points). */
  bottom?: number;
  /** From the right edge (points). */
  right?: number;
}

export interface Size {
  /** To the right (points). */
  width?: number;
  /** Downwards (points). */
  height?: number;
}

export interface Rect {
  /** To the right (points). */
  x?: number;
  /** Downwards (points). */
  y?: number;
  /** To the right (points). */
  width?: number;
  /** Downwards (points). */
  height?: number;
}

export interface LayoutEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "layout";
  /** What the safe area takes at each edge. */
  safeAreaInset?: Insets;
  /** The screen has a notch or the like. */
  deviceHasHardwareSafeArea?: boolean;
  /** Height of the status bar (points). */
  statusBarHeight?: number;
  /** It is not shown. */
  statusBarHidden?: boolean;
  /** The daemon takes what the header wants of the status bar as done. */
  statusBarFollowsHeader?: boolean;
  /** Pixels a point (pixels a point). */
  screenScale?: number;
  /** Of header space in the window. */
  viewOrigin?: Point;
  /** The header is on the screen. */
  visible?: boolean;
  /** The header is in a presented view. */
  presented?: boolean;
  /** Its window takes the keyboard. */
  keyWindow?: boolean;
  /** A screen reader runs. */
  voiceOverRunning?: boolean;
  /** The user wants little motion. */
  reduceMotion?: boolean;
  /** It runs in an extension of an app. */
  appExtension?: boolean;
  /** The user reaches everything on the screen by the keyboard. */
  fullKeyboardAccess?: boolean;
  /** The header stays on the screen at all times. */
  alwaysShown?: boolean;
  /** What the keyboard covers, from the scroll view's bottom (points). */
  keyboardHeight?: number;
  /** Second of the wall clock; null: not known (seconds). */
  clockSecondOfMinute?: number | null;
  /** Its size on the screen. */
  viewport?: Size;
  /** The size of all its content. */
  contentSize?: Size;
  /** Space around the content. */
  contentInset?: Insets;
  /** Insets of its scroll indicators; those of the content if absent. */
  scrollIndicatorInsets?: Insets;
  /** Whether the safe area is added to the content inset. */
  contentInsetAdjustment?: "never" | "automatic";
  /** Its kind in the toolkit. */
  kind?: "scroll" | "table" | "collection" | "web";
  /** It rests at pages. */
  pagingEnabled?: boolean;
  /** Its pull to refresh, if it has one. */
  refreshControl?: null | RefreshControl;
  /** Where the scroll view is in header space. */
  frame?: Rect;
  /** Its events reach the delegates. */
  forwardsEvents?: boolean;
  /** Which changes bring an offset that is out of range back while nothing moves it. */
  clamping?: "all" | "inset" | "none";
  /** Duration of the animation in which the size changes (seconds). */
  boundsAnimationDuration?: number;
  /** Drawers and elements that change, by name. */
  drawers?: DrawerChange[];
  /** A layout pass, also without a change (false if absent). */
  pass?: boolean;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
  /** What moved the content. */
  reason?: "user" | "program" | "keyboard" | "content" | "layout";
}

export interface RefreshControl {
  /** It is not drawn (false if absent). */
  hidden?: boolean;
  /** It refreshes now (false if absent). */
  refreshing?: boolean;
  /** The height that it takes (points, 0 if absent). */
  height?: number;
}

export interface ElementChange {
  /** The element's name. */
  name: string;
  /** Where it is. */
  frame?: Rect;
  /** Opacity. */
  alpha?: number;
  /** It is not drawn. */
  hidden?: boolean;
  /** Order of drawing within the drawer. */
  zIndex?: number;
  /** 16 numbers, m11 to m44 by rows. */
  transform?: number[];
}

export interface DrawerChange {
  /** The drawer's name. */
  name: string;
  /** Its height (points). */
  height?: number;
  /** Its height at least (points). */
  minimumHeight?: number;
  /** Its height at most; `height` if absent (points). */
  maximumHeight?: number;
  /** Its upper edge (points). */
  y?: number;
  /** Its width (points). */
  width?: number;
  /** It takes no movement. */
  sticky?: boolean;
  /** Opacity. */
  alpha?: number;
  /** It is not drawn. */
  hidden?: boolean;
  /** Order of drawing among the drawers. */
  zIndex?: number;
  /** Its elements that change. */
  elements?: ElementChange[];
}

export interface WillAppearEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willAppear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidAppearEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didAppear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillDisappearEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willDisappear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidDisappearEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didDisappear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidBecomeActiveEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didBecomeActive";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillTransitionEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willTransition";
  /** The size to come. */
  size: Size;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface TransitionEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "transition";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidTransitionEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didTransition";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillChangeTrackingScrollViewEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willChangeTrackingScrollView";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView: string | null;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface SetTrackingScrollViewEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "setTrackingScrollView";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView: string | null;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface SetOptionsEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "setOptions";
  /** Options by name. */
  options: { [name: string]: unknown };
  /** The delegate; the only one if absent. */
  delegate?: string;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface CallEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "call";
  /** The call's name. */
  name: string;
  /** Arguments by name. */
  arguments?: { [name: string]: unknown };
  /** The delegate; the only one if absent. */
  delegate?: string;
  /** The end of what it animates is reported by a notice (false if absent). */
  report?: boolean;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface AdvanceEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "advance";
  /** One frame of this length is run (seconds). */
  frameDuration?: number;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface MoveEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "move";
  /** A stop's name, such as `expanded`, or a place in numbers. */
  to: string | Target;
  /** How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent). */
  animated?: boolean | null | Motion;
  /** Velocity that a spring begins with (points per millisecond, 0 if absent). */
  velocity?: number;
  /** The delegate; the only one if absent. */
  delegate?: string;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface Target {
  /** Share of the whole way: 0 is expanded, 1 is collapsed. */
  progress?: number;
  /** Downwards (points). */
  height?: number;
  /** How far the drawer has gone off its edge there, beyond its least height (points). */
  shift?: number;
  /** The drawer's name. */
  drawer?: string;
}

export interface Spring {
  /** Mass of a spring (kilograms, 1 if absent). */
  mass?: number;
  /** Stiffness of a spring (newtons a meter, 200 if absent). */
  stiffness?: number;
  /** Damping of a spring (newton seconds a meter, 26 if absent). */
  damping?: number;
}

export interface Motion {
  /** A spring in place of curve and duration. */
  spring?: Spring;
  /** How long it takes (seconds, 0.25 if absent). */
  duration?: number;
  /** How it runs ("easeInOut" if absent). */
  curve?: "linear" | "easeIn" | "easeOut" | "easeInOut";
  /** What draws the motion: a state for each frame, or renderers by one state with the animation ("frames" if absent). */
  drawnBy?: "frames" | "renderer";
}

export interface ConstrainEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "constrain";
  /** Its name. */
  name: string;
  /** A word, or the least and the greatest progress. */
  permitted: "shown" | "hidden" | "both" | [number, number];
  /** Where the header goes now, as far as that is permitted: a word or a progress. */
  wish?: null | "shown" | "hidden" | number;
  /** How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent). */
  animated?: boolean | null | Motion;
  /** If two contradict each other, the greater one holds, of equals the older (0 if absent). */
  priority?: number;
  /** The holder's name, for people. */
  holder?: string;
  /** How long it holds: as long as the connection, for seconds, or until it is released (null). */
  lease?: null | "connection" | number;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface ReleaseEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "release";
  /** Its name. */
  name: string;
  /** How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent). */
  animated?: boolean | null | Motion;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface RevealEvent {
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "reveal";
  /** The part to show, in the content's coordinates. */
  rect: Rect;
  /** Why it is shown ("focus" if absent). */
  reason?: "focus" | "anchor" | "search";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export type Action = MoveAction | ExpandAction | ContractAction | SetHeightAction | SetDrawerAction | SetElementAction | SetValueAction | NoticeAction | SetContentOffsetAction | SetContentInsetAction | WantAction | CommandAction | AnimateAction;

export interface MoveAction {
  /** What is done. */
  action: "move";
  /** Distance, in the offset's sign (points). */
  by: number;
  /** The drawer's name; the first that the client may change if absent. */
  drawer: string;
}

export interface ExpandAction {
  /** What is done. */
  action: "expand";
  /** The drawer's name; the first that the client may change if absent. */
  drawer?: string;
}

export interface ContractAction {
  /** What is done. */
  action: "contract";
  /** The drawer's name; the first that the client may change if absent. */
  drawer?: string;
}

export interface SetHeightAction {
  /** What is done. */
  action: "setHeight";
  /** Its height (points). */
  height: number;
  /** The drawer's name; the first that the client may change if absent. */
  drawer: string;
}

export interface SetDrawerAction {
  /** What is done. */
  action: "setDrawer";
  /** Where it is, of a drawer in header space, of an element in its drawer. */
  frame?: Rect;
  /** Its height (points). */
  height?: number;
  /** Its height at least (points). */
  minimumHeight?: number;
  /** Its height at most; `height` if absent (points). */
  maximumHeight?: number;
  /** Its upper edge (points). */
  y?: number;
  /** Its width (points). */
  width?: number;
  /** It takes no movement. */
  sticky?: boolean;
  /** Opacity. */
  alpha?: number;
  /** It is not drawn. */
  hidden?: boolean;
  /** Order of drawing among the drawers. */
  zIndex?: number;
  /** How far it is drawn off its place; the frame has it already. */
  translation?: Point;
  /** Its name. */
  name: string;
}

export interface SetElementAction {
  /** What is done. */
  action: "setElement";
  /** Its name. */
  name: string;
  /** Where it is, of a drawer in header space, of an element in its drawer. */
  frame?: Rect;
  /** Opacity. */
  alpha?: number;
  /** It is not drawn. */
  hidden?: boolean;
  /** Order of drawing within the drawer. */
  zIndex?: number;
  /** 16 numbers, m11 to m44 by rows. */
  transform?: number[];
  /** Its center in the drawer. */
  center?: Point;
  /** Its own coordinates. */
  bounds?: Rect;
  /** Radius of its corners (points). */
  cornerRadius?: number;
}

export interface SetValueAction {
  /** What is done. */
  action: "setValue";
  /** Its name. */
  name: string;
  /** The value. */
  value: number | string | boolean | null;
}

export interface NoticeAction {
  /** What is done. */
  action: "notice";
  /** Its name. */
  name: string;
  /** Arguments by name. */
  arguments?: { [name: string]: unknown };
}

export interface SetContentOffsetAction {
  /** What is done. */
  action: "setContentOffset";
  /** The scroll view's name. */
  scrollView?: string;
  /** The content's offset. */
  offset: Point;
  /** The delegates are sent no event of it (false if absent). */
  silent?: boolean;
}

export interface SetContentInsetAction {
  /** What is done. */
  action: "setContentInset";
  /** The scroll view's name. */
  scrollView?: string;
  /** The content inset. */
  inset: Insets;
}

export interface WantAction {
  /** What is done. */
  action: "want";
  /** The status bar is not shown. */
  prefersStatusBarHidden?: boolean;
  /** What the status bar is drawn in. */
  preferredStatusBarStyle?: "default" | "lightContent" | "darkContent" | null;
  /** What the header adds to the safe area. */
  additionalSafeAreaInset?: null | WantedInsets;
  /** Where content may begin (points). */
  topLayoutGuideLength?: number | null;
}

export interface WantedInsets {
  /** From the upper edge (points). */
  top?: number;
  /** From the left edge (points). */
  left?: number;
  /** From the lower edge (points). */
  bottom?: number;
  /** From the right edge (points). */
  right?: number;
}

export interface CommandAction {
  /** What is done. */
  action: "command";
  /** The scroll view's name. */
  scrollView?: string;
  /** Its name. */
  name: string;
  /** Arguments by name ({} if absent). */
  arguments?: { [name: string]: unknown };
}

export interface AnimateAction {
  /** What is done. */
  action: "animate";
  /** How long it takes (seconds). */
  duration: number;
  /** How long it waits (seconds, 0 if absent). */
  delay?: number;
  /** How it runs ("easeInOut" if absent). */
  curve?: "linear" | "easeIn" | "easeOut" | "easeInOut" | "spring";
  /** What is animated. */
  actions?: Action[];
  /** Mass of a spring (1 if absent). */
  mass?: number;
  /** Stiffness of a spring (100 if absent). */
  stiffness?: number;
  /** Damping of a spring (10 if absent). */
  damping?: number;
  /** Velocity that a spring begins with (0 if absent). */
  initialVelocity?: number;
}

export type DelegateEvent = WillBeginDraggingDelegateEvent | DidScrollDelegateEvent | WillEndDraggingDelegateEvent | DidEndDraggingDelegateEvent | WillBeginDeceleratingDelegateEvent | DidEndDeceleratingDelegateEvent | DidEndScrollingAnimationDelegateEvent | ShouldScrollToTopDelegateEvent | DidScrollToTopDelegateEvent | DidChangeAdjustedContentInsetDelegateEvent | WillScrollDelegateEvent | DidOverscrollDelegateEvent | WillFlingDelegateEvent | LayoutDelegateEvent | WillAppearDelegateEvent | DidAppearDelegateEvent | WillDisappearDelegateEvent | DidDisappearDelegateEvent | DidBecomeActiveDelegateEvent | WillTransitionDelegateEvent | TransitionDelegateEvent | DidTransitionDelegateEvent | WillChangeTrackingScrollViewDelegateEvent | SetTrackingScrollViewDelegateEvent | DidWriteContentOffsetDelegateEvent | DidResizeDelegateEvent;

export interface WillBeginDraggingDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "willBeginDragging";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidScrollDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didScroll";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface WillEndDraggingDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "willEndDragging";
  /** Velocity of the finger, in the offset's sign. */
  velocity?: Velocity;
  /** Where the content comes to rest. */
  targetOffset?: Point;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidEndDraggingDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didEndDragging";
  /** The content continues by itself. */
  willDecelerate?: boolean;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface WillBeginDeceleratingDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "willBeginDecelerating";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidEndDeceleratingDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didEndDecelerating";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidEndScrollingAnimationDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didEndScrollingAnimation";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface ShouldScrollToTopDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "shouldScrollToTop";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidScrollToTopDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didScrollToTop";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidChangeAdjustedContentInsetDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didChangeAdjustedContentInset";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface WillScrollDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "willScroll";
  /** The movement that is offered. */
  delta?: Point;
  /** What moves the content. */
  source?: "drag" | "fling" | "program";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidOverscrollDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didOverscroll";
  /** The movement that is offered. */
  delta?: Point;
  /** What moves the content. */
  source?: "drag" | "fling" | "program";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface WillFlingDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "willFling";
  /** Velocity of the finger, in the offset's sign. */
  velocity?: Velocity;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface LayoutDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "layout";
  /** What the safe area takes at each edge. */
  safeAreaInset?: Insets;
  /** The screen has a notch or the like. */
  deviceHasHardwareSafeArea?: boolean;
  /** Height of the status bar (points). */
  statusBarHeight?: number;
  /** It is not shown. */
  statusBarHidden?: boolean;
  /** The daemon takes what the header wants of the status bar as done. */
  statusBarFollowsHeader?: boolean;
  /** Pixels a point (pixels a point). */
  screenScale?: number;
  /** Of header space in the window. */
  viewOrigin?: Point;
  /** The header is on the screen. */
  visible?: boolean;
  /** The header is in a presented view. */
  presented?: boolean;
  /** Its window takes the keyboard. */
  keyWindow?: boolean;
  /** A screen reader runs. */
  voiceOverRunning?: boolean;
  /** The user wants little motion. */
  reduceMotion?: boolean;
  /** It runs in an extension of an app. */
  appExtension?: boolean;
  /** The user reaches everything on the screen by the keyboard. */
  fullKeyboardAccess?: boolean;
  /** The header stays on the screen at all times. */
  alwaysShown?: boolean;
  /** What the keyboard covers, from the scroll view's bottom (points). */
  keyboardHeight?: number;
  /** Second of the wall clock; null: not known (seconds). */
  clockSecondOfMinute?: number | null;
  /** Its size on the screen. */
  viewport?: Size;
  /** The size of all its content. */
  contentSize?: Size;
  /** Space around the content. */
  contentInset?: Insets;
  /** Insets of its scroll indicators; those of the content if absent. */
  scrollIndicatorInsets?: Insets;
  /** Whether the safe area is added to the content inset. */
  contentInsetAdjustment?: "never" | "automatic";
  /** Its kind in the toolkit. */
  kind?: "scroll" | "table" | "collection" | "web";
  /** It rests at pages. */
  pagingEnabled?: boolean;
  /** Its pull to refresh, if it has one. */
  refreshControl?: null | RefreshControl;
  /** Where the scroll view is in header space. */
  frame?: Rect;
  /** Its events reach the delegates. */
  forwardsEvents?: boolean;
  /** Which changes bring an offset that is out of range back while nothing moves it. */
  clamping?: "all" | "inset" | "none";
  /** Duration of the animation in which the size changes (seconds). */
  boundsAnimationDuration?: number;
  /** Drawers and elements that change, by name. */
  drawers?: DrawerChange[];
  /** A layout pass, also without a change. */
  pass?: boolean;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface WillAppearDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "willAppear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidAppearDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didAppear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface WillDisappearDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "willDisappear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidDisappearDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didDisappear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidBecomeActiveDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didBecomeActive";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface WillTransitionDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "willTransition";
  /** The size to come. */
  size?: Size;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface TransitionDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "transition";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidTransitionDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didTransition";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface WillChangeTrackingScrollViewDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "willChangeTrackingScrollView";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string | null;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface SetTrackingScrollViewDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "setTrackingScrollView";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string | null;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidWriteContentOffsetDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didWriteContentOffset";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface DidResizeDelegateEvent {
  /** Header time (seconds). */
  time: number;
  /** Its kind. */
  event: "didResize";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** How deep it is nested in other events; 0 if absent (0 if absent). */
  depth?: number;
}

export interface ScrollView {
  /** Its size on the screen. */
  viewport?: Size;
  /** The size of all its content. */
  contentSize?: Size;
  /** Space around the content. */
  contentInset?: Insets;
  /** Insets of its scroll indicators; those of the content if absent. */
  scrollIndicatorInsets?: Insets;
  /** The content's offset; minus the content inset if absent. */
  offset?: Point;
  /** Whether the safe area is added to the content inset ("never" if absent). */
  contentInsetAdjustment?: "never" | "automatic";
  /** Its kind in the toolkit ("scroll" if absent). */
  kind?: "scroll" | "table" | "collection" | "web";
  /** It rests at pages (false if absent). */
  pagingEnabled?: boolean;
  /** Its pull to refresh, if it has one (null if absent). */
  refreshControl?: null | RefreshControl;
  /** Where it is in header space; the viewport at 0, 0 if absent. */
  frame?: Rect;
  /** Its events reach the delegates (true if absent). */
  forwardsEvents?: boolean;
  /** Which changes bring an offset that is out of range back while nothing moves it ("all" if absent). */
  clamping?: "all" | "inset" | "none";
  /** The axis that it scrolls on ("vertical" if absent). */
  axis?: "vertical" | "horizontal";
  /** Its content begins at the bottom, or at the right (false if absent). */
  reversed?: boolean;
}

export interface Drawer {
  /** Unique among the header's drawers. */
  name: string;
  /** The edge of the content that it hangs on ("top" if absent). */
  edge?: "top" | "bottom" | "leading" | "trailing";
  /** Its height when the header is expanded (points). */
  height: number;
  /** Which movement hides the drawers of its edge: the content's towards the edge, or a finger's up or to the left ("content" if absent). */
  direction?: "content" | "finger";
  /** The drawer that it follows, in place of a behavior. */
  follow?: Follow;
  /** Its height at least (points, 0 if absent). */
  minimumHeight?: number;
  /** Its height at most; `height` if absent (points). */
  maximumHeight?: number;
  /** Its upper edge; the lower edge of the one before, or of the status bar, if absent (points). */
  y?: number;
  /** The tracking scroll view's if absent (points). */
  width?: number;
  /** It takes no movement (false if absent). */
  sticky?: boolean;
  /** Opacity (1 if absent). */
  alpha?: number;
  /** It is not drawn (false if absent). */
  hidden?: boolean;
  /** Order of drawing among the drawers. */
  zIndex?: number;
  /** Its parts, back to front ([] if absent). */
  elements?: Element[];
}

export interface Follow {
  /** The leader's header; its own if absent. */
  header?: string;
  /** The leader. */
  drawer: string;
  /** What is the same of both: the share of the way, or points ("progress" if absent). */
  by?: "progress" | "points";
}

export interface Element {
  /** Unique among the header's elements. */
  name: string;
  /** Where it is in the drawer. */
  frame?: Rect;
  /** Opacity (1 if absent). */
  alpha?: number;
  /** It is not drawn (false if absent). */
  hidden?: boolean;
  /** Order of drawing within the drawer (0 if absent). */
  zIndex?: number;
  /** 16 numbers, m11 to m44 by rows. */
  transform?: number[];
}

export interface Delegate {
  /** The behavior's name. */
  behavior: string;
  /** Its name; the behavior's in lowerCamelCase if absent. */
  name?: string;
  /** Options by name ({} if absent). */
  options?: { [name: string]: unknown };
  /** A preset of the behavior; `options` take precedence. */
  preset?: string;
  /** Whose drawers it moves; the first drawer's if absent. */
  edge?: "top" | "bottom" | "leading" | "trailing";
}

export interface Stop {
  /** Its name. */
  name: string;
  /** Share of the whole way: 0 is expanded, 1 is collapsed. */
  progress?: number;
  /** Height of the drawer there (points). */
  height?: number;
  /** How far the drawer has gone off its edge there, beyond its least height (points). */
  shift?: number;
  /** The drawer's name. */
  drawer?: string;
}

export interface HeaderDescription {
  /** The header's name. */
  header: string;
  /** By name; one with the name `content` if absent. */
  scrollViews?: { [name: string]: ScrollView };
  /** Whose events reach the delegates; null: none's; the only one's if absent. */
  trackingScrollView?: string | null;
  /** The header's environment. */
  environment?: Environment;
  /** Which side is the leading edge ("leftToRight" if absent). */
  layoutDirection?: "leftToRight" | "rightToLeft";
  /** From the fixed edge outward ([] if absent). */
  drawers?: Drawer[];
  /** How the application holds the header ({} if absent). */
  hosting?: { [name: string]: unknown };
  /** The chain, first asked first ([] if absent). */
  delegates?: Delegate[];
  /** Where frames come from: the daemon's clock, later events, or `advance` alone ("live" if absent). */
  frames?: "live" | "events" | "manual";
  /** Frames a second (frames a second, 60 if absent). */
  frameRate?: number;
  /** What closes the header ("daemon" if absent). */
  lifetime?: "daemon" | "connection";
  /** What happens to the header when another scroll view tracks ("behavior" if absent). */
  handOver?: "behavior" | "keep";
  /** The insets of a scroll view that no longer tracks ("keep" if absent). */
  onLeave?: "keep" | "restore";
  /** Stretch at which letting go makes the notice `didTriggerStretch`; 0: never (points, 0 if absent). */
  stretchTrigger?: number;
  /** Which part of a pull beyond the beginning of the content moves the header ("together" if absent). */
  refreshOrder?: "together" | "refreshControlFirst" | "headerFirst";
  /** States have `position` with `obstruction` (false if absent). */
  tellsObstruction?: boolean;
  /** Places that `header.move` finds by name ([] if absent). */
  stops?: Stop[];
  /** Where the header is when it is opened, as `to` of `header.move`. */
  initialPosition?: string | Target;
  /** Whether the header stays shown while the environment asks for it ("shown" if absent). */
  accessibility?: "shown" | "original";
}

export interface Environment {
  /** What the safe area takes at each edge. */
  safeAreaInset?: Insets;
  /** The screen has a notch or the like (false if absent). */
  deviceHasHardwareSafeArea?: boolean;
  /** Height of the status bar (points, 0 if absent). */
  statusBarHeight?: number;
  /** It is not shown (false if absent). */
  statusBarHidden?: boolean;
  /** The daemon takes what the header wants of the status bar as done (false if absent). */
  statusBarFollowsHeader?: boolean;
  /** Pixels a point (pixels a point, 1 if absent). */
  screenScale?: number;
  /** Of header space in the window. */
  viewOrigin?: Point;
  /** The header is on the screen (true if absent). */
  visible?: boolean;
  /** The header is in a presented view (false if absent). */
  presented?: boolean;
  /** Its window takes the keyboard (true if absent). */
  keyWindow?: boolean;
  /** A screen reader runs (false if absent). */
  voiceOverRunning?: boolean;
  /** The user wants little motion (false if absent). */
  reduceMotion?: boolean;
  /** It runs in an extension of an app (false if absent). */
  appExtension?: boolean;
  /** The user reaches everything on the screen by the keyboard (false if absent). */
  fullKeyboardAccess?: boolean;
  /** The header stays on the screen at all times (false if absent). */
  alwaysShown?: boolean;
  /** What the keyboard covers, from the scroll view's bottom (points, 0 if absent). */
  keyboardHeight?: number;
  /** Second of the wall clock; null: not known (seconds). */
  clockSecondOfMinute?: number | null;
}

export interface HelloParams {
  /** Version of the protocol (1 if absent). */
  protocol?: number;
  /** A text for the daemon's log. */
  client?: string;
}

export interface HelloResult {
  /** Version of the protocol. */
  protocol: 1;
  /** `headerd` and its version. */
  server: string;
  /** What this daemon can do. */
  capabilities: string[];
  /** This connection's roles. */
  roles: ("publish" | "subscribe" | "tune" | "admin")[];
  /** All limits by name. */
  limits: Limits;
  /** Its number, as in the log. */
  connection: number;
  /** The monotonic clock of the daemon's machine; not header time (seconds). */
  time: number;
  /** By role, the globs of headers that it holds for; absent: for all. */
  roleHeaders?: RoleHeaders;
}

export interface Limits {
  /** Length of a line that a client sends (bytes). */
  lineBytes: number;
  /** Connections at once. */
  connections: number;
  /** Open headers. */
  headers: number;
  /** Scroll views of a header. */
  scrollViews: number;
  /** Delegates of a header. */
  delegates: number;
  /** Drawers of a header. */
  drawers: number;
  /** Elements of a header. */
  elements: number;
  /** Values of a header. */
  values: number;
  /** Subscriptions of a connection. */
  subscriptions: number;
  /** Globs in a connection's subscriptions. */
  globs: number;
  /** How deep events of delegates may be nested. */
  nestedDepth: number;
  /** Layout passes after an event. */
  layoutPasses: number;
  /** Size of a delegate's options (bytes). */
  optionBytes: number;
  /** Size of a delegate's saved state (bytes). */
  savedBytes: number;
  /** Bytes that may wait for a subscriber in the mode `every` (bytes). */
  queueBytes: number;
  /** States of a header that are kept for `resumeFrom`. */
  resumeStates: number;
  /** States of all headers that are kept for `resumeFrom` (bytes). */
  resumeBytes: number;
  /** Notices that a waiting state gathers. */
  notices: number;
  /** Events a second of a connection; 0: no limit. */
  eventsPerSecond: number;
  /** Events in one message. */
  batchEvents: number;
  /** Frames that an event makes up for when time leaps. */
  framesPerEvent: number;
  /** How long a new connection may be silent (seconds). */
  handshakeTimeout: number;
  /** How long a connection is silent before it gets a ping (seconds). */
  idlePing: number;
  /** Longest deadline of a client delegate (seconds). */
  deadline: number;
  /** Recordings at once. */
  traces: number;
}

export type PingParams = Record<string, never>;

export interface PingResult {
  /** The monotonic clock of the daemon's machine; not header time (seconds). */
  time: number;
}

export interface StatsParams {
  /** Set all counters to 0 (false if absent). */
  reset?: boolean;
  /** Rows that are wanted. */
  include?: ("headers" | "subscribers")[];
}

export interface StatsResult {
  /** Open now. */
  connections: number;
  /** Open now. */
  headers: number;
  /** Open now. */
  subscriptions: number;
  /** Handled. */
  events: number;
  /** Made. */
  states: number;
  /** Sent. */
  gaps: number;
  /** Answered. */
  errors: number;
  /** From clients (bytes). */
  bytesReceived: number;
  /** To clients (bytes). */
  bytesSent: number;
  /** States kept now for `resumeFrom`. */
  resumeStates: number;
  /** Their size (bytes). */
  resumeBytes: number;
  /** Where the daemon keeps headers. */
  journal?: StatsResultJournal;
  /** Memory of the process (bytes). */
  memory?: number;
  /** Where headers are in processes of their own. */
  workers?: StatsResultWorkers;
  /** With `include` "headers": a row for each header that the client may see. */
  headerRows?: HeaderRow[];
  /** With `include` "subscribers": a row for each connection with subscriptions; for administrators of all headers, else the client's own. */
  subscribers?: SubscriberRow[];
  /** A row for each user; for administrators, else the client's own. */
  users?: StatsResultUser[];
  /** By name. */
  plugins?: { [name: string]: StatsResultPlugin };
}

export interface StatsResultJournal {
  /** The durability of the config. */
  durability: string;
  /** Headers that are recorded. */
  headers: number;
  /** Headers that are not, since they cannot be saved. */
  notRecorded: number;
  /** Of headers that cannot be saved and are kept as state and later inputs (bytes). */
  copiedBytes: number;
  /** Headers that are kept for the next start. */
  unrestored: number;
  /** Files. */
  segments: number;
  /** Size of the files (bytes). */
  bytes: number;
  /** Records written since the start. */
  records: number;
  /** Why nothing is recorded now. */
  failure?: string;
}

export interface StatsResultWorkers {
  /** Processes now. */
  processes: number;
  /** Headers in them. */
  headers: number;
  /** Processes that have died. */
  deaths: number;
}

export interface HeaderRow {
  /** Its name. */
  header: string;
  /** Handled since it was opened. */
  events: number;
  /** Made since it was opened. */
  states: number;
  /** Commands that wait. */
  queue: number;
  /** Connections that get its states. */
  subscribers: number;
  /** Connections that have sent it events. */
  publishers: number;
  /** As in `delegate.shadow`. */
  shadow?: Shadow;
}

export interface SubscriberRow {
  /** Its number. */
  connection: number;
  /** Headers whose states it gets. */
  headers: number;
  /** Its `client` in `hello`. */
  client?: string;
  /** Its user's number. */
  user?: number;
  /** How many it has. */
  subscriptions?: number;
  /** Bytes that the system has not taken (bytes). */
  queueBytes?: number;
  /** The least time that the oldest unread bytes have waited (seconds). */
  age?: number;
}

export interface QuotasUsed {
  /** Connections at once. */
  connections: number;
  /** Headers that the user has opened. */
  headers: number;
  /** Subscriptions of all connections. */
  subscriptions: number;
  /** Bytes that wait for connections that do not read. */
  queueBytes: number;
  /** Memory that all of it takes, as an estimate. */
  memoryBytes: number;
  /** Events so far. */
  events: number;
}

export interface Quotas {
  /** Connections at once. */
  connections?: number;
  /** Headers that the user has opened. */
  headers?: number;
  /** Subscriptions of all connections. */
  subscriptions?: number;
  /** Bytes that wait for connections that do not read. */
  queueBytes?: number;
  /** Memory that all of it takes, as an estimate. */
  memoryBytes?: number;
  /** Events a second of all connections. */
  eventsPerSecond?: number;
}

export interface StatsResultUser {
  /** The user's number. */
  user: number;
  /** Of each quota; of events how many so far. */
  used: QuotasUsed;
  /** Each quota that is bounded. */
  allowed: Quotas;
}

export interface StatsResultPlugin {
  /** Calls into it. */
  calls: number;
  /** Time in these calls (seconds). */
  time: number;
}

export type RpcDiscoverParams = Record<string, never>;

export type RpcDiscoverResult = { [name: string]: unknown };

export interface HeaderOpenParams {
  /** What happens if the header is open: join it if the description is the same, or close it first ("attach" if absent). */
  ifExists?: "attach" | "replace";
  /** The state of a whole header, from `header.get`. */
  saved?: { [name: string]: unknown } | null;
  /** An epoch that the new one must exceed. */
  after?: number;
  /** Steps of a recording behind `saved`. */
  steps?: { [name: string]: unknown }[];
  /** The header's name. */
  header: string;
  /** By name; one with the name `content` if absent. */
  scrollViews?: { [name: string]: ScrollView };
  /** Whose events reach the delegates; null: none's; the only one's if absent. */
  trackingScrollView?: string | null;
  /** The header's environment. */
  environment?: Environment;
  /** Which side is the leading edge ("leftToRight" if absent). */
  layoutDirection?: "leftToRight" | "rightToLeft";
  /** From the fixed edge outward ([] if absent). */
  drawers?: Drawer[];
  /** How the application holds the header ({} if absent). */
  hosting?: { [name: string]: unknown };
  /** The chain, first asked first ([] if absent). */
  delegates?: Delegate[];
  /** Where frames come from: the daemon's clock, later events, or `advance` alone ("live" if absent). */
  frames?: "live" | "events" | "manual";
  /** Frames a second (frames a second, 60 if absent). */
  frameRate?: number;
  /** What closes the header ("daemon" if absent). */
  lifetime?: "daemon" | "connection";
  /** What happens to the header when another scroll view tracks ("behavior" if absent). */
  handOver?: "behavior" | "keep";
  /** The insets of a scroll view that no longer tracks ("keep" if absent). */
  onLeave?: "keep" | "restore";
  /** Stretch at which letting go makes the notice `didTriggerStretch`; 0: never (points, 0 if absent). */
  stretchTrigger?: number;
  /** Which part of a pull beyond the beginning of the content moves the header ("together" if absent). */
  refreshOrder?: "together" | "refreshControlFirst" | "headerFirst";
  /** States have `position` with `obstruction` (false if absent). */
  tellsObstruction?: boolean;
  /** Places that `header.move` finds by name ([] if absent). */
  stops?: Stop[];
  /** Where the header is when it is opened, as `to` of `header.move`. */
  initialPosition?: string | Target;
  /** Whether the header stays shown while the environment asks for it ("shown" if absent). */
  accessibility?: "shown" | "original";
}

export interface HeaderOpenResult {
  /** The header's name. */
  header: string;
  /** The header's number, for frames. */
  handle: number;
  /** Which life of the header; never used twice, and a later one is larger. */
  epoch: number;
  /** False: it was open already. */
  created: boolean;
  /** Number of the header's latest state. */
  seq: number;
  /** A number of what the header was opened as, but for sizes and environment. */
  digest: number;
}

export interface HeaderCloseParams {
  /** The header's name. */
  header: string;
}

export type HeaderCloseResult = Record<string, never>;

export interface HeaderListParams {
  /** A glob of headers' names ("**" if absent). */
  match?: string;
}

export interface HeaderListResult {
  /** A row for each header that the client may see. */
  headers: HeaderListRow[];
}

export interface HeaderListRow {
  /** The header's name. */
  header: string;
  /** The header's number, for frames. */
  handle: number;
  /** Which life of the header; never used twice, and a later one is larger. */
  epoch: number;
  /** Number of the header's latest state. */
  seq?: number;
  /** Names of its drawers. */
  drawers?: string[];
  /** The chain, by name. */
  delegates?: string[];
  /** Connections that get its states. */
  subscribers?: number;
  /** Connections that have sent it events. */
  publishers?: number;
  /** Delegates that failed and are left out. */
  bypassed?: Bypassed[];
  /** Of a realm: the node that has it. */
  owner?: string;
}

export interface HeaderGetParams {
  /** The header's name. */
  header: string;
  /** What the answer has beside the state. */
  include?: ("description" | "environment" | "saved" | "position")[];
}

export interface HeaderGetResult {
  /** The present state. */
  state: State;
  /** A number of what the header was opened as, but for sizes and environment. */
  digest: number;
  /** Delegates that failed and are left out. */
  bypassed?: Bypassed[];
  /** What the header can be opened with again. */
  description?: HeaderDescription;
  /** The header's environment now. */
  environment?: Environment;
  /** For `header.open`. */
  saved?: { [name: string]: unknown };
  /** Where the header is; null: it cannot be brought to a position. */
  position?: Position | null;
}

export interface PositionStop {
  /** Its name. */
  name: string;
  /** Share of the whole way: 0 is expanded, 1 is collapsed. */
  progress: number;
}

export interface Position {
  /** Share of the whole way: 0 is expanded, 1 is collapsed. */
  progress: number;
  /** How far the drawers have gone (points). */
  traveled: number;
  /** How far they can go (points). */
  travel: number;
  /** Least and greatest progress that is permitted. */
  permitted: [number, number];
  /** Constraints of the header, the strongest first. */
  constraints: Constraint[];
  /** Places that `header.move` finds by name. */
  stops: PositionStop[];
  /** Number of the motion under way. */
  motion?: number;
}

export interface HeaderConfigureParams {
  /** The header's name. */
  header: string;
  /** By name, in place of those that there are. */
  scrollViews?: { [name: string]: ScrollView };
  /** Whose events reach the delegates; null: none's; the only one's if absent. */
  trackingScrollView?: string | null;
  /** The header's environment. */
  environment?: Environment;
  /** From the fixed edge outward. */
  drawers?: Drawer[];
  /** Where frames come from: the daemon's clock, later events, or `advance` alone. */
  frames?: "live" | "events" | "manual";
  /** Frames a second (frames a second). */
  frameRate?: number;
}

export interface HeaderConfigureResult {
  /** Number of the header's latest state. */
  seq: number;
}

export interface HeaderCallParams {
  /** The header's name. */
  header: string;
  /** The call's name. */
  name: string;
  /** The delegate to call; the first that knows the call if absent. */
  delegate?: string;
  /** Arguments by name ({} if absent). */
  arguments?: { [name: string]: unknown };
}

export interface HeaderCallResult {
  /** What was returned. */
  returned: unknown;
  /** Number of the header's latest state. */
  seq: number;
  /** Number of the motion that it began. */
  id?: number;
}

export interface HeaderMoveParams {
  /** The header's name. */
  header: string;
  /** A stop's name, such as `expanded`, or a place in numbers. */
  to: string | Target;
  /** How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent). */
  animated?: boolean | null | Motion;
  /** Velocity that a spring begins with, in the offset's sign (points per millisecond, 0 if absent). */
  velocity?: number;
  /** The delegate's name. */
  delegate?: string;
}

export interface HeaderMoveResult {
  /** Number of the header's latest state. */
  seq: number;
  /** Number of the motion. */
  id: number;
  /** Where it leads. */
  progress: number;
}

export interface HeaderConstrainParams {
  /** The header's name. */
  header: string;
  /** Its name; a constraint replaces one of the same name. */
  name: string;
  /** A word, or the least and the greatest progress. */
  permitted: "shown" | "hidden" | "both" | [number, number];
  /** Where the header goes now, as far as that is permitted: a word or a progress. */
  wish?: null | "shown" | "hidden" | number;
  /** How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent). */
  animated?: boolean | null | Motion;
  /** If two contradict each other, the greater one holds, of equals the older (0 if absent). */
  priority?: number;
  /** The holder's name, for people. */
  holder?: string;
  /** How long it holds: as long as the connection, for seconds, or until it is released (null) ("connection" if absent). */
  lease?: null | "connection" | number;
}

export interface HeaderConstrainResult {
  /** Number of the header's latest state. */
  seq: number;
  /** Least and greatest progress that is permitted. */
  permitted: [number, number];
}

export interface HeaderReleaseParams {
  /** The header's name. */
  header: string;
  /** The constraint's name. */
  name: string;
  /** How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent). */
  animated?: boolean | null | Motion;
}

export interface HeaderReleaseResult {
  /** Number of the header's latest state. */
  seq: number;
  /** Least and greatest progress that is permitted. */
  permitted: [number, number];
}

export interface HeaderRevealParams {
  /** The header's name. */
  header: string;
  /** The scroll view's name. */
  scrollView?: string;
  /** The part to show, in the content's coordinates. */
  rect: Rect;
  /** Why it is shown ("focus" if absent). */
  reason?: "focus" | "anchor" | "search";
}

export interface HeaderRevealResult {
  /** Number of the header's latest state. */
  seq: number;
  /** How far the header gave way (points). */
  gaveWay: number;
  /** How far the publisher was asked to scroll (points). */
  scroll: number;
}

export interface HeaderExplainParams {
  /** The header's name. */
  header: string;
  /** Explanations that are kept from now on; as many as before if absent. */
  keep?: number;
  /** Explanations that are wanted (256 if absent). */
  last?: number;
}

export interface HeaderExplainResult {
  /** Explanations that are kept. */
  keep: number;
  /** The oldest first. */
  explanations: Explanation[];
}

export interface EventsParams {
  /** The header's name. */
  header?: string;
  /** Events in order; the first that is refused ends the list. */
  events: Event[];
}

export type OneEventParams = WillBeginDraggingEventParams | DidScrollEventParams | WillEndDraggingEventParams | DidEndDraggingEventParams | WillBeginDeceleratingEventParams | DidEndDeceleratingEventParams | DidEndScrollingAnimationEventParams | ShouldScrollToTopEventParams | DidScrollToTopEventParams | DidChangeAdjustedContentInsetEventParams | SetContentOffsetEventParams | WillScrollEventParams | DidOverscrollEventParams | WillFlingEventParams | LayoutEventParams | WillAppearEventParams | DidAppearEventParams | WillDisappearEventParams | DidDisappearEventParams | DidBecomeActiveEventParams | WillTransitionEventParams | TransitionEventParams | DidTransitionEventParams | WillChangeTrackingScrollViewEventParams | SetTrackingScrollViewEventParams | SetOptionsEventParams | CallEventParams | AdvanceEventParams | MoveEventParams | ConstrainEventParams | ReleaseEventParams | RevealEventParams;

export interface WillBeginDraggingEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willBeginDragging";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidScrollEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didScroll";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
  /** What moved the content. */
  reason?: "user" | "program" | "keyboard" | "content" | "layout";
}

export interface WillEndDraggingEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willEndDragging";
  /** Velocity of the finger, in the offset's sign. */
  velocity?: Velocity;
  /** Where the content comes to rest. */
  targetOffset?: Point;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidEndDraggingEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didEndDragging";
  /** The content continues by itself. */
  willDecelerate: boolean;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillBeginDeceleratingEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willBeginDecelerating";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidEndDeceleratingEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didEndDecelerating";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidEndScrollingAnimationEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didEndScrollingAnimation";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface ShouldScrollToTopEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "shouldScrollToTop";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidScrollToTopEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didScrollToTop";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidChangeAdjustedContentInsetEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didChangeAdjustedContentInset";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface SetContentOffsetEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "setContentOffset";
  /** The application has moved it with an animation (false if absent). */
  animated?: boolean;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillScrollEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willScroll";
  /** The movement that is offered. */
  delta: Point;
  /** What moves the content. */
  source: "drag" | "fling" | "program";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidOverscrollEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didOverscroll";
  /** The movement that is offered. */
  delta: Point;
  /** What moves the content. */
  source: "drag" | "fling" | "program";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillFlingEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willFling";
  /** Velocity of the finger, in the offset's sign. */
  velocity: Velocity;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface LayoutEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "layout";
  /** What the safe area takes at each edge. */
  safeAreaInset?: Insets;
  /** The screen has a notch or the like. */
  deviceHasHardwareSafeArea?: boolean;
  /** Height of the status bar (points). */
  statusBarHeight?: number;
  /** It is not shown. */
  statusBarHidden?: boolean;
  /** The daemon takes what the header wants of the status bar as done. */
  statusBarFollowsHeader?: boolean;
  /** Pixels a point (pixels a point). */
  screenScale?: number;
  /** Of header space in the window. */
  viewOrigin?: Point;
  /** The header is on the screen. */
  visible?: boolean;
  /** The header is in a presented view. */
  presented?: boolean;
  /** Its window takes the keyboard. */
  keyWindow?: boolean;
  /** A screen reader runs. */
  voiceOverRunning?: boolean;
  /** The user wants little motion. */
  reduceMotion?: boolean;
  /** It runs in an extension of an app. */
  appExtension?: boolean;
  /** The user reaches everything on the screen by the keyboard. */
  fullKeyboardAccess?: boolean;
  /** The header stays on the screen at all times. */
  alwaysShown?: boolean;
  /** What the keyboard covers, from the scroll view's bottom (points). */
  keyboardHeight?: number;
  /** Second of the wall clock; null: not known (seconds). */
  clockSecondOfMinute?: number | null;
  /** Its size on the screen. */
  viewport?: Size;
  /** The size of all its content. */
  contentSize?: Size;
  /** Space around the content. */
  contentInset?: Insets;
  /** Insets of its scroll indicators; those of the content if absent. */
  scrollIndicatorInsets?: Insets;
  /** Whether the safe area is added to the content inset. */
  contentInsetAdjustment?: "never" | "automatic";
  /** Its kind in the toolkit. */
  kind?: "scroll" | "table" | "collection" | "web";
  /** It rests at pages. */
  pagingEnabled?: boolean;
  /** Its pull to refresh, if it has one. */
  refreshControl?: null | RefreshControl;
  /** Where the scroll view is in header space. */
  frame?: Rect;
  /** Its events reach the delegates. */
  forwardsEvents?: boolean;
  /** Which changes bring an offset that is out of range back while nothing moves it. */
  clamping?: "all" | "inset" | "none";
  /** Duration of the animation in which the size changes (seconds). */
  boundsAnimationDuration?: number;
  /** Drawers and elements that change, by name. */
  drawers?: DrawerChange[];
  /** A layout pass, also without a change (false if absent). */
  pass?: boolean;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
  /** What moved the content. */
  reason?: "user" | "program" | "keyboard" | "content" | "layout";
}

export interface WillAppearEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willAppear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidAppearEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didAppear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillDisappearEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willDisappear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidDisappearEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didDisappear";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidBecomeActiveEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didBecomeActive";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillTransitionEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willTransition";
  /** The size to come. */
  size: Size;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface TransitionEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "transition";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface DidTransitionEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "didTransition";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface WillChangeTrackingScrollViewEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "willChangeTrackingScrollView";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView: string | null;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface SetTrackingScrollViewEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "setTrackingScrollView";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView: string | null;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface SetOptionsEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "setOptions";
  /** Options by name. */
  options: { [name: string]: unknown };
  /** The delegate; the only one if absent. */
  delegate?: string;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface CallEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "call";
  /** The call's name. */
  name: string;
  /** Arguments by name. */
  arguments?: { [name: string]: unknown };
  /** The delegate; the only one if absent. */
  delegate?: string;
  /** The end of what it animates is reported by a notice (false if absent). */
  report?: boolean;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface AdvanceEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "advance";
  /** One frame of this length is run (seconds). */
  frameDuration?: number;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface MoveEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "move";
  /** A stop's name, such as `expanded`, or a place in numbers. */
  to: string | Target;
  /** How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent). */
  animated?: boolean | null | Motion;
  /** Velocity that a spring begins with (points per millisecond, 0 if absent). */
  velocity?: number;
  /** The delegate; the only one if absent. */
  delegate?: string;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface ConstrainEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "constrain";
  /** Its name. */
  name: string;
  /** A word, or the least and the greatest progress. */
  permitted: "shown" | "hidden" | "both" | [number, number];
  /** Where the header goes now, as far as that is permitted: a word or a progress. */
  wish?: null | "shown" | "hidden" | number;
  /** How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent). */
  animated?: boolean | null | Motion;
  /** If two contradict each other, the greater one holds, of equals the older (0 if absent). */
  priority?: number;
  /** The holder's name, for people. */
  holder?: string;
  /** How long it holds: as long as the connection, for seconds, or until it is released (null). */
  lease?: null | "connection" | number;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface ReleaseEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "release";
  /** Its name. */
  name: string;
  /** How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent). */
  animated?: boolean | null | Motion;
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export interface RevealEventParams {
  /** The header's name. */
  header?: string;
  /** Time on the publisher's steady clock, of any origin; when it was read if absent (seconds). */
  time?: number;
  /** Its kind. */
  event: "reveal";
  /** The part to show, in the content's coordinates. */
  rect: Rect;
  /** Why it is shown ("focus" if absent). */
  reason?: "focus" | "anchor" | "search";
  /** Whose event it is; the tracking one's, else the only one's, if absent. */
  scrollView?: string;
  /** The content's offset when it happened; as it was if absent. */
  offset?: Point;
  /** The total of the header's own moves that are in the offset; all of them if absent. */
  correction?: Point;
  /** A finger is on the screen; by the order of events if absent. */
  isTracking?: boolean;
  /** A finger moves the content; by the order of events if absent. */
  isDragging?: boolean;
  /** The content continues by itself; by the order of events if absent. */
  isDecelerating?: boolean;
}

export type EventParams = OneEventParams | EventsParams;

export type EventResult = Decision | Decisions;

export interface SubscribeParams {
  /** Names or globs of headers. */
  headers: string | string[];
  /** Each state, or the latest that there is ("latest" if absent). */
  mode?: "latest" | "every";
  /** What happens when the client reads too slowly for `every`: a gap, or the end of the connection ("gap" if absent). */
  onOverflow?: "gap" | "disconnect";
  /** States of a header that are sent at most; 0: no bound (states a second, 0 if absent). */
  maxRate?: number;
  /** Parts of a state that are wanted; all if absent. */
  fields?: string[];
  /** Unit of which lengths are multiples; exact if absent (points). */
  grid?: number;
  /** By header, the last state seen; {} only asks to keep states. */
  resumeFrom?: { [name: string]: SubscribeParamsResumeFrom };
  /** What else states have ([] if absent). */
  include?: ("routine" | "calls" | "contentOffset")[];
  /** Each state comes with its explanation (false if absent). */
  explain?: boolean;
  /** States say how they go on, where that is known (false if absent). */
  predict?: boolean;
}

export interface SubscribeParamsResumeFrom {
  /** Which life of the header; never used twice, and a later one is larger. */
  epoch: number;
  /** Number of the last state that was seen. */
  seq: number;
}

export interface SubscribeResult {
  /** Its number. */
  subscription: number;
  /** Headers that it matches now. */
  matched: number;
}

export interface UnsubscribeParams {
  /** Its number. */
  subscription: number;
}

export type UnsubscribeResult = Record<string, never>;

export interface PluginListParams {
  /** The plugin's name. */
  plugin?: string;
}

export interface PluginListResult {
  /** By name. */
  plugins: Plugin[];
  /** Presets of these behaviors. */
  presets: Preset[];
}

export interface Preset {
  /** A preset of the behavior; `options` take precedence. */
  preset: string;
  /** The behavior's name. */
  behavior: string;
  /** What it does, in a line. */
  summary: string;
  /** Options of the behavior. */
  options: { [name: string]: unknown };
}

export interface PluginLoadParams {
  /** The plugin's name. */
  plugin: string;
}

export interface PluginUnloadParams {
  /** The plugin's name. */
  plugin: string;
  /** Take its behaviors out of the headers that use it (false if absent). */
  force?: boolean;
}

export interface PluginUnloadResult {
  /** Headers that used it. */
  headers: string[];
}

export interface PluginReloadParams {
  /** The plugin's name. */
  plugin: string;
}

export interface PluginReloadResult {
  /** Headers that continue with it. */
  headers: ReloadedHeader[];
  /** The file is another one. */
  changed: boolean;
}

export interface ReloadedHeader {
  /** The header's name. */
  header: string;
  /** Number of the header's latest state. */
  seq: number;
}

export interface TraceStartParams {
  /** The header's name. */
  header: string;
  /** Version of the recording's format (1 if absent). */
  format?: number;
}

export interface TraceStartResult {
  /** The recording's number. */
  trace: number;
}

export interface TraceStopParams {
  /** The recording's number. */
  trace: number;
}

export interface TraceStopResult {
  /** How many there were. */
  steps: number;
}

export interface AddBehaviorParams {
  /** The header's name. */
  header: string;
  /** Options of the behavior ({} if absent). */
  options?: { [name: string]: unknown };
  /** Place in the chain, from 0; the end if absent. */
  at?: number;
  /** The behavior's name. */
  behavior: string;
  /** A preset of the behavior; `options` take precedence. */
  preset?: string;
  /** Whose drawers it moves; the first drawer's if absent. */
  edge?: "top" | "bottom" | "leading" | "trailing";
  /** Its name; the behavior's in lowerCamelCase if absent. */
  name?: string;
}

export interface AddClientParams {
  /** The header's name. */
  header: string;
  /** `yields` alone ({} if absent). */
  options?: { [name: string]: unknown };
  /** Place in the chain, from 0; the end if absent. */
  at?: number;
  /** Its name; one with the connection's number if absent. */
  name?: string;
  /** This connection joins: it is sent events, or asked about them. */
  client: "observe" | "intercept";
  /** Kinds that a client wants; all if absent. */
  events?: ("willBeginDragging" | "didScroll" | "willEndDragging" | "didEndDragging" | "willBeginDecelerating" | "didEndDecelerating" | "didEndScrollingAnimation" | "shouldScrollToTop" | "didScrollToTop" | "didChangeAdjustedContentInset" | "willScroll" | "didOverscroll" | "willFling" | "layout" | "willAppear" | "didAppear" | "willDisappear" | "didDisappear" | "didBecomeActive" | "willTransition" | "transition" | "didTransition" | "willChangeTrackingScrollView" | "setTrackingScrollView" | "didWriteContentOffset" | "didResize")[];
  /** How long an event waits for the client's answer (seconds, 0.008 if absent). */
  deadline?: number;
}

export type DelegateAddParams = AddBehaviorParams | AddClientParams;

export interface DelegateAddResult {
  /** The delegate's name. */
  delegate: string;
  /** Its place in the chain. */
  index: number;
}

export interface DelegateRemoveParams {
  /** The header's name. */
  header: string;
  /** The delegate's name. */
  delegate: string;
}

export interface DelegateRemoveResult {
  /** The chain, by name. */
  delegates: string[];
}

export interface DelegateMoveParams {
  /** The header's name. */
  header: string;
  /** The delegate's name. */
  delegate: string;
  /** Place in the chain, from 0; the end if absent. */
  at: number;
}

export interface DelegateMoveResult {
  /** The chain, by name. */
  delegates: string[];
}

export interface DelegateConfigureParams {
  /** The header's name. */
  header: string;
  /** The delegate's name. */
  delegate: string;
  /** Options by name. */
  options: { [name: string]: unknown };
}

export interface DelegateConfigureResult {
  /** Number of the header's latest state. */
  seq: number;
}

export interface DelegateShadowParams {
  /** The header's name. */
  header: string;
  /** The delegate's name. */
  delegate: string;
  /** The shadow ends (false if absent). */
  end?: boolean;
  /** The shadow's behavior in place of the delegate's. */
  behavior?: string;
  /** Other options of the shadow. */
  options?: { [name: string]: unknown };
}

export interface DelegateShadowResult {
  /** The shadow; null: there is none. */
  shadow: Shadow | null;
}

export interface DelegatePromoteParams {
  /** The header's name. */
  header: string;
  /** The delegate's name. */
  delegate: string;
}

export interface DelegatePromoteResult {
  /** Number of the header's latest state. */
  seq: number;
}

export interface GapParams {
  /** The header's name. */
  header: string;
  /** Which life of the header; never used twice, and a later one is larger. */
  epoch: number;
  /** Why they are missing. */
  reason: "overflow" | "tooOld" | "newEpoch";
  /** Number of the first state that was not sent. */
  from?: number;
  /** Number of the last state that was not sent. */
  to?: number;
}

export interface ClosedParams {
  /** The header's name. */
  header: string;
  /** Which life of the header; never used twice, and a later one is larger. */
  epoch: number;
  /** Number of its last state. */
  seq: number;
  /** Why it is gone. */
  reason: "closed" | "replaced" | "connection" | "failed";
}

export interface ByeParams {
  /** Why the connection ends. */
  reason: "draining" | "overflow";
}

export interface TraceParams {
  /** The recording's number. */
  trace: number;
  /** In the first: of the header. */
  description?: { [name: string]: unknown };
  /** In the first: the header's state. */
  saved?: { [name: string]: unknown };
  /** One input. */
  step?: TraceStep;
  /** In the last: the reason. */
  ended?: string;
  /** In the last: how many there were. */
  steps?: number;
}

export interface TraceStep {
  /** The event, or the change, with its members. */
  event: string;
  /** Header time; absent before the header's first event (seconds). */
  time?: number;
  /** The same time, where a number does not hold it. */
  nanoseconds?: string;
  /** By client delegates: `delegate` and `answer`, or `passedOver` with the reason (`late`: its deadline had passed), or `bypassed` with the reason. */
  asked?: { [name: string]: unknown }[];
  /** What it was answered beside `seq`. */
  result?: { [name: string]: unknown };
  /** In place of `result`: why it was refused; only time advanced. */
  error?: Error;
  /** The last state that it made. */
  state?: State;
  /** The states before that one. */
  frames?: State[];
  [member: string]: unknown;
}

export interface DurabilityParams {
  /** Changes are on the disk when they are answered. */
  durable: boolean;
  /** The header, if it concerns one alone. */
  header?: string;
  /** Why they are not. */
  reason?: string;
}

export interface DelegateEventParams {
  /** The header's name. */
  header: string;
  /** The delegate; the only one if absent. */
  delegate: string;
  /** The event, after the chain. */
  event: DelegateEvent;
  /** Events before this one that were not sent. */
  lost?: number;
}

export interface DelegateAskParams {
  /** The header's name. */
  header: string;
  /** The delegate's name. */
  delegate: string;
  /** How long an event waits for the client's answer (seconds). */
  deadline: number;
  /** The event with the answers of the delegates before the client. */
  event: DelegateEvent;
}

export interface DelegateAskResult {
  /** Whether the event continues unchanged, with these members, or ends here. */
  verdict: "pass" | "rewrite" | "end";
  /** What is done, in order. */
  actions?: Action[];
  /** Where the content comes to rest. */
  targetOffset?: Point;
  /** Velocity for the delegates behind. */
  velocity?: Velocity;
  /** Where the event asks for a bool. */
  returned?: boolean;
  /** The smaller offer to the delegates behind. */
  delta?: Point;
}

/** By method, what a request takes and is answered. */
export interface Methods {
  /** Roles, capabilities, limits. */
  "hello": { params: HelloParams; result: HelloResult };
  /** An answer after all before it. */
  "ping": { params: PingParams; result: PingResult };
  /** Counters. */
  "stats": { params: StatsParams; result: StatsResult };
  /** The schema of the protocol. */
  "rpc.discover": { params: RpcDiscoverParams; result: RpcDiscoverResult };
  /** Opens a header or attaches to it. */
  "header.open": { params: HeaderOpenParams; result: HeaderOpenResult };
  /** Closes it. */
  "header.close": { params: HeaderCloseParams; result: HeaderCloseResult };
  /** The open headers. */
  "header.list": { params: HeaderListParams; result: HeaderListResult };
  /** State and description of one. */
  "header.get": { params: HeaderGetParams; result: HeaderGetResult };
  /** Changes drawers and scroll views. */
  "header.configure": { params: HeaderConfigureParams; result: HeaderConfigureResult };
  /** Calls a behavior. */
  "header.call": { params: HeaderCallParams; result: HeaderCallResult };
  /** Brings a header to a position. */
  "header.move": { params: HeaderMoveParams; result: HeaderMoveResult };
  /** Keeps a header within bounds. */
  "header.constrain": { params: HeaderConstrainParams; result: HeaderConstrainResult };
  /** Ends a constraint. */
  "header.release": { params: HeaderReleaseParams; result: HeaderReleaseResult };
  /** Shows a part of the content. */
  "header.reveal": { params: HeaderRevealParams; result: HeaderRevealResult };
  /** Why it did what it did. */
  "header.explain": { params: HeaderExplainParams; result: HeaderExplainResult };
  /** One scroll event, or several. */
  "event": { params: EventParams; result: EventResult };
  /** Asks for states. */
  "subscribe": { params: SubscribeParams; result: SubscribeResult };
  /** Ends a subscription. */
  "unsubscribe": { params: UnsubscribeParams; result: UnsubscribeResult };
  /** Plugins and their behaviors. */
  "plugin.list": { params: PluginListParams; result: PluginListResult };
  /** Loads one. */
  "plugin.load": { params: PluginLoadParams; result: Plugin };
  /** Unloads one. */
  "plugin.unload": { params: PluginUnloadParams; result: PluginUnloadResult };
  /** Loads its file anew. */
  "plugin.reload": { params: PluginReloadParams; result: PluginReloadResult };
  /** Records a header. */
  "trace.start": { params: TraceStartParams; result: TraceStartResult };
  /** Ends that. */
  "trace.stop": { params: TraceStopParams; result: TraceStopResult };
  /** Adds a behavior, or this client. */
  "delegate.add": { params: DelegateAddParams; result: DelegateAddResult };
  /** Removes one. */
  "delegate.remove": { params: DelegateRemoveParams; result: DelegateRemoveResult };
  /** Moves one. */
  "delegate.move": { params: DelegateMoveParams; result: DelegateMoveResult };
  /** Sets options of one. */
  "delegate.configure": { params: DelegateConfigureParams; result: DelegateConfigureResult };
  /** Tries others beside it. */
  "delegate.shadow": { params: DelegateShadowParams; result: DelegateShadowResult };
  /** Takes these over. */
  "delegate.promote": { params: DelegatePromoteParams; result: DelegatePromoteResult };
}

/** By method, what the daemon sends by itself. */
export interface Messages {
  /** A header's complete state. */
  "state": State;
  /** States are missing. */
  "gap": GapParams;
  /** A header is gone. */
  "closed": ClosedParams;
  /** A notification was refused. */
  "error": Error;
  /** After a silence; needs no answer. */
  "ping": undefined;
  /** Why the daemon ends the connection. */
  "bye": ByeParams;
  /** One step of a recording. */
  "trace": TraceParams;
  /** Whether changes reach the disk. */
  "durability": DurabilityParams;
  /** An event, after the chain. */
  "delegate.event": DelegateEventParams;
  /** An event, as a request. */
  "delegate.ask": DelegateAskParams;
}

/** By error, its code. */
export interface ErrorCodes {
  parseError: -32700;
  invalidRequest: -32600;
  methodNotFound: -32601;
  invalidParams: -32602;
  internalError: -32603;
  headerNotFound: -32001;
  scrollViewNotFound: -32002;
  drawerNotFound: -32003;
  headerExists: -32004;
  behaviorNotFound: -32005;
  delegateNotFound: -32006;
  subscriptionNotFound: -32007;
  traceNotFound: -32008;
  pluginNotFound: -32009;
  invalidOption: -32010;
  conflict: -32011;
  timeBackwards: -32012;
  callFailed: -32013;
  behaviorFailed: -32014;
  pluginRefused: -32015;
  inUse: -32016;
  notPermitted: -32020;
  limitExceeded: -32021;
  rateExceeded: -32022;
  deadlineExceeded: -32023;
  unsupported: -32024;
  unsupportedVersion: -32025;
  draining: -32026;
  unknownField: -32027;
}
