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

/** One element of the page, drawn where a state wants it. */
export class Drawn {
  #element;
  #target = "";
  #size = "";
  #animation = null;

  constructor(element) {
    this.#element = element;
    Object.assign(element.style, { position: "absolute", left: "0", top: "0", willChange: "transform" });
  }

  /** Draws a drawer. `width` is null where the page decides about it. */
  drawer({ frame, alpha, hidden }, width, timing) {
    this.#draw(`translate3d(${width === null ? 0 : frame.x}px, ${frame.y}px, 0)`, alpha, hidden, timing);
    this.#resize(width === null ? "100%" : `${width}px`, `${frame.height}px`);
  }

  /** Which one of the drawers it is, from the lowest on. */
  stack(rank) {
    this.#element.style.zIndex = rank;
  }

  /** Draws an element of a drawer. */
  element({ center, bounds, transform, alpha = 1, hidden = false, zIndex = 0, cornerRadius = 0 }, timing) {
    const place = `translate3d(${center.x - bounds.width / 2}px, ${center.y - bounds.height / 2}px, 0)`;
    this.#draw(transform ? `${place} matrix3d(${transform.join()})` : place, alpha, hidden, timing);
    this.#resize(`${bounds.width}px`, `${bounds.height}px`);
    Object.assign(this.#element.style, { zIndex, borderRadius: `${cornerRadius}px` });
  }

  #draw(transform, opacity, hidden, timing) {
    const target = `${transform} ${opacity} ${hidden}`;
    // An animation goes on as long as it leads to the same end.
    if (target === this.#target) return;
    this.#target = target;
    const { style } = this.#element;
    const seen = timing && getComputedStyle(this.#element);
    const before = timing && { transform: seen.transform, opacity: seen.opacity };
    this.#animation?.cancel();
    this.#animation = null;
    const after = { transform, opacity: String(opacity) };
    Object.assign(style, after, { visibility: hidden && !timing ? "hidden" : "" });
    if (!timing) return;
    this.#animation = this.#element.animate([before, after], timing);
    this.#animation.onfinish = () => hidden && (style.visibility = "hidden");
  }

  #resize(width, height) {
    if (this.#size === `${width} ${height}`) return;
    this.#size = `${width} ${height}`;
    Object.assign(this.#element.style, { width, height, boxSizing: "border-box" });
  }
}
