/** Channel to other tabs of this browser, for changes of chats. */

/** @typedef {{ chatId?: string, title?: string, restored?: boolean }} Change */

const channel = new BroadcastChannel("smoldesk.chats");

/** @param {Change} change */
export const publishChange = (change) => channel.postMessage(change);

/**
 * @param {(change: Change) => void} receive
 * @returns {() => void} undo
 */
export function onChange(receive) {
  const listener = (/** @type {MessageEvent<Change>} */ { data }) => receive(data);
  channel.addEventListener("message", listener);
  return () => channel.removeEventListener("message", listener);
}
