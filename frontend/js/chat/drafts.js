/**
 * Unsent texts by chat, kept across reloads. The browser stores the drafts of the fifty chats that were edited last.
 */

import { keep, recall } from "../core/storage.js";

const MAX_DRAFTS = 50;

/** @param {string} chatId */
const key = (chatId) => `draft.${chatId}`;

/** @param {string} chatId */
export const readDraft = (chatId) => recall(key(chatId)) ?? "";

/** Store a draft. @param {string} chatId @param {string} text "" removes it */
export function keepDraft(chatId, text) {
  const before = storedChats();
  if (text === "" && !before.includes(chatId)) return;
  const ids = before.filter((id) => id !== chatId);
  if (text !== "") ids.unshift(chatId);
  for (const id of ids.splice(MAX_DRAFTS)) keep(key(id), null);
  keep(key(chatId), text === "" ? null : text);
  keep("drafts", ids.length ? ids.join(" ") : null);
}

/** Return the chats with a draft, the most recent first. */
const storedChats = () => (recall("drafts") ?? "").split(" ").filter(Boolean);
