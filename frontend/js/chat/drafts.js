/** What was written and not sent, by chat, kept over a reload. The browser keeps the drafts of the fifty chats that were last written in. */

import { keep, recall } from "../core/storage.js";

const MOST = 50;

/** @param {string} chatId */
const key = (chatId) => `draft.${chatId}`;

/** @param {string} chatId */
export const readDraft = (chatId) => recall(key(chatId)) ?? "";

/**
 * @param {string} chatId
 * @param {string} text empty for none
 */
export function keepDraft(chatId, text) {
  const before = storedChats();
  if (text === "" && !before.includes(chatId)) return;
  const ids = before.filter((id) => id !== chatId);
  if (text !== "") ids.unshift(chatId);
  for (const id of ids.splice(MOST)) keep(key(id), null);
  keep(key(chatId), text === "" ? null : text);
  keep("drafts", ids.length ? ids.join(" ") : null);
}

/** Chats with a draft, the last written first. */
const storedChats = () => (recall("drafts") ?? "").split(" ").filter(Boolean);
