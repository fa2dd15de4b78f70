/** A chat as a file: its whole log, one event a line, as `smoldesk replay` reads it. */

import { el } from "../core/dom.js";

/**
 * @param {string} chatId
 * @param {string} title
 */
export function saveChat(chatId, title) {
  const name = title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ").trim().slice(0, 80) || "chat";
  el("a", { href: `/api/chats/${encodeURIComponent(chatId)}/events`, download: `${name}.jsonl` }).click();
}
