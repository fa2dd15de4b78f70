/**
 * Field that replaces a message or a block of code for editing. It stays until the server accepts the text; an error
 * appears under it, and the text is kept.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { attemptMessage } from "../core/fault-words.js";

/** @import { Attempt, Translate } from "../types.js" */

const MOST_CODE = 50_000;

export class EditField {
  /**
   * @param {object} needs
   * @param {Translate} needs.t
   * @param {string} needs.text initial text
   * @param {boolean} needs.isCode Enter breaks the line, Ctrl+Enter runs
   * @param {(text: string) => void} needs.submit
   * @param {() => void} needs.leave
   */
  constructor({ t, text, isCode, submit, leave }) {
    this.t = t;
    this.isCode = isCode;
    this.submit = submit;
    /** Whether the text was sent and not accepted yet. */
    this.isSent = false;
    const kind = isCode ? "code" : "turn";
    this.field = el("textarea", {
      class: "edit-words",
      rows: "1",
      "aria-label": t(`${kind}.edit_field`),
      spellcheck: isCode ? "false" : null,
      "data-code": isCode,
    });
    this.field.value = text;
    this.fault = el("p", { class: "edit-fault", role: "alert" });
    this.go = el(
      "button",
      { class: "text-button edit-go", type: "submit" },
      icon(isCode ? "play" : "send"),
      t(isCode ? "shared.run" : "turn.again"),
    );
    const cancel = el(
      "button",
      { class: "text-button", type: "button", on: { click: leave } },
      t("shared.cancel"),
    );
    const buttons = el(
      "div",
      { class: "edit-buttons" },
      el("span", { class: "edit-hint" }, t(`${kind}.edit_hint`)),
      cancel,
      this.go,
    );
    this.dom = el(
      "form",
      {
        class: "edit",
        "data-code": isCode,
        on: {
          submit: (/** @type {SubmitEvent} */ event) => {
            event.preventDefault();
            this.send();
          },
          keydown: (/** @type {KeyboardEvent} */ event) => this.key(event, leave),
        },
      },
      this.field,
      this.fault,
      buttons,
    );
  }

  /** Focus the field, with the caret at its end. */
  begin() {
    this.field.focus();
    this.field.setSelectionRange(this.field.value.length, this.field.value.length);
  }

  /** @param {KeyboardEvent} event @param {() => void} leave */
  key(event, leave) {
    if (event.isComposing) return;
    event.stopPropagation(); // no shortcuts of the page while editing
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
    } else if (
      event.key === "Enter" &&
      event.target === this.field &&
      (this.isCode ? event.ctrlKey || event.metaKey : !event.shiftKey)
    ) {
      event.preventDefault();
      this.send();
    }
  }

  send() {
    const text = this.field.value;
    if (this.isSent) return;
    if (text.trim() === "") return this.showFault("empty");
    if (this.isCode && text.length > MOST_CODE) return this.showFault("too_large");
    this.fault.textContent = "";
    this.wait(true);
    this.submit(text);
  }

  /** Update an attempt: pending or refused. @param {Attempt | null} attempt */
  updateAttempt(attempt) {
    if (!this.isSent || !attempt?.fault) return;
    this.showFault(attempt.fault.code, attempt.fault.content);
  }

  /** @param {boolean} waits */
  wait(waits) {
    this.isSent = waits;
    this.dom.setAttribute("aria-busy", String(waits));
    this.field.readOnly = waits;
  }

  /** Show why the text was refused. @param {string} code @param {string} [content] */
  showFault(code, content = "") {
    this.wait(false);
    this.fault.textContent = attemptMessage({ code, content }, this.isCode ? "code" : "again", this.t);
    this.field.focus();
  }
}
