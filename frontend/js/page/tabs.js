/** Tab bar of narrow screens: one tab per pane, with a dot on panes that have new content. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { PaneEntry, PaneName, Translate } from "../types.js" */

export class PaneTabs {
  /**
   * @param {readonly PaneEntry[]} panes
   * @param {Translate} t
   * @param {(name: PaneName) => void} chosen
   */
  constructor(panes, t, chosen) {
    this.panes = panes;
    this.t = t;
    this.buttons = panes.map(({ name, icon: drawing }) =>
      el(
        "button",
        {
          class: "tab",
          type: "button",
          role: "tab",
          "data-pane": name,
          "aria-controls": `pane-${name}`,
          on: {
            click: () => chosen(/** @type {PaneName} */ (name)),
            keydown: (/** @type {KeyboardEvent} */ event) => this.key(event, chosen),
          },
        },
        icon(drawing),
        el("span", { class: "tab-name" }),
      ),
    );
    this.list = el("div", { class: "tab-list", role: "tablist" }, this.buttons);
    this.dom = el("nav", { class: "tabs" }, this.list); // a tablist is not a landmark, so a nav surrounds it
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
    const next = step === undefined ? undefined : this.buttons.at((at + step) % this.buttons.length);
    if (next === undefined) return;
    chosen(/** @type {PaneName} */ (next.dataset.pane));
    next.focus();
  }

  label() {
    for (const node of [this.dom, this.list]) node.setAttribute("aria-label", this.t("pane.tabs"));
    this.buttons.forEach((button, at) => {
      const pane = this.panes[at]?.title[this.t.language] ?? "";
      const label = button.querySelector(".tab-name");
      if (label) label.textContent = pane;
      button.setAttribute(
        "aria-label",
        button.dataset.changed === undefined ? pane : this.t("pane.changed", { pane }),
      );
    });
  }
}
