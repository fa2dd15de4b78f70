// @ts-check
/**
 * Lasso around rooms: with Alt held, or while the lasso button is pressed. It takes the pointer before the other
 * gestures and reports the loop; a short press is a click that adds a room.
 */

/** @import { XY } from "../types.js" */

const SVG = "http://www.w3.org/2000/svg";
/** CSS pixels between two points of the loop. */
const STRIDE = 4;
/** Size in CSS pixels below which a loop is a click. */
const SLACK = 6;

export class MapLasso {
  /**
   * @param {HTMLElement} stage
   * @param {{onLoop: (loop: XY[], adds: boolean) => void, clicked: (at: XY) => void}} hooks
   */
  constructor(stage, { onLoop, clicked }) {
    this.stage = stage;
    this.onLoop = onLoop;
    this.clicked = clicked;
    /** Whether a drag without Alt is a lasso, too. */
    this.active = false;
    /** @type {{id: number, loop: XY[], adds: boolean} | null} */
    this.drag = null;
    this.dom = document.createElementNS(SVG, "svg");
    this.dom.setAttribute("class", "map-lasso");
    this.dom.setAttribute("aria-hidden", "true");
    this.shape = this.dom.appendChild(document.createElementNS(SVG, "polygon"));
    this.ending = new AbortController();
    const options = { signal: this.ending.signal, capture: true };
    stage.addEventListener("pointerdown", (event) => this.begin(event), options);
    stage.addEventListener("pointermove", (event) => this.draw(event), options);
    stage.addEventListener("pointerup", (event) => this.end(event, true), options);
    stage.addEventListener("pointercancel", (event) => this.end(event, false), options);
  }

  /** @param {boolean} active */
  set(active) {
    this.active = active;
    this.stage.toggleAttribute("data-lasso", active);
  }

  /** @param {PointerEvent} event */
  begin(event) {
    if (this.drag || event.button !== 0 || !(this.active || event.altKey)) return;
    event.stopPropagation();
    event.preventDefault();
    this.stage.setPointerCapture(event.pointerId);
    this.drag = { id: event.pointerId, loop: [this.placeOf(event)], adds: event.shiftKey };
  }

  /** @param {PointerEvent} event */
  draw(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    event.stopPropagation();
    const at = this.placeOf(event);
    const last = drag.loop.at(-1) ?? at;
    if (Math.hypot(at.x - last.x, at.y - last.y) < STRIDE) return;
    drag.loop.push(at);
    this.shape.setAttribute(
      "points",
      drag.loop.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "),
    );
  }

  /** @param {PointerEvent} event @param {boolean} counts */
  end(event, counts) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    event.stopPropagation();
    this.drag = null;
    this.shape.removeAttribute("points");
    const [first = { x: 0, y: 0 }] = drag.loop;
    if (!counts) return;
    if (drag.loop.every(({ x, y }) => Math.hypot(x - first.x, y - first.y) < SLACK)) this.clicked(first);
    else this.onLoop(drag.loop, drag.adds);
  }

  /** @param {PointerEvent} event @returns {XY} in the pane */
  placeOf(event) {
    const { left, top } = this.stage.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  destroy() {
    this.ending.abort();
  }
}
