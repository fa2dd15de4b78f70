/** What an empty chat says: one line, and four things to ask that really work. */

import { el } from "./dom.js";
import { icon } from "./icons.js";

/** @import { DeskBus, Translate } from "./types.js" */

const PROMPTS = [
  { key: "table", drawing: "table" },
  { key: "plot", drawing: "image" },
  { key: "map", drawing: "arrow" },
  { key: "colour", drawing: "map" },
];

/**
 * @param {DeskBus} bus
 * @param {Translate} t
 */
export function welcome(bus, t) {
  const buttons = PROMPTS.map(({ key, drawing }) => {
    const message = t(`chat.prompt_${key}_text`);
    return el("button", { class: "prompt", type: "button", on: { click: () => bus.emit("command", { name: "submit", message }) } },
      icon(drawing), el("span", { class: "prompt-title" }, t(`chat.prompt_${key}`)), el("span", { class: "prompt-text" }, message));
  });
  return el("div", { class: "welcome", hidden: true },
    el("h2", { class: "greeting" }, t("chat.greeting")), el("p", { class: "greeting-more" }, t("chat.greeting_more")),
    el("div", { class: "prompts" }, buttons));
}
