/** Formats of the columns of a grid, chosen by a person: decimals, thousands, percent, or the style of dates. Pure. */

import { cellWriter } from "../core/format.js";

/** @import { Column, JsonValue, Translate } from "../types.js" */

/** @typedef {{ decimals?: number, thousands?: boolean, percent?: boolean, date?: string }} ColumnFormat */

export const DECIMALS = [0, 1, 2, 3, 4, 6];
/** Styles of dates, with the options of Intl; "" is the text as stored. @type {Record<string, Intl.DateTimeFormatOptions>} */
export const DATE_STYLES = {
  short: { dateStyle: "short" },
  medium: { dateStyle: "medium" },
  long: { dateStyle: "long" },
  weekday: { dateStyle: "full" },
  month: { year: "numeric", month: "long" },
};
const LOCALES = { en: "en-GB", ja: "ja-JP" };

/**
 * Return the function that writes the cells of a column.
 *
 * @param {Column} column
 * @param {JsonValue[]} sample loaded cells, from which the decimals follow without a format
 * @param {Translate} t
 * @param {ColumnFormat | undefined} format
 * @returns {(cell: JsonValue) => string}
 */
export function writerOf(column, sample, t, format) {
  const plain = cellWriter(column, sample, t);
  if (!format || Object.keys(format).length === 0) return plain;
  if (column.kind === "date") return dateWriter(t, format, plain);
  const { decimals, thousands = true, percent = false } = format;
  const digits = decimals === undefined ? {} : { minimumFractionDigits: decimals };
  const number = new Intl.NumberFormat(t.language, {
    ...digits,
    maximumFractionDigits: decimals ?? (percent ? 1 : 6),
    style: percent ? "percent" : "decimal",
    useGrouping: thousands,
  });
  return (cell) => (typeof cell === "number" ? number.format(cell) : plain(cell));
}

/** @param {Translate} t @param {ColumnFormat} format @param {(cell: JsonValue) => string} plain */
function dateWriter(t, { date = "" }, plain) {
  const options = DATE_STYLES[date];
  if (!options) return plain;
  const locale = LOCALES[t.language];
  const day = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "medium", timeZone: "UTC", hourCycle: "h23" });
  return (/** @type {JsonValue} */ cell) => {
    // The clock time as stored, whatever its zone: the grid shows what the table has.
    const [, at, clock] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d)?/.exec(String(cell)) ?? [];
    if (at === undefined) return plain(cell);
    const moment = new Date(`${at}${clock ?? "T00:00:00"}Z`);
    const isClock = clock !== undefined && date !== "month";
    return isClock ? `${day.format(moment)} ${time.format(moment)}` : day.format(moment);
  };
}
