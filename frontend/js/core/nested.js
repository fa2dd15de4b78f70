// @ts-check
/** What a managed agent tells, as it would by itself: whose work it is stands beside it. Pure. */

/** @import { Message, Nested } from "../types.js" */
/** @typedef {Nested["content"]["message"]} Inner */

/** What it shows is shown in the panes like the run's own; the rest is within its call alone. @type {ReadonlySet<string>} */
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

/** The message inside, with the place that the wire gave the whole. @param {Nested} message @returns {Inner} */
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

/** The message as the panes of images and the map have it: what a managed agent shows stands for itself. @param {Message} message @returns {Message} */
export const unwrapOutput = (message) =>
  message.type === "nested" && isOutput(message.content.message) ? inner(message) : message;
