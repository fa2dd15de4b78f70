// @ts-check
/** Errors of a chat in the pane's header: their number, the previous and next one, and a list of all. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { placeUnder } from "../core/popover.js";

/** @import { Translate } from "../types.js" */
/** @import { Row } from "./rows.js" */

/** Maximum errors in the list, the latest; the buttons reach all. */
const MAX_ERRORS = 200;

export class DebugErrors {
  /** @param {Translate} t @param {(row: Row) => void} chosen */
  constructor(t, chosen) {
    this.t = t;
    this.chosen = chosen;
    /** @type {Row[]} */
    this.errors = [];
    /** @type {Row | null} */
    this.row = null;
    this.before = el(
      "button",
      { type: "button", class: "tool-button", on: { click: () => this.jump(-1) } },
      icon("chevron-left"),
    );
    this.after = el(
      "button",
      { type: "button", class: "tool-button", on: { click: () => this.jump(1) } },
      icon("chevron-right"),
    );
    this.count = el("button", {
      type: "button",
      class: "debug-faults-count",
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      on: { click: () => this.menu.togglePopover() },
    });
    this.menu = el("div", {
      class: "popover debug-errors",
      popover: "auto",
      role: "menu",
      on: {
        toggle: (/** @type {ToggleEvent} */ event) => this.toggled(event.newState === "open"),
        keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      },
    });
    this.dom = el(
      "span",
      { class: "debug-faults", role: "group", hidden: true },
      this.before,
      this.count,
      this.after,
      this.menu,
    );
  }

  /** Draw the errors. @param {Row[]} errors in the order of their rows @param {Row | null} row the chosen one */
  draw(errors, row) {
    const { t } = this;
    const { length } = errors;
    this.errors = errors;
    this.row = row;
    const at = row ? errors.indexOf(row) : -1;
    this.dom.hidden = length === 0;
    this.dom.setAttribute("aria-label", t("debug.errors"));
    this.menu.setAttribute("aria-label", t("debug.errors"));
    this.count.textContent =
      at >= 0
        ? t("debug.error_of", { n: at + 1, count: length })
        : length === 1
          ? t("debug.error_one")
          : t("debug.error_count", { count: length });
    this.count.dataset.count = String(length);
    this.count.title = t("debug.error_list");
    for (const [button, key] of /** @type {[HTMLElement, string][]} */ ([
      [this.before, "debug.error_before"],
      [this.after, "debug.error_after"],
    ])) {
      button.setAttribute("aria-label", t(key));
      button.title = t(key);
    }
  }

  /** Choose another error. @param {-1 | 1} step to the error before or after the chosen row */
  jump(step) {
    const { errors, row } = this;
    const { length } = errors;
    const next = row ? errors.findIndex(({ id }) => id >= row.id) : 0; // its own index, or where it would be
    const from = next < 0 ? length : next;
    const to = step < 0 ? from - 1 : row && errors[from] === row ? from + 1 : from;
    const target = errors[(to + length) % length];
    if (target) this.chosen(target);
  }

  /** @param {boolean} isOpen */
  toggled(isOpen) {
    this.count.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return this.menu.replaceChildren();
    const { t } = this;
    this.menu.replaceChildren(
      ...this.errors.slice(-MAX_ERRORS).map((row) =>
        el(
          "button",
          {
            type: "button",
            class: "debug-error",
            role: "menuitem",
            tabindex: "-1",
            on: {
              click: () => {
                this.menu.hidePopover();
                this.chosen(row);
              },
            },
          },
          el("b", {}, row.type),
          el("span", {}, row.summary),
          row.step === null ? "" : el("i", {}, t("chat.step", { n: row.step })),
        ),
      ),
    );
    placeUnder(this.menu, this.count);
    const items = /** @type {HTMLElement[]} */ ([...this.menu.children]);
    items[Math.max(0, this.row ? this.errors.slice(-MAX_ERRORS).indexOf(this.row) : 0)]?.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const items = /** @type {HTMLElement[]} */ ([...this.menu.children]);
    const now = items.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items[(to + items.length) % items.length]?.focus();
  }
}
