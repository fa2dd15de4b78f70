/**
 * Choice of a layout: a button in the top bar, a list under it, and the key `l`. The choice is stored in the browser
 * (layout.js).
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { LAYOUTS } from "./pane-room.js";
import { placeUnder } from "../core/popover.js";
import { recall } from "../core/storage.js";

/** @import { DeskState, LayoutName, PaneNeeds } from "../types.js" */

export class LayoutChoice {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t }) {
    this.t = t;
    this.caption = el("span", { class: "layout-button-words" });
    this.button = el(
      "button",
      { class: "icon-button wide layout-button", type: "button", popovertarget: "layouts" },
      el("span", { class: "layout-button-face" }, icon("layout"), this.caption),
    );
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
      return {
        name,
        input,
        label,
        description,
        dom: el(
          "label",
          {
            class: "layout-line",
            "data-layout": name,
            hidden: name === "own" && recall("split.columns") === null,
          },
          input,
          label,
          description,
        ),
      };
    });
    this.popover = el(
      "div",
      {
        class: "popover layouts",
        id: "layouts",
        popover: "auto",
        on: {
          toggle: (/** @type {ToggleEvent} */ event) => this.toggled(event.newState === "open"),
          beforetoggle: (/** @type {ToggleEvent} */ event) => {
            if (event.newState === "closed") this.leave();
          },
        },
      },
      el(
        "fieldset",
        {},
        this.title,
        this.lines.map(({ dom }) => dom),
      ),
    );
    /** @type {LayoutName} */
    this.chosen = "lean";
    this.undo = [
      bus.on("state", ({ room }) => this.update(room)),
      bus.on("language", () => this.label()),
      bus.on("command", ({ name }) => {
        if (name === "layout" && this.button.checkVisibility()) this.popover.showPopover();
      }),
    ];
    this.label();
  }

  /** @param {DeskState["room"]} room */
  update({ layout }) {
    if (layout === this.chosen && this.button.dataset.layout) return;
    this.chosen = layout;
    this.button.dataset.layout = layout;
    for (const { name, input, dom } of this.lines) {
      input.checked = name === layout;
      if (name === "own" && layout === "own") dom.hidden = false; // from now on the person can return to these sizes
    }
  }

  /** @param {boolean} open */
  toggled(open) {
    if (!open) return;
    placeUnder(this.popover, this.button);
    this.lines.find(({ name }) => name === this.chosen)?.input.focus();
  }

  /** Return the focus to the button when the list closes, so that shortcuts work at once. */
  leave() {
    if (this.popover.contains(document.activeElement)) this.button.focus();
  }

  label() {
    const { t } = this;
    this.caption.textContent = t("app.layout");
    this.button.setAttribute("aria-label", t("app.layout"));
    this.button.title = `${t("app.layout")} (l)`;
    this.title.textContent = t("layout.title");
    for (const { name, label, description } of this.lines) {
      label.textContent = t(`layout.${name}`);
      description.textContent = t(`layout.${name}_why`);
    }
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.button.remove();
    this.popover.remove();
  }
}
