/**
 * Complete table in its own window: any number of rows, which the server sorts, filters and searches; columns can be
 * hidden and moved, cells copied, and files downloaded. Only the visible cells are in the DOM.
 */

import { answer } from "../core/api.js";
import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { cellWriter } from "../core/format.js";
import { icon } from "../core/icons.js";
import { openSheet, submitButton } from "../core/sheet.js";
import { asMarkdown, asTsv } from "./as-text.js";
import { Cells } from "./cells.js";
import { openColumn } from "./column-sheet.js";
import { columnHead } from "./head.js";
import { PAGE, RowPages } from "./rows.js";
import { request } from "../core/session.js";

export { PAGE }; // re-exported, so that late parts load one module less

/** @import { JsonValue, RowView, TableContent, TableSelection, Translate } from "../types.js" */
/** @import { ColumnFacts } from "./head.js" */
/** @import { Filter } from "./rows.js" */

/** Maximum rows of one copy. */
const MAX_COPIED = 10_000;
/** Maximum rows of a question, as on the server. */
const MAX_ASKED = 100_000;
const SEARCH_PAUSE = 250;
export const FORMS = ["csv", "xlsx", "parquet"];

/**
 * Source of a grid's rows.
 *
 * @typedef {object} GridSource
 * @property {string} [url] address of a table in a chat
 * @property {RowPages["ask"]} [ask] loads rows from elsewhere
 * @property {(grid: TableGrid) => string} status text with the number of rows
 * @property {(grid: TableGrid) => HTMLElement[]} files download buttons of the view
 * @property {boolean} [hasCount] whether the number of rows is known: then all can be copied, and a selection can be
 *   asked about
 * @property {(at: number, value: JsonValue) => string} [write] formats a cell, if the format of a column does not
 *   follow from its rows
 */

/** Return the source of a table in a chat. @param {string} url @param {Translate} t @returns {GridSource} */
export function resultSource(url, t) {
  return {
    url,
    hasCount: true,
    status: ({ rows: { count, all } }) =>
      count === all
        ? t(all === 1 ? "table.row" : "table.rows", { n: t.number(all) })
        : t("grid.some", { n: t.number(count), all: t.number(all) }),
    files: ({ rows, columns }) =>
      FORMS.map((form) =>
        el(
          "a",
          { class: "text-button", href: rows.file(form, columns), download: true },
          icon("download"),
          t(`grid.form_${form}`),
        ),
      ),
  };
}

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
  grid.dom.showModal();
  grid.cells.dom.focus();
  grid.begin();
}

export class TableGrid {
  /** @param {TableContent} content @param {GridSource} source @param {Translate} t */
  constructor(content, source, t) {
    this.content = content;
    this.source = source;
    this.t = t;
    /** Indexes of the shown columns, in order. @type {number[]} */
    this.columns = content.columns.map((_, at) => at);
    /** @type {ColumnFacts[] | null} */
    this.facts = null;
    /** Subject of the next question, once it is chosen. @type {TableSelection | null} */
    this.selection = null;
    this.rows = new RowPages(
      source.url ?? "",
      content.rowCount,
      () => this.draw(),
      (fault) => this.showError(fault),
    );
    if (source.ask) this.rows.ask = source.ask;
    const writers = content.columns.map((column, at) =>
      cellWriter(
        column,
        content.rows.map((row) => row[at] ?? null),
        t,
      ),
    );
    this.cells = new Cells({
      name: content.name,
      rows: this.rows,
      write: source.write ?? ((at, value) => writers[at]?.(value) ?? ""),
      kind: (at) => content.columns[at]?.kind ?? "text",
      head: (at, id, place) => this.head(at, id, place),
      open: (at) => this.menu(at),
      sort: (at, more) => this.sort(at, more),
      copy: () => void this.copy(),
      ...(source.hasCount && { ask: () => this.ask() }),
    });
    this.timer = 0;
    this.count = el("span", { class: "grid-count", role: "status" });
    this.fault = el("p", { class: "grid-fault", role: "alert", hidden: true });
    this.search = el("input", {
      class: "sheet-field grid-search",
      type: "search",
      placeholder: t("grid.search"),
      "aria-label": t("grid.search"),
      maxlength: 200,
      on: {
        input: () => {
          clearTimeout(this.timer);
          this.timer = window.setTimeout(() => this.applySearch(), SEARCH_PAUSE);
        },
      },
    });
    this.files = el("span", { class: "grid-files" });
    this.clear = this.button(t("grid.clear"), () => this.show({ sort: [], filters: [], search: "" }));
    this.dom = el(
      "dialog",
      {
        class: "grid-dialog",
        "aria-label": content.name,
        on: {
          keydown: (/** @type {KeyboardEvent} */ event) => event.stopPropagation(),
        },
      },
      el(
        "div",
        { class: "grid-bar" },
        el("h2", { class: "grid-title" }, icon("table"), el("span", {}, content.name)),
        this.count,
        this.search,
        this.clear,
        source.hasCount &&
          el(
            "button",
            {
              type: "button",
              class: "text-button",
              title: t("grid.ask_key"),
              "aria-keyshortcuts": "Control+Enter",
              on: { click: () => this.ask() },
            },
            icon("chat"),
            t("grid.ask"),
          ),
        this.button(t("grid.columns"), () => this.chooseColumns()),
        source.hasCount && [
          this.button(t("grid.copy"), () => void this.copyAll(false)),
          this.button(t("grid.copy_markdown"), () => void this.copyAll(true)),
        ],
        this.files,
        el(
          "button",
          { type: "button", class: "icon-button grid-close", on: { click: () => this.dom.close() } },
          icon("close", t("grid.close")),
        ),
      ),
      this.fault,
      this.cells.dom,
    );
  }

  /** @param {string} label @param {() => void} press */
  button(label, press) {
    return el("button", { type: "button", class: "text-button", on: { click: press } }, label);
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

  draw() {
    const { view } = this.rows;
    this.count.textContent = this.source.status(this);
    this.clear.hidden = view.sort.length === 0 && view.filters.length === 0 && view.search === "";
    this.files.replaceChildren(...this.source.files(this));
    this.cells.draw();
  }

  /** @param {Partial<import("./rows.js").View>} change */
  show(change) {
    const view = { ...this.rows.view, ...change };
    if (this.search.value.trim() !== view.search) this.search.value = view.search;
    this.cells.toTop();
    this.rows.show(view);
    this.cells.drawHead();
    this.draw();
  }

  applySearch() {
    const search = this.search.value.trim();
    if (search !== this.rows.view.search) this.show({ search });
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
      { column, at, facts: this.facts?.[at] ?? null, filter, rows: this.content.rowCount },
      {
        filter: (next) => this.filter(at, next),
        sort: (descending) => this.show({ sort: [{ column: at, descending }] }),
        hide: () => this.arrange(this.columns.filter((candidate) => candidate !== at)),
        move: (by) => this.move(at, by),
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
    this.cells.setColumns(columns);
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
      title: this.t("grid.columns"),
      body: [
        el(
          "div",
          { class: "sheet-choices" },
          boxes.map(({ name, box }) => el("label", { class: "sheet-choice" }, box, el("span", {}, name))),
        ),
      ],
      buttons: [submitButton(this.t("grid.apply"))],
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

  /** Copy the selected cells for a spreadsheet. */
  async copy() {
    const { rows, columns } = this.cells.marked();
    if (rows.end - rows.begin > MAX_COPIED)
      return this.refuse("grid.too_many", rows.end - rows.begin, MAX_COPIED);
    const cells = await this.readRows(rows.begin, rows.end);
    if (cells)
      await this.copyText(
        asTsv(
          null,
          cells.map((row) => columns.map((at) => row[at] ?? null)),
        ),
      );
  }

  /** @param {boolean} markdown */
  async copyAll(markdown) {
    if (this.rows.count > MAX_COPIED) return this.refuse("grid.too_many", this.rows.count, MAX_COPIED);
    const cells = await this.readRows(0, this.rows.count);
    if (cells === null) return;
    const heads = this.columns.map((at) => this.content.columns[at]?.name ?? "");
    const rows = cells.map((row) => this.columns.map((at) => row[at] ?? null));
    const numbers = this.columns.map((at) => this.content.columns[at]?.kind === "number");
    await this.copyText(markdown ? asMarkdown(heads, rows, numbers) : asTsv(heads, rows));
  }

  /** @param {number} begin @param {number} end */
  async readRows(begin, end) {
    try {
      return await this.rows.between(begin, end);
    } catch (fault) {
      this.showError(fault instanceof Error ? fault : null);
      return null;
    }
  }

  /** @param {string} text */
  async copyText(text) {
    const { t } = this;
    this.count.textContent = (await copyText(text)) ? t("grid.copied") : t("grid.not_copied");
    this.cells.dom.focus();
  }

  /** Make the selected cells the subject of the next question; from a head, the whole columns. */
  ask() {
    const { rows, columns } = this.cells.marked();
    const { begin, end } = rows.end > rows.begin ? rows : { begin: 0, end: this.rows.count };
    if (end === 0) return;
    if (end - begin > MAX_ASKED) return this.refuse("grid.too_many_asked", end - begin, MAX_ASKED);
    const { tableId, name } = this.content;
    this.selection = {
      kind: "table",
      tableId,
      name,
      view: /** @type {RowView} */ (this.rows.view),
      begin,
      end,
      columns,
    };
    this.dom.close();
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

  destroy() {
    clearTimeout(this.timer);
    this.rows.forget();
    this.cells.destroy();
    this.dom.remove();
  }
}
