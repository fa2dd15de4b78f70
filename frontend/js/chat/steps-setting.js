/**
 * Setting for the steps of finished answers, open or folded: a button in the head of the chat. The browser stores it.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { keep, recall } from "../core/storage.js";

/** @import { DeskState, PaneNeeds } from "../types.js" */

export class StepsSetting {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    this.open = recall("steps") === "open";
    this.caption = el("span");
    this.dom = el(
      "button",
      {
        class: "icon-button wide steps-setting",
        type: "button",
        on: { click: () => this.choose(!this.open) },
      },
      icon("list"),
      this.caption,
    );
    this.label();
    bus.emit("fact", { type: "@steps", open: this.open });
  }

  /** @param {boolean} open */
  choose(open) {
    keep("steps", open ? "open" : null);
    this.bus.emit("fact", { type: "@steps", open });
  }

  /** @param {DeskState} state */
  update({ stepsOpen }) {
    if (stepsOpen === this.open) return;
    this.open = stepsOpen;
    this.label();
  }

  label() {
    this.caption.textContent = this.t("chat.steps");
    this.dom.title = this.t("chat.steps_open");
    this.dom.setAttribute("aria-label", this.t("chat.steps_open"));
    this.dom.setAttribute("aria-pressed", String(this.open));
  }
}
