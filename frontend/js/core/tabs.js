/** The bottom bar of narrow screens: one tab per pane, chat first, a dot on those where something new came. */

import { el } from "./dom.js";
import { icon } from "./icons.js";

/** @import { PaneName, Translate } from "../types.js" */

const ORDER = /** @type {PaneName[]} */ (["chat", "map", "images", "debug"]);
const DRAWINGS = { chat: "chat", map: "map", images: "image", debug: "debug" };

export class PaneTabs {
  /**
   * @param {Translate} t
   * @param {(name: PaneName) => void} chosen
   */
  constructor(t, chosen) {
    this.t = t;
    this.buttons = ORDER.map((name) => el("button", { class: "tab", type: "button", role: "tab", "data-pane": name, "aria-controls": `pane-${name}`,
      on: { click: () => chosen(name), keydown: (/** @type {KeyboardEvent} */ event) => this.key(event, chosen) } },
      icon(DRAWINGS[name]), el("span", { class: "tab-name" })));
    this.dom = el("nav", { class: "tabs", role: "tablist" }, this.buttons);
    this.label();
  }

  /** @param {PaneName} name */
  choose(name) {
    for (const button of this.buttons) {
      const current = button.dataset.pane === name;
      button.setAttribute("aria-selected", String(current));
      button.tabIndex = current ? 0 : -1;
      if (current) button.removeAttribute("data-changed");
    }
    this.label();
  }

  /** @param {PaneName} name */
  mark(name) {
    const button = this.buttons.find(({ dataset }) => dataset.pane === name);
    if (button?.getAttribute("aria-selected") === "true" || button?.dataset.changed !== undefined) return;
    button?.setAttribute("data-changed", "");
    this.label();
  }

  /**
   * @param {KeyboardEvent} event
   * @param {(name: PaneName) => void} chosen
   */
  key(event, chosen) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = this.buttons.indexOf(/** @type {any} */ (event.currentTarget));
    const name = step === undefined ? undefined : ORDER.at((at + step) % ORDER.length);
    if (name === undefined) return;
    chosen(name);
    this.buttons[ORDER.indexOf(name)]?.focus();
  }

  label() {
    this.dom.setAttribute("aria-label", this.t("pane.tabs"));
    for (const button of this.buttons) {
      const pane = this.t(`pane.${button.dataset.pane}`);
      const words = button.querySelector(".tab-name");
      if (words) words.textContent = pane;
      button.setAttribute("aria-label", button.dataset.changed === undefined ? pane : this.t("pane.changed", { pane }));
    }
  }
}
