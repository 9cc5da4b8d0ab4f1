// SPDX-License-Identifier: MIT
//
// Headers of a page that headerd moves: `attach` streams what a scroller does, and draws what comes back.
//
// The daemon's offset is UIKit's: 0 where the content begins, negative in its inset above. `scrollTop` begins above the inset.
// Room for the inset is a padding that only grows within an epoch, so that a header that collapses moves nothing but itself:
//
//     offset = scrollTop − room            room = the largest contentInset.top so far
//
// What is covered at the moment is told to the browser by `scroll-padding`.

import { timing, scrollTimeline, Drawn } from "./drawing.js";
import { Gestures } from "./gestures.js";
import { Link } from "./link.js";
import { DaemonError, HeaderView } from "./protocol.js";

export { DaemonError, HeaderView, Link };

export function attach(scroller, options) {
  return new Attachment(scroller, options);
}

/** In the description of a header that several windows have, in place of their sizes: each tells its own by an event. */
const anySize = { viewport: { width: 375, height: 667 }, contentSize: { width: 375, height: 4000 } };

const modes = ["both", "publisher", "renderer", "mirror"];
const reducedMotion = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

export class Attachment {
  /** The last state that was drawn; null before the first one. */
  state = null;
  #scroller;
  #content;
  #options;
  #link;
  #ownsLink;
  #view;
  #drawn = new Map();
  /** By which the browser moves the header while no script can; undefined where there is none. */
  #timeline;
  #gestures;
  #observer;
  #abort = new AbortController();
  #listener = {
    connected: () => this.#connected(),
    message: (message) => this.#receive(message),
    lost: () => this.#lost(),
  };
  /** The padding at the top, and what the page has there by itself. */
  #room = 0;
  #ownPadding;
  /** What a place in whole pixels leaves over. */
  #fraction = 0;
  #placed = NaN;
  #pending = null;
  #frame = 0;
  #sizesTold = "";
  /** Of the last event, seconds. */
  #time = 0;
  #isPublishing = false;
  /** The last places told, without the header's own moves. */
  #told = [];
  /** The header is where this page has its content, and not where another one has. */
  #leads = false;
  /** `scrollTop` as this page opened it; NaN: another did. */
  #begun = NaN;
  #touched = -Infinity;
  #preview = false;
  #resting = 0;
  #description;
  /** The last state's `zIndex` of each drawer, once there was another one than 0. */
  #order = "";
  /** Other pages may have the same header. */
  #isShared;

  constructor(scroller, options) {
    this.#scroller = scroller;
    this.#content = options.content ?? (scroller === document.scrollingElement ? document.body : scroller.firstElementChild ?? scroller);
    const header = options.header ?? `page-${Date.now()}-${Math.random()}`;
    const { mode = "both" } = options;
    if (!modes.includes(mode)) throw new Error(`mode="${mode}": there are ${modes.join(", ")}`);
    const publish = mode === "both" || mode === "publisher";
    const mirrors = mode === "mirror";
    this.#options = { scrollView: "content", statusBarHeight: 0, tellsSize: true, ...options, header, publish, mirrors };
    this.#isShared = options.header !== undefined;
    this.#view = new HeaderView({ mirrors });
    this.#ownPadding = parseFloat(getComputedStyle(this.#content).paddingTop) || 0;
    this.#description = this.#describe();
    this.#timeline = publish ? scrollTimeline(scroller) : undefined;
    for (const [name, element] of this.#pieces()) {
      this.#drawn.set(name, new Drawn(element, this.#timeline));
      if (mode === "publisher") element.style.display = "none";
    }
    this.#ownsLink = !options.link;
    this.#link = options.link ?? new Link(options);
    this.#setRoom(this.#description.drawers.reduce((sum, { height = 0 }) => sum + height, this.#options.statusBarHeight));
    this.#followAlone();
    this.#listen();
    const { everyState, grid = 1 / 16 } = options;
    const more = publish ? { predict: true, mode: everyState ? "every" : "latest" } : { grid: grid || undefined };
    if (mirrors) more.include = ["contentOffset"];
    this.#link.add(this.header, this.#listener, more);
  }

  get header() {
    return this.#options.header;
  }

  /** The content's place as the daemon counts it. */
  get offset() {
    const { scrollTop } = this.#scroller;
    return (scrollTop === this.#placed ? scrollTop + this.#fraction : scrollTop) - this.#room;
  }

  /** How much of the header's own moves is in `offset`. */
  get correction() {
    return this.#view.scrollViews[this.#options.scrollView]?.correction.y ?? 0;
  }

  /** Shows the content at a place, as another window does, without telling the daemon. */
  show(offset, correction) {
    const view = this.#view.scrollViews[this.#options.scrollView];
    if (!view) return;
    view.offset = { ...view.offset, y: offset + view.correction.y - correction };
    this.#put(view.offset.y + this.#room);
  }

  /** Draws a state of the past, with the content at a place, until it is called with null; events and states go on. */
  preview(state, offset = this.offset) {
    const wasShown = this.#preview;
    this.#preview = Boolean(state);
    if (state && !wasShown) this.#resting = this.offset;
    if (state) this.#drawPieces(state, null);
    else if (this.state && !this.#drawAhead()) this.#drawPieces(this.state, null);
    if (state || wasShown) this.#put((state ? offset : this.#resting) + this.#room);
  }

  /** An element is to be seen: the header makes room, or the content scrolls. */
  reveal(element, reason = "search") {
    this.#tell("didScroll", {});
    const { x, y, width, height } = element.getBoundingClientRect();
    const edge = this.#scroller === document.scrollingElement ? 0 : this.#scroller.getBoundingClientRect().y;
    const rect = { x, y: y - edge + this.offset, width, height };
    const asked = this.#link.request("header.reveal", { header: this.header, rect, reason });
    asked.then(({ scroll }) => this.#scroller.scrollBy(0, scroll), () => {});
  }

  /** What gets the focus is to be seen, in the content and in a drawer that has slid off. */
  #focused(target) {
    const isDrawn = [...this.#pieces()].some(([, element]) => element.contains(target));
    if (isDrawn && target.getBoundingClientRect().y < 0) {
      this.#link.request("header.move", { header: this.header, to: "expanded" }).catch(() => {});
    }
    if (!isDrawn && this.#content.contains(target)) this.reveal(target, "focus");
  }

  /** Ends it; the page keeps what is drawn. */
  detach() {
    this.#abort.abort();
    this.#gestures?.end();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    for (const drawn of this.#drawn.values()) drawn.end();
    if (this.#ownsLink) this.#link.close();
    else this.#link.remove(this.header, this.#listener);
  }

  // The header

  *#pieces() {
    yield* Object.entries(this.#options.drawers ?? {});
    for (const [name, element] of Object.entries(this.#options.elements ?? {})) yield [`element ${name}`, element];
  }

  /** What `header.open` is told; `open` of the options takes precedence, member by member. */
  #describe() {
    const { header, drawers = {}, statusBarHeight, scrollView, behavior = "ShyNavBar", open = {} } = this.#options;
    const rows = open.drawers ?? Object.entries(drawers).map(([name, element]) => ({ name, height: element.offsetHeight }));
    const inset = open.scrollViews?.[scrollView]?.contentInset?.top ?? statusBarHeight + (rows[0]?.height ?? 0);
    return {
      header,
      drawers: rows,
      delegates: [{ behavior }],
      ...(this.#isShared ? {} : { lifetime: "connection" }),
      ...open,
      environment: { statusBarHeight, ...(this.#isShared ? {} : { reduceMotion: this.#isReduced }), ...open.environment },
      scrollViews: { ...open.scrollViews, [scrollView]: { ...anySize, contentInset: { top: inset } } },
    };
  }

  /** The description with the place at which a new header begins; a shared one begins at its top. */
  #presentDescription() {
    const { scrollViews } = this.#description;
    if (this.#isShared) return this.#description;
    const view = { ...scrollViews[this.#options.scrollView], ...this.#sizes() };
    if (this.#scroller.scrollTop > 0) view.offset = { y: this.offset };
    return { ...this.#description, scrollViews: { ...scrollViews, [this.#options.scrollView]: view } };
  }

  get #isReduced() {
    return reducedMotion?.matches ?? false;
  }

  // Out of the page it has none.
  #sizes() {
    const { clientWidth: width, clientHeight: height, scrollHeight } = this.#scroller;
    return { viewport: { width, height }, contentSize: { width, height: Math.max(0, scrollHeight - this.#room) } };
  }

  async #connected() {
    if (!this.#options.publish) return;
    const { scrollTop } = this.#scroller;
    let opened;
    try {
      opened = await this.#link.request("header.open", this.#presentDescription());
    } catch (error) {
      if (!(error instanceof DaemonError) || error.name !== "headerExists") throw error;
      // Another program's may have other sizes. Any other difference makes it another header.
      const { digest, givenDigest } = error.data;
      const isSame = digest !== undefined && digest === givenDigest;
      if (!isSame && this.#options.ifExists !== "replace") throw error;
      opened = isSame
        ? (await this.#link.request("header.get", { header: this.header })).state
        : await this.#link.request("header.open", { ...this.#presentDescription(), ifExists: "replace" });
    }
    this.#begun = opened.created ? scrollTop : NaN;
    // Before an epoch's first state a page does not know what correction is in its offset.
    if (opened.epoch === this.#view.epoch) this.#beginPublishing();
  }

  #beginPublishing() {
    this.#isPublishing = true;
    this.#tellLayout();
    if (this.#isShared && this.#isReduced) this.#tell("layout", { reduceMotion: true });
    this.#tell("didScroll", {});
  }

  // Events

  #listen() {
    const listen = (target, name, call) => target?.addEventListener(name, call, { signal: this.#abort.signal });
    if (this.#options.publish) {
      const isOwn = () => this.#scroller.scrollTop === this.#placed;
      this.#gestures = new Gestures(this.#scroller, (...event) => {
        this.#touched = performance.now();
        this.#tell(...event);
      }, isOwn);
    }
    listen(this.#scroller === document.scrollingElement ? document : this.#scroller, "scroll", () => {
      this.#followAlone();
      this.#drawAhead();
    });
    listen(this.#scroller, "focusin", ({ target }) => this.#focused(target));
    listen(document, "visibilitychange", () => this.#tellVisibility());
    // A page that is left does not disappear: what comes in its place takes the header over as it is.
    listen(globalThis, "pagehide", () => (this.#isPublishing = false));
    listen(globalThis, "pageshow", ({ persisted }) => persisted && this.#view.epoch !== null && this.#beginPublishing());
    listen(reducedMotion, "change", ({ matches }) => this.#tell("layout", { reduceMotion: matches }));
    this.#observer = new ResizeObserver(() => {
      this.#tellLayout();
      this.#showAgain();
      this.#drawAhead();
    });
    this.#observer.observe(this.#scroller);
    this.#observer.observe(this.#content);
  }

  #tell(event, fields, milliseconds = performance.now()) {
    if (event === "didScroll") this.#preview = false;
    if (!this.#isPublishing) return;
    const view = this.#view.scrollViews[this.#options.scrollView];
    if (view) view.offset = { ...view.offset, y: this.offset };
    // A frame's scroll has the time at which the frame began.
    this.#time = Math.max(this.#time, milliseconds / 1000);
    // A drag begins where the content was: what has moved it comes with the first didScroll.
    const hasPlace = view && event !== "willBeginDragging";
    const place = hasPlace && { offset: { y: view.offset.y }, correction: { y: view.correction.y } };
    if (place && event === "didScroll") {
      this.#leads = true;
      this.#told = [...this.#told.slice(-30), place.offset.y - place.correction.y];
    }
    const told = { time: this.#time, scrollView: this.#options.scrollView, ...place, ...fields };
    this.#link.event(this.header, event, told);
    this.#options.onEvent?.({ event, ...told });
  }

  #tellLayout() {
    const sizes = this.#sizes();
    const text = JSON.stringify(sizes);
    if (!this.#isPublishing || !this.#options.tellsSize || text === this.#sizesTold) return;
    this.#sizesTold = text;
    this.#tell("layout", sizes);
  }

  #tellVisibility() {
    const [will, did] = document.hidden ? ["willDisappear", "didDisappear"] : ["willAppear", "didAppear"];
    this.#tell(will, {});
    this.#tell(did, {});
  }

  // States

  #receive(message) {
    if (message.type === "closed") return this.#lost();
    if (message.type !== "state") return;
    // What happened in a state that is not drawn belongs to the next one.
    const animations = [...(this.#pending?.animations ?? []), ...(message.state.animations ?? [])];
    this.#pending = { ...message.state, animations, snapshot: message.state.snapshot || !!this.#pending?.snapshot };
    this.#frame ||= requestAnimationFrame(() => this.#draw());
    // A hidden tab draws nothing, but its place has to be right when the connection is lost.
    if (document.hidden) this.#draw();
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const state = this.#pending;
    this.#pending = null;
    if (!state) return;
    const isFirst = state.epoch !== this.#view.epoch;
    const how = isFirst ? null : timing(state, reducedMotion?.matches);
    const before = this.offset;
    const view = this.#view.scrollViews[this.#options.scrollView];
    // What the person scrolled since the last state stays; what the header moved comes on top.
    if (view) view.offset = { ...view.offset, y: before };
    this.#view.apply(state);
    this.state = state;
    const origin = state.ahead?.offset - this.correction;
    this.#leads = this.#told.some((place) => Math.abs(place - origin) < 0.01);
    this.#place(before, how, isFirst);
    if (isFirst && this.#options.publish) this.#beginPublishing();
    // As in UIKit, what the header moves is a scroll, too, of the window that is scrolled.
    else if (performance.now() - this.#touched < 1000 && this.offset !== before) this.#tell("didScroll", {});
    const isAhead = !how && this.#drawAhead();
    if (!isAhead && !this.#preview) this.#drawPieces(state, how);
    if (!isAhead || this.#options.everyState) this.#options.onState?.(state);
  }

  /**
   * Draws what the last state says of where the content is by now: in the frame that shows the content there. The daemon does not send what
   * it has said. Gives whether there is such a state.
   */
  #drawAhead() {
    if (!this.#leads || !this.#isPublishing || this.#preview || !this.state?.ahead) return false;
    const state = this.#view.at(this.offset, this.#gestures.isHand);
    this.#drawPieces(state, null, this.#keyframes());
    if (!this.#options.everyState) {
      this.state = state;
      this.#options.onState?.(state);
    }
    return true;
  }

  /** How the header goes on, each state with its share of all the way that the content can be scrolled. */
  #keyframes() {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const [least, way] = [this.offset - scrollTop, scrollHeight - clientHeight];
    if (!this.#timeline || way <= 0) return [];
    const share = (offset) => Math.min(Math.max((offset - least) / way, 0), 1);
    return this.#view.keyframes(least, least + way, this.#gestures.isHand).map((state) => ({ ...state, share: share(state.offset) }));
  }

  #drawPieces(state, how, keyframes = []) {
    const { ownWidth = true } = this.#options;
    this.#stack(state.drawers);
    const ahead = (list, index) => keyframes.map(({ share, [list]: those }) => [share, those[index]]);
    state.drawers.forEach((drawer, index) => this.#drawn.get(drawer.name)?.drawer(drawer, ownWidth, how, ahead("drawers", index)));
    state.elements?.forEach((element, index) => this.#drawn.get(`element ${element.name}`)?.element(element, how, ahead("elements", index)));
  }

  /** Earlier drawers lie over later ones, as the page has them, unless the header says otherwise. */
  #stack(drawers) {
    const order = drawers.map(({ zIndex }) => zIndex).join();
    if (order === this.#order || (!this.#order && !drawers.some(({ zIndex }) => zIndex))) return;
    this.#order = order;
    const stacked = [...drawers].reverse().sort((one, other) => one.zIndex - other.zIndex);
    stacked.forEach(({ name }, rank) => this.#drawn.get(name)?.stack(rank + 1));
  }

  /** Brings the room and the content to where the state wants them. */
  #place(before, how, isFirst) {
    const view = this.#view.scrollViews[this.#options.scrollView];
    if (!view) return;
    // Who is at the top sees a new header's room; what was scrolled since stays.
    if (isFirst && this.#begun >= 0) {
      const { scrollTop } = this.#scroller;
      view.offset = { ...view.offset, y: scrollTop > 0 ? view.offset.y + scrollTop - this.#begun : -view.inset.top };
    }
    this.#setRoom(isFirst ? view.inset.top : Math.max(this.#room, view.inset.top));
    this.#scroller.style.scrollPaddingTop = `${view.inset.top}px`;
    const wanted = view.offset.y + this.#room;
    if (wanted !== this.offset + this.#room) this.#put(wanted);
    // The content is at its new place already: it is drawn from where it was.
    const moved = view.offset.y - before;
    if (how && Math.abs(moved) >= 0.5) {
      this.#content.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], how);
    }
  }

  /** A mirror's content has another size: its place may be within it now. */
  #showAgain() {
    const view = this.#view.scrollViews[this.#options.scrollView];
    if (this.#options.mirrors && view) this.#put(view.offset.y + this.#room);
  }

  /** Sets `scrollTop`; the scroll event that follows is not the person's. */
  #put(wanted) {
    this.#scroller.scrollTop = wanted;
    this.#placed = this.#scroller.scrollTop;
    this.#fraction = Math.abs(wanted - this.#placed) < 1 ? wanted - this.#placed : 0;
  }

  #setRoom(room) {
    if (room === this.#room) return;
    this.#room = room;
    this.#content.style.paddingTop = `${this.#ownPadding + room}px`;
  }

  // Without a connection

  #lost() {
    this.#isPublishing = false;
    this.#sizesTold = "";
    if (this.state) this.#drawPieces(this.state, null);
    this.#followAlone();
  }

  /** The header then goes with the content. */
  #followAlone() {
    if (this.#link.isConnected && this.state) return;
    let y = this.#options.statusBarHeight;
    for (const { name, height } of this.#description.drawers) {
      const frame = { x: 0, y: y - Math.max(0, this.#scroller.scrollTop), width: 0, height };
      this.#drawn.get(name)?.drawer({ frame, alpha: 1, hidden: frame.y + height < 0 }, true, null);
      y += height;
    }
  }
}
