/**
 * Time since a step started, counted by the page. Screen readers can read it, but nothing announces it: a timer is not
 * live. It is as wide with two digits as with one, so the text beside it stays in place.
 */

import { el } from "../core/dom.js";

/** @import { Translate, Turn } from "../types.js" */

const SECOND = 1000;

export class Elapsed {
  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.dom = el("span", { class: "elapsed", role: "timer", hidden: true });
    /** Start in milliseconds; null while nothing is counted. @type {number | null} */
    this.since = null;
    this.timer = 0;
  }

  /** Count for the step that the turn works on, if any. @param {Turn} turn */
  update(turn) {
    const since = startOf(turn);
    if (since === this.since) return;
    this.since = since;
    this.dom.hidden = since === null;
    window.clearInterval(this.timer);
    if (since === null) return;
    this.tick();
    this.timer = window.setInterval(() => {
      // Within a frame, like all that the page writes.
      if (this.dom.isConnected) requestAnimationFrame(() => this.tick());
      else window.clearInterval(this.timer);
    }, SECOND);
  }

  tick() {
    const text = formatElapsed((Date.now() - (this.since ?? 0)) / SECOND, this.t);
    if (this.dom.textContent !== text) this.dom.textContent = text;
  }
}

/**
 * Return when the step under way started, later by the time for which it waited for a person; null if none works.
 *
 * @param {Turn} turn
 */
export function startOf({ state, step, blocks, program }) {
  if (program || step === null || (state !== "running" && state !== "stopping")) return null;
  const block = blocks.findLast((candidate) => candidate.kind === "step" && candidate.step === step);
  if (block?.kind !== "step" || !block.started || block.duration !== undefined) return null;
  return Date.parse(block.started) + (block.waited ?? 0) * SECOND;
}

/** @param {number} seconds @param {Translate} t */
export function formatElapsed(seconds, t) {
  const n = Math.max(0, Math.floor(seconds));
  return n < 60
    ? t("shared.seconds", { n })
    : t("chat.elapsed_minutes", { minutes: Math.floor(n / 60), n: n % 60 });
}
