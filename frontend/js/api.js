/** The HTTP side of the server, as far as the page uses it. Faults are told as the server words them. */

/** @import { TableContent } from "./types.js" */

/** What the server said no to: its message and its hint as one sentence. */
export class Refusal extends Error {}

/** @param {string} chatId */
const chatPath = (chatId) => `/api/chats/${encodeURIComponent(chatId)}`;

/**
 * @param {string} chatId
 * @param {string} name
 */
export function filePath(chatId, name) {
  return `${chatPath(chatId)}/files/${encodeURIComponent(name)}`;
}

/**
 * Add a file to the chat. Throws `Refusal` when the server will not have it.
 *
 * @param {string} chatId
 * @param {globalThis.File} file
 */
export async function upload(chatId, file) {
  const form = new FormData();
  form.append("file", file);
  await answer(await fetch(`${chatPath(chatId)}/files`, { method: "POST", body: form }));
}

/**
 * Rows of a table. Throws `Refusal`, or a TypeError when the server cannot be reached.
 *
 * @param {string} chatId
 * @param {string} tableId
 * @param {number} offset
 * @param {number} limit
 * @returns {Promise<Pick<TableContent, "columns" | "rows" | "rowCount">>}
 */
export async function tableRows(chatId, tableId, offset, limit) {
  const query = new URLSearchParams({ offset: String(offset), limit: String(limit) });
  return answer(await fetch(`${chatPath(chatId)}/tables/${encodeURIComponent(tableId)}?${query}`));
}

/** @param {Response} response */
async function answer(response) {
  const body = await response.json().catch(() => null);
  if (response.ok) return body;
  const { message = response.statusText, hint = "" } = body?.error ?? {};
  throw new Refusal(`${message} ${hint}`.trim() || String(response.status));
}
