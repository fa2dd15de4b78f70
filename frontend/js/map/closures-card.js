// @ts-check
/** Card of closures: a list of what is closed, with buttons to reopen, and a choice of what else to close. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { keepChildren, PartChoice } from "./closures-choice.js";
import { partKey, partName } from "./closures.js";
import { floorOf } from "./picture.js";
import { Scenarios } from "./scenarios.js";

/** @import { Closure, MapDefinitionContent, Translate } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @typedef {{ toggle: (part: Closure) => void, reopen: (parts: Closure[]) => void, close: () => void }} ClosingActions */

export class ClosuresCard {
  /** @param {Translate} t @param {ClosingActions} actions @param {() => string | null} chatId */
  constructor(t, actions, chatId) {
    this.t = t;
    this.scenarios = new Scenarios(t, chatId);
    this.actions = actions;
    this.title = el("b", {});
    this.leave = el(
      "button",
      { type: "button", class: "map-card-close", on: { click: actions.close } },
      icon("close"),
    );
    this.hint = el("p", {});
    this.list = el("ul", { role: "list" }); // Safari takes a list without bullets for none
    /** Rows of the list, by the keys of their parts. @type {Map<string, HTMLLIElement>} */
    this.rows = new Map();
    this.announcement = el("span", { class: "visually-hidden", role: "status" });
    this.all = el("button", {
      type: "button",
      class: "quiet-button",
      on: { click: () => this.reopen(this.closed) },
    });
    this.choice = new PartChoice(t, { press: () => this.press(), changed: () => this.enable() });
    this.close = el("button", { type: "button", class: "quiet-button", on: { click: () => this.press() } });
    /** @type {Closure[]} */
    this.closed = [];
    this.dom = el(
      "section",
      {
        class: "map-closures",
        on: {
          keydown: (event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            actions.close();
          },
        },
      },
      el("div", { class: "map-card-head" }, this.title, this.leave),
      this.hint,
      el("div", { class: "map-closures-choice" }, this.choice.dom, this.close),
      this.list,
      this.all,
      this.scenarios.dom,
      this.announcement,
    );
    /** Inputs of the last update. @type {unknown[]} */
    this.drawnFor = [];
  }

  /** Update what changed; a focused button that stays is not replaced. @param {MapPicture} picture */
  show(picture) {
    const { t, drawnFor } = this;
    const { building, closures, scenarios } = picture;
    const floor = floorOf(picture);
    const inputs = [t.language, building, floor, closures, scenarios];
    if (!building || !floor || inputs.every((input, at) => input === drawnFor[at])) return;
    this.drawnFor = inputs;
    const focused = this.dom.contains(document.activeElement) ? document.activeElement : null;
    const [language, before] = drawnFor;
    if (t.language !== language || building !== before) this.label();
    const parts = new Map(closures.map((part) => [partKey(part), part]));
    const isChange = drawnFor.length > 0 && closures !== this.closed;
    this.closed = closures;
    this.choice.show(building, floor, new Set(parts.keys()));
    this.listParts(parts, building);
    this.all.hidden = closures.length === 0;
    this.scenarios.show(scenarios, closures.length > 0);
    if (isChange) this.announcement.textContent = t("map.closing_count", { n: closures.length });
    this.enable();
    const isLost =
      focused && (!this.dom.contains(focused) || /** @type {HTMLButtonElement} */ (focused).hidden);
    if (isLost) this.focus();
  }

  /** Write everything that depends on the language or the names of the building. */
  label() {
    const { t } = this;
    this.rows.clear();
    this.title.textContent = t("closing.title");
    this.dom.setAttribute("aria-label", t("closing.title"));
    this.hint.textContent = t("closing.hint");
    this.leave.setAttribute("aria-label", t("shared.close"));
    this.close.textContent = t("closing.close");
    this.all.textContent = t("closing.reopen_all");
  }

  /** @param {Map<string, Closure>} parts @param {MapDefinitionContent} building */
  listParts(parts, building) {
    const { rows } = this;
    for (const key of rows.keys()) if (!parts.has(key)) rows.delete(key);
    const nodes = [...parts].map(([key, part]) => {
      const row = rows.get(key) ?? this.row(part, partName(part, building, this.t, true));
      rows.set(key, row);
      return row;
    });
    keepChildren(this.list, nodes);
  }

  /** @param {Closure} part @param {string} name */
  row(part, name) {
    const { t } = this;
    return el(
      "li",
      {},
      icon("closed"),
      el("span", {}, name),
      el(
        "button",
        {
          type: "button",
          class: "quiet-button",
          "aria-label": t("closing.reopen_one", { part: name }),
          on: { click: () => this.reopen([part]) },
        },
        t("closing.reopen"),
      ),
    );
  }

  /** Enable the button of the choice if something is chosen; a disabled one would lose the focus. */
  enable() {
    const isEmpty = this.choice.part === null;
    if (isEmpty && document.activeElement === this.close) this.choice.focus();
    this.close.disabled = isEmpty;
  }

  /** Close the chosen part. */
  press() {
    const { part } = this.choice;
    if (!part) return;
    this.choice.clear();
    this.enable();
    this.actions.toggle(part);
  }

  /** @param {Closure[]} parts */
  reopen(parts) {
    this.choice.focus(); // the button goes away
    this.actions.reopen(parts);
  }

  focus() {
    this.choice.focus();
  }
}
