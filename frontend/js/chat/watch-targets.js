/** What can be watched of a turn: its answer, figures, tables and charts, in the order of the server's list. Pure. */

/** @import { FigureEvidence, TableContent, Turn, WatchedPart, WatchTarget } from "../types.js" */

const MAX_FIGURES = 30;

/** @param {Turn} turn @returns {WatchedPart[]} */
export function watchTargets(turn) {
  const messages = turn.blocks.flatMap((block) => (block.kind === "shown" ? [block.message] : []));
  const tables = messages.flatMap((message) => (message.type === "table" ? [message.content] : []));
  const charts = messages.flatMap((message) => (message.type === "chart" ? [message.content] : []));
  const figures = (turn.evidence?.figures ?? []).slice(0, MAX_FIGURES);
  /** @type {Map<string, WatchedPart>} */
  const sources = new Map();
  figures.forEach((figure, index) => {
    if (["asked", "possible", "unmatched"].includes(figure.status)) return;
    const { key, ...source } = figureSource(figure, index, tables);
    if (!sources.has(key)) sources.set(key, source);
  });
  return [
    { target: { kind: "answer" }, label: "answer", text: "" },
    ...sources.values(),
    ...tables.map(({ name }, index) => part("table", index, name)),
    ...charts.map(({ name, description }, index) => part("chart", index, description || name)),
  ];
}

/** @param {"figure" | "table" | "chart"} kind @param {number} index @param {string} text @returns {WatchedPart} */
const part = (kind, index, text) => ({ target: { kind, index }, label: kind, text });

/**
 * Return the cell that a figure is from, which is found again when the answer has other words; else the figure.
 *
 * The text names row and column, since several figures may be equal; `key` is the same for figures of one cell.
 *
 * @param {FigureEvidence} figure
 * @param {number} index
 * @param {TableContent[]} tables
 * @returns {WatchedPart & { key: string }}
 */
function figureSource(figure, index, tables) {
  const place = figure.places?.length === 1 ? figure.places[0] : undefined;
  const at = tables.findIndex(({ tableId }) => place?.kind === "cell" && tableId === place.tableId);
  const name = tables[at]?.rows[place?.row ?? -1]?.[0];
  if (name === undefined || place?.column === undefined)
    return { ...part("figure", index, figure.text), key: String(index) };
  const text = `${figure.text} · ${name} · ${place.column}`;
  const key = JSON.stringify([at, place.row, place.column]);
  // The server writes numbers in its own way.
  if (figure.status !== "matched" || typeof name !== "string") return { ...part("figure", index, text), key };
  /** @type {WatchTarget} */
  const target = { kind: "cell", index: at, row: name.slice(0, 200), column: place.column };
  return { target, label: "figure", text, key };
}
