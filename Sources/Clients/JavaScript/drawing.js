// SPDX-License-Identifier: MIT
//
// States on the screen: drawers and elements as transforms, announced animations by the Web Animations API.

/** An easing of CSS for a curve of the protocol. */
export function easing(animation) {
  const { curve } = animation;
  return curve === "spring" ? spring(animation) : curve.replace(/[IO]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A damped spring from 0 to 1, sampled. */
function spring({ mass = 1, stiffness = 100, damping = 10, initialVelocity = 0, duration }) {
  const frequency = Math.sqrt(stiffness / mass);
  const ratio = damping / (2 * Math.sqrt(stiffness * mass));
  const samples = Array.from({ length: 33 }, (_, index) => {
    const time = (index / 32) * duration;
    const decay = Math.exp(-ratio * frequency * time);
    if (index === 32) return 1;
    if (ratio < 1) {
      const damped = frequency * Math.sqrt(1 - ratio * ratio);
      const factor = (ratio * frequency - initialVelocity) / damped;
      return 1 - decay * (Math.cos(damped * time) + factor * Math.sin(damped * time));
    }
    return 1 - decay * (1 + (frequency - initialVelocity) * time);
  });
  return `linear(${samples.map((value) => +value.toFixed(4)).join()})`;
}

/** The first animation that a state announces, in terms of the Web Animations API; null if it has none. */
export function timing(state, isReduced) {
  const [animation] = state.animations ?? [];
  if (!animation || isReduced || !(animation.duration > 0)) return null;
  return {
    duration: animation.duration * 1000,
    delay: (animation.delay ?? 0) * 1000,
    easing: easing(animation),
    fill: "backwards",
  };
}

/** By which the browser's compositor moves elements with a scroller, also while no script can run; undefined where it cannot. */
export function scrollTimeline(source) {
  return globalThis.ScrollTimeline && new ScrollTimeline({ source });
}

/** What is drawn of a drawer. The page decides about its width, unless it has no `ownWidth`. */
function drawerBox({ frame, alpha, hidden }, ownWidth) {
  return { ...frame, ...(ownWidth && { x: 0, width: null }), alpha, hidden };
}

function elementBox({ center, bounds: { width, height }, transform, alpha = 1, hidden = false }) {
  return { x: center.x - width / 2, y: center.y - height / 2, width, height, transform, alpha, hidden };
}

/** The transform that puts an element of a size where a box is: a compositor can stretch it, and not lay it out anew. */
function transformTo({ x, y, width, height, transform }, size) {
  const place = `translate3d(${x + (width - size.width) / 2}px, ${y + (height - size.height) / 2}px, 0)`;
  const ratio = (one, other) => (other > 0 ? one / other : 1);
  const stretch = ` scale(${ratio(width, size.width)}, ${ratio(height, size.height)})`;
  return `${place}${transform ? ` matrix3d(${transform.join()})` : ""}${stretch}`;
}

/** One element of the page, drawn where a state wants it. */
export class Drawn {
  #element;
  /** What the compositor does, and what it is to do. */
  #follower;
  #looks = [];
  #keyframes = "[]";
  #isHidden = false;
  #target = "";
  #size = "";
  #animation = null;

  constructor(element, timeline) {
    this.#element = element;
    this.#follower = timeline && element.animate([], { timeline, fill: "both" });
    Object.assign(element.style, { position: "absolute", left: "0", top: "0", willChange: "transform" });
  }

  /** Draws a drawer; `ahead` has what it is at shares of the scroller's way. */
  drawer(drawer, ownWidth, timing, ahead = []) {
    const box = drawerBox(drawer, ownWidth);
    this.#draw(box, timing, ahead.map(([share, one]) => [share, drawerBox(one, ownWidth)]));
    this.#resize(ownWidth ? "100%" : `${box.width}px`, `${box.height}px`);
  }

  /** Which one of the drawers it is, from the lowest on. */
  stack(rank) {
    this.#element.style.zIndex = rank;
  }

  /** Draws an element of a drawer. */
  element(element, timing, ahead) {
    const { bounds, zIndex = 0, cornerRadius = 0 } = element;
    this.#draw(elementBox(element), timing, ahead.map(([share, one]) => [share, elementBox(one)]));
    this.#resize(`${bounds.width}px`, `${bounds.height}px`);
    Object.assign(this.#element.style, { zIndex, borderRadius: `${cornerRadius}px` });
  }

  /** Ends what the compositor does. */
  end() {
    this.#follower?.cancel();
  }

  #draw(box, timing, ahead) {
    // A compositor has no `visibility`.
    this.#looks = ahead.map(([offset, one]) => ({ offset, transform: transformTo(one, box), opacity: one.hidden ? 0 : one.alpha }));
    this.#isHidden = box.hidden && !this.#looks.some(({ opacity }) => opacity > 0);
    this.#change(transformTo(box, box), box.alpha, box.hidden, timing);
    this.#follow();
  }

  /** A compositor does not move what has two animations: an announced one comes first. */
  #follow() {
    const looks = this.#animation ? [] : this.#looks;
    const keyframes = JSON.stringify(looks);
    if (keyframes !== this.#keyframes) this.#follower.effect.setKeyframes(looks);
    this.#keyframes = keyframes;
    this.#element.style.visibility = this.#isHidden && !this.#animation ? "hidden" : "";
  }

  #endAnimation() {
    if (!this.#animation) return;
    this.#animation.cancel();
    // One that has finished still counts as one that the element has.
    this.#animation.effect = null;
    this.#animation = null;
  }

  #change(transform, opacity, hidden, timing) {
    const target = `${transform} ${opacity} ${hidden}`;
    // An animation goes on as long as it leads to the same end.
    if (target === this.#target) return;
    this.#target = target;
    const { style } = this.#element;
    const seen = timing && getComputedStyle(this.#element);
    const before = timing && { transform: seen.transform, opacity: seen.opacity };
    this.#endAnimation();
    const after = { transform, opacity: String(opacity) };
    Object.assign(style, after);
    if (!timing) return;
    const animation = (this.#animation = this.#element.animate([before, after], timing));
    animation.onfinish = () => {
      if (this.#animation !== animation) return;
      this.#endAnimation();
      this.#follow();
    };
  }

  #resize(width, height) {
    if (this.#size === `${width} ${height}`) return;
    this.#size = `${width} ${height}`;
    Object.assign(this.#element.style, { width, height, boxSizing: "border-box" });
  }
}
