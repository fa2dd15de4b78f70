// @ts-check
/** Filter bar of the tree: kinds as toggle buttons, level, step. */

import { KINDS, LEVELS } from "./rows.js";
import { el } from "../core/dom.js";

/** @import { Translate } from "../types.js" */
/** @import { Kind, Level } from "./rows.js" */

export class DebugFilters {
  /** @param {Translate} t @param {() => void} changed */
  constructor(t, changed) {
    this.t = t;
    /** @type {Set<Kind>} */
    this.kinds = new Set();
    this.steps = 0;
    this.buttons = KINDS.map((kind) =>
      el("button", {
        type: "button",
        class: "debug-kind",
        "data-kind": kind,
        on: {
          click: () => {
            if (!this.kinds.delete(kind)) this.kinds.add(kind);
            changed();
          },
        },
      }),
    );
    this.level = el("select", { class: "debug-choice", on: { change: changed } });
    this.step = el("select", { class: "debug-choice", on: { change: changed } });
    this.kindGroup = el("div", { class: "debug-kinds", role: "group" }, this.buttons);
    this.dom = el("div", { class: "debug-filters", hidden: true }, this.kindGroup, this.level, this.step);
    this.rewrite();
  }

  /** Whether a filter is active. */
  get active() {
    return this.kinds.size > 0 || this.level.value !== "info" || this.step.value !== "";
  }

  /** @returns {{kinds: Set<Kind>, level: Level, step: number | null}} */
  get value() {
    return {
      kinds: this.kinds,
      level: /** @type {Level} */ (this.level.value),
      step: this.step.value === "" ? null : Number(this.step.value),
    };
  }

  reset() {
    this.kinds.clear();
    this.level.value = "info";
    this.step.value = "";
  }

  rewrite() {
    const { t } = this;
    this.kindGroup.setAttribute("aria-label", t("debug.kinds"));
    for (const button of this.buttons) button.textContent = t(`debug.kind_${button.dataset.kind}`);
    options(
      this.level,
      t("debug.level"),
      LEVELS.map((level) => [level, t(`debug.level_${level}`)]),
    );
    this.offer(this.steps);
  }

  /** Offer steps. @param {number} most highest step of a run */
  offer(most) {
    this.steps = most;
    options(this.step, this.t("debug.step"), [
      ["", this.t("debug.step_any")],
      ...Array.from(
        { length: most },
        (_, at) => /** @type {[string, string]} */ ([String(at + 1), this.t("chat.step", { n: at + 1 })]),
      ),
    ]);
  }

  /** Draw the choice of steps. @param {number} most highest known step of a run */
  draw(most) {
    if (most !== this.steps) this.offer(most);
    for (const button of this.buttons)
      button.setAttribute("aria-pressed", String(this.kinds.has(/** @type {Kind} */ (button.dataset.kind))));
  }
}

/** @param {HTMLSelectElement} select @param {string} name @param {[string, string][]} choices */
function options(select, name, choices) {
  const { value } = select;
  select.setAttribute("aria-label", name);
  select.replaceChildren(...choices.map(([key, label]) => el("option", { value: key }, label)));
  select.value = choices.some(([key]) => key === value) ? value : (choices[0]?.[0] ?? "");
}
