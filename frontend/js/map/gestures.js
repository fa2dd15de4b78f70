// @ts-check
/**
 * Gestures on the map: wheel, drag, pinch, click, double click, long press and keys become a few callbacks. It knows
 * nothing about rooms and floors.
 */

/** @import { XY } from "../types.js" */

/**
 * @typedef {object} Wishes
 * @property {(by: XY) => void} pan
 * @property {(factor: number, at: XY | null) => void} zoom `at` null: about the middle
 * @property {() => void} fit
 * @property {(at: XY | null) => void} hover null: the pointer left
 * @property {(at: XY, adds: boolean) => void} click `adds`: with Shift
 * @property {(at: XY | null) => void} menu right button or long press; null: a key
 * @property {(step: 1 | -1) => void} floor 1: one higher, -1: one lower
 */

const KEY_PAN = 60;
const KEY_ZOOM = 1.3;
/** CSS pixels that a pointer may move during a click, and milliseconds after which a touch is a long press. */
const SLACK = 4;
const LONG_PRESS = 500;

/**
 * Listen to gestures.
 *
 * @param {HTMLElement} stage element with pointer and keys
 * @param {Wishes} actions
 * @returns {() => void} removes the listeners
 */
export function listenToGestures(stage, actions) {
  const ending = new AbortController();
  const { signal } = ending;
  /** @type {Map<number, XY>} */
  const down = new Map();
  let travelled = 0;
  let pressing = 0;
  const at = (/** @type {MouseEvent} */ event) => {
    const { left, top } = stage.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };

  stage.addEventListener(
    "wheel",
    (event) => {
      // not passive: without preventDefault the page would scroll, or zoom with a pinch on a touchpad
      event.preventDefault();
      // deltaMode 1 counts lines, 2 pages
      const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1);
      // A pinch on a touchpad arrives as a wheel event with ctrlKey, in much smaller amounts.
      actions.zoom(
        Math.exp(-Math.max(-240, Math.min(240, pixels)) * (event.ctrlKey ? 0.01 : 0.0016)),
        at(event),
      );
    },
    { signal, passive: false },
  );

  stage.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      // a drag goes on outside the pane, and its end is not missed there
      stage.setPointerCapture(event.pointerId);
      if (down.size === 0) travelled = 0;
      const place = at(event);
      down.set(event.pointerId, place);
      window.clearTimeout(pressing);
      if (event.pointerType === "touch" && down.size === 1)
        pressing = window.setTimeout(() => {
          if (travelled > SLACK) return;
          down.clear(); // its end is no click, and it pans no more
          actions.menu(place);
        }, LONG_PRESS);
    },
    { signal },
  );

  stage.addEventListener(
    "contextmenu",
    (event) => {
      event.preventDefault();
      // a touch has its own timer: not every browser fires this event after a long press
      if (event instanceof PointerEvent && event.pointerType === "touch") return;
      actions.menu(event.button === 2 || event.ctrlKey ? at(event) : null);
    },
    { signal },
  );

  stage.addEventListener(
    "pointermove",
    (event) => {
      const now = at(event);
      const before = down.get(event.pointerId);
      if (!before) return actions.hover(event.pointerType === "touch" ? null : now);
      travelled += Math.hypot(now.x - before.x, now.y - before.y);
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      down.set(event.pointerId, now);
      if (other) pinch(before, now, other);
      else if (travelled > SLACK) actions.pan({ x: now.x - before.x, y: now.y - before.y });
      if (travelled > SLACK) stage.toggleAttribute("data-dragging", true);
      return undefined;
    },
    { signal },
  );

  /** Move the plan with both fingers of a pinch: one moves, the other rests. */
  const pinch = (/** @type {XY} */ before, /** @type {XY} */ now, /** @type {XY} */ other) => {
    travelled += SLACK + 1;
    const wide = Math.hypot(before.x - other.x, before.y - other.y);
    const factor = wide > 0 ? Math.hypot(now.x - other.x, now.y - other.y) / wide : 1;
    actions.pan({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
    actions.zoom(factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  };

  const release = (/** @type {PointerEvent} */ event) => {
    if (!down.delete(event.pointerId)) return;
    window.clearTimeout(pressing);
    stage.removeAttribute("data-dragging");
    if (event.type === "pointerup" && down.size === 0 && travelled <= SLACK)
      actions.click(at(event), event.shiftKey);
  };
  stage.addEventListener("pointerup", release, { signal });
  stage.addEventListener("pointercancel", release, { signal });
  stage.addEventListener("pointerleave", () => actions.hover(null), { signal });
  stage.addEventListener("dblclick", () => actions.fit(), { signal });

  stage.addEventListener(
    "keydown",
    (event) => {
      if (event.target !== stage || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = KEYS[event.key];
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act(actions);
    },
    { signal },
  );
  return () => {
    window.clearTimeout(pressing);
    ending.abort();
  };
}

/** @type {Record<string, (actions: Wishes) => void>} */
const KEYS = {
  ArrowLeft: ({ pan }) => pan({ x: KEY_PAN, y: 0 }),
  ArrowRight: ({ pan }) => pan({ x: -KEY_PAN, y: 0 }),
  ArrowUp: ({ pan }) => pan({ x: 0, y: KEY_PAN }),
  ArrowDown: ({ pan }) => pan({ x: 0, y: -KEY_PAN }),
  "+": ({ zoom }) => zoom(KEY_ZOOM, null),
  "=": ({ zoom }) => zoom(KEY_ZOOM, null),
  "-": ({ zoom }) => zoom(1 / KEY_ZOOM, null),
  _: ({ zoom }) => zoom(1 / KEY_ZOOM, null),
  0: ({ fit }) => fit(),
  Enter: ({ menu }) => menu(null),
  PageUp: ({ floor }) => floor(1),
  PageDown: ({ floor }) => floor(-1),
};
