/**
 * Order of a finished turn: the answer's texts with the cards that are parts of it, plots, tables, other results, the interpretation of the question;
 * then the steps. A turn that is running, failed or was stopped keeps the order of events. Pure.
 */

import { isAnswer } from "./turns.js";

/** @import { Block, ShownBlock, Turn } from "../types.js" */

/** Kinds of results, first to last. @type {((block: Block) => boolean)[]} */
const RESULT_ORDER = [
  (block) => isAnswer(block) || isAnswerCode(block) || isAnswerCard(block),
  of("image", "chart", "mcp_app"),
  of("table"),
  (block) => of("json", "code", "file")(block) && !isAnswerCode(block),
  of("map", "map_frames", "highlight_room", "arrow", "clear_arrows", "clear_map"),
  of("reading"),
  of("alternatives"),
];

/**
 * Check whether code belongs to the answer itself, and so keeps its place between the answer's texts.
 *
 * @param {Block} block
 */
function isAnswerCode(block) {
  return block.kind === "shown" && block.message.type === "code" && block.message.step === undefined;
}

/** Check whether a table, chart or image is a part of the answer. @param {Block} block */
const isAnswerCard = (block) =>
  block.kind === "shown" && "isAnswer" in block.message && block.message.isAnswer === true;

/** @param {...ShownBlock["message"]["type"]} types @returns {(block: Block) => boolean} */
function of(...types) {
  return (block) => block.kind === "shown" && types.includes(block.message.type);
}

/**
 * Check whether results come first. Output of a program, and of a person's code, keeps its order.
 *
 * @param {Turn} turn
 */
export const isArranged = ({ state, program, isCode }) => state === "finished" && !program && !isCode;

/**
 * Return the indexes of the results among the blocks, in the order of display.
 *
 * @param {Turn} turn
 * @returns {number[]}
 */
export function resultsOf({ blocks }) {
  const groups = RESULT_ORDER.map((belongs) => blocks.flatMap((block, at) => (belongs(block) ? [at] : [])));
  return [...new Set(groups.flat())];
}

/**
 * Return the index of the step that an error belongs to, for an error that did not end the run.
 *
 * @param {Turn} turn
 * @param {number} at index of the error
 * @returns {number} index of the step, or -1
 */
export function stepOfError({ blocks }, at) {
  return blocks.findLastIndex((block, place) => place < at && block.kind === "step");
}
