/** What was found in a file, in a few words. */

/** @import { FileContent, Translate } from "./types.js" */

/**
 * "892 rows × 12 columns", "3 tables", or nothing.
 *
 * @param {Pick<FileContent, "tables">} file
 * @param {Translate} t
 */
export function tableWords({ tables = [] }, t) {
  if (tables.length === 0) return "";
  const [{ rows, columns }] = tables;
  return tables.length === 1
    ? t("files.table", { rows: t.number(rows), columns: t.number(columns) })
    : t("files.tables", { count: tables.length });
}
