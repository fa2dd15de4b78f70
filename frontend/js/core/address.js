/**
 * Current chat, ask, turn and conversation, read from the URL's hash or else from storage. Opening a chat adds an entry
 * to the browser's history.
 */

import { keep, recall } from "./storage.js";

/** @param {string} hash */
export function chatInHash(hash) {
  return new URLSearchParams(hash.replace(/^#/, "")).get("chat");
}

/** Return the ask that a link points at. @param {string} hash */
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

/** Remove the ask and the turn from the address after the page has shown them. */
export function forgetPlace() {
  change({ ask: null, turn: null });
}

/** Return the run of the turn that a link points at. @param {string} hash */
export function turnInHash(hash) {
  return new URLSearchParams(hash.replace(/^#/, "")).get("turn");
}

/** @param {string} chatId @param {string} runId */
export const linkToTurn = (chatId, runId) => `#${new URLSearchParams({ chat: chatId, turn: runId })}`;

/**
 * Return the chat that the page replays from its log. `only` means that the server offers nothing but the replay.
 *
 * @param {string} hash
 */
export const replayInHash = (hash) => new URLSearchParams(hash.replace(/^#/, "")).get("replay");

/** @param {string} chatId */
export const linkToReplay = (chatId) => `#${new URLSearchParams({ chat: chatId, replay: "1" })}`;

export function rememberedChat() {
  return chatInHash(window.location.hash) ?? recall("chat");
}

/** @param {string} chatId */
export const linkToChat = (chatId) => `#${new URLSearchParams({ chat: chatId })}`;

/**
 * Store the open chat and put it into the address.
 *
 * @param {string | null} chatId null for none
 * @param {boolean} [further] add an entry to the browser's history
 */
export function rememberChat(chatId, further = false) {
  keep("chat", chatId);
  if (chatInHash(window.location.hash) !== chatId) change({ chat: chatId, ask: null, turn: null }, further);
}

/**
 * Return the project and the conversation in the address, or null.
 *
 * @param {string} hash
 * @returns {{ project: string | null, conversation: string | null } | null}
 */
export function talkInHash(hash) {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const [project, conversation] = [parameters.get("conversations"), parameters.get("conversation")];
  return project === null && conversation === null ? null : { project: project || null, conversation };
}

/**
 * Put the conversations view into the address.
 *
 * @param {{ project: string | null, conversation: string | null } | null} talk null: the chat is shown
 */
export function rememberTalk(talk) {
  if (talk?.project) keep("project", talk.project);
  change({ conversations: talk && (talk.project ?? ""), conversation: talk && talk.conversation });
}

/**
 * Set parameters of the hash; null removes one.
 *
 * @param {{ [name: string]: string | null }} changes
 * @param {boolean} [further] add an entry to the browser's history
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
    lines: "", // several messages in one frame
  }).toString();
  return url.href;
}
