/** Preview of a report's part: text, the first rows of a table, a picture. */

import { el } from "../core/dom.js";
import { showPicture } from "../core/session.js";

/** @import { Translate } from "../types.js" */
/** @import { Preview } from "./api.js" */

const COLUMNS = 6;

/**
 * Create a preview.
 *
 * @param {Preview} preview
 * @param {Translate} t
 * @param {[number, number][]} [cells] (row, column) of changed cells
 */
export function previewOf({ text, columns, rows = [], rowCount = 0, picture, name = "" }, t, cells = []) {
  const changed = new Set(cells.map(String));
  if (text !== undefined) return el("p", { class: "report-text" }, text);
  if (picture !== undefined) {
    const image = el("img", { class: "report-picture", alt: name, decoding: "async" });
    void showPicture(image, picture);
    return image;
  }
  if (columns === undefined) return el("p", { class: "report-text" }, t("report.gone"));
  const visible = columns.slice(0, COLUMNS);
  const head = visible.map((column) => el("th", { scope: "col", "data-kind": column.kind }, column.name));
  const lines = rows.map((row, line) =>
    el(
      "tr",
      {},
      visible.map(({ kind }, at) =>
        el("td", { "data-kind": kind, "data-changed": changed.has(`${line},${at}`) }, cellText(row[at])),
      ),
    ),
  );
  const size = t(rowCount === 1 ? "table.row" : "table.rows", { n: t.number(rowCount) });
  return el(
    "div",
    { class: "report-table" },
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, lines)),
    el("p", { class: "sheet-hint" }, `${name} · ${size}`),
  );
}

/** @param {unknown} value */
export const cellText = (value) =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
