// @ts-check
/** Scale bar: a round number of metres, if the floor defines the length of its unit. */

import { el } from "../core/dom.js";
import { toPlan } from "./geometry.js";

/** @import { Floor } from "../types.js" */

/** Maximum length of the bar in CSS pixels. */
const MAX_WIDTH = 96;

/**
 * Return the scale.
 *
 * @param {Floor | null} floor
 * @param {number} scale CSS pixels per plan pixel
 * @returns {{metres: number, width: number} | null} null if the length of a metre is unknown
 */
export function scaleOf(floor, scale) {
  if (!floor?.metresPerUnit) return null;
  const perUnit = Math.abs(toPlan(floor, { x: 1, y: 0 }).x - toPlan(floor, { x: 0, y: 0 }).x) * scale;
  const perMetre = perUnit / floor.metresPerUnit;
  if (!(perMetre > 0) || !Number.isFinite(perMetre)) return null;
  const most = MAX_WIDTH / perMetre;
  const ten = 10 ** Math.floor(Math.log10(most));
  const metres = ten * (most / ten >= 5 ? 5 : most / ten >= 2 ? 2 : 1);
  return { metres, width: metres * perMetre };
}

export class ScaleBar {
  constructor() {
    this.label = el("span");
    this.dom = el("div", { class: "map-scale", hidden: true, "aria-hidden": "true" }, this.label);
  }

  /**
   * Show the scale.
   *
   * @param {Floor | null} floor
   * @param {number} scale
   * @param {(value: number) => string} number formats a number in the current language
   */
  show(floor, scale, number) {
    const bar = scaleOf(floor, scale);
    this.dom.hidden = !bar;
    if (!bar) return;
    const { metres, width } = bar;
    const text =
      metres >= 1000
        ? `${number(metres / 1000)} km`
        : metres >= 1
          ? `${number(metres)} m`
          : `${number(Math.round(metres * 100))} cm`;
    if (this.label.textContent !== text) this.label.textContent = text;
    this.dom.style.setProperty("width", `${width.toFixed(1)}px`);
  }
}
