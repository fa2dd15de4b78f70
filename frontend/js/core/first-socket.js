/**
 * The page's first socket, opened by start.js before the rest of the page is loaded. What it hears meanwhile is kept for
 * the wire (core/socket.js), which takes it over when it wants to connect to the same address.
 */

import { socketProtocols } from "./session.js";

/** @type {{ socket: WebSocket, address: string, heard: unknown[], hear(event: MessageEvent): void } | null} */
let first = null;

/** @param {string} address */
export function openFirst(address) {
  const socket = new WebSocket(address, socketProtocols());
  /** @type {unknown[]} */
  const heard = [];
  const hear = (/** @type {MessageEvent} */ { data }) => {
    heard.push(data);
  };
  socket.addEventListener("message", hear);
  first = { socket, address, heard, hear };
}

/**
 * The first socket and what it has heard, once and for this address alone; null when there is none, or it was lost.
 *
 * @param {string} address
 * @returns {{ socket: WebSocket, heard: unknown[] } | null}
 */
export function takeFirst(address) {
  const taken = first;
  first = null;
  if (taken === null) return null;
  const { socket, heard, hear } = taken;
  socket.removeEventListener("message", hear);
  if (taken.address === address && socket.readyState <= WebSocket.OPEN) return { socket, heard };
  socket.close();
  return null;
}
