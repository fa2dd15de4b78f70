/**
 * Allowances of the chat: a button that opens the list of tools that require approval, each with its number of asks and
 * a switch for "allow without asking". The switch moves when the server confirms the change.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { DeskBus, DeskState, Policies, Translate } from "../types.js" */
/** @typedef {{ dom: HTMLElement, state: HTMLElement, toggle: HTMLButtonElement }} Row */

const EDGE = 8;
/** No policies: no tool of the chat requires approval. @type {{ [tool: string]: "once" | "always" }} */
const NONE = {};

export class Approvals {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    this.tools = NONE;
    /** @type {Policies} */
    this.policies = {};
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    this.title = el("p", { class: "popover-title", id: "approvals-title" });
    this.list = el("ul", { class: "approvals-list" });
    this.more = el("p", { class: "approvals-more" });
    this.popover = el(
      "div",
      {
        class: "popover approvals",
        id: "approvals",
        popover: "auto",
        role: "dialog",
        "aria-labelledby": "approvals-title",
        on: { toggle: () => this.place() },
      },
      this.title,
      this.list,
      this.more,
    );
    this.button = el("button", {
      class: "icon-button wide approvals-button",
      type: "button",
      popovertarget: "approvals",
    });
    this.dom = el("div", { class: "approvals-place", hidden: true }, this.button, this.popover);
    this.label();
  }

  /** @param {DeskState} state */
  update({ chat, policies }) {
    const tools = chat?.approvals ?? NONE;
    if (tools === this.tools && policies === this.policies) return;
    if (tools !== this.tools) this.list.replaceChildren(...this.fresh(tools));
    this.tools = tools;
    this.policies = policies;
    this.dom.hidden = this.rows.size === 0;
    this.label();
  }

  /** @param {{ [tool: string]: "once" | "always" }} tools */
  fresh(tools) {
    this.rows = new Map(Object.keys(tools).map((tool) => [tool, this.row(tool)]));
    return [...this.rows.values()].map(({ dom }) => dom);
  }

  /** @param {string} tool @returns {Row} */
  row(tool) {
    const state = el("span", { class: "approvals-state" });
    const toggle = el(
      "button",
      { class: "switch", type: "button", role: "switch", on: { click: () => this.set(tool) } },
      el("span", { class: "switch-knob" }),
    );
    return {
      dom: el(
        "li",
        { class: "approvals-row" },
        el("span", { class: "approvals-name" }, el("code", {}, tool), state),
        toggle,
      ),
      state,
      toggle,
    };
  }

  /** @param {string} tool */
  set(tool) {
    this.bus.emit("send", { type: "policy", tool, policy: this.allows(tool) ? "ask" : "allow" });
  }

  /** @param {string} tool */
  allows(tool) {
    return this.policies[tool]?.policy === "allow";
  }

  /** Set all texts in the current language. */
  label() {
    const { t } = this;
    const allowed = Object.keys(this.tools).filter((tool) => this.allows(tool)).length;
    this.button.replaceChildren(
      icon(allowed ? "shield-check" : "shield"),
      el("span", {}, allowed ? t("approvals.some", { n: t.number(allowed) }) : t("approvals.button")),
    );
    this.button.title = t("approvals.title");
    this.button.toggleAttribute("data-allows", allowed > 0);
    this.title.textContent = t("approvals.title");
    this.more.textContent = t("approvals.more");
    for (const [tool, { state, toggle }] of this.rows) {
      const on = this.allows(tool);
      state.textContent = t(on ? "approvals.always_allowed" : `approvals.asks_${this.tools[tool]}`);
      toggle.setAttribute("aria-checked", String(on));
      toggle.setAttribute("aria-label", t("approvals.allow", { tool }));
      toggle.title = t(on ? "shared.take_back" : "approvals.give");
    }
  }

  /** Place the list under its button, inside the window. */
  place() {
    const box = this.button.getBoundingClientRect();
    const right = Math.max(
      EDGE,
      Math.min(window.innerWidth - box.right, window.innerWidth - this.popover.offsetWidth - EDGE),
    );
    this.popover.style.setProperty("top", `${box.bottom + 6}px`);
    this.popover.style.setProperty("right", `${right}px`);
  }
}
