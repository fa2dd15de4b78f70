/**
 * Rows of a database's table in a grid: pages come as they are scrolled to, sorted by the database. How many there are is not
 * asked, since counting may take it long; the grid grows until its end is seen.
 */

import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { cellWriter } from "../core/format.js";
import { icon } from "../core/icons.js";
import { late } from "../core/late.js";
import { columnsOf, rowsOf } from "./api.js";
import { inWords } from "./branch.js";

/** @import { Column, Translate } from "../types.js" */
/** @import { TablePlace } from "./api.js" */
/** @typedef {typeof import("../grid/grid.js")} GridModule */

const PAGE = 100;

/** @param {TablePlace} place @param {Translate} t */
export async function openPreview(place, t) {
  const grid = await late(() => import("../grid/grid.js"), t, "table-grid");
  if (grid === null) return;
  const opener = document.activeElement;
  const words = el("span", { class: "grid-count", role: "status" }, t("sources.looking"));
  const fault = el("p", { class: "grid-fault", role: "alert", hidden: true });
  const dom = el("dialog", { class: "grid-dialog", "aria-label": place.table, on: { keydown: (/** @type {KeyboardEvent} */ event) => event.stopPropagation() } },
    el("div", { class: "grid-bar" }, el("h2", { class: "grid-title" }, icon("table"), el("span", {}, place.table)), words,
      el("button", { type: "button", class: "icon-button grid-close", on: { click: () => dom.close() } }, icon("close", t("grid.close")))),
    fault);
  /** @type {Preview | null} */
  let preview = null;
  dom.addEventListener("close", () => {
    preview?.destroy();
    dom.remove();
    if (opener instanceof HTMLElement) opener.focus();
  });
  document.body.append(dom);
  dom.showModal();
  /** @param {Error | null} what */
  const say = (what) => {
    fault.hidden = what === null;
    fault.textContent = what === null ? "" : inWords(what, t);
  };
  try {
    const { columns } = await columnsOf(place);
    if (!dom.isConnected) return;
    preview = new Preview(grid, place, columns, words, say, t);
    dom.append(preview.cells.dom);
    preview.begin();
  } catch (what) {
    words.textContent = "";
    say(what instanceof Error ? what : new TypeError());
  }
}

class Preview {
  /** @param {GridModule} grid @param {TablePlace} place @param {Column[]} columns @param {HTMLElement} words @param {(fault: Error | null) => void} say @param {Translate} t */
  constructor(grid, place, columns, words, say, t) {
    this.grid = grid;
    this.place = place;
    this.columns = columns;
    this.words = words;
    this.t = t;
    /** Rows that are known to be there. */
    this.seen = 0;
    /** How many there are, once that is known. @type {number | null} */
    this.end = null;
    this.rows = new grid.RowPages("", PAGE, () => this.draw(), say);
    this.rows.ask = (offset, limit, signal) => this.ask(offset, limit, signal);
    const writers = columns.map((column) => cellWriter(column, [], t));
    this.cells = new grid.Cells({
      name: place.table, rows: this.rows, kind: (at) => columns[at]?.kind ?? "text",
      // a number as it came: how many decimals its column has is not known before its rows are
      write: (at, value) => (typeof value === "number" ? t.number(value) : writers[at]?.(value) ?? ""),
      head: (at, id, place) => this.head(at, id, place), open: (at) => this.sort(at), sort: (at) => this.sort(at), copy: () => void this.copy(),
    });
  }

  begin() {
    this.cells.setColumns(this.columns.map((_, at) => at));
    this.rows.show(this.rows.view);
    this.cells.draw();
    this.cells.dom.focus();
  }

  draw() {
    const { t } = this;
    const n = this.end ?? this.seen;
    this.words.textContent = this.end === null ? t("sources.rows_more", { n: t.number(n) }) : t(n === 1 ? "table.row" : "table.rows", { n: t.number(n) });
    this.cells.draw();
  }

  /** @param {number} at @param {string} id @param {number} place */
  head(at, id, place) {
    const { name = "", kind = "text", type = "" } = this.columns[at] ?? {};
    const by = this.rows.view.sort.find((one) => one.column === at);
    const order = by ? (by.descending ? "descending" : "ascending") : "none";
    return el("div", { class: "grid-head-cell", role: "columnheader", id, "aria-colindex": place + 1, "aria-sort": order, "data-kind": kind },
      el("div", { class: "grid-head-line" },
        el("button", { type: "button", class: "grid-sort", tabindex: -1, title: this.t("sources.sort", { column: name }), on: { click: () => this.sort(at) } },
          el("span", { class: "grid-name" }, name), by && icon(by.descending ? "arrow-down" : "arrow-up"))),
      el("div", { class: "grid-facts" }, el("span", {}, type)));
  }

  /** Up, down, as the database gives them. @param {number} at */
  sort(at) {
    const old = this.rows.view.sort.find((one) => one.column === at);
    const sort = old?.descending ? [] : [{ column: at, descending: old !== undefined }];
    this.cells.toTop();
    this.rows.show({ ...this.rows.view, sort });
    this.cells.drawHead();
    this.cells.draw();
  }

  async copy() {
    const { rows, columns } = this.cells.marked();
    const lines = [];
    for (let at = rows.begin; at < rows.end; at += 1) {
      const cells = this.rows.row(at);
      if (cells) lines.push(columns.map((column) => cells[column] ?? null));
    }
    this.words.textContent = this.t((await copyText(this.grid.asTsv(null, lines))) ? "grid.copied" : "grid.not_copied");
    this.cells.dom.focus();
  }

  /** @param {number} offset @param {number} limit @param {AbortSignal} signal */
  async ask(offset, limit, signal) {
    const sort = this.rows.view.sort.map(({ column, descending }) => ({ column: this.columns[column]?.name ?? "", descending }));
    const { rows, more } = await rowsOf(this.place, { sort, offset, limit }, signal);
    this.seen = Math.max(this.seen, offset + rows.length);
    if (!more) this.end = Math.min(this.end ?? Infinity, offset + rows.length);
    return { rows, rowCount: this.end ?? this.seen + PAGE };
  }

  destroy() {
    this.rows.forget();
    this.cells.destroy();
  }
}
