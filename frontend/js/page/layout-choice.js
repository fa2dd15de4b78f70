/** Choice of a layout: a list in the page's menu. The choice is stored in the browser (layout.js). */

import { el } from "../core/dom.js";
import { LAYOUTS } from "./pane-room.js";
import { isWide } from "../core/screen.js";
import { recall } from "../core/storage.js";

/** @import { DeskState, LayoutName, PaneNeeds } from "../types.js" */

export class LayoutChoice {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t }) {
    this.t = t;
    this.title = el("legend");
    this.lines = LAYOUTS.map((name) => {
      const input = el("input", {
        type: "radio",
        name: "layout",
        value: name,
        on: { change: () => bus.emit("fact", { type: "@layout", layout: name }) },
      });
      const [label, description] = [
        el("span", { id: `layout-${name}-name` }),
        el("small", { id: `layout-${name}-why` }),
      ];
      input.setAttribute("aria-labelledby", label.id);
      input.setAttribute("aria-describedby", description.id);
      const hidden = name === "own" && recall("split.columns") === null;
      const dom = el(
        "label",
        { class: "layout-line", "data-layout": name, hidden },
        input,
        label,
        description,
      );
      return { name, input, label, description, dom };
    });
    this.dom = el(
      "fieldset",
      { class: "layouts" },
      this.title,
      this.lines.map(({ dom }) => dom),
    );
    /** @type {LayoutName | null} */
    this.chosen = null;
    this.undo = [bus.on("state", ({ room }) => this.update(room)), bus.on("language", () => this.label())];
    this.label();
  }

  /** Whether there are several panes to lay out. */
  get isOffered() {
    return isWide() && document.querySelector(".desk")?.checkVisibility() === true;
  }

  /** @param {DeskState["room"]} room */
  update({ layout }) {
    if (layout === this.chosen) return;
    this.chosen = layout;
    for (const { name, input, dom } of this.lines) {
      input.checked = name === layout;
      if (name === "own" && layout === "own") dom.hidden = false; // from now on the person can return to these sizes
    }
  }

  focus() {
    this.lines.find(({ name }) => name === this.chosen)?.input.focus();
  }

  label() {
    const { t } = this;
    this.title.textContent = t("layout.title");
    for (const { name, label, description } of this.lines) {
      label.textContent = t(`layout.${name}`);
      description.textContent = t(`layout.${name}_why`);
    }
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.dom.remove();
  }
}
