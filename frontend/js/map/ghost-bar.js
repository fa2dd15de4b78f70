// @ts-check
/**
 * Bar over the plan that names the waiting call and allows or denies it. Its buttons stand where those of the call before
 * stood, so a click counts only once the call could be seen, and the second click of a double click never.
 */

import { el } from "../core/dom.js";
import { visible } from "../core/escaping.js";

/** @import { AskBlock, Translate } from "../types.js" */

/** Milliseconds before a call that has just come can be answered. */
const UNREAD_MS = 600;
/** Characters of the call; its card has all of it. */
const LONGEST = 200;

export class GhostBar {
  /** @param {Translate} t @param {{ answer: (granted: boolean) => void, floor: () => void }} actions */
  constructor(t, { answer, floor }) {
    this.t = t;
    /** Waiting call that is shown. @type {AskBlock | null} */
    this.block = null;
    this.hint = "";
    this.timer = 0;
    this.call = el("code", {});
    this.words = el("span", { role: "status" });
    this.floor = el("button", { type: "button", class: "quiet-button", on: { click: floor } });
    const button = (/** @type {boolean} */ granted) =>
      el("button", {
        type: "button",
        class: "text-button",
        "data-look": granted ? "strong" : null,
        on: {
          click: (event) => {
            const isOff = event.currentTarget?.getAttribute("aria-disabled") === "true";
            if (!isOff && event.detail < 2) answer(granted);
          },
        },
      });
    this.allow = button(true);
    this.deny = button(false);
    this.dom = el(
      "div",
      { class: "map-ghost-bar", role: "group", hidden: true },
      this.call,
      this.words,
      this.floor,
      this.allow,
      this.deny,
    );
  }

  /** @param {AskBlock | null} block @param {string | null} elsewhere floor of its ghosts, if that is not shown */
  show(block, elsewhere) {
    const { t } = this;
    const isOther = block?.ask.askId !== this.block?.ask.askId;
    this.block = block;
    this.dom.hidden = block === null;
    if (isOther) this.delay();
    if (!block) return;
    const { ask, draft, invalid } = block;
    this.dom.setAttribute("aria-label", t("ghost.bar", { tool: ask.tool }));
    this.call.textContent = callText(ask.tool, draft ?? ask.arguments);
    this.call.title = this.call.textContent;
    const text = t(invalid ? "ghost.invalid" : elsewhere === null ? "ghost.hint" : "ghost.elsewhere");
    const hint = `${ask.askId} ${text}`;
    if (this.hint !== hint) this.words.textContent = text; // what happened last stays until there is another call
    this.hint = hint;
    this.floor.hidden = elsewhere === null;
    this.floor.textContent = elsewhere === null ? "" : t("ghost.floor", { floor: t.floor(elsewhere) });
    this.allow.textContent = t(draft ? "ghost.allow_changed" : "ask.allow");
    this.deny.textContent = t("ask.deny");
    this.enable();
  }

  /** Turn the buttons off until the call that has just come could be seen. */
  delay() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.enable();
    }, UNREAD_MS);
  }

  /** Turn the buttons on or off. They are never `disabled`: that would drop the focus. */
  enable() {
    const isUnread = this.timer !== 0;
    this.allow.setAttribute("aria-disabled", String(isUnread || this.block?.invalid === true));
    this.deny.setAttribute("aria-disabled", String(isUnread));
  }
}

/** @param {string} tool @param {AskBlock["ask"]["arguments"]} values */
function callText(tool, values) {
  const list = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const call = `${tool}(${list.join(", ")})`;
  return visible(call.length > LONGEST ? `${call.slice(0, LONGEST)}…` : call);
}
