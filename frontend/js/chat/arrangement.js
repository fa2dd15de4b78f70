/**
 * Order of a finished turn: the answer in words, its plots, its tables, what else it shows, how the question was read; then
 * the steps it took. A turn that runs, failed or was stopped stays in the order things happened. Pure.
 */

import { isAnswer } from "./turns.js";

/** @import { Block, ShownBlock, Turn } from "../types.js" */

/** Kinds of results, first to last. @type {((block: Block) => boolean)[]} */
const RESULTS = [
  (block) => isAnswer(block) || isAnswerCode(block),
  of("image", "chart", "mcp_app"),
  of("table"),
  (block) => of("json", "code", "file")(block) && !isAnswerCode(block),
  of("map", "map_frames", "highlight_room", "arrow", "clear_arrows", "clear_map"),
  of("reading"),
];

/** Code that the answer itself holds: it stands where the answer has it, between its words. @param {Block} block */
function isAnswerCode(block) {
  return block.kind === "shown" && block.message.type === "code" && block.message.step === undefined;
}

/** @param {...ShownBlock["message"]["type"]} types @returns {(block: Block) => boolean} */
function of(...types) {
  return (block) => block.kind === "shown" && types.includes(block.message.type);
}

/** @param {Turn} turn whether its answer comes first; what a program wrote stays as it was laid out, and so does what came of a person's code */
export const isArranged = ({ state, program, isCode }) => state === "finished" && !program && !isCode;

/**
 * @param {Turn} turn
 * @returns {number[]} places of its results among its blocks, in the order they are shown
 */
export function resultsOf({ blocks }) {
  return RESULTS.flatMap((belongs) => blocks.flatMap((block, at) => (belongs(block) ? [at] : [])));
}

/**
 * The step that something went wrong in: an error after it that did not end the run.
 *
 * @param {Turn} turn
 * @param {number} at place of the error
 * @returns {number} place of the step, or -1
 */
export function stepBefore({ blocks }, at) {
  return blocks.findLastIndex((block, place) => place < at && block.kind === "step");
}
