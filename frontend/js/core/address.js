/**
 * What the page is on, a chat and perhaps a conversation: told by the URL's hash (a link opens it), else by what was open last. Each chat
 * that is gone to is an entry of the browser's history.
 */

import { keep, recall } from "./storage.js";

/** @param {string} hash */
export function chatInHash(hash) {
  return new URLSearchParams(hash.replace(/^#/, "")).get("chat");
}

/**
 * The ask a link points at, in its chat.
 *
 * @param {string} hash
 */
export function askInHash(hash) {
  return new URLSearchParams(hash.replace(/^#/, "")).get("ask");
}

/**
 * @param {string} chatId
 * @param {string} askId
 */
export function linkToAsk(chatId, askId) {
  return `#${new URLSearchParams({ chat: chatId, ask: askId })}`;
}

/** The address without the ask or the turn it pointed at: the link was followed. */
export function forgetPlace() {
  change({ ask: null, turn: null });
}

/** The turn a link points at, by its run. @param {string} hash */
export function turnInHash(hash) {
  return new URLSearchParams(hash.replace(/^#/, "")).get("turn");
}

/** @param {string} chatId @param {string} runId */
export const linkToTurn = (chatId, runId) => `#${new URLSearchParams({ chat: chatId, turn: runId })}`;

/** Whether the chat is played from its log; `only` where the desk can do nothing else. @param {string} hash */
export const replayInHash = (hash) => new URLSearchParams(hash.replace(/^#/, "")).get("replay");

/** @param {string} chatId */
export const linkToReplay = (chatId) => `#${new URLSearchParams({ chat: chatId, replay: "1" })}`;

export function rememberedChat() {
  return chatInHash(window.location.hash) ?? recall("chat");
}

/** @param {string} chatId */
export const linkToChat = (chatId) => `#${new URLSearchParams({ chat: chatId })}`;

/**
 * @param {string | null} chatId null for none
 * @param {boolean} [further] whether the browser's Back leads to where one was before
 */
export function rememberChat(chatId, further = false) {
  keep("chat", chatId);
  if (chatInHash(window.location.hash) !== chatId) change({ chat: chatId, ask: null, turn: null }, further);
}

/**
 * What the conversations view is to show, when the address is of it.
 *
 * @param {string} hash
 * @returns {{ project: string | null, conversation: string | null } | null}
 */
export function talkInHash(hash) {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const [project, conversation] = [parameters.get("conversations"), parameters.get("conversation")];
  return project === null && conversation === null ? null : { project: project || null, conversation };
}

/** @param {{ project: string | null, conversation: string | null } | null} talk null: the desk is shown */
export function rememberTalk(talk) {
  if (talk?.project) keep("project", talk.project);
  change({ conversations: talk && (talk.project ?? ""), conversation: talk && talk.conversation });
}

/**
 * Put these into the address, or take those out that are null.
 *
 * @param {{ [name: string]: string | null }} changes
 * @param {boolean} [further] as another entry of the history
 */
function change(changes, further = false) {
  const parameters = new URLSearchParams(window.location.hash.replace(/^#/, ""));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) parameters.delete(name);
    else parameters.set(name, value);
  }
  const hash = parameters.size ? `#${parameters}` : window.location.pathname + window.location.search;
  if (further) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
}

/**
 * @param {string | null} chatId
 * @param {number} after
 */
export function socketAddress(chatId, after) {
  const url = new URL("ws", window.location.href.replace(/[?#].*$/, ""));
  url.protocol = window.location.protocol === "https:" ? "wss:" : "ws:";
  url.search = new URLSearchParams({
    ...(chatId === null ? {} : { chat: chatId }),
    after: String(after),
  }).toString();
  return url.href;
}
