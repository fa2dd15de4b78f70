/** Grouped state of a grid: what is grouped how, its rows once they are loaded, and the way back to the table's rows. */

import { columnHead } from "./head.js";
import { fetchGroups, GroupRows } from "./group-rows.js";
import { writerOf } from "./formats.js";

/** @import { JsonValue } from "../types.js" */
/** @import { CellNeeds } from "./cells.js" */
/** @import { Grouping } from "./group-rows.js" */
/** @import { TableGrid } from "./grid.js" */
/** @import { Filter, SortBy } from "./rows.js" */

// Characters after which the server cuts a group's text (tables/inside/table_groups.py).
const MAX_KEY = 300;

export class Grouped {
  /** @param {TableGrid} grid */
  constructor(grid) {
    this.grid = grid;
    /** The last grouping, also while the rows show. @type {Grouping | null} */
    this.grouping = null;
    /** @type {SortBy[]} */
    this.sort = [];
    /** Whether groups are shown or on their way. */
    this.isOn = false;
    /** Groups, while they show. @type {GroupRows | null} */
    this.rows = null;
    this.request = new AbortController();
  }

  /** Group by this, or show the rows again. @param {Grouping | null} grouping */
  async apply(grouping) {
    if (grouping === null) return this.end();
    this.grouping = grouping;
    this.isOn = true;
    this.sort = [];
    await this.load();
  }

  /** Load the groups of the current view. */
  async load() {
    const { grid, grouping } = this;
    if (!grouping || !grid.source.url) return;
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    grid.busy(true);
    try {
      const body = { view: grid.rows.view, ...grouping, sort: this.sort };
      const groups = await fetchGroups(grid.source.url, body, signal);
      this.rows = new GroupRows(groups, grouping, grid.content.columns, grid.t);
      grid.showError(null);
      grid.use(
        this.needs(this.rows),
        this.rows.columns.map((_, at) => at),
      );
    } catch (fault) {
      if (signal.aborted) return;
      this.isOn = this.rows !== null;
      grid.showError(fault instanceof Error ? fault : null);
    } finally {
      if (!signal.aborted) grid.busy(false);
    }
  }

  end() {
    this.isOn = false;
    this.request.abort();
    this.grid.busy(false);
    if (this.rows === null) return;
    this.rows = null;
    this.grid.showRows();
  }

  /** @param {GroupRows} rows @returns {Partial<CellNeeds>} */
  needs(rows) {
    const { t, content, formats } = this.grid;
    const sources = [...rows.grouping.by.map(({ step, column }) => (step ? null : column))];
    const writers = rows.columns.map((column, at) => {
      const source = at < sources.length ? (sources[at] ?? null) : sourceOf(rows, at);
      const format = source === null ? undefined : formats.get(source);
      const sample = [...rows.groups.rows.map((row) => row[at] ?? null), rows.total(at) ?? null];
      return writerOf(column, sample, t, format);
    });
    /** @param {number} at @param {JsonValue} value */
    const write = (at, value) =>
      at < rows.grouping.by.length && value === null ? t("grid.no_value") : (writers[at]?.(value) ?? "");
    return {
      name: t("grid.groups_of", { name: content.name }),
      rows,
      write,
      kind: (at) => rows.columns[at]?.kind ?? "text",
      head: (at, id, place) =>
        columnHead(
          { column: rows.columns[at] ?? { name: "", kind: "text" }, at, id, place },
          { sort: this.sort, filtered: false, facts: null, rows: 0, typed: false },
          { sort: (more) => this.order(at, more) },
          t,
        ),
      open: () => {},
      sort: (at, more) => this.order(at, more),
      selected: undefined,
      foot: (at) => {
        const total = rows.total(at);
        return total === undefined ? (at === 0 ? t("grid.total") : "") : write(at, total);
      },
      enter: (row) => this.open(row),
    };
  }

  /** Cycle the order of a column: ascending, descending, by the groups. @param {number} at @param {boolean} more */
  order(at, more) {
    const old = this.sort.find(({ column }) => column === at);
    const next = !old
      ? [{ column: at, descending: false }]
      : old.descending
        ? []
        : [{ column: at, descending: true }];
    this.sort = [...(more ? this.sort.filter(({ column }) => column !== at) : []), ...next].slice(-3);
    void this.load();
  }

  /** Show the rows of a group, as filters of the table. @param {number} at */
  open(at) {
    const { rows, grid } = this;
    const cells = rows?.row(at);
    if (!rows || !cells) return;
    const filters = rows.grouping.by.flatMap(({ column, step }, place) =>
      groupFilters(column, step, grid.content.columns[column]?.kind ?? "text", cells[place] ?? null),
    );
    const columns = new Set(filters.map(({ column }) => column));
    const others = grid.rows.view.filters.filter(({ column }) => !columns.has(column));
    this.end();
    grid.show({ filters: [...others, ...filters] });
    grid.cells.dom.focus();
  }

  /** Describe what is shown, and how much is left out. */
  status() {
    const { rows, grid } = this;
    if (!rows) return "";
    const { t } = grid;
    const { groupCount, across, acrossCount } = rows.groups;
    const left = groupCount - rows.count;
    const parts = [
      left > 0
        ? t("grid.groups_some", {
            shown: t.number(rows.count),
            n: t.number(groupCount),
            left: t.number(left),
          })
        : t("grid.groups", { n: t.number(groupCount) }),
    ];
    if (across && acrossCount > across.length)
      parts.push(
        t("grid.across_some", {
          shown: t.number(across.length),
          n: t.number(acrossCount),
          left: t.number(acrossCount - across.length),
        }),
      );
    return parts.join(" · ");
  }
}

/** Return the column of the table that a measure has the unit of; null for counts. @param {GroupRows} rows @param {number} at */
function sourceOf({ grouping: { by, values } }, at) {
  const { measure = "rows", column = null } = values[(at - by.length) % values.length] ?? {};
  return ["rows", "filled", "distinct"].includes(measure) ? null : column;
}

/**
 * Return the filters that only the rows of a group meet.
 *
 * @param {number} column
 * @param {string} step
 * @param {string} kind
 * @param {JsonValue} value
 * @returns {Filter[]}
 */
export function groupFilters(column, step, kind, value) {
  if (value === null) return [{ column, op: "in", value: [null] }];
  if (typeof value === "string" && value.endsWith("…") && [...value].length > MAX_KEY)
    return [{ column, op: "starts", value: value.slice(0, -1) }];
  if (kind !== "date") return [{ column, op: "in", value: [value] }];
  if (!step) return [{ column, op: "eq", value }];
  const [year = 0, month = 1, day = 1] = String(value).split("-").map(Number);
  const begin = new Date(Date.UTC(year, month - 1, day));
  const end = new Date(
    step === "year"
      ? Date.UTC(year + 1, 0, 1)
      : step === "month"
        ? Date.UTC(year, month, 1)
        : Date.UTC(year, month - 1, day + 1),
  );
  const dayOf = (/** @type {Date} */ at) => at.toISOString().slice(0, 10);
  return [
    { column, op: "ge", value: dayOf(begin) },
    { column, op: "lt", value: dayOf(end) },
  ];
}
