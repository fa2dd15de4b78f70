/**
 * Field that edits a title in place: Enter saves it, Escape or an empty field leaves the title unchanged. If saving
 * fails, the error appears under the field and the text stays.
 */

import { el } from "../core/dom.js";
import { titleFault } from "./title-words.js";

/** @import { Translate } from "../types.js" */

let fieldCount = 0;

export class TitleField {
  /**
   * @param {object} needs
   * @param {Translate} needs.t
   * @param {string} needs.title current title
   * @param {string} [needs.label]
   * @param {(title: string) => string} [needs.check] returns the error of a title, or ""
   * @param {(title: string) => Promise<void>} needs.rename throws the server's error
   * @param {(focus: boolean) => void} needs.done called at the end, with whether the field had the focus
   */
  constructor({ t, title, label = t("chats.title"), check = (typed) => titleFault(typed, t), rename, done }) {
    this.t = t;
    this.title = title;
    this.check = check;
    this.rename = rename;
    this.done = done;
    this.over = false;
    const id = `title-fault-${fieldCount++}`;
    this.fault = el("p", { class: "title-fault", id, role: "alert", hidden: true });
    this.field = el("input", {
      class: "title-field",
      type: "text",
      "aria-label": label,
      "aria-describedby": id,
      autocomplete: "off",
      spellcheck: "false",
      on: { input: () => this.showError("") },
    });
    this.field.value = title;
    this.dom = el(
      "span",
      {
        class: "title-edit",
        on: {
          keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
          focusout: (/** @type {FocusEvent} */ { relatedTarget }) => {
            if (!(relatedTarget instanceof Node && this.dom.contains(relatedTarget))) this.onBlur();
          },
        },
      },
      this.field,
      this.fault,
    );
  }

  focus() {
    this.field.focus();
    this.field.select();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    event.stopPropagation();
    // keyCode 229: Safari ends a composition before the keydown of its Enter
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && event.target === this.field) void this.save(true);
    else if (event.key === "Escape") this.end(true);
    else return;
    event.preventDefault();
  }

  /** Save after a click elsewhere. An empty field changes nothing. */
  onBlur() {
    if (this.field.value.trim() === "") this.end(false);
    else void this.save(false);
  }

  /** @param {boolean} focus */
  async save(focus) {
    const title = this.field.value.trim();
    if (this.over || this.field.readOnly) return;
    if (title === this.title) return this.end(focus);
    const fault = this.check(title);
    if (fault) this.showError(fault);
    else if (await this.attempt(() => this.rename(title))) this.saved(focus);
  }

  /** Run a request, one at a time, and show its error. @param {() => Promise<void>} act @returns {Promise<boolean>} */
  async attempt(act) {
    if (this.field.readOnly) return false;
    this.field.readOnly = true;
    try {
      await act();
      return true;
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      this.showError(fault instanceof TypeError ? this.t("shared.no_answer") : fault.message);
      return false;
    } finally {
      this.field.readOnly = false;
    }
  }

  /** @param {boolean} focus */
  saved(focus) {
    this.end(focus);
  }

  /** @param {string} problem */
  showError(problem) {
    this.fault.textContent = problem;
    this.fault.hidden = problem === "";
    this.field.toggleAttribute("aria-invalid", problem !== "");
    if (problem) this.field.setAttribute("aria-invalid", "true");
  }

  /** @param {boolean} focus */
  end(focus) {
    if (this.over) return;
    this.over = true;
    this.done(focus);
  }
}
