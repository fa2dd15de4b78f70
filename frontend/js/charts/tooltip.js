/** Tooltip with the values of the mark under the pointer. Text only: markup in a spec is not interpreted. */

import { el } from "../core/dom.js";

const GAP = 12;
const MAX_PAIRS = 20;
const LONGEST = 200;

export class Tooltip {
  /** @param {HTMLElement} place element next to the chart; the tooltip itself is a popover above everything */
  constructor(place) {
    this.dom = el("dl", { class: "chart-tip", popover: "manual", "aria-hidden": "true" });
    place.after(this.dom);
    /** Handler that vega-embed calls with the view, the event, the mark and its value. */
    this.handle = (
      /** @type {unknown} */ _view,
      /** @type {MouseEvent} */ event,
      /** @type {unknown} */ _item,
      /** @type {unknown} */ value,
    ) => this.show(event, value);
  }

  /** @param {MouseEvent} event @param {unknown} value */
  show(event, value) {
    const empty = value === null || value === undefined || value === "";
    if (empty || !this.dom.isConnected) return this.hide();
    /** @type {[string, unknown][]} */
    const pairs = typeof value === "object" ? Object.entries(/** @type {object} */ (value)) : [["", value]];
    this.dom.replaceChildren(
      ...pairs
        .slice(0, MAX_PAIRS)
        .flatMap(([name, cell]) => [el("dt", {}, name), el("dd", {}, valueText(cell))]),
    );
    if (!this.dom.matches(":popover-open")) this.dom.showPopover();
    const { offsetWidth, offsetHeight } = this.dom;
    const { clientWidth, clientHeight } = document.documentElement;
    const x =
      event.clientX + GAP + offsetWidth > clientWidth
        ? event.clientX - GAP - offsetWidth
        : event.clientX + GAP;
    const y = Math.min(event.clientY + GAP, clientHeight - offsetHeight - 4);
    this.dom.style.setProperty("transform", `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`);
  }

  hide() {
    if (this.dom.matches(":popover-open")) this.dom.hidePopover();
  }

  destroy() {
    this.dom.remove();
  }
}

/** @param {unknown} value */
function valueText(value) {
  const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
