/**
 * Menu of agents: arrows move, a letter jumps to a name, Enter chooses. Unavailable agents can be focused but not
 * chosen.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { AgentFacts, Translate } from "../types.js" */

/** @type {Record<string, string>} kind -> icon */
export const KINDS = { code: "braces", tools: "tool", terminal: "terminal" };

/**
 * @type {Record<string, string>} text keys of the desk's own agents; other descriptions are
 *   shown as they are
 */
const ABOUT = {
  "Writes Python and runs it.": "agents.about_code",
  "Calls tools; python_interpreter among them runs Python.": "agents.about_tools",
  "For small models: a short prompt, few tools, answers by a schema.": "agents.about_small",
  "Tries approvals: play money, location, music, weather.": "agents.about_demo_tools",
  "A small program in a terminal, to try one out.": "agents.about_demo",
};

export class AgentMenu {
  /**
   * @param {Translate} t
   * @param {(name: string) => void} chosen
   */
  constructor(t, chosen) {
    this.t = t;
    this.chosen = chosen;
    /** @type {HTMLButtonElement[]} */
    this.items = [];
    this.dom = el("ul", {
      class: "agents-list",
      role: "menu",
      "aria-labelledby": "agents-title",
      on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
    });
  }

  /**
   * Draw the items.
   *
   * @param {{ agents: AgentFacts[], default: string } | null} agentList null before it is loaded
   * @param {string | null} current
   */
  draw(agentList, current) {
    const { t } = this;
    const focused = this.focusedAgent();
    this.items = (agentList?.agents ?? []).map((agent, at) =>
      this.item(agent, at, agent.name === current, agent.name === agentList?.default),
    );
    const waiting = el("li", { class: "agents-waiting", role: "none" }, t("agents.waiting"));
    this.dom.replaceChildren(
      ...(agentList ? this.items.map((item) => el("li", { role: "none" }, item)) : [waiting]),
    );
    if (focused !== null) this.focus(focused);
  }

  /**
   * @param {AgentFacts} agent
   * @param {number} at
   * @param {boolean} current
   * @param {boolean} byDefault
   */
  item({ name, description, kind, model, profile, available, problem }, at, current, byDefault) {
    const { t, chosen } = this;
    const about = ABOUT[description] ? t(ABOUT[description]) : description;
    const source = model ?? profile;
    const details = el(
      "span",
      { class: "agents-words", id: `agent-${at}` },
      about ? el("span", { class: "agents-description" }, about) : null,
      available
        ? el(
            "span",
            { class: "agents-facts" },
            t(`agents.kind_${kind}`),
            source ? [" · ", el("span", { translate: "no" }, source)] : null,
          )
        : el("span", { class: "agents-problem" }, icon("warning"), problem || t("agents.unavailable")),
    );
    return el(
      "button",
      {
        class: "agents-item",
        type: "button",
        role: "menuitemradio",
        tabindex: "-1",
        "data-agent": name,
        "aria-checked": String(current),
        "aria-disabled": available ? null : "true",
        "aria-labelledby": `agent-${at}-name`,
        "aria-describedby": `agent-${at}`,
        on: {
          click: () => {
            if (available) chosen(name);
          },
        },
      },
      icon(KINDS[kind] ?? "chat"),
      el(
        "span",
        { class: "agents-name", id: `agent-${at}-name` },
        el("span", { translate: "no" }, name),
        byDefault ? el("span", { class: "agents-default" }, t("shared.default")) : null,
      ),
      current ? icon("check") : null,
      details,
    );
  }

  /** Return the name of the focused agent. @returns {string | null} */
  focusedAgent() {
    return this.items.find((item) => item === document.activeElement)?.dataset.agent ?? null;
  }

  /** Focus an agent. @param {string | null} [name] the current agent by default */
  focus(name = null) {
    const item =
      this.items.find(({ dataset }) => dataset.agent === name) ??
      this.items.find((candidate) => candidate.getAttribute("aria-checked") === "true") ??
      this.items[0];
    item?.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const here = this.items.findIndex((item) => item === document.activeElement);
    const last = this.items.length - 1;
    const to =
      { ArrowDown: here === last ? 0 : here + 1, ArrowUp: here <= 0 ? last : here - 1, Home: 0, End: last }[
        event.key
      ] ?? this.itemByLetter(event, here);
    if (to === null || last < 0) return;
    event.preventDefault();
    this.items[to]?.focus();
  }

  /**
   * Return the next agent whose name begins with the typed letter.
   *
   * @param {KeyboardEvent} event
   * @param {number} here
   */
  itemByLetter({ key, ctrlKey, metaKey, altKey }, here) {
    if (key.length !== 1 || key === " " || ctrlKey || metaKey || altKey) return null;
    const { length } = this.items;
    const order = this.items.map((_, at) => (here + 1 + at) % length);
    return order.find((at) => this.items[at]?.dataset.agent?.startsWith(key.toLowerCase())) ?? null;
  }
}
