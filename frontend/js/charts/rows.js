/** Rows of a chart as a table, for screen readers and for reading figures. */

import { el } from "../core/dom.js";

/** @import { Translate } from "../types.js" */
/** @typedef {{ [key: string]: any }} Spec */

const MAX_ROWS = 500;

/**
 * Return all rows of a spec: its datasets and the inline data of its views. Pure.
 *
 * @param {Spec} spec
 * @returns {Spec[]}
 */
export function rowsOf(spec) {
  const sets = Object.values(spec.datasets ?? {});
  const inner = ["layer", "concat", "hconcat", "vconcat"]
    .flatMap((key) => spec[key] ?? [])
    .concat(spec.spec ?? []);
  const inline = Array.isArray(spec.data?.values) ? [spec.data.values] : [];
  const rows = [...sets, ...inline]
    .flat()
    .map((row) => (typeof row === "object" && row !== null ? row : { value: row }));
  return [...rows, ...inner.flatMap(rowsOf)];
}

/** @param {Spec} spec @param {string} name @param {Translate} t */
export function rowsTable(spec, name, t) {
  const rows = rowsOf(spec);
  const visible = rows.slice(0, MAX_ROWS);
  const columns = [...new Set(visible.flatMap((row) => Object.keys(row)))];
  const numbers = new Set(
    columns.filter((column) => visible.every((row) => typeof (row[column] ?? 0) === "number")),
  );
  const cell = (/** @type {Spec} */ row, /** @type {string} */ column) =>
    el("td", { "data-kind": numbers.has(column) ? "number" : "text" }, cellText(row[column], t));
  const count =
    visible.length < rows.length
      ? t("table.first", { shown: visible.length, n: t.number(rows.length) })
      : t(rows.length === 1 ? "table.row" : "table.rows", { n: t.number(rows.length) });
  return el(
    "div",
    { class: "table-block chart-rows" },
    el("p", { class: "table-head" }, count),
    el(
      "div",
      { class: "table-box", tabindex: "0", role: "region", "aria-label": name },
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            columns.map((column) =>
              el("th", { scope: "col", "data-kind": numbers.has(column) ? "number" : "text" }, column),
            ),
          ),
        ),
        el(
          "tbody",
          {},
          visible.map((row) =>
            el(
              "tr",
              {},
              columns.map((column) => cell(row, column)),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {unknown} value @param {Translate} t */
function cellText(value, t) {
  if (value === null || value === undefined) return "";
  return typeof value === "number" ? t.number(value) : String(value).replace(/T00:00:00(\.000)?$/, "");
}
