/**
 * Cells of a grid: the visible ones, the focused one, and the selection from it. Keys move between cells as in the ARIA
 * grid pattern; the head is the row above the first.
 */

import { el } from "../core/dom.js";
import { footCells, selectBox, textWidth } from "./row-nodes.js";
import { columnsBetween, firstAfter, heightOf, ROW_HEIGHT, scrollFor } from "./place.js";

/** @import { JsonValue, Translate } from "../types.js" */
/** @import { RowSource } from "./rows.js" */
/** @import { SelectedRows } from "./selected-rows.js" */

const HEAD_HEIGHT = 76;
const FOOT_HEIGHT = 30;
/** Width of the boxes that select rows. */
const GUTTER = 36;
const MARGIN_COLUMNS = 200;
const NARROWEST = 136;
const WIDEST = 320;
const LETTER = 7.5;
const SAMPLE = 50;
let gridCount = 0;

/**
 * @typedef {object} CellNeeds
 * @property {string} name
 * @property {RowSource} rows
 * @property {(at: number, value: JsonValue) => string} write
 * @property {(at: number) => string} kind
 * @property {(at: number, id: string, place: number) => HTMLElement} head
 * @property {(at: number) => void} open opens the menu of a column
 * @property {(at: number, more: boolean) => void} sort
 * @property {() => void} copy
 * @property {() => void} [ask]
 * @property {SelectedRows} [selected] rows selected by hand, which get boxes
 * @property {() => void} [onSelect] called after the selection changed, of rows or of cells
 * @property {(at: number) => string} [foot] text of a column below the rows
 * @property {(row: number) => void} [enter] opens a row
 * @property {Translate} t
 */

export class Cells {
  /** @param {CellNeeds} needs */
  constructor(needs) {
    this.needs = needs;
    this.id = `grid-${gridCount++}`;
    /** Indexes of the shown columns in the table. @type {number[]} */
    this.columns = [];
    /** @type {number[]} */
    this.widths = [];
    /** Left edge of each column, and the right edge of the last. @type {number[]} */
    this.lefts = [0];
    this.first = 0;
    this.scrolled = 0;
    /** Focused cell; row -1 is the head. */
    this.at = { row: 0, column: 0 };
    /** Opposite corner of the selection. */
    this.from = { row: 0, column: 0 };
    this.frame = 0;
    this.headRow = el("div", { class: "grid-head", role: "row", "aria-rowindex": 1 });
    this.body = el("div", { class: "grid-rows", role: "rowgroup" });
    this.footRow = el("div", { class: "grid-foot", role: "row" });
    this.footer = el("div", { role: "rowgroup", hidden: true }, this.footRow);
    this.layer = el(
      "div",
      { class: "grid-layer", role: "presentation" },
      el("div", { role: "rowgroup" }, this.headRow),
      this.body,
      this.footer,
    );
    this.space = el("div", { class: "grid-space", role: "presentation" });
    this.dom = el(
      "div",
      {
        class: "grid-scroll",
        role: "grid",
        tabindex: 0,
        "aria-label": needs.name,
        "aria-multiselectable": "true",
        on: {
          scroll: () => this.scroll(),
          keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
          pointerdown: (/** @type {PointerEvent} */ event) => this.point(event),
          click: (/** @type {MouseEvent} */ event) => this.check(event),
        },
      },
      this.layer,
      this.space,
    );
    this.resized = new ResizeObserver(() => this.scheduleDraw());
    this.resized.observe(this.dom);
  }

  /** Height for rows. */
  get room() {
    return Math.max(0, this.dom.clientHeight - HEAD_HEIGHT - (this.needs.foot ? FOOT_HEIGHT : 0));
  }

  get inSight() {
    return Math.max(1, this.room / ROW_HEIGHT);
  }

  get gutter() {
    return this.needs.selected ? GUTTER : 0;
  }

  /** Whether a person extended the selection of cells beyond the focused one. */
  get isExtended() {
    return this.at.row !== this.from.row || this.at.column !== this.from.column;
  }

  get most() {
    return Math.max(0, this.dom.scrollHeight - this.dom.clientHeight);
  }

  get table() {
    return { rows: this.needs.rows.count, inSight: this.inSight };
  }

  /** @param {number[]} columns */
  setColumns(columns) {
    this.columns = columns;
    this.at.column = this.from.column = Math.min(this.at.column, columns.length - 1);
    this.measure();
    this.drawHead();
  }

  /** Compute the column widths from names and loaded rows. */
  measure() {
    const { rows, write } = this.needs;
    this.widths = this.columns.map((at) => {
      let longest = 12;
      for (let row = 0; row < SAMPLE; row += 1) {
        const cells = rows.row(row);
        if (cells) longest = Math.max(longest, textWidth(write(at, cells[at] ?? null)));
      }
      return Math.min(WIDEST, Math.max(NARROWEST, Math.ceil(longest * LETTER) + 24));
    });
    this.lefts = [this.gutter];
    for (const width of this.widths) this.lefts.push((this.lefts.at(-1) ?? 0) + width);
  }

  toTop() {
    this.first = 0;
    this.scrolled = 0;
    this.dom.scrollTop = 0;
    this.at.row = 0;
    this.from = { ...this.at };
    this.measured = false;
  }

  scheduleDraw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  scroll() {
    const to = this.dom.scrollTop;
    if (to !== this.scrolled)
      this.first = firstAfter(this.first, { from: this.scrolled, to, most: this.most }, this.table);
    this.scrolled = to;
    this.scheduleDraw();
  }

  /** Return the visible columns: the first, and the one after the last. */
  columnsInSight() {
    const { scrollLeft, clientWidth } = this.dom;
    return columnsBetween(this.lefts, scrollLeft - MARGIN_COLUMNS, scrollLeft + clientWidth + MARGIN_COLUMNS);
  }

  drawHead() {
    const { begin, end } = this.columnsInSight();
    const heads = [];
    for (let place = begin; place < end; place += 1) {
      const head = this.needs.head(this.columns[place] ?? 0, this.cellId(-1, place), place);
      this.set(head, place, this.at.row === -1 && this.at.column === place);
      heads.push(head);
    }
    const box = selectBox(-1, this.needs);
    this.headRow.replaceChildren(...(box ? [box, ...heads] : heads));
    this.drawn = { begin, end };
  }

  draw() {
    const { rows } = this.needs;
    if (!this.measured && rows.row(0)) {
      this.measured = true;
      this.measure();
      this.drawHead();
    }
    const { begin, end } = this.columnsInSight();
    if (this.drawn?.begin !== begin || this.drawn.end !== end) this.drawHead();
    const { count } = rows;
    this.dom.setAttribute("aria-rowcount", String(count + (this.needs.foot ? 2 : 1)));
    this.dom.setAttribute("aria-colcount", String(this.columns.length));
    const width = `${this.lefts.at(-1)}px`;
    this.layer.style.setProperty("width", width);
    this.space.style.setProperty("width", width);
    const edges = this.dom.clientHeight - this.room;
    this.space.style.setProperty("height", `${heightOf(count) + edges}px`);
    this.body.style.setProperty("height", `${this.room}px`);
    this.footer.hidden = !this.needs.foot;
    const feet = footCells(this.needs, this.columns.slice(begin, end));
    for (const [at, cell] of feet.entries()) this.set(cell, begin + at, false);
    this.footRow.replaceChildren(...feet);
    this.footRow.setAttribute("aria-rowindex", String(count + 2));
    this.first = Math.min(this.first, Math.max(0, count - this.inSight));
    const from = Math.floor(this.first);
    const to = Math.min(count, Math.ceil(this.first + this.inSight) + 1);
    const lines = [];
    for (let at = from; at < to; at += 1) lines.push(this.line(at, begin, end));
    this.body.replaceChildren(...lines);
    if (this.at.row >= 0 && (this.at.row < from || this.at.row >= to))
      this.dom.removeAttribute("aria-activedescendant");
    else this.dom.setAttribute("aria-activedescendant", this.cellId(this.at.row, this.at.column));
    rows.need(from, to);
  }

  /** @param {number} at @param {number} begin @param {number} end */
  line(at, begin, end) {
    const { rows, write, kind, selected } = this.needs;
    const cells = rows.row(at);
    const isSelected = selected?.has(at) ?? false;
    const line = el("div", {
      class: "grid-row",
      role: "row",
      "aria-rowindex": at + 2,
      "data-odd": at % 2 === 1,
      ...(selected && { "aria-selected": String(isSelected) }),
    });
    const box = selectBox(at, this.needs);
    if (box) line.append(box);
    line.style.setProperty("transform", `translateY(${(at - this.first) * ROW_HEIGHT}px)`);
    for (let place = begin; place < end; place += 1) {
      const column = this.columns[place] ?? 0;
      const value = cells?.[column] ?? null;
      const text = cells === null ? "" : write(column, value);
      const cell = el(
        "div",
        {
          class: "grid-cell",
          role: "gridcell",
          id: this.cellId(at, place),
          "aria-colindex": place + 1,
          "data-kind": kind(column),
          "data-empty": cells !== null && value === null,
          "aria-selected": String(isSelected || this.isMarked(at, place)),
          dir: kind(column) === "text" ? "auto" : null,
          title: text.length > 24 ? text : null,
        },
        text,
      );
      this.set(cell, place, this.at.row === at && this.at.column === place);
      line.append(cell);
    }
    return line;
  }

  /** @param {HTMLElement} cell @param {number} place @param {boolean} here */
  set(cell, place, here) {
    cell.style.setProperty("left", `${this.lefts[place]}px`);
    cell.style.setProperty("width", `${this.widths[place]}px`);
    cell.toggleAttribute("data-here", here);
  }

  /** @param {number} row @param {number} place */
  cellId(row, place) {
    return `${this.id}-${row}-${place}`;
  }

  /** @param {number} row @param {number} place */
  isMarked(row, place) {
    const { at, from } = this;
    return (
      row >= Math.min(at.row, from.row) &&
      row <= Math.max(at.row, from.row) &&
      place >= Math.min(at.column, from.column) &&
      place <= Math.max(at.column, from.column)
    );
  }

  /** Return the selected rows, and the indexes of the columns in the table. */
  marked() {
    const { at, from } = this;
    const rows = { begin: Math.max(0, Math.min(at.row, from.row)), end: Math.max(at.row, from.row) + 1 };
    return {
      rows,
      columns: this.columns.slice(Math.min(at.column, from.column), Math.max(at.column, from.column) + 1),
    };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const control = event.ctrlKey || event.metaKey;
    const { row, column } = this.at;
    const page = Math.max(1, Math.floor(this.inSight) - 1);
    const last = this.needs.rows.count - 1;
    const end = this.columns.length - 1;
    /** @type {Record<string, [number, number]>} */
    const moves = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: control ? [0, 0] : [row, 0],
      End: control ? [last, end] : [row, end],
      PageUp: [Math.max(0, row - page), column],
      PageDown: [row + page, column],
    };
    const move = moves[event.key];
    if (control && event.key.toLowerCase() === "c" && window.getSelection()?.isCollapsed !== false)
      this.needs.copy();
    else if (control && event.key.toLowerCase() === "a")
      this.mark({ row: 0, column: 0 }, { row: last, column: end });
    else if (control && event.key === "Enter" && this.needs.ask) this.needs.ask();
    else if (event.key === " " && row >= 0 && this.needs.selected) this.select(row, event.shiftKey);
    else if (event.key === "Enter" && row >= 0 && this.needs.enter) this.needs.enter(row);
    else if (move && !event.altKey) this.go(move[0], move[1], event.shiftKey);
    else if (row === -1 && (event.key === "Enter" || event.key === " "))
      this.needs.sort(this.columns[column] ?? 0, event.shiftKey);
    else if (event.key === "ContextMenu" || (event.altKey && event.key === "ArrowDown"))
      this.needs.open(this.columns[column] ?? 0);
    else return;
    event.preventDefault();
  }

  /** @param {{ row: number, column: number }} from @param {{ row: number, column: number }} at */
  mark(from, at) {
    this.from = from;
    this.at = at;
    this.draw();
    this.needs.onSelect?.();
  }

  /**
   * Select or deselect a row, or the rows from the last one that was toggled.
   *
   * @param {number} row -1 for all
   * @param {boolean} extending
   */
  select(row, extending) {
    const { selected, rows } = this.needs;
    if (!selected) return;
    if (row < 0) selected.set(0, rows.count, selected.count < rows.count);
    else if (extending) selected.extendTo(row);
    else selected.toggle(row);
    this.from = { ...this.at };
    this.drawHead();
    this.draw();
    this.needs.onSelect?.();
  }

  /** @param {number} row @param {number} column @param {boolean} [marking] */
  go(row, column, marking = false) {
    this.at = {
      row: Math.max(marking ? 0 : -1, Math.min(row, this.needs.rows.count - 1)),
      column: Math.max(0, Math.min(column, this.columns.length - 1)),
    };
    if (!marking) this.from = { ...this.at };
    if (this.at.row >= 0) {
      if (this.at.row < this.first) this.first = this.at.row;
      else if (this.at.row > this.first + this.inSight - 1) this.first = this.at.row - this.inSight + 1;
      this.scrolled = Math.round(scrollFor(this.first, this.most, this.table));
      this.dom.scrollTop = this.scrolled;
      this.scrolled = this.dom.scrollTop;
    }
    const left = this.lefts[this.at.column] ?? 0;
    const right = this.lefts[this.at.column + 1] ?? left;
    if (left < this.dom.scrollLeft + this.gutter) this.dom.scrollLeft = left - this.gutter;
    else if (right > this.dom.scrollLeft + this.dom.clientWidth)
      this.dom.scrollLeft = right - this.dom.clientWidth;
    this.drawHead();
    this.draw();
    this.needs.onSelect?.();
  }

  /** Select or deselect the row of a clicked box. A press alone may begin to scroll. @param {MouseEvent} event */
  check(event) {
    const box = event.target instanceof Element ? event.target.closest(".grid-check") : null;
    if (box instanceof HTMLElement) this.select(Number(box.dataset.row), event.shiftKey);
  }

  /** @param {PointerEvent} event */
  point(event) {
    const cell = event.target instanceof Element ? event.target.closest(".grid-cell, .grid-check") : null;
    if (!cell || event.button !== 0) return;
    if (event.shiftKey) event.preventDefault();
    if (cell.matches(".grid-check")) return;
    const [row, column] = cell.id
      .slice(this.id.length + 1)
      .split("-")
      .map(Number);
    this.go(row ?? 0, column ?? 0, event.shiftKey);
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    this.resized.disconnect();
  }
}
