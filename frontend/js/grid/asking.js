/** Rows that a question is about: those selected by hand, else the filtered ones; never the resting cursor. Pure. */

/** @import { JsonValue, RowView, TableSelection } from "../types.js" */
/** @import { TableGrid } from "./grid.js" */
/** @typedef {{ kind: "selected" | "filtered" | "all", ranges: [number, number][], columns: number[] }} Subject */

/** Return the rows and columns that a question would be about. @param {TableGrid} grid @returns {Subject} */
export function subjectOf({ cells, columns, rows, selected, grouped }) {
  if (grouped.rows === null && selected?.count) return { kind: "selected", ranges: selected.ranges, columns };
  if (grouped.rows === null && cells.isExtended) {
    const marked = cells.marked();
    const { begin, end } = marked.rows;
    // From a head, the complete columns.
    return {
      kind: "selected",
      ranges: [end > begin ? [begin, end] : [0, rows.count]],
      columns: marked.columns,
    };
  }
  const { filters, search } = rows.view;
  const kind = filters.length > 0 || search !== "" ? "filtered" : "all";
  return { kind, ranges: [[0, rows.count]], columns };
}

/** @param {[number, number][]} ranges */
export const rowsIn = (ranges) => ranges.reduce((sum, [begin, end]) => sum + end - begin, 0);

/** Return the selection for the next question. @param {TableGrid} grid @param {Subject} subject @returns {TableSelection} */
export function selectionOf({ content, rows }, { ranges, columns }) {
  return {
    kind: "table",
    tableId: content.tableId,
    name: content.name,
    view: /** @type {RowView} */ (rows.view),
    begin: ranges[0]?.[0] ?? 0,
    end: ranges.at(-1)?.[1] ?? 0,
    ...(ranges.length > 1 && { ranges }),
    columns,
  };
}
