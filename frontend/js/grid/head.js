/** Head of a column: its name, order and filter, type, missing values, and distribution. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { asText } from "./as-text.js";

/** @import { Column, JsonValue, Translate } from "../types.js" */
/** @import { SortBy } from "./rows.js" */

/**
 * @typedef {{ missing: number, distinct: number, least?: JsonValue, most?: JsonValue, counts: number[], values:
 *   [JsonValue, number][] }} ColumnFacts
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Create the head.
 *
 * @param {{ column: Column, at: number, id: string, place: number }} which `at` in the table, `place` in the grid
 * @param {{ sort: SortBy[], filtered: boolean, facts: ColumnFacts | null, rows: number, typed: boolean }} state
 *   `typed`: described by its type, not its kind
 * @param {{ sort(more: boolean): void, menu?(): void }} actions
 * @param {Translate} t
 */
export function columnHead({ column, at, id, place }, { sort, filtered, facts, rows, typed }, actions, t) {
  const by = sort.find((candidate) => candidate.column === at);
  const order = by ? (by.descending ? "descending" : "ascending") : "none";
  const rank = by && sort.length > 1 ? String(sort.indexOf(by) + 1) : "";
  const typeText = column.asText
    ? t("grid.as_text")
    : (typed && column.type) || t(`column.kind_${column.kind}`);
  const missing =
    facts && facts.missing > 0 ? t("grid.missing", { share: share(facts.missing, rows, t) }) : "";
  return el(
    "div",
    {
      class: "grid-head-cell",
      role: "columnheader",
      id,
      "aria-colindex": place + 1,
      "aria-sort": order,
      "data-kind": column.kind,
      title: column.type ?? null,
    },
    el(
      "div",
      { class: "grid-head-line" },
      el(
        "button",
        {
          type: "button",
          class: "grid-sort",
          tabindex: -1,
          title: t("grid.sort", { column: column.name }),
          on: { click: (/** @type {MouseEvent} */ event) => actions.sort(event.shiftKey) },
        },
        el("span", { class: "grid-name", dir: "auto" }, column.name),
        by && icon(by.descending ? "arrow-down" : "arrow-up"),
        rank,
      ),
      actions.menu &&
        el(
          "button",
          {
            type: "button",
            class: "grid-more",
            tabindex: -1,
            "aria-pressed": String(filtered),
            "aria-label": t("grid.column", { column: column.name }),
            on: { click: actions.menu },
          },
          icon("chevron-down"),
        ),
    ),
    el(
      "div",
      { class: "grid-facts" },
      el("span", {}, typeText),
      missing && el("span", { class: "grid-missing" }, missing),
    ),
    el("div", { class: "grid-spread" }, facts && spread(facts, rows, t)),
  );
}

/** @param {number} part @param {number} total @param {Translate} t */
export function share(part, total, t) {
  const format = new Intl.NumberFormat(t.language, {
    style: "percent",
    maximumFractionDigits: part / total < 0.01 ? 2 : 0,
  });
  return format.format(part / Math.max(1, total));
}

/** @param {ColumnFacts} facts @param {number} rows @param {Translate} t */
function spread(facts, rows, t) {
  if (facts.counts.length > 0) return histogram(facts, t);
  if (facts.values.length === 0)
    return facts.distinct > 0 ? el("span", {}, t("grid.distinct", { n: t.number(facts.distinct) })) : null;
  return el(
    "span",
    { class: "grid-top" },
    facts.values
      .slice(0, 2)
      .map(([value, count]) => `${asText(value)} ${share(count, rows, t)}`)
      .join(" · "),
  );
}

/** @param {ColumnFacts} facts @param {Translate} t */
export function histogram({ counts, least, most }, t) {
  const svg = document.createElementNS(SVG, "svg");
  const tallest = Math.max(1, ...counts);
  const settings = {
    class: "grid-histogram",
    viewBox: `0 0 ${counts.length * 5} 20`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": t("grid.spread", { least: asText(least), most: asText(most) }),
  };
  for (const [name, value] of Object.entries(settings)) svg.setAttribute(name, value);
  for (const [at, count] of counts.entries()) {
    const height = count === 0 ? 0 : Math.max(1, (count / tallest) * 20);
    const bar = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries({ x: at * 5, y: 20 - height, width: 4, height }))
      bar.setAttribute(name, String(value));
    svg.append(bar);
  }
  return svg;
}
