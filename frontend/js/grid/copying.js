/** Copies of a grid for the clipboard: the selected rows or cells, or everything that it shows. */

import { copyText } from "../core/clipboard.js";
import { asMarkdown, asTsv } from "./as-text.js";
import { rowsIn } from "./asking.js";

/** @import { JsonValue } from "../types.js" */
/** @import { TableGrid } from "./grid.js" */

/** Maximum rows of one copy. */
const MAX_COPIED = 10_000;

/** Copy the selected rows, else the selected cells, for a spreadsheet. @param {TableGrid} grid */
export async function copySelection(grid) {
  const { rows, columns } = grid.cells.marked();
  const { selected } = grid.cells.needs;
  const isByHand = selected !== undefined && selected.count > 0;
  const cells = await read(grid, isByHand ? selected.ranges : [[rows.begin, rows.end]]);
  if (cells) await put(grid, asTsv(null, pick(cells, isByHand ? grid.cells.columns : columns)));
}

/** Copy everything, with the names of the columns. @param {TableGrid} grid @param {boolean} markdown */
export async function copyAll(grid, markdown) {
  const { columns, needs } = grid.cells;
  const rows = await read(grid, [[0, needs.rows.count]]);
  if (rows === null) return;
  const shown = columns.map((at) => grid.shownColumns[at]);
  const names = shown.map((column) => column?.name ?? "");
  const numbers = shown.map((column) => column?.kind === "number");
  const cells = pick(rows, columns);
  await put(grid, markdown ? asMarkdown(names, cells, numbers) : asTsv(names, cells));
}

/** @param {JsonValue[][]} rows @param {number[]} columns */
const pick = (rows, columns) => rows.map((row) => columns.map((at) => row[at] ?? null));

/** @param {TableGrid} grid @param {[number, number][]} ranges */
async function read(grid, ranges) {
  const count = rowsIn(ranges);
  if (count > MAX_COPIED) {
    grid.refuse("grid.too_many", count, MAX_COPIED);
    return null;
  }
  try {
    /** @type {JsonValue[][]} */
    const rows = [];
    for (const [begin, end] of ranges) rows.push(...(await grid.cells.needs.rows.between(begin, end)));
    return rows;
  } catch (fault) {
    grid.showError(fault instanceof Error ? fault : null);
    return null;
  }
}

/** @param {TableGrid} grid @param {string} text */
async function put(grid, text) {
  const { t } = grid;
  grid.count.textContent = (await copyText(text)) ? t("shared.copied") : t("shared.not_copied");
  grid.cells.dom.focus();
}
