/** Groups of a table as rows of a grid: what the server computed, with names for the columns of the result. */

import { answer } from "../core/api.js";
import { request } from "../core/session.js";
import { asText } from "./as-text.js";

/** @import { Column, JsonValue, Translate } from "../types.js" */
/** @import { View } from "./rows.js" */

/** @typedef {{ column: number, step: string }} GroupKey */
/** @typedef {{ measure: string, column: number | null }} Measure */
/** @typedef {{ by: GroupKey[], across: GroupKey | null, values: Measure[] }} Grouping */
/**
 * @typedef {{ rows: JsonValue[][], totals: JsonValue[], groupCount: number, across: JsonValue[] | null, acrossCount:
 *   number }} Groups
 */

/** Measures by kind of column; `rows` needs none. @type {Record<string, string[]>} */
export const MEASURES = {
  number: ["sum", "mean", "median", "min", "max", "filled", "distinct"],
  date: ["min", "max", "filled", "distinct"],
  text: ["filled", "distinct"],
  bool: ["filled", "distinct"],
};
export const STEPS = ["", "year", "month", "day"];

/**
 * Ask the server for groups of a view, or with an empty `by` for its totals.
 *
 * @param {string} url address of the table
 * @param {{ view: View, ranges?: [number, number][], sort?: { column: number, descending: boolean }[] } & Grouping} body
 * @param {AbortSignal} signal
 * @returns {Promise<Groups>}
 */
export async function fetchGroups(url, body, signal) {
  const { sort, filters, search } = body.view;
  return answer(
    await request(`${url}/groups`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...body, view: { sort: body.ranges ? sort : [], filters, search } }),
      signal,
    }),
  );
}

/** Rows of a result, all of them at hand. */
export class GroupRows {
  /** @param {Groups} groups @param {Grouping} grouping @param {Column[]} columns of the table @param {Translate} t */
  constructor(groups, grouping, columns, t) {
    this.groups = groups;
    this.grouping = grouping;
    this.count = groups.rows.length;
    this.columns = resultColumns(groups, grouping, columns, t);
  }

  /** @param {number} at */
  row(at) {
    return this.groups.rows[at] ?? null;
  }

  need() {
    // all rows are loaded
  }

  /** @param {number} begin @param {number} end */
  between(begin, end) {
    return Promise.resolve(this.groups.rows.slice(begin, end));
  }

  /** Return the total of a column, null for the groups' values. @param {number} at @returns {JsonValue | undefined} */
  total(at) {
    return at < this.grouping.by.length ? undefined : this.groups.totals[at - this.grouping.by.length];
  }
}

/**
 * Return the name of a measure, such as "Sum of amount".
 *
 * @param {Measure} measure
 * @param {Column[]} columns
 * @param {Translate} t
 */
export function measureName({ measure, column }, columns, t) {
  if (column === null) return t("grid.measure_rows");
  return t("grid.measure_of", { measure: t(`grid.measure_${measure}`), column: columns[column]?.name ?? "" });
}

/** @param {Groups} groups @param {Grouping} grouping @param {Column[]} columns @param {Translate} t @returns {Column[]} */
function resultColumns({ across }, { by, values }, columns, t) {
  const keys = by.map(({ column, step }) => {
    const { name = "", kind = /** @type {const} */ ("text") } = columns[column] ?? {};
    return {
      name: step ? `${name} (${t(`grid.step_${step}`)})` : name,
      kind: step ? /** @type {const} */ ("text") : kind,
    };
  });
  /** @param {string} heading */
  const measures = (heading) =>
    values.map((value) => {
      const kind = columns[value.column ?? -1]?.kind;
      const name = measureName(value, columns, t);
      return {
        name: heading && values.length === 1 ? heading : [heading, name].filter(Boolean).join(" · "),
        kind: /** @type {Column["kind"]} */ (
          kind === "date" && ["min", "max"].includes(value.measure) ? "date" : "number"
        ),
      };
    });
  const headings = (across ?? []).map((value) => (value === null ? t("grid.no_value") : asText(value)));
  const all = across ? t("grid.all_values") : "";
  return [...keys, ...headings.flatMap(measures), ...measures(all)];
}
