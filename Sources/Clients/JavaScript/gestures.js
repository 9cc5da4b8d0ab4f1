// SPDX-License-Identifier: MIT
//
// What a person does to a scroller in a browser, as the events that UIKit has for it (README.md has the table). Browsers say that
// something scrolled and not why, so what came before tells: a finger, a wheel, or neither.
//
//     idle ──scroll while a finger is down──▶ dragging ──last finger up──▶ decelerating ──rest──▶ idle
//      ├──scroll after a wheel──▶ wheeling ──rest──▶ idle
//      ╰──scroll by anything else──▶ moving ──rest──▶ idle

/** Milliseconds without a scroll, and a frame, after which one is over: a wheel's, and any where the browser has no `scrollend`. */
const rest = 150;
/** Milliseconds after a wheel event in which a scroll is the wheel's. */
const wheelTime = 200;
/** Milliseconds over which velocity is measured. */
const span = 80;
/** Points a millisecond from which on content goes on by itself after the finger. */
const flingVelocity = 0.1;

export class Gestures {
  #scroller;
  #tell;
  #isOwn;
  #state = "idle";
  #fingers = 0;
  #lastWheel = -Infinity;
  #timer;
  /** The last places, `[milliseconds, y]`. */
  #places = [];
  #abort = new AbortController();

  /** `tell(event, fields, milliseconds)` gets each event; `isOwn()` says whether a scroll is nobody's but the header's. */
  constructor(scroller, tell, isOwn) {
    this.#scroller = scroller;
    this.#tell = tell;
    this.#isOwn = isOwn;
    const listen = (name, call) => {
      // The document's scroll events are sent to the document.
      const target = name.startsWith("scroll") && scroller === document.scrollingElement ? document : scroller;
      target.addEventListener(name, call, { passive: true, signal: this.#abort.signal });
    };
    listen("touchstart", ({ touches }) => this.#touch(touches.length));
    for (const name of ["touchend", "touchcancel"]) {
      listen(name, ({ touches, timeStamp }) => this.#lift(touches.length, timeStamp));
    }
    listen("wheel", ({ timeStamp }) => (this.#lastWheel = timeStamp));
    listen("scroll", ({ timeStamp }) => this.#scrolled(timeStamp));
    listen("scrollend", ({ timeStamp }) => this.#fingers === 0 && this.#state !== "wheeling" && this.#ended(timeStamp));
  }

  /** What scrolls, or scrolls next, is a hand. */
  get isHand() {
    return this.#state !== "moving";
  }

  end() {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  #touch(fingers) {
    this.#fingers = fingers;
    // A finger stops what was going on by itself.
    if (fingers === 1) this.#ended(performance.now());
  }

  #scrolled(time) {
    if (this.#isOwn()) return;
    const isHand = this.#isHand(time);
    // A hand ends what was going on by itself.
    if (isHand && (this.#state === "moving" || this.#state === "decelerating")) this.#ended(time);
    // And the last one: frames may be slower.
    this.#places = this.#places.filter(([when], index, all) => when > time - span || !all[index + 1]);
    this.#places.push([time, this.#scroller.scrollTop]);
    if (this.#state === "idle") {
      this.#state = this.#fingers > 0 ? "dragging" : isHand ? "wheeling" : "moving";
      if (isHand) this.#tell("willBeginDragging", {}, time);
    }
    this.#tell("didScroll", {}, time);
    if (this.#fingers === 0) this.#awaitRest();
  }

  #isHand(time) {
    return this.#fingers > 0 || time - this.#lastWheel < wheelTime;
  }

  #awaitRest() {
    clearTimeout(this.#timer);
    // Slow frames: a scroll may not have been told yet.
    const timer = (this.#timer = setTimeout(() => requestAnimationFrame((time) => timer === this.#timer && this.#ended(time)), rest));
  }

  #lift(fingers, time) {
    this.#fingers = fingers;
    if (fingers > 0 || this.#state !== "dragging") return;
    const velocity = this.#velocity(time);
    const willDecelerate = Math.abs(velocity) >= flingVelocity;
    this.#endDrag(velocity, willDecelerate, time);
    this.#state = "idle";
    if (!willDecelerate) return;
    this.#tell("willBeginDecelerating", {}, time);
    this.#state = "decelerating";
    this.#awaitRest();
  }

  #endDrag(y, willDecelerate, time) {
    this.#tell("willEndDragging", { velocity: { x: 0, y } }, time);
    this.#tell("didEndDragging", { willDecelerate }, time);
  }

  #velocity(time) {
    const [[from, start], [to, end]] = [this.#places[0], this.#places.at(-1)];
    return to > from && to > time - span ? (end - start) / (to - from) : 0;
  }

  #ended(time) {
    clearTimeout(this.#timer);
    const state = this.#state;
    this.#state = "idle";
    this.#places = [];
    if (state === "decelerating") this.#tell("didEndDecelerating", {}, time);
    if (state === "moving") this.#tell("didEndScrollingAnimation", {}, time);
    if (state === "wheeling") this.#endDrag(0, false, time);
  }
}
