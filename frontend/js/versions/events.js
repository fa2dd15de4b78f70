// @ts-check
/** Events of two runs in pairs, and which of them differ. Pure. */

/** @import { AnyMessage } from "../debug/words.js" */
/** @typedef {{ first: AnyMessage | null, second: AnyMessage | null, differs: boolean }} Pair */

/** Streamed pieces, whose number says nothing: the complete message follows them. */
const PIECES = new Set(["delta", "printed", "tool_progress", "prompt_progress"]);
/** Fields that differ although both runs did the same: ids, addresses with ids, times. */
const OF_ONE_RUN =
  /^(?:seq|runId|timestamp|at|duration|firstToken|url|imageUrl|(?:call|ask|file|table|image|spec)(?:Id|_id))$/;
/** Times and automatic names of charts within texts. */
const IN_TEXTS = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?|\bchart-\d+\b/g;
/** Events of a run that are compared: the time to align them grows with the square. */
export const MOST_EVENTS = 1000;

/**
 * Align the events of two runs by their types, and mark those with other contents.
 *
 * @param {AnyMessage[]} first
 * @param {AnyMessage[]} second
 * @returns {Pair[]}
 */
export function pairEvents(first, second) {
  const [ones, others] = [first, second].map((messages) =>
    messages.filter(({ type }) => !PIECES.has(type)).slice(0, MOST_EVENTS),
  );
  return align(ones ?? [], others ?? []).map(([one, other]) => ({
    first: one,
    second: other,
    differs: one === null || other === null || contentOf(one) !== contentOf(other),
  }));
}

/** Return what two runs have in common if they do the same. @param {AnyMessage} message */
const contentOf = ({ type, content }) =>
  JSON.stringify([type, content], (key, value) => (OF_ONE_RUN.test(key) ? undefined : comparable(value)));

/** @param {unknown} value */
const comparable = (value) => (typeof value === "string" ? value.replace(IN_TEXTS, "") : value);

/** Return what makes two events the same step of a run. @param {AnyMessage} message */
function kindOf({ type, content }) {
  const { tool, state } = /** @type {Record<string, unknown>} */ (
    content && typeof content === "object" ? content : {}
  );
  return JSON.stringify([type, tool, state]);
}

/**
 * Pair events of the same kind in their order: a longest common subsequence.
 *
 * @param {AnyMessage[]} first
 * @param {AnyMessage[]} second
 * @returns {[AnyMessage | null, AnyMessage | null][]}
 */
function align(first, second) {
  const [kinds, others] = [first.map(kindOf), second.map(kindOf)];
  const width = second.length + 1;
  const lengths = new Uint16Array((first.length + 1) * width);
  const at = (/** @type {number} */ row, /** @type {number} */ column) => lengths[row * width + column] ?? 0;
  for (let row = first.length - 1; row >= 0; row--)
    for (let column = second.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        kinds[row] === others[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  /** @type {[AnyMessage | null, AnyMessage | null][]} */
  const pairs = [];
  for (let row = 0, column = 0; row < first.length || column < second.length;) {
    const [one = null, other = null] = [first[row], second[column]];
    if (one && other && kinds[row] === others[column]) {
      pairs.push([one, other]);
      row++;
      column++;
    } else if (other === null || (one && at(row + 1, column) >= at(row, column + 1))) {
      pairs.push([one, null]);
      row++;
    } else {
      pairs.push([null, other]);
      column++;
    }
  }
  return pairs;
}
