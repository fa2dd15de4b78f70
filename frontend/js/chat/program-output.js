/**
 * What a terminal program writes, in its turn: first as it comes, then as the messages that repeat it. The messages of one
 * batch take the place of what came before them all at once, so that nothing is seen twice and nothing jumps. Pure.
 */

import { grown } from "./rope.js";

/** @import { Debug, Delta, ShownBlock, Turn } from "../types.js" */

/**
 * A piece of what a program writes.
 *
 * @param {Turn} turn
 * @param {Delta} message
 * @returns {Turn}
 */
export function withOutput(turn, { content }) {
  const last = turn.blocks.at(-1);
  const continues = last?.kind === "output";
  const blocks = continues
    ? turn.blocks.with(-1, { ...last, text: grown(last.text, content) })
    : [...turn.blocks, { kind: /** @type {const} */ ("output"), text: grown(null, content) }];
  return { ...turn, program: true, blocks };
}

/**
 * A batch begins. If it repeats what a program just wrote, its messages wait for each other.
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
 * One more message of the batch that a turn waits for.
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
 * The turn with whatever has come of its batch: anything else that happens ends the wait.
 *
 * @param {Turn} turn
 * @returns {Turn} the same when it waits for nothing
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
