/** What an empty chat says: one line, and four things to ask that really work. A program in a terminal is greeted by its name. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { ChatContent, DeskBus, Translate } from "../types.js" */
/** @typedef {{ key: string, drawing: string }[]} Prompts the first part of the key says whose they are */

/** @type {Prompts} */
const ANALYST = [
  { key: "chat.prompt_table", drawing: "table" },
  { key: "chat.prompt_plot", drawing: "image" },
  { key: "chat.prompt_map", drawing: "arrow" },
  { key: "chat.prompt_colour", drawing: "map" },
];
/** What the desk's own small program does. @type {Prompts} */
const DEMO = [
  { key: "program.prompt_echo", drawing: "chat" },
  { key: "program.prompt_confirm", drawing: "question" },
  { key: "program.prompt_slow", drawing: "clock" },
  { key: "program.prompt_secret", drawing: "shield" },
];

export class Welcome {
  /**
   * @param {DeskBus} bus
   * @param {Translate} t
   */
  constructor(bus, t) {
    this.bus = bus;
    this.t = t;
    /** Whom it greets. @type {string | null} */
    this.agent = null;
    this.greeting = el("h2", { class: "greeting" });
    this.more = el("p", { class: "greeting-more" });
    this.prompts = el("div", { class: "prompts" });
    this.dom = el("div", { class: "welcome", hidden: true }, this.greeting, this.more, this.prompts);
    this.draw("");
  }

  /** @param {ChatContent | null} chat */
  update(chat) {
    const agent = chat?.agent === "terminal" ? chat.agentName : "";
    if (agent !== this.agent) this.draw(agent);
  }

  /** @param {string} agent the name of a program, empty for the analyst */
  draw(agent) {
    const { t } = this;
    const own = agent === "" ? ANALYST : agent === "demo" ? DEMO : [];
    this.agent = agent;
    this.greeting.textContent = agent ? t("program.greeting", { agent }) : t("chat.greeting");
    this.more.textContent = t(agent ? "program.greeting_more" : "chat.greeting_more");
    this.prompts.replaceChildren(...own.map(({ key, drawing }) => this.prompt(key, drawing)));
  }

  /** @param {string} key @param {string} drawing */
  prompt(key, drawing) {
    const message = this.t(`${key}_text`);
    return el("button", { class: "prompt", type: "button", on: { click: () => this.bus.emit("command", { name: "submit", message }) } },
      icon(drawing), el("span", { class: "prompt-title" }, this.t(key)), el("span", { class: "prompt-text" }, message));
  }
}
