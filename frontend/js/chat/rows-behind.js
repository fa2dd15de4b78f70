/** Rows behind a cell of a shown table: those of a variable from which its value was computed, in the grid. */

import { chatPath, send } from "../core/api.js";
import { loadLatePart } from "../core/late.js";

/** @import { EvidencePlace, JsonValue, TableContent, Translate } from "../types.js" */

/**
 * @typedef {object} CellRows
 * @property {{ [name: string]: JsonValue }} labels
 * @property {{ how: string, column: string, count: number }} [facts]
 * @property {TableContent} [table]
 * @property {"variables_gone" | "rows_unknown"} [reason]
 */

/**
 * Open the rows behind a cell. Returns a message if there are none.
 *
 * @param {string} chatId
 * @param {EvidencePlace} place of a cell
 * @param {Translate} t
 * @returns {Promise<string>}
 */
export async function openRowsBehind(chatId, { tableId, row, column }, t) {
  const path = `${chatPath(chatId)}/tables`;
  const body = { row: row ?? 0, column: column ?? "" };
  /** @type {CellRows | null} */
  const rows = await send("POST", `${path}/${encodeURIComponent(tableId ?? "")}/behind`, body).catch(
    () => null,
  );
  if (!rows?.table || !rows.facts) return t(`behind.${rows?.reason ?? "failed"}`);
  const { table, facts, labels } = rows;
  const module = await loadLatePart(() => import("../grid/grid.js"), t, "table-grid");
  const source = module?.resultSource(`${path}/${encodeURIComponent(table.tableId)}`, t);
  // A table that the chat has not shown cannot be downloaded or asked about, only copied.
  if (source)
    module?.openGrid(
      { ...table, name: titleOf(facts, labels, table.rowCount, t) },
      {
        ...source,
        hasCount: false,
        files: (/** @type {import("../grid/grid.js").TableGrid} */ grid) => source.files(grid).slice(-1),
      },
      t,
    );
  return "";
}

/**
 * Return a title such as `27 rows: region = Tokyo · sum of sales`.
 *
 * @param {NonNullable<CellRows["facts"]>} facts
 * @param {CellRows["labels"]} labels
 * @param {number} shown
 * @param {Translate} t
 */
function titleOf({ how, column, count }, labels, shown, t) {
  const names = Object.entries(labels).map(([name, value]) => `${name} = ${value}`);
  const n = { n: t.number(count), shown: t.number(shown) };
  const rows = t(count === 1 ? "table.row" : shown < count ? "behind.first" : "table.rows", n);
  const head = names.length > 0 ? t.pair(rows, names.join(", ")) : rows;
  return how === "count" ? head : `${head} · ${t("behind.of", { how: t(`behind.${how}`), column })}`;
}
