/** Requests for the list of chats. Each throws `Refusal`, or a TypeError if the server is unreachable. */

import { answer, send } from "../core/api.js";
import { request } from "../core/session.js";

/** @import { ChatInfo, ChatList, ChatsState, TagInfo } from "../types.js" */

/** Chats per page. */
const PAGE = 40;

/** @param {string} chatId */
const path = (chatId) => `/api/chats/${encodeURIComponent(chatId)}`;

/**
 * Return a page of chats.
 *
 * @param {Pick<ChatsState, "query" | "archived" | "tag">} which those with words and a tag (""), or those of the archive
 * @param {string | null} before the `next` of the previous page
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ page: ChatList, at: number }>} `at`: the server's time in whole seconds since 1970
 */
export async function listChats({ query: words, archived, tag }, before = null, signal) {
  const query = new URLSearchParams({
    limit: String(PAGE),
    ...(words ? { q: words } : {}),
    ...(tag ? { tag } : {}),
    ...(archived ? { archived: "true" } : {}),
    ...(before ? { before } : {}),
  });
  const response = await request(`/api/chats?${query}`, { signal });
  const at = Date.parse(response.headers.get("date") ?? "") || Date.now();
  return { page: await answer(response), at: at / 1000 };
}

/** @param {string} chatId @param {{ title: string } | { pinned: boolean } | { archived: boolean } | { tags: string[] }} change @returns {Promise<ChatInfo>} */
export const changeChat = (chatId, change) => send("PATCH", path(chatId), { ...change });

/** Delete a chat. The server keeps it for ten minutes. @param {string} chatId */
export const deleteChat = (chatId) => send("DELETE", `${path(chatId)}?undo=true`);

/** @param {string} chatId @returns {Promise<ChatInfo>} */
export const restoreChat = (chatId) => send("POST", `${path(chatId)}/restore`);

/** @param {string} tag */
const tagPath = (tag) => `/api/tags?${new URLSearchParams({ tag })}`;

/** Rename a tag in all chats. @param {string} tag @param {string} name @returns {Promise<TagInfo>} */
export const renameTag = (tag, name) => send("PATCH", tagPath(tag), { name });

/** Remove a tag from all chats. @param {string} tag */
export const removeTag = (tag) => send("DELETE", tagPath(tag));
