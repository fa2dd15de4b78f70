// @ts-check
/** Buttons at the top right of the map: the floor below, the export, and buttons from outside. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { placeUnder } from "../core/popover.js";

/** @import { Translate } from "../types.js" */
/** @typedef {{ghost: (visible: boolean) => void, save: (kind: "png" | "svg") => void, pin: () => void, share: () => void}} ToolPresses */

export class MapTools {
  /** @param {Translate} t @param {ToolPresses} actions @param {...HTMLElement} extraTools */
  constructor(t, actions, ...extraTools) {
    this.t = t;
    this.ghost = el(
      "button",
      {
        type: "button",
        class: "map-tool map-below",
        "aria-pressed": "false",
        on: { click: () => this.press(actions) },
      },
      icon("ghost"),
    );
    const item = (/** @type {"png" | "svg"} */ kind) =>
      el("button", {
        type: "button",
        role: "menuitem",
        on: { click: () => this.choose(() => actions.save(kind)) },
      });
    this.png = item("png");
    this.svg = item("svg");
    this.pin = el("button", {
      type: "button",
      role: "menuitem",
      class: "pin-button",
      on: { click: () => this.choose(actions.pin) },
    });
    this.share = el("button", {
      type: "button",
      role: "menuitem",
      on: { click: () => this.choose(actions.share) },
    });
    this.menu = el(
      "div",
      {
        class: "popover map-menu",
        popover: "auto",
        role: "menu",
        on: {
          toggle: (/** @type {ToggleEvent} */ event) => this.toggled(event.newState === "open"),
          keydown: (/** @type {KeyboardEvent} */ event) => this.move(event),
        },
      },
      this.png,
      this.svg,
      this.pin,
      this.share,
    );
    this.save = el(
      "button",
      {
        type: "button",
        class: "map-tool map-save",
        "aria-haspopup": "menu",
        "aria-expanded": "false",
        on: { click: () => this.menu.togglePopover() },
      },
      icon("download"),
    );
    this.dom = el("div", { class: "map-tools" }, this.ghost, this.save, this.menu, ...extraTools);
  }

  /**
   * Update the buttons.
   *
   * @param {{below: string | null, floor: boolean}} facts the floor below, if any; whether there is a floor at all
   */
  show({ below, floor }) {
    const { t } = this;
    this.ghost.hidden = below === null;
    this.save.hidden = !floor;
    this.label(this.ghost, below === null ? "" : t("map.ghost", { floor: below }));
    this.label(this.save, t("map.save"));
    this.ghost.replaceChildren(
      icon("ghost"),
      el("span", { class: "map-tool-words" }, t("map.ghost_short", { floor: below ?? "" })),
    );
    this.save.replaceChildren(icon("download"), el("span", { class: "map-tool-words" }, t("shared.save")));
    this.menu.setAttribute("aria-label", t("map.save"));
    this.png.replaceChildren(icon("image"), t("map.save_png"));
    this.svg.replaceChildren(icon("braces"), t("map.save_svg"));
    this.pin.replaceChildren(icon("pin"), t("report.pin"));
    this.share.replaceChildren(icon("screen"), t("share.title"));
  }

  /** @param {ToolPresses} actions */
  press(actions) {
    const visible = this.ghost.getAttribute("aria-pressed") !== "true";
    this.ghost.setAttribute("aria-pressed", String(visible));
    actions.ghost(visible);
  }

  /** @param {() => void} act */
  choose(act) {
    this.menu.hidePopover();
    this.save.focus();
    act();
  }

  /** @param {boolean} open */
  toggled(open) {
    this.save.setAttribute("aria-expanded", String(open));
    if (!open) return;
    placeUnder(this.menu, this.save);
    this.png.focus();
  }

  /** @param {KeyboardEvent} event */
  move(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const items = [this.png, this.svg, this.pin, this.share];
    const at =
      items.findIndex((item) => item === document.activeElement) +
      (event.key === "ArrowDown" ? 1 : items.length - 1);
    items[at % items.length]?.focus();
  }

  /** @param {HTMLElement} button @param {string} text */
  label(button, text) {
    button.setAttribute("aria-label", text);
    button.title = text;
  }
}
