/** Formatting of file sizes, table sizes and cells. Pure. */

/** @import { Column, FileContent, JsonValue, TableContent, Translate } from "../types.js" */

const UNITS = ["B", "kB", "MB", "GB"];
const MOST_DECIMALS = 4;

/** Format bytes in the largest unit that keeps the number above one, in steps of a thousand. @param {number} bytes */
export function size(bytes) {
  const unit = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** unit;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/**
 * Return a formatter for the cells of one column. All numbers of a column get the same decimals, so that their points
 * align. Numbers of four digits are not grouped (a year is not "1,912"); longer ones are.
 *
 * @param {Column} column
 * @param {JsonValue[]} sample loaded cells of the column
 * @param {Translate} t
 * @returns {(cell: JsonValue) => string}
 */
export function cellWriter(column, sample, t) {
  if (column.kind !== "number") return plain;
  const decimals = Math.max(0, ...sample.map(decimalsOf));
  const format = new Intl.NumberFormat(t.language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: /** @type {any} */ ("min2"),
  });
  return (cell) => {
    if (typeof cell !== "number") return plain(cell);
    const vanishes = cell !== 0 && Math.abs(cell) < 0.5 * 10 ** -decimals;
    return vanishes || Math.abs(cell) >= 1e15 ? cell.toPrecision(3) : format.format(cell);
  };
}

/** @param {JsonValue} cell */
function plain(cell) {
  if (cell === null) return "–";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

/** @param {JsonValue} cell */
function decimalsOf(cell) {
  if (typeof cell !== "number" || Number.isInteger(cell)) return 0;
  const written = cell.toFixed(MOST_DECIMALS).replace(/0+$/, "");
  return written.length - written.indexOf(".") - 1;
}

/** Return "892 rows × 12 columns", "3 tables", or "". @param {Pick<FileContent, "tables">} file @param {Translate} t */
export function describeTables({ tables = [] }, t) {
  if (tables.length === 0) return "";
  if (tables.length > 1) return t("files.tables", { count: tables.length });
  const [{ rows, columns }] = tables;
  const tall = rows === 1 ? t("table.row") : t("table.rows", { n: t.number(rows) });
  const wide = columns === 1 ? t("table.column") : t("table.columns", { n: t.number(columns) });
  return `${tall} × ${wide}`;
}

/** Variables whose names say nothing about their table. */
const ANY_TABLE = /^(data|df|frame|result|results|rows|table)\d*$/;
const NAMED_COLUMNS = 3;

/** Return the name of a table: that of its variable, else of its first columns. @param {Pick<TableContent, "name" | "columns">} table */
export function tableName({ name, columns }) {
  const heads = columns.slice(0, NAMED_COLUMNS).map((column) => column.name);
  return ANY_TABLE.test(name) && heads.length > 0 ? heads.join(", ") : name;
}
