// @ts-check
/** Links between rows and the other panes: outputs of a row, and rows of a selection. Pure. */

import { record, seqsOf } from "./rows.js";

/** @import { Selection } from "../types.js" */
/** @import { Row } from "./rows.js" */
/** @import { Trace } from "./trace.js" */

/** Maximum blocks in other panes that one row lights. */
const MAX_BLOCKS = 100;
const SHAPES = new Set([
  "map",
  "map_frames",
  "arrow",
  "highlight_room",
  "image",
  "table",
  "chart",
  "mcp_app",
  "file",
  "json",
]);

/**
 * Return the seqs of the messages that show a row, its own first: a call's drawings, the code of a model call.
 *
 * @param {Row} row
 * @returns {number[]}
 */
export function outputsOf(row) {
  const siblings = row.parent?.kind === "step" ? row.parent.children : [];
  const related = siblings.filter((other) => other !== row && isOf(row, other, siblings));
  return [...new Set([row, ...related].flatMap((source) => seqsOf(source)))].slice(0, MAX_BLOCKS);
}

/**
 * Check whether a row of the same step shows the output of another one.
 *
 * @param {Row} row
 * @param {Row} other
 * @param {Row[]} siblings
 */
function isOf(row, other, siblings) {
  switch (row.kind) {
    case "model":
      return other.kind === "code" || other.type === "text";
    case "tool": {
      const line = record(row.messages[0]?.content).line;
      const from = record(record(other.messages[0]?.content).source).line;
      if (typeof from === "number") return from === line;
      return SHAPES.has(other.type) && siblings.filter(({ kind }) => kind === "tool").length === 1;
    }
    default:
      return row.type === "printed" && other.kind === "code";
  }
}

/**
 * Return the rows of a selection in another pane, the row of the output first.
 *
 * @param {Trace} trace
 * @param {Omit<Selection, "source">} selection
 * @returns {Row[]}
 */
export function rowsOf(trace, { seq, seqs, room, runId }) {
  const targets = seqs ?? (seq === undefined ? [] : [seq]);
  const rows = targets.flatMap((target) => trace.bySeq.get(target) ?? []);
  const makers = rows.flatMap((row) =>
    row.parent?.kind === "step"
      ? row.parent.children.filter(
          (other) =>
            (other.kind === "tool" || other.kind === "model") && isOf(other, row, row.parent?.children ?? []),
        )
      : [],
  );
  if (rows.length > 0) return [...new Set([...rows, ...makers])];
  const row =
    (room === undefined ? null : trace.ofRoom(room)) ?? (runId === undefined ? null : trace.ofRun(runId));
  return row ? [row] : [];
}
