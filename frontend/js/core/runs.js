/** Functions about runs that several rooms need. Pure. */

/** @import { AskClosedContent, AskContent, JsonValue, RunContent } from "../types.js" */

const CLOSED = new Set(["finished", "failed", "cancelled"]);

/** Check whether a run is over. @param {Pick<RunContent, "state">} run a run or its turn */
export const isClosed = ({ state }) => CLOSED.has(state);

/**
 * Return the arguments of a granted approval if the person changed them, else null.
 *
 * @param {AskContent} ask
 * @param {AskClosedContent | null} closed
 * @returns {{ [name: string]: JsonValue } | null}
 */
export function changedArguments({ kind }, closed) {
  const value = closed?.granted && kind === "approval" ? closed.value : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}
