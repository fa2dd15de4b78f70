/**
 * Complete table in its own window: any number of rows, which the server sorts, filters, searches, groups and totals;
 * columns can be hidden, moved and formatted, rows selected, cells copied, and files downloaded. Only the visible cells
 * are in the DOM.
 */

import { answer } from "../core/api.js";
import { el } from "../core/dom.js";
import { tableName } from "../core/format.js";
import { request } from "../core/session.js";
import { openSheet, submitButton } from "../core/sheet.js";
import { rowsIn, selectionOf, subjectOf } from "./asking.js";
import { gridBar } from "./bar.js";
import { Cells } from "./cells.js";
import { openColumn } from "./column-sheet.js";
import { copySelection } from "./copying.js";
import { writerOf } from "./formats.js";
import { Grouped } from "./grouped.js";
import { columnHead } from "./head.js";
import { PAGE, RowPages } from "./rows.js";
import { MAX_RANGES, SelectedRows } from "./selected-rows.js";
import { Totals } from "./totals.js";

export { FORMS, resultSource } from "./sources.js";
export { PAGE }; // re-exported, so that late parts load one module less

/** @import { JsonValue, TableContent, TableSelection, Translate } from "../types.js" */
/** @import { CellNeeds } from "./cells.js" */
/** @import { ColumnFormat } from "./formats.js" */
/** @import { ColumnFacts } from "./head.js" */
/** @import { Filter } from "./rows.js" */
/** @import { GridSource } from "./sources.js" */

/** Maximum rows of a question, as on the server. */
const MAX_ASKED = 100_000;
const MAX_ARRANGED = 50;

/** Columns and formats of the latest tables, for the next time they are opened. */
const arrangements =
  /** @type {Map<string, { columns: number[], formats: Map<number, ColumnFormat>, measure: string }>} */ (
    new Map()
  );

/**
 * Open the grid of a table.
 *
 * @param {TableContent} content
 * @param {GridSource} source
 * @param {Translate} t
 * @param {(about: TableSelection) => void} [ask] makes the selection the subject of the next question; the grid is
 *   closed by then
 */
export function openGrid(content, source, t, ask) {
  const opener = document.activeElement;
  const grid = new TableGrid(content, source, t);
  grid.dom.addEventListener("close", () => {
    grid.destroy();
    if (grid.selection) ask?.(grid.selection);
    else if (opener instanceof HTMLElement) opener.focus();
  });
  document.body.append(grid.dom);
  if (grid.dom instanceof HTMLDialogElement) grid.dom.showModal();
  grid.cells.dom.focus();
  grid.begin();
}

export class TableGrid {
  /**
   * @param {TableContent} content
   * @param {GridSource} source
   * @param {Translate} t
   * @param {boolean} [stands] whether it is a part of the page instead of a window
   */
  constructor(content, source, t, stands = false) {
    this.content = content;
    this.source = source;
    this.t = t;
    const arranged = arrangements.get(content.tableId);
    /** Indexes of the shown columns, in order. @type {number[]} */
    this.columns = arranged?.columns ?? content.columns.map((_, at) => at);
    /** Formats by column. @type {Map<number, ColumnFormat>} */
    this.formats = new Map(arranged?.formats);
    /** @type {ColumnFacts[] | null} */
    this.facts = null;
    /** Subject of the next question, once it is chosen. @type {TableSelection | null} */
    this.selection = null;
    this.selected = source.hasCount ? new SelectedRows() : null;
    this.rows = new RowPages(
      source.url ?? "",
      content.rowCount,
      () => this.draw(),
      (fault) => this.showError(fault),
    );
    if (source.ask) this.rows.ask = source.ask;
    this.writers = content.columns.map((_, at) => this.writer(at));
    this.grouped = new Grouped(this);
    this.totals = new Totals(this);
    this.cells = new Cells(this.needs());
    this.count = el("span", { class: "grid-count", role: "status" });
    this.fault = el("p", { class: "grid-fault", role: "alert", hidden: true });
    this.bar = gridBar(this);
    this.dom = el(
      stands ? "div" : "dialog",
      {
        class: "grid-dialog",
        "data-standing": stands,
        "aria-label": stands ? null : tableName(content), // its place has a name
        on: {
          // no shortcuts of the page behind a window
          keydown: (/** @type {KeyboardEvent} */ event) => stands || event.stopPropagation(),
        },
      },
      this.bar.dom,
      this.fault,
      this.cells.dom,
    );
    if (arranged?.measure) this.totals.choose(arranged.measure);
  }

  /** Load the first rows, and the statistics of the columns. */
  begin() {
    this.cells.setColumns(this.columns);
    this.rows.show(this.rows.view);
    this.draw();
    if (this.source.url) void this.loadFacts(this.source.url);
  }

  /** @param {string} url */
  async loadFacts(url) {
    try {
      const { columns } = await answer(await request(`${url}/profile`, { signal: this.rows.request.signal }));
      this.facts = columns;
      this.cells.drawHead();
    } catch (fault) {
      if (fault instanceof Error && fault.name !== "AbortError")
        console.warn("The columns were not looked through.", fault);
    }
  }

  // --- cells --------------------------------------------------------------------------------------------------------

  /** Return what the cells need to show the table's rows. @returns {CellNeeds} */
  needs() {
    return {
      t: this.t,
      name: tableName(this.content),
      rows: this.rows,
      write: (at, value) => this.write(at, value),
      kind: (at) => this.content.columns[at]?.kind ?? "text",
      head: (at, id, place) => this.head(at, id, place),
      open: (at) => this.menu(at),
      sort: (at, more) => this.sort(at, more),
      copy: () => void copySelection(this),
      ask: this.source.hasCount ? () => this.ask() : undefined,
      selected: this.selected ?? undefined,
      onSelect: () => this.onSelect(),
      foot: this.totals?.measure ? (at) => this.totals.text(at) : undefined,
      enter: undefined,
    };
  }

  /** Columns that the cells show: of the table or of its groups. */
  get shownColumns() {
    return this.grouped.rows?.columns ?? this.content.columns;
  }

  /** Show other rows in the cells. @param {Partial<CellNeeds>} needs @param {number[]} columns */
  use(needs, columns) {
    this.cells.needs = { ...this.needs(), ...needs };
    this.cells.dom.setAttribute("aria-label", this.cells.needs.name);
    this.cells.toTop();
    this.cells.dom.scrollLeft = 0;
    this.cells.setColumns(columns);
    this.draw();
  }

  showRows() {
    this.use({}, this.columns);
  }

  /** Show or hide the totals under the rows. */
  showFoot() {
    if (this.grouped.rows === null) this.cells.needs.foot = this.needs().foot;
    this.cells.draw();
  }

  /** @param {number} at */
  writer(at) {
    const column = /** @type {TableContent["columns"][number]} */ (this.content.columns[at]);
    const sample = this.content.rows.map((row) => row[at] ?? null);
    return writerOf(column, sample, this.t, this.formats.get(at));
  }

  /** @param {number} at @param {JsonValue} value */
  write(at, value) {
    return (
      (this.source.write && !this.formats.has(at)
        ? this.source.write(at, value)
        : this.writers[at]?.(value)) ?? ""
    );
  }

  /** @param {number} at @param {ColumnFormat} format */
  format(at, format) {
    if (Object.keys(format).length === 0) this.formats.delete(at);
    else this.formats.set(at, format);
    this.writers[at] = this.writer(at);
    this.cells.setColumns(this.cells.columns);
    this.draw();
  }

  /** @param {number} at @param {string} id @param {number} place */
  head(at, id, place) {
    const column = /** @type {TableContent["columns"][number]} */ (this.content.columns[at]);
    const { sort, filters } = this.rows.view;
    const state = {
      sort,
      filtered: filters.some((filter) => filter.column === at),
      facts: this.facts?.[at] ?? null,
      rows: this.content.rowCount,
      typed: !this.source.hasCount,
    };
    return columnHead(
      { column, at, id, place },
      state,
      { sort: (more) => this.sort(at, more), menu: () => this.menu(at) },
      this.t,
    );
  }

  // --- view ---------------------------------------------------------------------------------------------------------

  draw() {
    this.bar.update();
    this.cells.draw();
  }

  /** @param {Partial<import("./rows.js").View>} change */
  show(change) {
    const view = { ...this.rows.view, ...change };
    this.bar.showSearch(view.search);
    this.cells.toTop();
    this.selected?.clear(); // its rows are places in the view
    this.rows.show(view);
    this.cells.drawHead();
    this.draw();
    this.totals.update();
    if (this.grouped.isOn) void this.grouped.load();
  }

  /**
   * Cycle the order of a column: ascending, descending, none; with `more` in addition to other columns.
   *
   * @param {number} at
   * @param {boolean} more
   */
  sort(at, more) {
    const old = this.rows.view.sort.find((order) => order.column === at);
    const next = !old
      ? [{ column: at, descending: false }]
      : old.descending
        ? []
        : [{ column: at, descending: true }];
    const { sort } = this.rows.view;
    this.show({
      sort: !more
        ? next
        : old
          ? sort.flatMap((order) => (order === old ? next : [order]))
          : [...sort, ...next],
    });
  }

  /** @param {number} at */
  menu(at) {
    const column = /** @type {TableContent["columns"][number]} */ (this.content.columns[at]);
    const filter = this.rows.view.filters.find((candidate) => candidate.column === at);
    openColumn(
      {
        column,
        at,
        facts: this.facts?.[at] ?? null,
        filter,
        rows: this.content.rowCount,
        format: this.formats.get(at) ?? {},
      },
      {
        filter: (next) => this.filter(at, next),
        sort: (descending) => this.show({ sort: [{ column: at, descending }] }),
        hide: () => this.arrange(this.columns.filter((candidate) => candidate !== at)),
        move: (by) => this.move(at, by),
        format: (format) => this.format(at, format),
      },
      this.t,
    );
  }

  /** @param {number} at @param {Filter | null} filter */
  filter(at, filter) {
    const otherFilters = this.rows.view.filters.filter((other) => other.column !== at);
    this.show({ filters: filter ? [...otherFilters, filter] : otherFilters });
  }

  /** @param {number} at @param {-1 | 1} by */
  move(at, by) {
    const place = this.columns.indexOf(at);
    const columns = this.columns.filter((column) => column !== at);
    columns.splice(Math.max(0, place + by), 0, at);
    this.arrange(columns);
  }

  /** @param {number[]} columns */
  arrange(columns) {
    if (columns.length === 0) return;
    this.columns = columns;
    if (this.grouped.rows === null) this.cells.setColumns(columns);
    this.draw();
  }

  chooseColumns() {
    const { columns } = this.content;
    const boxes = columns.map(({ name }, at) => ({
      at,
      name,
      box: el("input", { type: "checkbox", checked: this.columns.includes(at) }),
    }));
    const sheet = openSheet({
      title: this.t("shared.columns"),
      body: [
        el(
          "div",
          { class: "sheet-choices" },
          boxes.map(({ name, box }) => el("label", { class: "sheet-choice" }, box, el("span", {}, name))),
        ),
      ],
      buttons: [submitButton(this.t("shared.apply"))],
      submit: () => {
        const chosen = boxes.filter(({ box }) => box.checked).map(({ at }) => at);
        if (chosen.length === 0) return sheet.showError(this.t("grid.one_column"));
        sheet.close();
        this.arrange([
          ...this.columns.filter((at) => chosen.includes(at)),
          ...chosen.filter((at) => !this.columns.includes(at)),
        ]);
      },
    });
  }

  // --- selected rows ------------------------------------------------------------------------------------------------

  onSelect() {
    this.bar.update();
    this.totals.update();
  }

  clearSelection() {
    this.selected?.clear();
    this.cells.go(this.cells.at.row, this.cells.at.column);
    this.cells.dom.focus();
  }

  /** Make rows the subject of the next question: those selected by hand, else those of the view. */
  ask() {
    const subject = subjectOf(this);
    const count = rowsIn(subject.ranges);
    if (count === 0 || !this.rows.isCounted) return;
    if (count > MAX_ASKED) return this.refuse("grid.too_many_asked", count, MAX_ASKED);
    if (subject.ranges.length > MAX_RANGES)
      return this.refuse("grid.too_many_ranges", subject.ranges.length, MAX_RANGES);
    this.selection = selectionOf(this, subject);
    this.close();
  }

  /** Close the window; a standing grid only reports it. */
  close() {
    if (this.dom instanceof HTMLDialogElement) this.dom.close();
    else this.dom.dispatchEvent(new Event("close"));
  }

  /** @param {string} textKey @param {number} n @param {number} most */
  refuse(textKey, n, most) {
    this.showError(new Error(this.t(textKey, { n: this.t.number(n), most: this.t.number(most) })));
  }

  /** @param {Error | null} fault */
  showError(fault) {
    this.fault.hidden = fault === null;
    this.fault.textContent =
      fault === null ? "" : fault instanceof TypeError ? this.t("table.failed") : fault.message;
  }

  /** @param {boolean} isBusy */
  busy(isBusy) {
    this.cells.dom.setAttribute("aria-busy", String(isBusy));
  }

  destroy() {
    const { columns, formats, totals } = this;
    arrangements.delete(this.content.tableId);
    if (this.content.tableId)
      arrangements.set(this.content.tableId, { columns, formats, measure: totals.measure });
    for (const id of [...arrangements.keys()].slice(0, -MAX_ARRANGED)) arrangements.delete(id);
    this.bar.destroy();
    this.grouped.request.abort();
    totals.destroy();
    this.rows.forget();
    this.cells.destroy();
    this.dom.remove();
  }
}
