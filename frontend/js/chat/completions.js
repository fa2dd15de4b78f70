/**
 * List of completions above the composer, which follows the field. Arrows move, Tab or Enter takes the highlighted
 * entry, Escape closes the list. Nothing is highlighted at first, so that Enter still sends the message; for commands
 * and mentions the first entry is.
 */

import { completionsOf } from "../core/api.js";
import { el } from "../core/dom.js";
import { loadLatePart } from "../core/late.js";

/** @import { Suggestion, Translate } from "../types.js" */

const WAIT = 120;
const LONGEST = 400;
const LONGEST_MENTION = 60;
const MENTION = new RegExp(`(?:^|[^A-Za-z0-9._%+-])[@＠]([^\\n@＠]{0,${LONGEST_MENTION}})$`);

export class Completions {
  /**
   * @param {object} needs
   * @param {HTMLTextAreaElement} needs.field
   * @param {Translate} needs.t
   * @param {() => string | null} needs.chatId
   * @param {() => boolean} needs.program whether a program answers: its input gets no completions
   * @param {(text: string) => void} needs.take replaces the text of the field
   * @param {(text: string, start: number, end: number) => void} needs.insert replaces a part of the field
   * @param {(text: string) => Suggestion[] | null} needs.commands returns matching commands; null if the text is not a
   *   command
   * @param {(problem: string) => void} needs.showError
   */
  constructor({ field, t, chatId, program, take, insert, commands, showError }) {
    this.field = field;
    this.t = t;
    this.chatId = chatId;
    this.program = program;
    this.take = take;
    this.insert = insert;
    this.commands = commands;
    this.showError = showError;
    /** Position of the `@` whose list was closed and stays closed. */
    this.dismissedAt = -1;
    /** @type {Suggestion[]} */
    this.suggestions = [];
    this.lit = -1;
    this.timer = 0;
    /** @type {AbortController | null} */
    this.request = null;
    /** Position of the `@` that is being completed. */
    this.mentionStart = -1;
    /** @type {HTMLElement[]} */
    this.options = [];
    this.dom = el("div", {
      class: "completions",
      id: "completions",
      role: "listbox",
      tabindex: "0",
      "aria-label": t("completions.title"),
      hidden: true,
      on: { mousedown: (/** @type {MouseEvent} */ event) => event.preventDefault() },
    });
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", "completions");
    field.addEventListener("blur", () => this.close());
  }

  /** Update the list after the field changed. */
  follow() {
    window.clearTimeout(this.timer);
    const text = this.field.value;
    const commands = this.commands(text);
    if (commands) return this.offer(commands);
    const mention = this.program() ? null : mentionBefore(text, this.field.selectionStart);
    if (mention && mention.start !== this.dismissedAt) {
      if (mention.start === this.mentionStart) this.narrow(mention);
      return this.wait(() => this.mention(mention));
    }
    if (!mention) this.dismissedAt = -1;
    const atEnd = this.field.selectionEnd === text.length;
    if (text.trim() === "" || text.length > LONGEST || text.includes("\n") || !atEnd) return this.close();
    if (mention) return this.close();
    return this.wait(() =>
      this.ask(
        (chatId, signal) => completionsOf(chatId, text, this.t.language, signal),
        (suggestions) => this.show(suggestions),
      ),
    );
  }

  /** @param {() => void} ask */
  wait(ask) {
    this.timer = window.setTimeout(ask, WAIT);
  }

  /**
   * Load suggestions.
   *
   * @param {(chatId: string, signal: AbortSignal) => Promise<Suggestion[]>} load
   * @param {(suggestions: Suggestion[]) => void} then called with the result if the field has not changed since
   */
  async ask(load, then) {
    const chatId = this.chatId();
    const { value, selectionStart } = this.field;
    if (chatId === null) return;
    this.request?.abort();
    this.request = new AbortController();
    try {
      const suggestions = await load(chatId, this.request.signal);
      if (
        this.field.value === value &&
        this.field.selectionStart === selectionStart &&
        document.activeElement === this.field
      )
        then(suggestions);
    } catch (fault) {
      if (!(fault instanceof DOMException)) this.close(); // completions are optional: no error is shown
    }
  }

  /**
   * Filter the current list until the server's list arrives, so that Enter takes what is shown.
   *
   * @param {{ start: number, typed: string }} begun
   */
  narrow({ start, typed }) {
    const query = typed.normalize("NFKC").toLowerCase();
    this.offer(
      this.suggestions.filter(({ text }) => text.normalize("NFKC").toLowerCase().includes(query)),
      start,
    );
  }

  /** @param {{ start: number, typed: string }} begun */
  async mention({ start, typed }) {
    const module = await loadLatePart(() => import("./mentions.js"), this.t);
    if (module === null) return;
    const insert = (/** @type {string} */ text) => this.insert(text, start, this.field.selectionStart);
    await this.ask(
      (chatId, signal) =>
        module.listMentions({ chatId, typed, t: this.t, signal, insert, showError: this.showError }),
      (suggestions) => this.offer(suggestions, start),
    );
  }

  /**
   * Show a list at once, with its first entry highlighted.
   *
   * @param {Suggestion[]} suggestions
   * @param {number} [start] position of the `@`
   */
  offer(suggestions, start = -1) {
    if (start < 0) this.request?.abort();
    this.show(suggestions);
    this.mentionStart = start;
    if (suggestions.length) this.light(0);
  }

  /** Draw the list, in groups if the suggestions have them. @param {Suggestion[]} suggestions */
  show(suggestions) {
    this.suggestions = suggestions;
    this.lit = -1;
    this.mentionStart = -1;
    this.options = suggestions.map((suggestion, at) => this.option(suggestion, at));
    const groups = [...new Set(suggestions.map(({ group }) => group ?? ""))];
    this.dom.replaceChildren(
      ...groups.flatMap((group, number) => {
        const inside = this.options.filter((_, at) => (suggestions[at]?.group ?? "") === group);
        if (group === "") return inside;
        const more = suggestions.findLast((suggestion) => suggestion.group === group)?.more;
        return el(
          "div",
          { class: "completion-group", role: "group", "aria-labelledby": `completion-group-${number}` },
          el(
            "div",
            { class: "completion-title", id: `completion-group-${number}`, role: "presentation" },
            group,
          ),
          ...inside,
          more ? el("div", { class: "completion-more", role: "presentation" }, more) : null,
        );
      }),
    );
    this.dom.hidden = suggestions.length === 0;
    this.field.removeAttribute("aria-activedescendant");
  }

  /**
   * Create an entry. A touch that scrolls the list chooses nothing, and the field keeps the focus.
   *
   * @param {Suggestion} one
   * @param {number} at
   */
  option({ text, detail }, at) {
    return el(
      "div",
      {
        class: "completion",
        id: `completion-${at}`,
        role: "option",
        "aria-selected": "false",
        on: { click: () => this.choose(at) },
      },
      el("span", { class: "completion-text" }, text),
      detail ? el("span", { class: "completion-detail" }, detail) : "",
    );
  }

  close() {
    window.clearTimeout(this.timer);
    this.request?.abort();
    if (!this.dom.hidden) this.show([]);
  }

  /** Close the list until the mention ends. */
  leave() {
    this.dismissedAt = this.mentionStart;
    this.close();
  }

  /** @param {number} at */
  light(at) {
    this.lit = at;
    this.options.forEach((item, number) => item.setAttribute("aria-selected", String(number === at)));
    if (at === 0)
      this.dom.scrollTop = 0; // also show the title of the first group
    else this.options[at]?.scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", `completion-${at}`);
  }

  /** @param {number} at */
  choose(at) {
    const chosen = this.suggestions[at];
    if (!chosen) return;
    this.show([]);
    if (chosen.run) chosen.run();
    else this.take(chosen.text);
  }

  /**
   * Handle a key while the list is open.
   *
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the list handled it
   */
  key(event) {
    if (this.dom.hidden || event.isComposing) return false;
    const { length } = this.suggestions;
    if (event.key === "ArrowDown") this.light((this.lit + 1) % length);
    else if (event.key === "ArrowUp") this.light((Math.max(this.lit, 0) + length - 1) % length);
    else if (event.key === "Escape") this.leave();
    else if (event.key === "Tab" && !event.shiftKey) this.choose(Math.max(this.lit, 0));
    else if (event.key === "Enter" && !event.shiftKey && this.lit >= 0) this.choose(this.lit);
    else return false;
    event.preventDefault();
    return true;
  }
}

/**
 * Find the mention that is being typed before the caret. An email address (me@example.org) is not a mention; Japanese
 * has no space before the `@`.
 *
 * @param {string} text
 * @param {number} caret
 * @returns {{ start: number, typed: string } | null} `start` is the position of the `@`
 */
function mentionBefore(text, caret) {
  const typed = MENTION.exec(text.slice(0, caret))?.[1];
  return typed === undefined ? null : { start: caret - typed.length - 1, typed };
}
