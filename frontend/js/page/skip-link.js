/** The first stop of the Tab key: past the bar and the map to where the person writes, or into the conversations while those are shown. */

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

  /** The view that stands in the desk's place, while it does. @returns {HTMLElement | null} */
  get view() {
    return document.querySelector(".talk:not([hidden])");
  }

  label() {
    this.dom.textContent = this.t(this.view ? "app.skip_to_talk" : "app.skip");
  }

  /** The address says which chat is open, so the link is not followed. @param {Event} event */
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
