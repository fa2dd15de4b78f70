/**
 * Rows of a database table in the grid; the database filters, searches and sorts. They are not counted, because that
 * may take long; the grid grows until its end is reached. Downloads have the first rows of the view.
 */

import { loadLatePart } from "../core/late.js";
import { saveAs } from "../core/save.js";
import { columnsOf, fileOf, rowsOf } from "./api.js";
import { errorText } from "./branch.js";

/** @import { Column, Translate } from "../types.js" */
/** @import { TablePlace } from "./api.js" */
/** @typedef {(text: string, fault?: string) => void} ShowStatus */
/** @typedef {typeof import("../grid/grid.js")} GridModule */
/** @typedef {import("../grid/grid.js").TableGrid} TableGrid */
/** @typedef {import("../grid/rows.js").RowPages} RowPages */
/** @typedef {import("../grid/rows.js").View} View */

/** @param {TablePlace} place @param {Translate} t @param {ShowStatus} showStatus */
export async function openPreview(place, t, showStatus) {
  showStatus(t("shared.loading"));
  try {
    const [grid, { columns }] = await Promise.all([
      loadLatePart(() => import("../grid/grid.js"), t, "table-grid"),
      columnsOf(place),
    ]);
    showStatus("");
    if (grid && document.querySelector("dialog.grid-dialog") === null)
      openSourceGrid(grid, place, columns, t);
  } catch (fault) {
    showStatus("", errorText(fault, t));
  }
}

/** @param {GridModule} module @param {TablePlace} place @param {Column[]} columns @param {Translate} t */
function openSourceGrid({ openGrid, FORMS, PAGE }, place, columns, t) {
  /** Loaded range of one view, and its end once it is known. */
  let range = {
    view: /** @type {View | null} */ (null),
    rowsRead: 0,
    end: /** @type {number | null} */ (null),
  };
  /** Last status of a download, until the view changes. */
  let status = "";
  /** @param {number} at */
  const nameOf = (at) => columns[at]?.name ?? "";
  /** @param {View} view */
  const named = ({ sort, filters, search }) => ({
    sort: sort.map(({ column, descending }) => ({ column: nameOf(column), descending })),
    filters: filters.map((filter) => ({ ...filter, column: nameOf(filter.column) })),
    search,
  });
  openGrid(
    { tableId: "", name: place.table, columns, rows: [], rowCount: 0 },
    {
      // unformatted: the decimals of a column follow from its rows, which are not loaded yet
      write: (_, value) =>
        value === null
          ? "–"
          : typeof value === "number"
            ? t.number(value)
            : typeof value === "object"
              ? JSON.stringify(value)
              : String(value),
      /** @this {RowPages} @type {RowPages["ask"]} */
      async ask(offset, limit, signal) {
        const { view } = this;
        const { rows, more } = await rowsOf(place, { ...named(view), offset, limit }, signal);
        if (signal.aborted) return { rows, rowCount: 0 };
        if (range.view !== view) range = { view, rowsRead: 0, end: null };
        status = "";
        range.rowsRead = Math.max(range.rowsRead, offset + rows.length);
        if (!more) range.end = Math.min(range.end ?? Infinity, offset + rows.length);
        return { rows, rowCount: range.end ?? range.rowsRead + PAGE };
      },
      status({ rows }) {
        if (status !== "") return status;
        if (range.view !== rows.view) return t("shared.loading");
        const n = range.end ?? range.rowsRead;
        return range.end === null
          ? t("sources.rows_more", { n: t.number(n) })
          : t(n === 1 ? "table.row" : "table.rows", { n: t.number(n) });
      },
      files: (grid) =>
        FORMS.map((form) => ({
          text: t(`grid.form_${form}`),
          title: t("sources.file_bounds"),
          act: () => void download(grid, form),
        })),
    },
    t,
  );

  /** @param {TableGrid} grid @param {string} form */
  async function download(grid, form) {
    const { signal } = grid.rows.request;
    /** @param {string} text */
    const showNotice = (text) => {
      grid.count.textContent = status = text;
    };
    showNotice(t("sources.file_making"));
    try {
      const { blob, rows, cut } = await fileOf(
        place,
        form,
        { ...named(grid.rows.view), columns: grid.columns.map(nameOf) },
        signal,
      );
      const name = `${place.table}${cut ? ` (${t("sources.file_first", { n: rows })})` : ""}.${form}`;
      saveAs(blob, name);
      showNotice(t(cut ? "sources.file_cut" : "sources.file_made", { name, n: t.number(rows) }));
    } catch (fault) {
      if (signal.aborted) return;
      showNotice("");
      grid.showError(fault instanceof Error ? fault : null);
      grid.draw();
    }
  }
}
