/** Facts of a run that several rooms need: whether it is over, and what an approval changed. Pure. */

/** @import { AskClosedContent, AskContent, JsonValue, RunContent } from "../types.js" */

const CLOSED = new Set(["finished", "failed", "cancelled"]);

/** @param {Pick<RunContent, "state">} run a run, or its turn */
export const isClosed = ({ state }) => CLOSED.has(state);

/**
 * The arguments a granted approval runs with, if they were changed.
 *
 * @param {AskContent} ask
 * @param {AskClosedContent | null} closed
 * @returns {{ [name: string]: JsonValue } | null}
 */
export function changedArguments({ kind }, closed) {
  const value = closed?.granted && kind === "approval" ? closed.value : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}
