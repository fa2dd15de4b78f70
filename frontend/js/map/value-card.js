// @ts-check
/** Card beside a coloured room: its value, its time and source, and the line of code that painted it. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { leastCovering } from "./card-place.js";

/** @import { Source, Translate, XY } from "../types.js" */
/** @import { Box, Size } from "./geometry.js" */
/** @import { Origin } from "../core/routes.js" */
/**
 * @typedef {{room: string, floor: string, value: string, title: string, time: string, origin: Origin}} ValueFacts
 *   words; empty where there are none
 */

export class ValueCard {
  /** @param {Translate} t @param {{lead: (origin: Origin & {source: Source}) => void, closed: () => void}} hooks */
  constructor(t, { lead, closed }) {
    this.t = t;
    this.lead = lead;
    this.closed = closed;
    this.dom = el("div", {
      class: "map-card",
      role: "group",
      hidden: true,
      on: { keydown: (event) => this.key(event) },
    });
    this.drawnFor = "";
    /**
     * Place of the card, relative to its room's corner.
     *
     * @type {{ name: string | null, room: Box, left: number, top: number, pane: Size } | null}
     */
    this.placed = null;
  }

  /** Show the card. @param {ValueFacts | null} facts null: no card */
  show(facts) {
    const key = facts ? JSON.stringify([this.t.language, facts]) : "";
    this.dom.hidden = facts === null;
    if (facts === null) this.placed = null;
    if (key === this.drawnFor) return;
    this.drawnFor = key;
    this.dom.replaceChildren(...(facts ? this.parts(facts) : []));
    if (facts) this.dom.setAttribute("aria-label", facts.room);
  }

  /** @param {ValueFacts} facts */
  parts({ room, floor, value, title, time, origin }) {
    const { t } = this;
    const { source } = origin;
    const text =
      source &&
      (source.line === undefined
        ? t("code.step", { step: source.step })
        : t("code.line", { step: source.step, line: source.line }));
    return [
      el(
        "div",
        { class: "map-card-head" },
        el("b", {}, room),
        el("span", {}, floor),
        el(
          "button",
          {
            type: "button",
            class: "map-card-close",
            "aria-label": t("shared.close"),
            title: t("shared.close"),
            on: { click: () => this.closed() },
          },
          icon("close"),
        ),
      ),
      value
        ? el(
            "p",
            { class: "map-card-value" },
            el("b", {}, value),
            el("span", {}, [title, time].filter(Boolean).join(" · ")),
          )
        : null,
      source && text
        ? el(
            "button",
            { type: "button", class: "map-card-code", on: { click: () => this.lead({ ...origin, source }) } },
            source.code ? el("code", {}, source.code.trim()) : null,
            el("span", {}, icon("debug"), text),
          )
        : null,
    ].filter((part) => part !== null);
  }

  /**
   * Place the card where it covers the least (card-place.js).
   *
   * @param {Box} room on the screen
   * @param {XY} at the clicked place
   * @param {Size} size of the pane
   * @param {{ rooms: Box[], overlays: Box[] }} others visible rooms, and overlays of the pane
   */
  place(room, at, size, { rooms, overlays }) {
    const { offsetWidth: width, offsetHeight: height } = this.dom;
    const spot =
      this.follows(room, size, width, height) ??
      leastCovering({ width, height }, room, at, size, { rooms, overlays });
    this.placed = {
      name: this.dom.ariaLabel,
      room,
      left: spot.left - room.left,
      top: spot.top - room.top,
      pane: size,
    };
    this.dom.style.setProperty(
      "transform",
      `translate(${Math.round(spot.left)}px, ${Math.round(spot.top)}px)`,
    );
  }

  /**
   * Return the place next to its room while the plan is only panned, so that the card does not jump; null if it has to
   * be placed again.
   *
   * @param {Box} room
   * @param {Size} size
   * @param {number} width
   * @param {number} height
   */
  follows(room, size, width, height) {
    const before = this.placed;
    if (
      !before ||
      before.name !== this.dom.ariaLabel ||
      Math.abs(before.room.width - room.width) > 0.5 ||
      before.pane !== size
    )
      return null;
    const [left, top] = [room.left + before.left, room.top + before.top];
    return left >= 0 && top >= 0 && left + width <= size.width && top + height <= size.height
      ? { left, top }
      : null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.closed();
  }
}
