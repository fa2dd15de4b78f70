/** The HTTP side of the server, as far as the page uses it. Faults are told as the server words them. */

import { request } from "./session.js";

/** @import { AgentFacts, Completion, FileCard, JsonValue, MentionInfo, StarterInfo, TableContent } from "../types.js" */

/** What the server said no to: its message and its hint as one sentence, and the status of the answer (0 for none of its own). */
export class Refusal extends Error {
  /** @param {string} message @param {number} status @param {string} code */
  constructor(message, status = 0, code = "") {
    super(message);
    this.status = status;
    this.code = code;
  }
}

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
  return answer(await request(`${chatPath(chatId)}/tables/${encodeURIComponent(tableId)}?${query}`));
}

/**
 * What the server answered, as data. Throws `Refusal`.
 *
 * @param {Response} response
 */
export async function answer(response) {
  const body = await response.json().catch(() => null);
  if (response.ok) return body;
  throw refusal(body?.error, response.statusText || String(response.status), response.status);
}

/**
 * Ask for a change, with a body if there is one. Throws `Refusal`, or a TypeError when the server cannot be reached.
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
 * What a text can become in a question to the chat's tables. Throws `Refusal`, or a TypeError when the server cannot be reached.
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
 * What an `@` may name in a chat. Throws `Refusal`, or a TypeError when the server cannot be reached.
 *
 * @param {string} chatId
 * @param {string} text what is typed behind it
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
 * The agents a chat may choose. Throws `Refusal`, or a TypeError when the server cannot be reached.
 *
 * @returns {Promise<{ agents: AgentFacts[], default: string }>}
 */
export async function listAgents() {
  return answer(await request("/api/agents"));
}

/**
 * From the next message on this agent answers in the chat. Throws `Refusal`, or a TypeError when the server cannot be reached.
 *
 * @param {string} chatId
 * @param {string} agent
 */
export async function chooseAgent(chatId, agent) {
  await send("PATCH", chatPath(chatId), { agent });
}

/**
 * Whether an ask of a chat still waits for its answer. Throws `Refusal`, or a TypeError when the server cannot be reached.
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
 * Answer an ask. Throws `Refusal` (409: it is closed, somebody else was first), or a TypeError when the server cannot be reached.
 *
 * @param {string} askId
 * @param {{ granted: boolean, value?: JsonValue, reason?: string }} outcome
 */
export async function answerAsk(askId, outcome) {
  await send("POST", `/api/asks/${encodeURIComponent(askId)}`, outcome);
}

/**
 * @param {{ message?: string, hint?: string, code?: string } | undefined} error what the server said
 * @param {string} otherwise what is said without
 * @param {number} [status]
 */
export function refusal(error, otherwise, status) {
  const { message = otherwise, hint = "", code } = error ?? {};
  return new Refusal(`${message} ${hint}`.trim(), status, code);
}

/**
 * What is in a file of a chat. Throws `Refusal`, or a TypeError when the server cannot be reached.
 *
 * @param {string} chatId
 * @param {string} name
 * @param {"en" | "ja"} language of its questions
 * @returns {Promise<FileCard>}
 */
export async function fileCard(chatId, name, language) {
  return answer(await request(`${chatPath(chatId)}/cards/${encodeURIComponent(name)}?language=${language}`));
}

/**
 * Give a file another name, or have it read in another way; its card then. Throws `Refusal` for what cannot be done (then
 * nothing is), or a TypeError when the server cannot be reached.
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
 * Take a file out of a chat. Throws `Refusal`, or a TypeError when the server cannot be reached.
 *
 * @param {string} chatId
 * @param {string} name
 */
export async function removeFile(chatId, name) {
  await send("DELETE", filePath(chatId, name));
}

/**
 * What an empty chat offers to ask of its own tables and building. Throws `Refusal`, or a TypeError when the server cannot be reached.
 *
 * @param {string} chatId
 * @param {"en" | "ja"} language
 * @returns {Promise<StarterInfo[]>}
 */
export async function startersOf(chatId, language) {
  return (await answer(await request(`${chatPath(chatId)}/starters?language=${language}`))).starters;
}
