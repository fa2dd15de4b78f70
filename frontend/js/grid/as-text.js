/** Rows of a table as text to paste: with tabs, as spreadsheets take them, or as a table of Markdown. Pure. */

/** @import { JsonValue } from "../types.js" */

/** @param {JsonValue | undefined} cell */
export function asText(cell) {
  if (cell === null || cell === undefined) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

/**
 * @param {string[] | null} heads
 * @param {JsonValue[][]} rows
 */
export function asTsv(heads, rows) {
  const lines = rows.map((row) => row.map(asText));
  return (heads ? [heads, ...lines] : lines).map((line) => line.map(tsvCell).join("\t")).join("\n");
}

/** @param {string} text */
function tsvCell(text) {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * @param {string[]} heads
 * @param {JsonValue[][]} rows
 * @param {boolean[]} numbers which columns stand on the right
 */
export function asMarkdown(heads, rows, numbers) {
  /** @param {string[]} cells */
  const line = (cells) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\r?\n/g, " ")).join(" | ")} |`;
  return [
    line(heads),
    line(numbers.map((right) => (right ? "---:" : "---"))),
    ...rows.map((row) => line(row.map(asText))),
  ].join("\n");
}
