/**
 * First socket of the page, opened by start.js before the other modules load. It buffers messages until core/socket.js
 * takes it over for the same address.
 */

import { socketProtocols } from "./session.js";

/** @type {{ socket: WebSocket, address: string, messages: unknown[], onMessage(event: MessageEvent): void } | null} */
let first = null;

/** @param {string} address */
export function openFirst(address) {
  const socket = new WebSocket(address, socketProtocols());
  /** @type {unknown[]} */
  const messages = [];
  const onMessage = (/** @type {MessageEvent} */ { data }) => {
    messages.push(data);
  };
  socket.addEventListener("message", onMessage);
  first = { socket, address, messages, onMessage };
}

/**
 * Return the first socket with its buffered messages, once. Returns null if it has another address, is closed or does
 * not exist.
 *
 * @param {string} address
 * @returns {{ socket: WebSocket, messages: unknown[] } | null}
 */
export function takeFirst(address) {
  const opened = first;
  first = null;
  if (opened === null) return null;
  const { socket, messages, onMessage } = opened;
  socket.removeEventListener("message", onMessage);
  if (opened.address === address && socket.readyState <= WebSocket.OPEN) return { socket, messages };
  socket.close();
  return null;
}
