// SPDX-License-Identifier: MIT
//
// The protocol without a connection: requests become lines, text becomes answers and messages. Nothing here knows sockets.

/** Any error of this package. */
export class HeaderdError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = this.constructor.name;
  }
}

/** Nobody listens at `path`, or the user may not connect. */
export class NoDaemon extends HeaderdError {
  constructor(path, cause) {
    super(`no daemon at ${path}: ${cause?.message ?? cause}`, { cause });
    this.path = path;
  }
}

/** The connection has ended; `reason` is the daemon's, or null. */
export class ConnectionLost extends HeaderdError {
  constructor(reason = null) {
    super(`the connection to the daemon has ended: ${reason ?? "no reason given"}`);
    this.reason = reason;
  }
}

/** Nothing came in time. */
export class Timeout extends HeaderdError {}

/** An error of the daemon's, whose `name` and `message` are the daemon's own. */
export class DaemonError extends HeaderdError {
  constructor({ code = 0, message = "", data = {} }) {
    super(message);
    this.code = code;
    this.data = data;
    this.name = data.name ?? this.name;
    this.field = data.field ?? null;
    this.hint = data.hint ?? null;
  }
}

/** Numbers requests, tells answers from messages, and remembers where to resume. */
export class Conversation {
  /** What the daemon said as it ended the connection. */
  reason = null;
  /** Subscriptions to make again: `number` and `params`. */
  subscriptions = [];
  #last = 0;
  #rest = "";
  #positions = {};

  /** Begins a connection: half a line of the one before is forgotten. */
  begin() {
    this.reason = null;
    this.#rest = "";
  }

  request(method, params) {
    this.#last += 1;
    return { id: this.#last, line: JSON.stringify({ id: this.#last, method, params }) + "\n" };
  }

  notification(method, params) {
    return JSON.stringify({ method, params }) + "\n";
  }

  /** Takes text as it comes; gives what it completes: `{id, answer}`, `{id, error}` or `{message}`. */
  receive(text) {
    this.#rest += text;
    // What is there of a long line is not looked through again.
    if (!text.includes("\n")) return [];
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop();
    return lines.filter((line) => line.trim()).map((line) => this.#understand(JSON.parse(line))).filter(Boolean);
  }

  /** The parameters of a subscription with the last state seen of each header, if it asked to have states kept. */
  resumed(params) {
    return params.resumeFrom ? { ...params, resumeFrom: { ...this.#positions } } : params;
  }

  #understand({ id = null, method, params = {}, result, error, warnings = [] }) {
    if (method !== undefined) {
      // A request of the daemon's: only those who joined a header's chain get any.
      if (id !== null) return null;
      const message = this.#notified(method, params);
      return message && { message };
    }
    if (error) {
      const failure = new DaemonError(error);
      return id === null ? { message: { type: "failure", error: failure } } : { id, error: failure };
    }
    return id === null ? null : { id, answer: { result, warnings } };
  }

  #notified(method, params) {
    switch (method) {
      case "state":
        this.#positions[params.header] = { epoch: params.epoch, seq: params.seq };
        return { type: "state", state: { snapshot: false, values: {}, ...completed(params) } };
      case "gap":
        return { type: "gap", from: null, to: null, ...params };
      case "closed":
        delete this.#positions[params.header];
        return { type: "closed", ...params };
      case "error":
        return { type: "failure", error: new DaemonError(params) };
      case "bye":
        this.reason = params.reason ?? null;
        return null;
      case "ping":
        return null;
      default:
        return { type: "notification", method, params };
    }
  }
}

/** A state or keyframe with the defaults of what is absent. */
function completed({ drawers = [], scrollViews = {}, ...others }) {
  return {
    ...others,
    drawers: drawers.map((drawer) => ({ alpha: 1, hidden: false, zIndex: 0, translation: zero(), ...drawer })),
    scrollViews: mapped(scrollViews, (view) => ({ correction: zero(), ...view })),
  };
}

const zero = () => ({ x: 0, y: 0 });
const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const absent = { alpha: 1, cornerRadius: 0, transform: identity };

/** What is at a share of the way from one to the other: numbers on a line, all else as it is at the beginning. */
function between(from, to, share) {
  if (typeof from === "number" && typeof to === "number") return from + (to - from) * share;
  if (!from || !to || typeof from !== "object" || typeof to !== "object") return from;
  if (Array.isArray(from)) return from.map((one, index) => between(one, to[index], share));
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return Object.fromEntries([...names].map((name) => [name, between(from[name] ?? absent[name], to[name] ?? absent[name], share)]));
}

/** A state with the parts of the line between two keyframes. */
function onLine(state, from, to, share) {
  const list = (name) => state[name]?.map((one) => {
    const same = (other) => other.name === one.name;
    return between(from[name]?.find(same) ?? one, to[name]?.find(same) ?? one, share);
  });
  const map = (name) => state[name] && mapped(state[name], (one, key) => between(from[name]?.[key] ?? one, to[name]?.[key] ?? one, share));
  const parts = {
    drawers: list("drawers"), elements: list("elements"), scrollViews: map("scrollViews"), values: map("values"), wants: map("wants"),
    position: state.position && between(from.position ?? state.position, to.position ?? state.position, share),
  };
  return { ...state, ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part)) };
}

/**
 * A header as this process shows it. The first state of an epoch sets the offset; later ones move it by what `correction` grew
 * by, so that what the user scrolled in the meantime stays. One that mirrors the content of another process shows each state's
 * offset (`include` with `contentOffset`).
 */
export class HeaderView {
  #mirrors;
  #state = null;
  /** The offset that was farthest away, since the last state, and whether the content has turned back there. */
  #farthest = null;
  #hasTurned = false;
  epoch = null;
  seq = 0;
  drawers = [];
  /** By name: `offset`, `inset`, and `correction`, how much of the header's own moves is in the offset. */
  scrollViews = {};

  constructor({ mirrors = false } = {}) {
    this.#mirrors = mirrors;
  }

  /** Takes over a state. */
  apply(state) {
    const known = state.epoch === this.epoch && !this.#mirrors ? this.scrollViews : {};
    this.epoch = state.epoch;
    this.seq = state.seq;
    this.drawers = state.drawers;
    this.#state = state;
    this.#farthest = null;
    this.#hasTurned = false;
    this.scrollViews = mapped(state.scrollViews, ({ contentOffset, contentInset: inset, correction }, name) => {
      const view = known[name];
      const moved = (axis) => view.offset[axis] + correction[axis] - view.correction[axis];
      return { offset: view ? { x: moved("x"), y: moved("y") } : contentOffset, inset, correction };
    });
  }

  /**
   * The last state as it goes on to an offset along the axis of the tracking scroll view (`predict`), in a drag or not; beyond what is known it
   * stays as it is there.
   */
  at(offset, isDragged = false) {
    const ahead = this.#ahead(isDragged);
    if (!ahead || ahead.reversible) return this.#on(offset, ahead);
    // Back it goes by laws that the way so far has a part in.
    this.#farthest ??= offset;
    if ((offset - this.#farthest) * (this.#farthest - ahead.offset) >= 0) this.#farthest = offset;
    this.#hasTurned = offset !== this.#farthest;
    return this.#on(this.#farthest, ahead);
  }

  /**
   * States from one offset to another, each with its `offset`: between them the last one goes on along straight lines. None where it does not
   * say, or no longer, since the content was at an offset (`at`) from which it has turned back.
   */
  keyframes(least, most, isDragged = false) {
    const ahead = this.#ahead(isDragged);
    if (!ahead || this.#hasTurned) return [];
    const known = [...(ahead.shrinking ?? [])].reverse().concat({ offset: ahead.offset, ...this.#state }, ahead.growing ?? []);
    const inside = known.filter(({ offset }) => offset > least && offset < most).map((keyframe) => {
      const full = completed(keyframe);
      return { ...onLine(this.#state, full, full, 0), offset: keyframe.offset };
    });
    return [{ ...this.#on(least, ahead), offset: least }, ...inside, { ...this.#on(most, ahead), offset: most }];
  }

  #ahead(isDragged) {
    const { ahead } = this.#state;
    return isDragged && ahead?.dragged ? { offset: ahead.offset, ...ahead.dragged } : ahead;
  }

  /** The state at an offset, whatever the way to it. */
  #on(offset, ahead) {
    const origin = ahead?.offset;
    if (!ahead || offset === origin) return this.#state;
    let from = { offset: origin, ...this.#state };
    for (const keyframe of (offset < origin ? ahead.shrinking : ahead.growing) ?? []) {
      const to = completed(keyframe);
      if (Math.abs(offset - origin) <= Math.abs(to.offset - origin) && to.offset !== from.offset) {
        return onLine(this.#state, from, to, (offset - from.offset) / (to.offset - from.offset));
      }
      from = to;
    }
    return onLine(this.#state, from, from, 0);
  }

  /** Moves the content and gives the fields of the event that reports it: `scrollView`, `offset`, `correction`. */
  scroll(scrollView, { x, y }) {
    const view = this.scrollViews[scrollView];
    view.offset = { x: x ?? view.offset.x, y: y ?? view.offset.y };
    return { scrollView, offset: view.offset, correction: view.correction };
  }
}
