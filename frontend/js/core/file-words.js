/** What was found in a file, in a few words. */

/** @import { FileContent, Translate } from "../types.js" */

/**
 * "892 rows × 12 columns", "3 tables", or nothing.
 *
 * @param {Pick<FileContent, "tables">} file
 * @param {Translate} t
 */
export function tableWords({ tables = [] }, t) {
  if (tables.length === 0) return "";
  if (tables.length > 1) return t("files.tables", { count: tables.length });
  const [{ rows, columns }] = tables;
  const tall = rows === 1 ? t("table.row") : t("table.rows", { n: t.number(rows) });
  const wide = columns === 1 ? t("files.column") : t("files.columns", { n: t.number(columns) });
  return `${tall} × ${wide}`;
}
