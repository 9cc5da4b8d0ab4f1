// SPDX-License-Identifier: MIT
//
// A mouse that moves the content as a finger does. The scroller gets the touches that a finger would make, so its header is told of a
// drag and a fling; browsers scroll for fingers by themselves, for a mouse this does it, as far as UIKit's momentum goes.

/** How far the content goes on, in points, for each point a millisecond. */
const momentum = 499;

/** Has the mouse move a scroller; what is returned gets each event that its header is told, which decide whether it is a fling. */
export function dragByMouse(scroller) {
  // Where there are no touches, there is nothing that a header would be told.
  if (!globalThis.TouchEvent) return () => {};
  let last = null;
  let isReleased = false;
  let speed = 0;

  const tell = (name, { clientX, clientY }) => {
    const finger = new Touch({ identifier: 0, target: scroller, clientX, clientY });
    scroller.dispatchEvent(new TouchEvent(name, { touches: name === "touchstart" ? [finger] : [], changedTouches: [finger] }));
  };
  scroller.addEventListener("pointerdown", (event) => {
    const isOnBar = event.clientX > scroller.getBoundingClientRect().left + scroller.clientWidth;
    if (event.pointerType !== "mouse" || event.button !== 0 || isOnBar) return;
    scroller.scrollTo({ top: scroller.scrollTop, behavior: "instant" });
    scroller.setPointerCapture(event.pointerId);
    last = event;
    tell("touchstart", event);
  });
  scroller.addEventListener("pointermove", (event) => {
    if (!last) return;
    scroller.scrollTop += last.clientY - event.clientY;
    last = event;
  });
  for (const name of ["pointerup", "pointercancel"]) {
    scroller.addEventListener(name, (event) => {
      if (!last) return;
      last = null;
      // Behind the scroll event of the last move, as for a finger.
      requestAnimationFrame(() => {
        isReleased = true;
        tell("touchend", event);
        isReleased = false;
      });
    });
  }
  return ({ event, velocity, willDecelerate }) => {
    if (event === "willEndDragging") speed = velocity.y;
    if (isReleased && willDecelerate) scroller.scrollBy({ top: momentum * speed, behavior: "smooth" });
  };
}
