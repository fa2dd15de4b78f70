// @ts-check
/** Formatting of durations, tokens and costs in the debug pane. */

/** @import { Translate } from "../types.js" */
/** @import { Figures, Row } from "./rows.js" */

/** Format a number of tokens. @param {number} count @param {Translate} t @returns {string} 950, 12.3k, 1.2M */
export function tokens(count, t) {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${new Intl.NumberFormat(t.language, { maximumFractionDigits: value < 100 ? 1 : 0 }).format(value)}${unit}`;
}

/**
 * Format a cost.
 *
 * @param {number} cost US dollars
 * @param {Translate} t
 * @returns {string} two significant digits: $1.24, $0.0031
 */
export function dollars(cost, t) {
  const digits = cost >= 0.1 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(cost || 1)));
  return new Intl.NumberFormat(t.language, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: Math.max(2, digits),
    maximumFractionDigits: Math.max(2, digits),
  }).format(cost);
}

/**
 * Format input and output tokens, without those from the provider's cache.
 *
 * @param {Figures} figures
 * @param {Translate} t
 * @returns {string} "" if unknown
 */
export function formatTokens({ input, output, cached }, t) {
  const parts = [];
  if (input !== undefined) parts.push(`↑${tokens(input - (cached ?? 0), t)}`);
  if (cached) parts.push(`⟲${tokens(cached, t)}`);
  if (output !== undefined) parts.push(`↓${tokens(output, t)}`);
  return parts.join(" ");
}

/** Format the cost of a row. @param {Figures} figures @param {Translate} t @returns {string} "" if no price is known */
export const formatCost = ({ cost }, t) => (cost === undefined ? "" : dollars(cost, t));

/**
 * Format the duration of a row.
 *
 * @param {Pick<Row, "from" | "to">} row
 * @param {Translate} t
 * @returns {string} "" for an instant
 */
export const formatLength = ({ from, to }, t) => (to > from ? t.duration((to - from) / 1000) : "");

/**
 * Return all figures of a row, for the detail and for screen readers.
 *
 * @param {Row} row
 * @param {Translate} t
 * @returns {[string, string][]} name and value
 */
export function figureList(row, t) {
  const { figures } = row;
  /** @type {[string, string][]} */
  const list = [];
  const length = formatLength(row, t);
  if (length) list.push([t("debug.duration"), length]);
  if (figures.first !== undefined) list.push([t("debug.first_token"), t.duration(figures.first)]);
  if (figures.calls > 1) list.push([t("debug.calls"), t.number(figures.calls)]);
  if (figures.input !== undefined)
    list.push([t("debug.tokens_in"), t.number(figures.input - (figures.cached ?? 0))]);
  if (figures.cached !== undefined) list.push([t("debug.tokens_cached"), t.number(figures.cached)]);
  if (figures.output !== undefined) list.push([t("debug.tokens_out"), t.number(figures.output)]);
  if (figures.omitted !== undefined) list.push([t("debug.left_out"), t.number(figures.omitted)]);
  if (figures.structured) list.push([t("debug.answer_form"), t("debug.by_schema")]);
  if (figures.cost !== undefined) list.push([t("shared.cost"), dollars(figures.cost, t)]);
  return list;
}
