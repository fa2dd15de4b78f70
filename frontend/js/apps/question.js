/**
 * Question of a view to the person, below its frame, in the page's own words; the view cannot draw here. One question
 * at a time. The buttons are disabled at first, so that they do not catch a press that was meant for the view.
 */

import { moving } from "./attention.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { Child } from "../core/dom.js" */
/** @import { Translate } from "../types.js" */

const GUARD_MS = 600;
let questionCount = 0;

export class AppQuestion {
  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.dom = el("div", { class: "app-question", hidden: true });
    /** @type {((granted: boolean) => void) | null} */
    this.settle = null;
  }

  get isOpen() {
    return this.settle !== null;
  }

  /**
   * Ask the person.
   *
   * @param {string} text
   * @param {Child} detail shown between the text and the buttons
   * @param {string} yes
   * @returns {Promise<boolean>}
   */
  ask(text, detail, yes) {
    const id = `app-question-${(questionCount += 1)}`;
    const button = (/** @type {string} */ name, /** @type {string} */ kind, /** @type {boolean} */ granted) =>
      el(
        "button",
        { class: kind, type: "button", disabled: true, on: { click: () => this.close(granted) } },
        name,
      );
    const buttons = [
      button(yes, "text-button app-yes", true),
      button(this.t("ask.deny"), "text-button", false),
    ];
    window.setTimeout(() => {
      for (const answerButton of buttons) answerButton.disabled = false;
    }, GUARD_MS);
    moving();
    const focused = this.dom.closest(".app-card")?.contains(document.activeElement);
    this.dom.replaceChildren(
      el(
        "div",
        { class: "app-asks", role: "group", "aria-labelledby": id },
        el("p", { class: "app-words", id, role: "status" }, icon("shield"), text),
        detail,
        el("div", { class: "app-buttons" }, buttons),
      ),
    );
    this.dom.hidden = false;
    if (focused) this.dom.scrollIntoView({ block: "nearest" });
    return new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  /** @param {boolean} granted */
  close(granted) {
    const { settle } = this;
    this.settle = null;
    this.dom.hidden = true;
    this.dom.replaceChildren();
    settle?.(granted);
  }
}
