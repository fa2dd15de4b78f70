/** What can be watched of a turn: its answer, figures, tables and charts, in the order of the server's list. Pure. */

/** @import { FigureEvidence, TableContent, Turn, WatchedPart, WatchTarget } from "../types.js" */

const MAX_FIGURES = 30;

/** @param {Turn} turn @returns {WatchedPart[]} */
export function watchTargets(turn) {
  const messages = turn.blocks.flatMap((block) => (block.kind === "shown" ? [block.message] : []));
  const tables = messages.flatMap((message) => (message.type === "table" ? [message.content] : []));
  const charts = messages.flatMap((message) => (message.type === "chart" ? [message.content] : []));
  const figures = (turn.evidence?.figures ?? []).slice(0, MAX_FIGURES);
  return [
    { target: { kind: "answer" }, label: "answer", text: "" },
    ...figures.flatMap((figure, index) =>
      ["asked", "possible", "unmatched"].includes(figure.status)
        ? []
        : [{ target: figureTarget(figure, index, tables), label: "figure", text: figure.text }],
    ),
    ...tables.map(({ name }, index) => part("table", index, name)),
    ...charts.map(({ name, description }, index) => part("chart", index, description || name)),
  ];
}

/** @param {"table" | "chart"} kind @param {number} index @param {string} text @returns {WatchedPart} */
const part = (kind, index, text) => ({ target: { kind, index }, label: kind, text });

/**
 * Return the cell that a figure is from, which is found again when the answer has other words; else the figure.
 *
 * @param {FigureEvidence} figure
 * @param {number} index
 * @param {TableContent[]} tables
 * @returns {WatchTarget}
 */
function figureTarget(figure, index, tables) {
  const place = figure.places?.length === 1 ? figure.places[0] : undefined;
  const at = tables.findIndex(({ tableId }) => place?.kind === "cell" && tableId === place.tableId);
  const name = tables[at]?.rows[place?.row ?? -1]?.[0];
  if (figure.status !== "matched" || place?.column === undefined || typeof name !== "string")
    return { kind: "figure", index };
  return { kind: "cell", index: at, row: name.slice(0, 200), column: place.column };
}
