/** Totals of a grid's columns, under its rows: one measure of the rows selected by hand, else of all rows of the view. */

import { el } from "../core/dom.js";
import { fetchGroups, MEASURES } from "./group-rows.js";

/** @import { JsonValue } from "../types.js" */
/** @import { TableGrid } from "./grid.js" */

const PAUSE = 150;
const COUNTS = ["filled", "distinct"];

export class Totals {
  /** @param {TableGrid} grid */
  constructor(grid) {
    this.grid = grid;
    this.measure = "";
    /** Totals by column, once they are loaded. @type {Map<number, JsonValue>} */
    this.values = new Map();
    this.request = new AbortController();
    this.timer = 0;
    /** Measure and rows of the totals, as JSON. */
    this.of = "";
    const { t } = grid;
    const names = ["", ...(MEASURES.number ?? [])];
    this.dom = el(
      "select",
      {
        class: "sheet-field grid-totals",
        "aria-label": t("grid.totals"),
        on: { change: () => this.choose(this.dom.value) },
      },
      names.map((name) =>
        el("option", { value: name }, name ? t(`grid.measure_${name}`) : t("grid.totals_none")),
      ),
    );
  }

  /** Show this measure, or none. @param {string} measure */
  choose(measure) {
    this.measure = this.dom.value = measure;
    this.update();
  }

  /** Load the totals again after a moment if the rows changed, and show none meanwhile. */
  update() {
    const { measure, grid } = this;
    const rows = JSON.stringify([measure, grid.rows.view, grid.selected?.ranges]);
    if (rows === this.of) return;
    this.of = rows;
    clearTimeout(this.timer);
    this.request.abort();
    this.values.clear();
    grid.showFoot();
    if (measure === "") return;
    this.timer = window.setTimeout(() => void this.load(), PAUSE);
  }

  async load() {
    const { grid, measure } = this;
    this.request = new AbortController();
    const { signal } = this.request;
    const columns = grid.content.columns.flatMap(({ kind }, at) =>
      MEASURES[kind]?.includes(measure) ? [at] : [],
    );
    if (columns.length === 0 || !grid.source.url) return;
    const values = columns.map((column) => ({ measure, column }));
    const ranges = grid.selected?.count ? { ranges: grid.selected.ranges } : {};
    try {
      const body = { view: grid.rows.view, by: [], across: null, values, ...ranges };
      const { totals } = await fetchGroups(grid.source.url, body, signal);
      this.values = new Map(columns.map((column, at) => [column, totals[at] ?? null]));
      grid.showFoot();
    } catch (fault) {
      if (signal.aborted) return;
      this.of = "";
      grid.showError(fault instanceof Error ? fault : null);
    }
  }

  /** Return the text under a column. @param {number} at */
  text(at) {
    const { grid, measure, values } = this;
    const value = values.get(at);
    if (value === undefined) return at === grid.columns[0] ? grid.t(`grid.measure_${measure}`) : "";
    // A mean has decimals that its column may not have.
    const isFine = ["mean", "median"].includes(measure) && !grid.formats.has(at);
    if (typeof value === "number" && (isFine || COUNTS.includes(measure))) return grid.t.number(value);
    return grid.write(at, value);
  }

  destroy() {
    clearTimeout(this.timer);
    this.request.abort();
  }
}
