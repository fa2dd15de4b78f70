/**
 * Time left to answer, "4:12 left", updated each second. A screen reader reads the time of day once; the seconds are
 * not announced.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { Translate } from "../types.js" */

const URGENT_SECONDS = 30;
const DAY_SECONDS = 86_400;

/** Format seconds. @param {number} seconds an integer @returns {string} 4:12, or 1:04:12 */
export function clock(seconds) {
  const pad = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const [hours, minutes, remainder] = [
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    seconds % 60,
  ];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(remainder)}` : `${minutes}:${pad(remainder)}`;
}

export class Countdown {
  /** @param {string} until ISO 8601 @param {Translate} t */
  constructor(until, t) {
    this.t = t;
    this.until = Date.parse(until);
    this.timer = 0;
    this.text = el("span", { class: "ask-left", "aria-hidden": "true" });
    const when = t("ask.until", { time: t.time(until) });
    this.dom = el(
      "span",
      { class: "ask-until", title: when },
      icon("clock"),
      this.text,
      el("span", { class: "visually-hidden" }, when),
    );
    this.tick(true);
  }

  /** Update the text. @param {boolean} first the card is not in the page yet */
  tick(first = false) {
    if (!first && !this.dom.isConnected) return; // the card was redrawn and has a new countdown
    const remaining = this.until - Date.now();
    const seconds = Math.max(0, Math.ceil(remaining / 1000));
    this.text.textContent = seconds === 0 ? this.t("ask.up") : this.format(seconds);
    this.dom.toggleAttribute("data-soon", seconds < URGENT_SECONDS);
    if (seconds > 0) this.timer = window.setTimeout(() => this.tick(), remaining % 1000 || 1000);
  }

  /** @param {number} seconds */
  format(seconds) {
    if (seconds >= 2 * DAY_SECONDS)
      return this.t("ask.days", { n: this.t.number(Math.floor(seconds / DAY_SECONDS)) });
    return this.t("ask.left", { time: clock(seconds) });
  }

  stop() {
    window.clearTimeout(this.timer);
    this.dom.remove();
  }
}
