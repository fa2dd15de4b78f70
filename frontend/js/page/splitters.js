/**
 * Splitters between panes, moved by dragging or by keys (arrows; Shift for larger steps; Home and End; Enter or a
 * double click for the default). A share is the per cent of the part before the splitter; it is stored.
 */

import { el } from "../core/dom.js";
import { keep, recall } from "../core/storage.js";

/** @import { Translate } from "../types.js" */
/**
 * @typedef {object} SplitterNeeds
 * @property {"columns" | "left" | "right"} name
 * @property {"vertical" | "horizontal"} orientation of the line itself: a vertical one moves left and right
 * @property {number} share at first, in per cent
 * @property {HTMLElement} area container that is split, and that gets the share as a custom property
 * @property {Translate} t
 * @property {() => void} moved called when a person moved it
 */

const MIN_SHARE = 15;
const MAX_SHARE = 85;
const STEP = 2;
const LARGE_STEP = 10;

/** @param {number} share */
export const withinLimits = (share) => Math.min(MAX_SHARE, Math.max(MIN_SHARE, share));

export class Splitter {
  /** @param {SplitterNeeds} needs */
  constructor({ name, orientation, share, area, t, moved }) {
    this.name = name;
    this.orientation = orientation;
    this.first = share;
    this.area = area;
    this.t = t;
    this.moved = moved;
    this.dom = el("div", {
      class: "splitter",
      role: "separator",
      tabindex: "0",
      "aria-orientation": orientation,
      "aria-valuemin": MIN_SHARE,
      "aria-valuemax": MAX_SHARE,
      on: {
        pointerdown: (/** @type {PointerEvent} */ event) => this.grab(event),
        pointermove: (/** @type {PointerEvent} */ event) => this.drag(event),
        pointerup: () => this.release(),
        pointercancel: () => this.release(),
        keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        dblclick: () => this.move(this.first),
      },
    });
    this.share = share;
    this.restore();
    this.label();
  }

  label() {
    this.dom.setAttribute("aria-label", this.t(`pane.splitter_${this.name}`));
  }

  /** Restore the stored share, else the default. */
  restore() {
    const remembered = Number.parseFloat(recall(`split.${this.name}`) ?? "");
    this.show(Number.isFinite(remembered) ? remembered : this.first);
  }

  /** @param {number} share */
  show(share) {
    this.share = withinLimits(share);
    this.dom.setAttribute("aria-valuenow", String(Math.round(this.share)));
    this.area.style.setProperty(`--split-${this.name}`, String(this.share));
  }

  /** @param {number} share */
  move(share) {
    this.show(share);
    this.moved();
  }

  keep() {
    keep(`split.${this.name}`, String(this.share));
  }

  /** @param {PointerEvent} event */
  grab(event) {
    if (event.button !== 0) return;
    // the pointer leaves the narrow splitter at once; frames of views would take its events
    this.dom.setPointerCapture(event.pointerId);
    this.mark(true);
  }

  /** Mark the splitter and the layout as dragged, which turns off transitions of the panes. @param {boolean} dragged */
  mark(dragged) {
    for (const node of [this.dom, this.dom.closest(".desk")]) node?.toggleAttribute("data-dragging", dragged);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (this.dom.dataset.dragging === undefined) return;
    const box = this.area.getBoundingClientRect();
    const along =
      this.orientation === "vertical"
        ? (event.clientX - box.left) / box.width
        : (event.clientY - box.top) / box.height;
    this.show(along * 100);
  }

  release() {
    if (this.dom.dataset.dragging === undefined) return;
    this.mark(false);
    this.move(this.share);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = event.shiftKey ? LARGE_STEP : STEP;
    const [less, more] =
      this.orientation === "vertical" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    /** @type {Record<string, number>} */
    const shares = {
      [less]: this.share - step,
      [more]: this.share + step,
      Home: MIN_SHARE,
      End: MAX_SHARE,
      Enter: this.first,
    };
    const share = shares[event.key];
    if (share === undefined) return;
    event.preventDefault();
    this.move(share);
  }
}
