/** Skip link, the first stop of the Tab key: to the message field, or to the conversations while they are open. */

import { WRITING } from "../chat/composer.js";
import { el } from "../core/dom.js";

/** @import { DeskBus, Translate } from "../types.js" */

export class SkipLink {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    this.dom = el("a", {
      class: "skip-link",
      href: `#${WRITING}`,
      on: { click: (/** @type {Event} */ event) => this.skip(event), focus: () => this.label() },
    });
    this.undo = bus.on("language", () => this.label());
    this.label();
  }

  /** Conversations view while it replaces the chat. @returns {HTMLElement | null} */
  get view() {
    return document.querySelector(".talk:not([hidden])");
  }

  label() {
    this.dom.textContent = this.t(this.view ? "app.skip_to_talk" : "app.skip");
  }

  /** Move the focus without following the link, because the hash names the open chat. @param {Event} event */
  skip(event) {
    event.preventDefault();
    if (this.view) this.view.focus();
    else this.bus.emit("command", { name: "focus-pane", pane: "chat" });
  }

  destroy() {
    this.undo();
    this.dom.remove();
  }
}
