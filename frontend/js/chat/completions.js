/**
 * What can be typed next, above the composer: a list that follows the field. Arrows lead through it, Tab or Enter takes what
 * is lit, Escape closes it. Nothing is lit at first, so Enter still sends what was typed.
 */

import { completionsOf } from "../core/api.js";
import { el } from "../core/dom.js";

/** @import { Suggestion, Translate } from "../types.js" */

const WAIT = 120;
const LONGEST = 400;

export class Completions {
  /**
   * @param {object} needs
   * @param {HTMLTextAreaElement} needs.field
   * @param {Translate} needs.t
   * @param {() => string | null} needs.chatId
   * @param {(text: string) => void} needs.take puts a text into the field
   * @param {(text: string) => Suggestion[] | null} needs.commands what a slash begins; null for what is no command
   */
  constructor({ field, t, chatId, take, commands }) {
    this.field = field;
    this.t = t;
    this.chatId = chatId;
    this.take = take;
    this.commands = commands;
    /** @type {Suggestion[]} */
    this.listed = [];
    this.lit = -1;
    this.timer = 0;
    /** @type {AbortController | null} */
    this.asking = null;
    this.dom = el("ul", { class: "completions", id: "completions", role: "listbox", "aria-label": t("completions.title"), hidden: true });
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", "completions");
    field.addEventListener("blur", () => this.close());
  }

  /** The field has other words in it now. */
  follow() {
    window.clearTimeout(this.timer);
    const text = this.field.value;
    const commands = this.commands(text);
    if (commands) return this.offer(commands);
    const atEnd = this.field.selectionEnd === text.length;
    if (text.trim() === "" || text.length > LONGEST || text.includes("\n") || !atEnd) return this.close();
    this.timer = window.setTimeout(() => this.ask(text), WAIT);
  }

  /** @param {string} text */
  async ask(text) {
    const chatId = this.chatId();
    if (chatId === null) return;
    this.asking?.abort();
    this.asking = new AbortController();
    try {
      const found = await completionsOf(chatId, text, this.t.language, this.asking.signal);
      if (this.field.value === text && document.activeElement === this.field) this.show(found);
    } catch {
      this.close(); // a help that does not come is no fault to speak of
    }
  }

  /** Commands are there at once, and the first is chosen. @param {Suggestion[]} commands */
  offer(commands) {
    this.asking?.abort();
    this.show(commands);
    if (commands.length) this.light(0);
  }

  /** @param {Suggestion[]} found */
  show(found) {
    this.listed = found;
    this.lit = -1;
    this.dom.replaceChildren(...found.map(({ text, detail }, at) => el("li", { class: "completion", id: `completion-${at}`, role: "option", "aria-selected": "false",
      on: { pointerdown: (/** @type {PointerEvent} */ event) => { event.preventDefault(); this.choose(at); } } }, text, detail ? el("span", { class: "completion-detail" }, detail) : "")));
    this.dom.hidden = found.length === 0;
    this.field.removeAttribute("aria-activedescendant");
  }

  close() {
    window.clearTimeout(this.timer);
    this.asking?.abort();
    if (!this.dom.hidden) this.show([]);
  }

  /** @param {number} at */
  light(at) {
    this.lit = at;
    [...this.dom.children].forEach((item, number) => item.setAttribute("aria-selected", String(number === at)));
    this.dom.children[at]?.scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", `completion-${at}`);
  }

  /** @param {number} at */
  choose(at) {
    const chosen = this.listed[at];
    if (!chosen) return;
    this.show([]);
    if (chosen.run) chosen.run();
    else this.take(chosen.text);
  }

  /**
   * A key while the list is open.
   *
   * @param {KeyboardEvent} event
   * @returns {boolean} whether it was for the list
   */
  key(event) {
    if (this.dom.hidden || event.isComposing) return false;
    const { length } = this.listed;
    if (event.key === "ArrowDown") this.light((this.lit + 1) % length);
    else if (event.key === "ArrowUp") this.light((Math.max(this.lit, 0) + length - 1) % length);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Tab" && !event.shiftKey) this.choose(Math.max(this.lit, 0));
    else if (event.key === "Enter" && !event.shiftKey && this.lit >= 0) this.choose(this.lit);
    else return false;
    event.preventDefault();
    return true;
  }
}
