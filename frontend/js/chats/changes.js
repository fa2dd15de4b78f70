/** Changes of chats by a person: sent to the server, then to this page and to the browser's other tabs. */

import { changeChat, deleteChat, restoreChat } from "./api.js";
import { publishChange } from "./others.js";

/** @import { ChatSummary, DeskBus } from "../types.js" */

/** Time during which deleting can be undone. The server keeps a deleted chat for ten minutes. */
export const UNDO_MS = 8000;

/** @param {DeskBus} bus @param {string} chatId @param {string} title */
export async function attemptRename(bus, chatId, title) {
  const chat = await changeChat(chatId, { title });
  bus.emit("fact", { type: "@titled", chatId, title: chat.title });
  bus.emit("fact", { type: "@chats", fact: { type: "changed", chat: { id: chatId, title: chat.title } } });
  publishChange({ chatId, title: chat.title });
}

/** @param {DeskBus} bus @param {ChatSummary} chat */
export async function pin(bus, { id, pinned }) {
  await changeChat(id, { pinned: !pinned });
  bus.emit("fact", { type: "@chats", fact: { type: "changed", chat: { id, pinned: !pinned } } });
  publishChange({ chatId: id });
}

/** Put a chat into the archive, or take it out. @param {DeskBus} bus @param {ChatSummary} chat */
export async function archive(bus, { id, archived }) {
  const chat = { id, archived: !archived, pinned: false };
  await changeChat(id, { archived: !archived });
  bus.emit("fact", { type: "@chats", fact: { type: "changed", chat } });
  publishChange({ chatId: id });
}

/** Replace the tags of a chat. @param {DeskBus} bus @param {string} chatId @param {string[]} tags */
export async function setTags(bus, chatId, tags) {
  const chat = await changeChat(chatId, { tags });
  bus.emit("fact", { type: "@chats", fact: { type: "changed", chat: { id: chatId, tags: chat.tags } } });
  publishChange({ chatId });
}

/** @param {DeskBus} bus @param {string} chatId */
export async function remove(bus, chatId) {
  await deleteChat(chatId);
  const until = Date.now() + UNDO_MS;
  bus.emit("fact", { type: "@chats", fact: { type: "deleted", chatId, until } });
  window.setTimeout(
    () => bus.emit("fact", { type: "@chats", fact: { type: "expired", chatId, until } }),
    UNDO_MS,
  );
  bus.emit("command", { name: "chat-deleted", chatId });
  publishChange({ chatId });
}

/** @param {DeskBus} bus @param {string} chatId */
export async function restore(bus, chatId) {
  await restoreChat(chatId);
  bus.emit("fact", { type: "@chats", fact: { type: "restored", chatId } });
  bus.emit("command", { name: "chat-restored", chatId });
  publishChange({ chatId, restored: true });
}
