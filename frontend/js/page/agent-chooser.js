/**
 * Button in the top bar that names the chat's agent and opens the list of agents. Unavailable agents are disabled, with
 * the reason. The button changes when the server confirms a choice.
 */

import { AgentMenu, KINDS } from "./agent-menu.js";
import { chooseAgent, listAgents } from "../core/api.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";
import { placeUnder } from "../core/popover.js";

/** @import { AgentFacts, ChatContent, DeskBus, Translate } from "../types.js" */

export class AgentChooser {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    /** @type {ChatContent | null} */
    this.chat = null;
    /** @type {{ agents: AgentFacts[], default: string } | null} */
    this.agentList = null;
    /** Choice that the server has not confirmed yet. @type {string | null} */
    this.sending = null;
    this.menu = new AgentMenu(t, (name) => this.choose(name));
    this.title = el("p", { class: "popover-title", id: "agents-title" });
    this.fault = el("p", { class: "agents-fault", role: "alert", hidden: true });
    this.model = el("button", {
      class: "agents-model",
      type: "button",
      on: { click: () => bus.emit("command", { name: "models" }) },
    });
    this.more = el("p", { class: "agents-more" });
    this.popover = el(
      "div",
      {
        class: "popover agents",
        id: "agents",
        popover: "auto",
        on: { toggle: (/** @type {ToggleEvent} */ event) => this.toggled(event.newState === "open") },
      },
      this.title,
      this.menu.dom,
      this.fault,
      this.more,
      this.model,
    );
    this.button = el("button", {
      class: "agent-button",
      type: "button",
      popovertarget: "agents",
      "aria-haspopup": "menu",
      hidden: true,
      on: {
        pointerenter: () => this.load(),
        keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      },
    });
    this.dom = el("div", { class: "agent-place" }, this.button, this.popover);
    this.undo = [
      bus.on("state", ({ chat }) => {
        if (chat !== this.chat) this.update(chat);
      }),
      bus.on("language", () => this.label()),
      bus.on("command", (command) => {
        if (command.name === "choose-agent" && !this.button.hidden) this.popover.showPopover();
        if (command.name === "models") void this.chooseModel(command.again);
        if (command.name === "use-agent") void this.useAgent(command.agent, command.again);
      }),
    ];
    this.label();
  }

  /** @param {ChatContent | null} chat */
  update(chat) {
    if (chat?.chatId !== this.chat?.chatId && this.popover.matches(":popover-open"))
      this.popover.hidePopover();
    this.chat = chat;
    this.label();
  }

  /** Set all texts in the current language. */
  label() {
    const { t, chat } = this;
    this.button.hidden = chat === null;
    this.title.textContent = t("agents.title");
    this.more.textContent = t("shared.next_message");
    this.menu.draw(this.agentList, chat?.agentName ?? null);
    this.model.hidden = !chat?.model;
    this.model.replaceChildren(
      el("span", {}, t("models.line", { model: chat?.model ?? "" })),
      icon("chevron-right"),
    );
    if (!chat) return;
    const { agent: kind, agentName, model } = chat;
    this.button.replaceChildren(
      icon(KINDS[kind] ?? "chat"),
      el("span", { class: "agent-name", translate: "no" }, agentName),
      model ? el("span", { class: "agent-model", translate: "no" }, ` · ${model}`) : "",
      icon("chevron-down"),
    );
    this.button.setAttribute(
      "aria-label",
      t(model ? "agents.button_model" : "agents.button", { agent: agentName, model }),
    );
    this.button.title = t("agents.open");
  }

  /** @param {boolean} open */
  toggled(open) {
    this.button.setAttribute("aria-expanded", String(open));
    if (!open) return;
    this.showError("");
    this.place();
    if (this.agentList) this.menu.focus(); // the list of the last visit is shown while the new one loads
    this.load();
  }

  place() {
    placeUnder(this.popover, this.button, "left");
  }

  /** Load the list again: programs may have been installed since. */
  async load() {
    const before = this.agentList;
    try {
      this.agentList = await listAgents();
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      if (this.popover.matches(":popover-open"))
        this.showError(fault instanceof TypeError ? this.t("shared.no_answer") : fault.message);
      return;
    }
    if (JSON.stringify(before) !== JSON.stringify(this.agentList)) this.label();
    if (!this.popover.matches(":popover-open")) return;
    this.place();
    if (before === null) this.menu.focus();
  }

  /** @param {string} name */
  async choose(name) {
    const { chat } = this;
    if (chat === null || this.sending !== null) return;
    if (name === chat.agentName) return this.popover.hidePopover();
    this.sending = name;
    this.popover.setAttribute("aria-busy", "true");
    try {
      await chooseAgent(chat.chatId, name);
      if (this.chat?.chatId === chat.chatId) this.popover.hidePopover();
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      this.showError(fault instanceof TypeError ? this.t("shared.no_answer") : fault.message);
    } finally {
      this.sending = null;
      this.popover.removeAttribute("aria-busy");
    }
  }

  /** Choose an agent, then send a message once more. @param {string} name @param {string} again */
  async useAgent(name, again) {
    await this.choose(name);
    this.bus.emit("command", { name: "submit", message: again });
  }

  /** Open the sheet of models. With `again` it sends that message once more. @param {string} [again] */
  async chooseModel(again) {
    const { chat, bus, t } = this;
    if (!chat?.model) return;
    if (this.popover.matches(":popover-open")) {
      this.popover.hidePopover();
      this.button.focus(); // the sheet returns the focus here when it closes
    }
    const submit = again === undefined ? null : () => bus.emit("command", { name: "submit", message: again });
    (await loadLatePart(() => import("../models/models.js"), t, "models"))?.openModels(t, chat, submit);
  }

  /** Show an error. @param {string} problem "" hides it */
  showError(problem) {
    this.fault.textContent = problem;
    this.fault.hidden = problem === "";
  }

  /** Open the list with an arrow key, as in a menu button. @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    this.popover.showPopover();
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.dom.remove();
  }
}
