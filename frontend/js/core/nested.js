// @ts-check
/** Messages of managed agents, unwrapped. The wrapper says whose work a message is. Pure. */

/** @import { Message, Nested } from "../types.js" */
/** @typedef {Nested["content"]["message"]} Inner */

/**
 * Messages that panes show like those of the run; other nested messages appear only in the agent's call.
 *
 * @type {ReadonlySet<string>}
 */
const OUTPUTS = new Set([
  "image",
  "chart",
  "mcp_app",
  "table",
  "file",
  "map",
  "map_frames",
  "arrow",
  "highlight_room",
  "clear_arrows",
  "clear_map",
]);

/** Return the nested message with the seq, run and time of its wrapper. @param {Nested} message @returns {Inner} */
export function inner({ content, seq, runId, timestamp }) {
  return /** @type {Inner} */ ({
    ...content.message,
    ...(seq !== undefined && { seq }),
    ...(runId !== undefined && { runId }),
    ...(timestamp !== undefined && { timestamp }),
  });
}

/** @param {Inner} message @returns {boolean} */
export const isOutput = ({ type }) => OUTPUTS.has(type);

/**
 * Return the message as the image and map panes take it: outputs of managed agents unwrapped.
 *
 * @param {Message} message
 * @returns {Message}
 */
export const unwrapOutput = (message) =>
  message.type === "nested" && isOutput(message.content.message) ? inner(message) : message;
