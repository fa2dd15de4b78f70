// @ts-check
/** Scenarios in the card of closures: saving what is closed under a name, applying, renaming, deleting, comparing. */

import { answer, Refusal, send } from "../core/api.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { withMenu } from "../core/menu.js";
import { request } from "../core/session.js";
import { keepChildren } from "./closures-choice.js";
import { openComparison } from "./scenario-comparison.js";

/** @import { Scenario, Translate } from "../types.js" */
/** @typedef {{ name: string, to?: string, closures?: Scenario["closures"] }} Change */

/** Milliseconds during which deleting can be undone. */
const UNDO_MS = 8000;

export class Scenarios {
  /** @param {Translate} t @param {() => string | null} chatId */
  constructor(t, chatId) {
    this.t = t;
    this.chatId = chatId;
    /** @type {readonly Scenario[]} */
    this.scenarios = [];
    /** Scenario whose name is written. @type {Scenario | null} */
    this.renamed = null;
    this.timer = 0;
    /** Name of the scenario that "Undo" restores. */
    this.deleted = "";
    /** Rows of the list: those that stay keep their focus. @type {Map<string, HTMLLIElement>} */
    this.rows = new Map();
    this.name = el("input", {
      type: "text",
      maxlength: 80,
      autocomplete: "off",
      on: {
        input: () => this.enable(),
        keydown: (event) => {
          if (event.key === "Enter" && !event.isComposing) void this.save();
          if (event.key !== "Escape" || !this.renamed) return;
          event.stopPropagation();
          this.rename(null);
        },
      },
    });
    this.keep = el("button", {
      type: "button",
      class: "quiet-button",
      on: { click: () => void this.save() },
    });
    this.list = el("ul", { role: "list" });
    this.compare = el("button", {
      type: "button",
      class: "quiet-button",
      on: { click: () => void this.open() },
    });
    this.undo = el("button", { type: "button", class: "quiet-button", hidden: true });
    this.fault = el("p", { class: "sheet-fault", role: "alert", hidden: true });
    this.dom = el(
      "div",
      { class: "map-scenarios" },
      el("div", { class: "map-closures-choice" }, this.name, this.keep),
      this.list,
      this.fault,
      this.undo,
      this.compare,
    );
  }

  /** @param {readonly Scenario[]} scenarios @param {boolean} isClosed whether something is closed now */
  show(scenarios, isClosed) {
    const { t } = this;
    this.isClosed = isClosed;
    this.scenarios = scenarios;
    for (const [node, text] of /** @type {[HTMLElement, string][]} */ ([
      [this.compare, t("scenario.compare")],
      [this.undo, t("chats.undo")],
    ]))
      node.textContent = text;
    this.name.placeholder = t("scenario.name");
    this.name.setAttribute("aria-label", t("scenario.name"));
    const rows = new Map(scenarios.map((scenario) => [JSON.stringify([t.language, scenario]), scenario]));
    for (const key of this.rows.keys()) if (!rows.has(key)) this.rows.delete(key);
    for (const [key, scenario] of rows) if (!this.rows.has(key)) this.rows.set(key, this.row(scenario));
    keepChildren(
      this.list,
      [...rows.keys()].flatMap((key) => this.rows.get(key) ?? []),
    );
    this.compare.hidden = scenarios.length + Number(isClosed) < 1 || scenarios.length === 0;
    this.enable();
  }

  /** @param {Scenario} scenario */
  row(scenario) {
    const { t } = this;
    const { name } = scenario;
    const label = t("scenario.more", { name });
    const button = el(
      "button",
      { type: "button", class: "icon-button", "aria-label": label, title: label },
      icon("more"),
    );
    return el(
      "li",
      {},
      icon("branch"),
      el("span", {}, `${name} (${t.number(scenario.closures.length)})`),
      el(
        "button",
        {
          type: "button",
          class: "quiet-button",
          "aria-label": t("scenario.apply_one", { name }),
          on: { click: () => void this.change("apply", { name }) },
        },
        t("shared.apply"),
      ),
      withMenu(
        button,
        label,
        [
          { text: t("shared.rename"), drawing: "pencil", act: () => this.rename(scenario) },
          { text: t("shared.delete"), drawing: "trash", act: () => void this.remove(scenario) },
        ],
        "right",
      ),
    );
  }

  /** Write on the button what it does: saving under the name of a scenario replaces that. */
  enable() {
    const name = this.name.value.trim();
    const replaces = this.scenarios.some((scenario) => isSameName(scenario.name, name));
    this.keep.textContent = this.t(
      this.renamed ? "shared.rename" : replaces ? "scenario.replace" : "shared.save",
    );
    this.keep.disabled = name === "" || (!this.renamed && !this.isClosed);
  }

  /** @param {Scenario | null} scenario */
  rename(scenario) {
    this.renamed = scenario;
    this.name.value = scenario?.name ?? "";
    this.enable();
    this.name.focus();
  }

  async save() {
    const name = this.name.value.trim();
    if (this.keep.disabled) return;
    const { renamed } = this;
    const isDone = await (renamed
      ? this.change("rename", { name: renamed.name, to: name })
      : this.change("save", { name }));
    if (!isDone) return;
    if (isSameName(name, this.deleted)) this.undo.hidden = true; // it would replace what was just saved
    this.rename(null);
  }

  /** Forget the name and the deleted scenario: they are of the chat that is left. */
  reset() {
    window.clearTimeout(this.timer);
    this.renamed = null;
    this.name.value = "";
    this.undo.hidden = true;
    this.undo.onclick = null;
    this.fault.hidden = true;
    this.enable();
  }

  /** @param {Scenario} scenario */
  async remove(scenario) {
    if (!(await this.change("delete", { name: scenario.name }))) return;
    this.deleted = scenario.name;
    this.undo.hidden = false;
    this.undo.focus();
    this.undo.onclick = () => {
      this.undo.hidden = true;
      this.name.focus();
      void this.change("save", scenario);
    };
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.undo.hidden = true;
    }, UNDO_MS);
  }

  /** @param {"save" | "apply" | "rename" | "delete"} action @param {Change} change */
  async change(action, { name, to, closures }) {
    const body = {
      action,
      name,
      ...(to && { to }),
      ...(closures && { closures: JSON.parse(JSON.stringify(closures)) }),
    };
    return this.attempt(() => send("POST", `${this.path}/scenarios`, body));
  }

  get path() {
    return `/api/chats/${encodeURIComponent(this.chatId() ?? "")}`;
  }

  async open() {
    await this.attempt(() =>
      openComparison(this.t, async (query) =>
        answer(await request(`${this.path}/scenarios/comparison?${new URLSearchParams(query)}`)),
      ),
    );
  }

  /** @param {() => Promise<unknown>} work @returns {Promise<boolean>} whether it succeeded, and the chat is the same */
  async attempt(work) {
    const chatId = this.chatId();
    this.fault.hidden = true;
    try {
      await work();
      return chatId === this.chatId();
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      if (chatId !== this.chatId()) return false;
      this.fault.textContent = fault instanceof Refusal ? fault.message : this.t("ask.offline");
      this.fault.hidden = false;
      return false;
    }
  }
}

/** Compare names as the server does, without their case. @param {string} a @param {string} b */
const isSameName = (a, b) => a.toUpperCase().toLowerCase() === b.toUpperCase().toLowerCase();
