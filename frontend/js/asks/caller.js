/** Announcement of asks: reads each new ask to screen readers once, and finds the next open ask. */

import { describeAsk } from "./words.js";
import { el } from "../core/dom.js";

/** @import { AskContent, DeskState, Translate } from "../types.js" */

const OPEN_CARDS = '.ask:is([data-state="open"], [data-state="answered"])';

/**
 * Return the asks of a chat that a person can answer, oldest first.
 *
 * @param {DeskState} state
 * @returns {AskContent[]}
 */
export function openAsks({ entries }) {
  const blocks = entries.flatMap((entry) => (entry.kind === "turn" ? entry.blocks : []));
  return blocks.flatMap((block) =>
    block.kind === "ask" && block.ask.kind !== "client_tool" && block.closed === null ? [block.ask] : [],
  );
}

export class AskCaller {
  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    /** @type {Set<string>} */
    this.announced = new Set();
    /** @type {DeskState["entries"] | null} */
    this.entries = null;
    this.dom = el("div", { class: "visually-hidden ask-called", "aria-live": "polite" });
  }

  /** @param {DeskState} state */
  update(state) {
    if (state.entries === this.entries) return;
    this.entries = state.entries;
    const open = openAsks(state);
    const fresh = open.filter(({ askId }) => !this.announced.has(askId));
    this.announced = new Set(open.map(({ askId }) => askId));
    if (fresh.length > 0)
      this.dom.textContent = this.t("ask.called", {
        what: fresh.map((ask) => describeAsk(ask, this.t)).join(" "),
      });
    else if (open.length === 0) this.dom.textContent = "";
  }
}

/** Return the card of the next open ask after the focus. @param {HTMLElement} root @returns {HTMLElement | null} */
export function nextCard(root) {
  const cards = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(OPEN_CARDS)]);
  const here = cards.findIndex((card) => card.contains(document.activeElement));
  return cards[(here + 1) % cards.length] ?? null;
}
