/** Which chat the page is on: told by the URL's hash (a link opens its chat), else by what was open last. */

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

/** The address without the ask it pointed at: the link was followed. */
export function forgetAsk() {
  const parameters = new URLSearchParams(window.location.hash.replace(/^#/, ""));
  parameters.delete("ask");
  history.replaceState(null, "", `#${parameters}`);
}

export function rememberedChat() {
  return chatInHash(window.location.hash) ?? recall("chat");
}

/** @param {string | null} chatId null for none */
export function rememberChat(chatId) {
  keep("chat", chatId);
  const hash = chatId === null ? " " : `#${new URLSearchParams({ chat: chatId })}`;
  if (chatInHash(window.location.hash) !== chatId) history.replaceState(null, "", hash === " " ? window.location.pathname + window.location.search : hash);
}

/**
 * @param {string | null} chatId
 * @param {number} after
 */
export function socketAddress(chatId, after) {
  const url = new URL("ws", window.location.href.replace(/[?#].*$/, ""));
  url.protocol = window.location.protocol === "https:" ? "wss:" : "ws:";
  url.search = new URLSearchParams({ ...(chatId === null ? {} : { chat: chatId }), after: String(after) }).toString();
  return url.href;
}
