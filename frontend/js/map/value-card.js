// @ts-check
/** A small card beside a painted room: its value, when and where it is from, and the line of code that painted it. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { centre } from "./geometry.js";

/** @import { Source, Translate, XY } from "../types.js" */
/** @import { Box, Size } from "./geometry.js" */
/** @import { Origin } from "./drawings.js" */
/** @typedef {{room: string, floor: string, value: string, title: string, time: string, origin: Origin}} ValueFacts words; empty where there are none */

/** CSS pixels between the room and the card. */
const AWAY = 10;
const EDGE = 8;

export class ValueCard {
  /** @param {Translate} t @param {{lead: (origin: Origin & {source: Source}) => void, closed: () => void}} hooks */
  constructor(t, { lead, closed }) {
    this.t = t;
    this.lead = lead;
    this.closed = closed;
    this.dom = el("div", { class: "map-card", role: "group", hidden: true, on: { keydown: (event) => this.key(event) } });
    this.made = "";
  }

  /** @param {ValueFacts | null} facts null: no card */
  show(facts) {
    const made = facts ? JSON.stringify([this.t.language, facts]) : "";
    this.dom.hidden = facts === null;
    if (made === this.made) return;
    this.made = made;
    this.dom.replaceChildren(...(facts ? this.parts(facts) : []));
    if (facts) this.dom.setAttribute("aria-label", facts.room);
  }

  /** @param {ValueFacts} facts */
  parts({ room, floor, value, title, time, origin }) {
    const { t } = this;
    const { source } = origin;
    const words = source && (source.line === undefined ? t("code.step", { step: source.step }) : t("code.line", { step: source.step, line: source.line }));
    return [
      el("div", { class: "map-card-head" }, el("b", {}, room), el("span", {}, floor),
        el("button", { type: "button", class: "map-card-close", "aria-label": t("code.close"), title: t("code.close"), on: { click: () => this.closed() } }, icon("close"))),
      value ? el("p", { class: "map-card-value" }, el("b", {}, value), el("span", {}, [title, time].filter(Boolean).join(" · "))) : null,
      source && words
        ? el("button", { type: "button", class: "map-card-code", on: { click: () => this.lead({ ...origin, source }) } },
            source.code ? el("code", {}, source.code.trim()) : null, el("span", {}, icon("debug"), words))
        : null,
    ].filter((part) => part !== null);
  }

  /**
   * Beside the room where there is space, else near the place that was clicked; always inside the pane.
   * @param {Box} room on the screen
   * @param {XY} at
   * @param {Size} size of the pane
   */
  place(room, at, size) {
    const { offsetWidth: wide, offsetHeight: high } = this.dom;
    const within = (/** @type {number} */ value, /** @type {number} */ most) => Math.min(Math.max(EDGE, value), Math.max(EDGE, most - EDGE));
    const { x, y } = centre(room);
    const [left, top] = [within(x - wide / 2, size.width - wide), within(y - high / 2, size.height - high)];
    const beside = [
      { left: room.left + room.width + AWAY, top },
      { left: room.left - AWAY - wide, top },
      { left, top: room.top + room.height + AWAY },
      { left, top: room.top - AWAY - high },
    ];
    const inside = beside.find((spot) => spot.left >= EDGE && spot.top >= EDGE && spot.left + wide + EDGE <= size.width && spot.top + high + EDGE <= size.height);
    const spot = inside ?? { left: within(at.x + AWAY, size.width - wide), top: within(at.y + AWAY, size.height - high) };
    this.dom.style.setProperty("transform", `translate(${Math.round(spot.left)}px, ${Math.round(spot.top)}px)`);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.closed();
  }
}
