/** Sources of a grid's rows. */

import { copyAll } from "./copying.js";

/** @import { MenuItem } from "../core/menu.js" */
/** @import { JsonValue, Translate } from "../types.js" */
/** @import { TableGrid } from "./grid.js" */
/** @import { RowPages } from "./rows.js" */

export const FORMS = ["csv", "xlsx", "parquet"];

/**
 * Source of a grid's rows.
 *
 * @typedef {object} GridSource
 * @property {string} [url] address of a table in a chat
 * @property {RowPages["ask"]} [ask] loads rows from elsewhere
 * @property {(grid: TableGrid) => string} status text with the number of rows
 * @property {(grid: TableGrid) => MenuItem[]} files downloads and copies of the view
 * @property {boolean} [hasCount] whether the number of rows is known: then all can be copied, and rows can be selected,
 *   grouped and asked about
 * @property {(at: number, value: JsonValue) => string} [write] formats a cell, if the format of a column does not
 *   follow from its rows
 */

/** Return the source of a table in a chat. @param {string} url @param {Translate} t @returns {GridSource} */
export function resultSource(url, t) {
  return {
    url,
    hasCount: true,
    status: ({ rows: { count, all } }) =>
      count === all
        ? t(all === 1 ? "table.row" : "table.rows", { n: t.number(all) })
        : t("grid.some", { n: t.number(count), all: t.number(all) }),
    files: (grid) => [
      ...FORMS.map((form) => ({
        text: t(`grid.form_${form}`),
        act: grid.rows.file(form, grid.columns),
        download: true,
      })),
      { text: t("grid.copy_markdown"), act: () => void copyAll(grid, true) },
    ],
  };
}
