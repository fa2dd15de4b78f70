/** Parts of the rows of a grid beside their cells: boxes that select, and the totals below. */

import { el } from "../core/dom.js";

/** @import { CellNeeds } from "./cells.js" */

/**
 * Create the box that selects a row, or all of them; null if rows are not selected here.
 *
 * @param {number} row -1 for all
 * @param {CellNeeds} needs
 */
export function selectBox(row, { selected, rows, t }) {
  if (!selected) return null;
  const { count } = selected;
  const state = row >= 0 ? selected.has(row) : count === 0 ? false : count === rows.count || "mixed";
  const label = row < 0 ? t("grid.select_all") : t("grid.select_row", { n: t.number(row + 1) });
  return el(
    "div",
    { class: "grid-check", role: "gridcell", "data-row": row },
    el("span", { class: "grid-box", role: "checkbox", "aria-checked": String(state), "aria-label": label }),
  );
}

/** Create the cells below the rows. @param {CellNeeds} needs @param {number[]} columns */
export function footCells({ foot, kind }, columns) {
  if (!foot) return [];
  return columns.map((column) => {
    const text = foot(column);
    return el(
      "div",
      { class: "grid-cell", role: "gridcell", "data-kind": kind(column), title: text || null },
      text,
    );
  });
}

/** Estimate the width of a text in letters. @param {string} text */
export function textWidth(text) {
  let width = 0;
  for (const letter of text.slice(0, 60)) width += letter > "\u2e7f" ? 1.9 : 1;
  return width;
}
