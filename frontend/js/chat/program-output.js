/**
 * Output of a terminal program in its turn: first as a stream, then as the messages of a batch that repeat it. They
 * replace the streamed text all at once, so that nothing appears twice and nothing jumps. Pure.
 */

import { grown } from "./rope.js";

/** @import { Debug, Delta, ShownBlock, Turn } from "../types.js" */

/** Add a piece of streamed output. @param {Turn} turn @param {Delta} message @returns {Turn} */
export function withOutput(turn, { content }) {
  const last = turn.blocks.at(-1);
  const continues = last?.kind === "output";
  const blocks = continues
    ? turn.blocks.with(-1, { ...last, text: grown(last.text, content) })
    : [...turn.blocks, { kind: /** @type {const} */ ("output"), text: grown(null, content) }];
  return { ...turn, program: true, blocks };
}

/**
 * Start a batch. If it repeats streamed output, its messages are collected.
 *
 * @param {Turn} turn
 * @param {Debug} message
 * @returns {Turn}
 */
export function withBatch(turn, { content: { agent_response: response, output_count: count } }) {
  const program = turn.program || Array.isArray(response.screen);
  const repeats = count > 0 && turn.blocks.at(-1)?.kind === "output";
  return program === turn.program && !repeats
    ? turn
    : { ...turn, program, coming: repeats ? { remaining: count, results: [] } : null };
}

/**
 * Collect another message of a batch.
 *
 * @param {Turn} turn
 * @param {NonNullable<Turn["coming"]>} coming
 * @param {ShownBlock["message"]} message
 * @returns {Turn}
 */
export function withRepeated(turn, { remaining, results }, message) {
  const next = { ...turn, coming: { remaining: remaining - 1, results: [...results, message] } };
  return remaining > 1 ? next : landed(next);
}

/**
 * End the wait for a batch: show the collected messages. Any other event ends it.
 *
 * @param {Turn} turn
 * @returns {Turn} the same turn if it does not wait
 */
export function landed(turn) {
  const { coming, blocks } = turn;
  if (coming === null) return turn;
  if (coming.results.length === 0) return { ...turn, coming: null };
  const newBlocks = coming.results.map((message) => blockOf(turn, message));
  return { ...turn, coming: null, blocks: [...blocks.slice(0, -1), ...newBlocks] };
}

/**
 * @param {Turn} turn
 * @param {ShownBlock["message"]} message
 * @returns {ShownBlock}
 */
export const blockOf = ({ program }, message) =>
  program ? { kind: "shown", message, program } : { kind: "shown", message };
