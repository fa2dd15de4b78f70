// @ts-check
/** Received messages of a chat, in the page's state: appending is O(1), and the debug pane makes its rows from them. */

/** @import { Message } from "../types.js" */

/**
 * Linked list of messages, newest first: a reader walks back to its last entry.
 *
 * @typedef {{before: Logged | null, message: Message, at: number}} Logged `at`: milliseconds since 1970
 */

/** @param {Logged | null} before @param {Message} message @param {number} at @returns {Logged} */
export const logged = (before, message, at) => ({ before, message, at });

/**
 * Return the entries after `last`, oldest first; all of them when `last` is not in the log.
 * @param {Logged | null} log
 * @param {Logged | null} last
 * @returns {{ fresh: Logged[], isComplete: boolean }} whether `fresh` is the whole log
 */
export function since(log, last) {
  const fresh = [];
  let at = log;
  for (; at !== null && at !== last; at = at.before) fresh.push(at);
  return { fresh: fresh.reverse(), isComplete: at !== last || last === null };
}
