/**
 * Welcome in an empty chat: one line and four suggested questions. If the chat has its own tables or building, the
 * server suggests questions about them. A terminal program is named.
 */

import { answer, send, startersOf } from "../core/api.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { keep, recall } from "../core/storage.js";
import { request } from "../core/session.js";

/** @import { ChatContent, DeskBus, DeskState, StarterInfo, Translate } from "../types.js" */
/** @typedef {{ key: string, drawing: string }[]} Prompts the first part of the key names the set */

/** @type {Prompts} */
const ANALYST = [
  { key: "chat.prompt_table", drawing: "table" },
  { key: "chat.prompt_plot", drawing: "image" },
  { key: "chat.prompt_map", drawing: "arrow" },
  { key: "chat.prompt_colour", drawing: "map" },
];
/** Tasks of the desk's demo program. @type {Prompts} */
const DEMO = [
  { key: "program.prompt_echo", drawing: "chat" },
  { key: "program.prompt_confirm", drawing: "question" },
  { key: "program.prompt_slow", drawing: "clock" },
  { key: "program.prompt_secret", drawing: "shield" },
];

/** @type {{ [kind in StarterInfo["kind"]]: string }} */
const DRAWINGS = { table: "table", plot: "image", map: "map", way: "route" };

export class Welcome {
  /**
   * @param {DeskBus} bus
   * @param {Translate} t
   */
  constructor(bus, t) {
    this.bus = bus;
    this.t = t;
    /** Inputs of the last drawing: chat, agent, data. */
    this.about = "";
    /** @type {string | null} */
    this.chatId = null;
    this.greeting = el("h2", { class: "greeting" });
    this.more = el("p", { class: "greeting-more" });
    this.prompts = el("div", { class: "prompts" });
    this.back = el("p", { class: "greeting-building", hidden: true });
    this.offer = el("div");
    this.fault = el("p", { class: "greeting-fault", role: "alert", hidden: true });
    this.dom = el(
      "div",
      { class: "welcome", hidden: true },
      this.greeting,
      this.more,
      this.prompts,
      this.offer,
      this.back,
      this.fault,
    );
    this.draw("", false);
  }

  /** @param {DeskState} state */
  update({ chat, files, entries, pending }) {
    if (chat === null || pending.length > 0 || entries.some(({ kind }) => kind === "turn")) return;
    const agent = chat.agent === "terminal" ? chat.agentName : "";
    const tables = files
      .filter(({ tables = [] }) => tables.length > 0)
      .map(({ fileId, name }) => `${fileId} ${name}`);
    const building = chat.buildingId ?? "";
    const about = JSON.stringify([chat.chatId, agent, building, tables, entries.length]);
    if (about === this.about) return;
    this.about = about;
    this.chatId = chat.chatId;
    this.draw(agent, tables.length > 0);
    this.offerBundled(building !== "");
    if (chat.findsModels && chat.model === "builtin" && recall("models-offer") === null)
      void this.offerModel(chat);
    if (agent === "" && (tables.length > 0 || building !== "")) void this.load(chat.chatId, about);
  }

  /**
   * Draw the default suggestions, until the server's suggestions arrive.
   *
   * @param {string} agent name of a program, "" for the analyst
   * @param {boolean} tables whether the chat has tables
   */
  draw(agent, tables) {
    const { t } = this;
    const prompts = agent === "" ? ANALYST : agent === "demo" ? DEMO : [];
    this.greeting.textContent = agent ? t("program.greeting", { agent }) : t("chat.greeting");
    this.more.textContent = t(
      agent ? "program.greeting_more" : tables ? "starters.more_tables" : "chat.greeting_more",
    );
    this.prompts.replaceChildren(
      ...prompts.map(({ key, drawing }) => this.prompt(t(key), t(`${key}_text`), drawing)),
    );
  }

  /** @param {string} chatId @param {string} about */
  async load(chatId, about) {
    try {
      const starters = await startersOf(chatId, this.t.language);
      if (this.about !== about || starters.length === 0) return;
      this.prompts.replaceChildren(
        ...starters.map(({ kind, about, text }) =>
          this.prompt(this.t(`starters.${kind}`, { about }), text, DRAWINGS[kind]),
        ),
      );
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault; // the default suggestions stay
    }
  }

  /** @param {string} title @param {string} message @param {string} drawing */
  prompt(title, message, drawing) {
    return el(
      "button",
      {
        class: "prompt",
        type: "button",
        on: { click: () => this.bus.emit("command", { name: "submit", message }) },
      },
      icon(drawing),
      el("span", { class: "prompt-title" }, title),
      el("span", { class: "prompt-text" }, message),
    );
  }

  /**
   * Offer a model that was detected on this machine. If there is none, the browser does not look again.
   *
   * @param {ChatContent} chat
   */
  async offerModel(chat) {
    try {
      /** @type {{ models: import("../models/api.js").ModelFacts[], promptTokens: number | null }} */
      const { models, promptTokens } = await answer(
        await request(`/api/models?chat=${encodeURIComponent(chat.chatId)}`),
      );
      const model = models.find(
        ({ server, state, context }) =>
          server !== "" && state === "answers" && (context ?? Infinity) > (promptTokens ?? 0),
      );
      if (model === undefined) return keep("models-offer", "none");
      const { offerModel } = await import("../models/models.js");
      const offer = await offerModel(this.t, chat, model);
      if (this.chatId === chat.chatId) this.offer.replaceChildren(offer);
    } catch {
      // the offer is optional
    }
  }

  /** Offer to return to the building that comes with the desk. @param {boolean} other whether another one is shown */
  offerBundled(other) {
    const { t } = this;
    this.fault.hidden = true;
    this.back.hidden = !other;
    this.back.replaceChildren(
      ...(other
        ? [
            `${t("starters.building")} `,
            el(
              "button",
              { class: "quiet-button", type: "button", on: { click: () => void this.goBack() } },
              icon("retry"),
              t("starters.bundled"),
            ),
          ]
        : []),
    );
  }

  async goBack() {
    if (this.chatId === null) return;
    try {
      await send("PATCH", `/api/chats/${encodeURIComponent(this.chatId)}`, { buildingId: null });
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      this.fault.textContent = fault instanceof TypeError ? this.t("shared.no_answer") : fault.message;
      this.fault.hidden = false;
    }
  }
}
