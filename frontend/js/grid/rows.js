/**
 * Rows of one view of a table, loaded on demand in pages, of which the latest are kept. A page that is out of sight
 * when its turn comes is not requested; requests of another view are aborted.
 */

import { answer } from "../core/api.js";
import { request } from "../core/session.js";

/** @import { JsonValue } from "../types.js" */

/** @typedef {{ column: number, descending: boolean }} SortBy */
/** @typedef {{ column: number, op: string, value?: JsonValue }} Filter */
/** @typedef {{ sort: SortBy[], filters: Filter[], search: string }} View */

export const PAGE = 100;
const MAX_PAGES = 60;
const PAUSE = 40;
/** Maximum rows per response, as on the server. */
const MAX_ROWS = 1000;

/**
 * Rows of a grid, wherever they are.
 *
 * @typedef {object} RowSource
 * @property {number} count
 * @property {(at: number) => JsonValue[] | null} row a row, or null while it loads
 * @property {(begin: number, end: number) => void} need loads the visible rows
 * @property {(begin: number, end: number) => Promise<JsonValue[][]>} between returns rows, visible or not
 */

export class RowPages {
  /**
   * @param {string} url address of the table
   * @param {number} count
   * @param {() => void} onRows called after new rows or a new number of rows
   * @param {(fault: Error | null) => void} onFault called with an error, and with null once it is over
   */
  constructor(url, count, onRows, onFault) {
    this.url = url;
    this.all = count;
    this.count = count;
    /** Whether `count` is the number of rows of the current view. */
    this.isCounted = false;
    this.onRows = onRows;
    this.onFault = onFault;
    /** @type {View} */
    this.view = { sort: [], filters: [], search: "" };
    /** Rows by page. @type {Map<number, JsonValue[][]>} */
    this.pages = new Map();
    /** @type {Set<number>} */
    this.loading = new Set();
    this.request = new AbortController();
    this.timer = 0;
  }

  /** @param {View} view */
  show(view) {
    this.view = view;
    this.isCounted = this.all > 0 && view.filters.length === 0 && view.search === "";
    if (this.isCounted) this.count = this.all;
    this.forget();
    this.need(0, 1);
  }

  /** Abort requests and drop all rows. */
  forget() {
    this.request.abort();
    this.request = new AbortController();
    this.pages.clear();
    this.loading.clear();
    clearTimeout(this.timer);
  }

  /** @param {number} at @returns {JsonValue[] | null} */
  row(at) {
    return this.pages.get(Math.floor(at / PAGE))?.[at % PAGE] ?? null;
  }

  /** Load the visible rows, from `begin` to before `end`. @param {number} begin @param {number} end */
  need(begin, end) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      for (let page = Math.floor(begin / PAGE); page * PAGE < Math.max(end, 1); page += 1)
        void this.fetchPage(page, Math.min(PAGE, end - page * PAGE));
    }, PAUSE);
  }

  /**
   * Load a page, or more of it: the server sends fewer rows at once if they are long.
   *
   * @param {number} page
   * @param {number} needed number of its rows that are visible
   */
  async fetchPage(page, needed) {
    const loaded = this.pages.get(page) ?? [];
    const isLoaded = this.pages.has(page) && loaded.length >= Math.min(needed, this.count - page * PAGE);
    if (isLoaded || this.loading.has(page)) return;
    const { signal } = this.request;
    this.loading.add(page);
    try {
      const batch = await this.ask(page * PAGE + loaded.length, PAGE - loaded.length, signal);
      if (signal.aborted) return;
      this.loading.delete(page);
      this.pages.set(page, [...loaded, ...batch.rows]);
      this.count = batch.rowCount;
      this.isCounted = true;
      for (const old of [...this.pages.keys()].slice(0, Math.max(0, this.pages.size - MAX_PAGES)))
        this.pages.delete(old);
      this.onFault(null);
      if (batch.rows.length > 0 || loaded.length === 0) this.onRows();
    } catch (fault) {
      if (signal.aborted) return;
      this.loading.delete(page);
      this.onFault(fault instanceof Error ? fault : new Error(String(fault)));
    }
  }

  /**
   * @param {number} offset
   * @param {number} limit
   * @param {AbortSignal} signal
   * @returns {Promise<{ rows: JsonValue[][], rowCount: number }>}
   */
  async ask(offset, limit, signal) {
    const body = JSON.stringify({ ...this.view, offset, limit });
    return answer(
      await request(`${this.url}/rows`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
        signal,
      }),
    );
  }

  /** Return all rows from `begin` to before `end`, visible or not. @param {number} begin @param {number} end */
  async between(begin, end) {
    /** @type {JsonValue[][]} */
    const rows = [];
    while (begin + rows.length < end) {
      const at = begin + rows.length;
      const page = await this.ask(at, Math.min(MAX_ROWS, end - at), this.request.signal);
      if (page.rows.length === 0) break;
      rows.push(...page.rows);
    }
    return rows;
  }

  /** Return the address of a file of the view. @param {string} form @param {number[]} columns shown columns */
  file(form, columns) {
    const { sort, filters, search } = this.view;
    return `${this.url}/${form}?${new URLSearchParams({ view: JSON.stringify({ sort, filters, search, columns }) })}`;
  }
}
