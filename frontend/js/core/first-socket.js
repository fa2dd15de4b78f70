/**
 * The page's first socket, opened by start.js before the rest of the page is loaded. What it hears meanwhile is kept for
 * the wire (core/socket.js), which takes it over when it wants to connect to the same address.
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
 * The first socket and what it has heard, once and for this address alone; null when there is none, or it was lost.
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
