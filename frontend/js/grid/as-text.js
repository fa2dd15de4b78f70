/** Rows of a table as text for the clipboard: tab-separated for spreadsheets, or a Markdown table. Pure. */

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
 * Return a Markdown table.
 *
 * @param {string[]} heads
 * @param {JsonValue[][]} rows
 * @param {boolean[]} numbers which columns are right-aligned
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
