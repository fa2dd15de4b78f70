/** Requests of the page to the REST API. Errors carry the server's message. */

import { request } from "./session.js";

/** @import { AgentFacts, Completion, FileCard, FileNote, JsonValue, MentionInfo, StarterInfo } from "../types.js" */
/** @import { TableContent } from "../types.js" */

/** Refused request: the server's message and hint as one sentence, and the HTTP status (0 if there was no response). */
export class Refusal extends Error {
  /** @param {string} message @param {number} status @param {string} code @param {FileNote[]} notes */
  constructor(message, status = 0, code = "", notes = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.notes = notes;
  }
}

/** @param {string} chatId */
export const chatPath = (chatId) => `/api/chats/${encodeURIComponent(chatId)}`;

/**
 * @param {string} chatId
 * @param {string} name
 */
export function filePath(chatId, name) {
  return `${chatPath(chatId)}/files/${encodeURIComponent(name)}`;
}

/**
 * Return rows of a table. Throws `Refusal`, or a TypeError if the server is unreachable.
 *
 * @param {string} chatId
 * @param {string} tableId
 * @param {number} offset
 * @param {number} limit
 * @returns {Promise<Pick<TableContent, "columns" | "rows" | "rowCount">>}
 */
export async function tableRows(chatId, tableId, offset, limit) {
  const query = new URLSearchParams({ offset: String(offset), limit: String(limit) });
  return answer(await request(`${chatPath(chatId)}/tables/${encodeURIComponent(tableId)}?${query}`));
}

/** Return the JSON of a response. Throws `Refusal`. @param {Response} response */
export async function answer(response) {
  const body = await response.json().catch(() => null);
  if (response.ok) return body;
  throw refusal(body?.error, response.statusText || String(response.status), response.status);
}

/**
 * Send a request that changes something. Throws `Refusal`, or a TypeError if the server is unreachable.
 *
 * @param {"POST" | "PUT" | "PATCH" | "DELETE"} method
 * @param {string} path
 * @param {{ [key: string]: JsonValue }} [body]
 */
export async function send(method, path, body) {
  const options =
    body === undefined
      ? { method }
      : { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return answer(await request(path, options));
}

/**
 * Return completions of a question about the chat's tables. Throws `Refusal`, or a TypeError if the server is
 * unreachable.
 *
 * @param {string} chatId
 * @param {string} text
 * @param {"en" | "ja"} language
 * @param {AbortSignal} signal
 * @returns {Promise<Completion[]>}
 */
export async function completionsOf(chatId, text, language, signal) {
  const query = new URLSearchParams({ text, language });
  return (await answer(await request(`${chatPath(chatId)}/completions?${query}`, { signal }))).completions;
}

/**
 * Return the mentions that match the text after an `@`. Throws `Refusal`, or a TypeError if the server is unreachable.
 *
 * @param {string} chatId
 * @param {string} text the text after the `@`
 * @param {"en" | "ja"} language
 * @param {AbortSignal} signal
 * @returns {Promise<{ mentions: MentionInfo[], more: { [kind: string]: number } }>}
 */
export async function mentionsOf(chatId, text, language, signal) {
  return answer(
    await request(`${chatPath(chatId)}/mentions?${new URLSearchParams({ text, language })}`, { signal }),
  );
}

/**
 * Return the agents that a chat can use. Throws `Refusal`, or a TypeError if the server is unreachable.
 *
 * @returns {Promise<{ agents: AgentFacts[], default: string }>}
 */
export async function listAgents() {
  return answer(await request("/api/agents"));
}

/**
 * Set the agent that answers from the next message on. Throws `Refusal`, or a TypeError if the server is unreachable.
 *
 * @param {string} chatId
 * @param {string} agent
 */
export async function chooseAgent(chatId, agent) {
  await send("PATCH", chatPath(chatId), { agent });
}

/**
 * Check whether an ask is still open. Throws `Refusal`, or a TypeError if the server is unreachable.
 *
 * @param {string} chatId
 * @param {string} askId
 * @returns {Promise<boolean>}
 */
export async function askIsOpen(chatId, askId) {
  const { asks } = await answer(await request(`${chatPath(chatId)}/asks`));
  return asks.some(
    (/** @type {{ askId: string, state: string }} */ ask) => ask.askId === askId && ask.state === "open",
  );
}

/**
 * Answer an ask. Throws `Refusal` (status 409 if it is already closed), or a TypeError if the server is unreachable.
 *
 * @param {string} askId
 * @param {{ granted: boolean, value?: JsonValue, reason?: string }} outcome
 */
export async function answerAsk(askId, outcome) {
  await send("POST", `/api/asks/${encodeURIComponent(askId)}`, outcome);
}

/**
 * Return the `Refusal` for an error response.
 *
 * @param {{ message?: string, hint?: string, code?: string, notes?: FileNote[] } | undefined} error the server's error object
 * @param {string} otherwise the message if there is no error object
 * @param {number} [status]
 */
export function refusal(error, otherwise, status) {
  const { message = otherwise, hint = "", code, notes } = error ?? {};
  return new Refusal(`${message} ${hint}`.trim(), status, code, notes);
}

/**
 * Return the card of a file: its tables, columns and settings. Throws `Refusal`, or a TypeError if the server is
 * unreachable.
 *
 * @param {string} chatId
 * @param {string} name
 * @param {"en" | "ja"} language language of the card's questions
 * @returns {Promise<FileCard>}
 */
export async function fileCard(chatId, name, language) {
  return answer(await request(`${chatPath(chatId)}/cards/${encodeURIComponent(name)}?language=${language}`));
}

/**
 * Return the number of saved tests that use a file of this name. Throws `Refusal`, or a TypeError if the server is
 * unreachable.
 *
 * @param {string} name
 * @returns {Promise<number>}
 */
export async function testsWithFile(name) {
  return (await answer(await request(`/api/tests?${new URLSearchParams({ file: name })}`))).tests.length;
}

/**
 * Rename a file or change how it is read, and return its new card. Throws `Refusal` and changes nothing if the change
 * is invalid, or a TypeError if the server is unreachable.
 *
 * @param {string} chatId
 * @param {string} name
 * @param {{ name?: string, readAs?: { [field: string]: JsonValue | undefined } }} change
 * @param {"en" | "ja"} language
 * @returns {Promise<FileCard>}
 */
export async function changeFile(chatId, name, change, language) {
  return send(
    "PATCH",
    `${filePath(chatId, name)}?language=${language}`,
    /** @type {{ [key: string]: JsonValue }} */ (change),
  );
}

/**
 * Remove a file from a chat. Throws `Refusal`, or a TypeError if the server is unreachable.
 *
 * @param {string} chatId
 * @param {string} name
 */
export async function removeFile(chatId, name) {
  await send("DELETE", filePath(chatId, name));
}

/**
 * Return the suggested first questions about a chat's tables and building. Throws `Refusal`, or a TypeError if the
 * server is unreachable.
 *
 * @param {string} chatId
 * @param {"en" | "ja"} language
 * @returns {Promise<StarterInfo[]>}
 */
export async function startersOf(chatId, language) {
  return (await answer(await request(`${chatPath(chatId)}/starters?language=${language}`))).starters;
}
