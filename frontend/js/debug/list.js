// @ts-check
/**
 * The timeline: a list of rows of which only those in sight exist in the page. Its pane draws it, once per frame. It follows
 * its end until the person scrolls away from it.
 */

import { el } from "../core/dom.js";

/** @import { Translate } from "../types.js" */
/** @import { DebugLog, Row } from "./log.js" */

const HEIGHT = 24;
/** Rows kept ready above and below what is seen. */
const SPARE = 6;
/** Each list on a page names its rows apart. */
let lists = 0;

/** @typedef {{node: HTMLElement, time: HTMLElement, type: HTMLElement, words: HTMLElement, count: HTMLElement, length: HTMLElement, bar: HTMLElement, shows: string}} Line */

export class DebugList {
  /**
   * @param {DebugLog} log
   * @param {Translate} t
   * @param {{chosen: (row: Row) => void, touched: () => void}} hooks `touched`: something changed, draw with the next frame
   */
  constructor(log, t, hooks) {
    this.log = log;
    this.t = t;
    this.hooks = hooks;
    this.name = `debug-${(lists += 1)}`;
    /** @type {Row[]} */
    this.rows = log.rows;
    this.query = "";
    /** @type {Row | null} */
    this.active = null;
    /** @type {Set<number>} ids of rows that belong to what was pointed at */
    this.lit = new Set();
    this.follow = true;
    this.top = 0;
    /** @type {Line[]} */
    this.lines = [];
    this.sheet = el("div", { class: "debug-sheet", role: "presentation" });
    this.dom = el(
      "div",
      {
        class: "debug-list",
        role: "listbox",
        tabindex: "0",
        on: { scroll: () => this.scrolled(), keydown: (event) => this.key(event), click: (event) => this.click(event) },
      },
      this.sheet,
    );
    this.observer = new ResizeObserver(() => {
      if (this.active) this.reveal(this.active);
      this.touch();
    });
    this.observer.observe(this.dom);
  }

  destroy() {
    this.observer.disconnect();
  }

  touch() {
    this.hooks.touched();
  }

  /** @param {string} query */
  search(query) {
    this.query = query.trim().toLowerCase();
    this.touch();
  }

  /** @param {boolean} follow */
  setFollow(follow) {
    this.follow = follow;
    this.touch();
  }

  /** @param {Row | null} row chosen, or none */
  choose(row) {
    this.active = row;
    if (row && row !== this.rows[this.rows.length - 1]) this.setFollow(false); // what is read must not run away
    if (row) this.reveal(row);
    this.touch();
  }

  /** @param {Row[]} rows that belong to what was pointed at */
  light(rows) {
    this.lit = new Set(rows.map(({ id }) => id));
    if (rows[0]) this.reveal(rows[0]);
    this.touch();
  }

  /** @param {Row} row */
  reveal(row) {
    const index = this.rows.indexOf(row);
    if (index < 0) return;
    const { scrollTop, clientHeight } = this.dom;
    const top = index * HEIGHT;
    if (top >= scrollTop && top + HEIGHT <= scrollTop + clientHeight) return;
    this.setFollow(false);
    this.grow();
    this.dom.scrollTop = top < scrollTop ? top : top + HEIGHT - clientHeight;
  }

  /** The sheet is as tall as all its rows. */
  grow() {
    this.sheet.style.height = `${this.rows.length * HEIGHT}px`;
  }

  draw() {
    const { log, query, dom } = this;
    this.rows = query ? log.rows.filter((row) => log.matches(row, query)) : log.rows;
    this.grow();
    const { clientHeight } = dom;
    if (this.follow) dom.scrollTop = this.rows.length * HEIGHT;
    this.top = dom.scrollTop;
    const first = Math.max(0, Math.floor(this.top / HEIGHT) - SPARE);
    const last = Math.min(this.rows.length, Math.ceil((this.top + clientHeight) / HEIGHT) + SPARE);
    while (this.lines.length < last - first) this.addLine();
    while (this.lines.length > last - first) this.lines.pop()?.node.remove();
    for (const [offset, line] of this.lines.entries()) {
      const row = this.rows[first + offset];
      if (row) this.fill(line, row, first + offset);
    }
    const active = this.active && this.rows.indexOf(this.active) >= 0 ? `${this.name}-${this.active.id}` : null;
    if (active) dom.setAttribute("aria-activedescendant", active);
    else dom.removeAttribute("aria-activedescendant");
    dom.setAttribute("aria-label", this.t("debug.events"));
    dom.dataset.rows = String(this.rows.length);
  }

  addLine() {
    const time = el("span", { class: "debug-time" });
    const type = el("span", { class: "debug-type" });
    const words = el("span", { class: "debug-words" });
    const count = el("span", { class: "debug-count" });
    const length = el("span", { class: "debug-length" });
    const bar = el("i");
    const track = el("span", { class: "debug-track", "aria-hidden": "true" }, bar);
    const dot = el("span", { class: "debug-dot", "aria-hidden": "true" });
    const node = el("div", { class: "debug-row", role: "option" }, time, dot, type, words, count, length, track);
    this.lines.push({ node, time, type, words, count, length, bar, shows: "" });
    this.sheet.append(node);
  }

  /** @param {Line} line @param {Row} row @param {number} index */
  fill(line, row, index) {
    const { node } = line;
    node.style.transform = `translateY(${index * HEIGHT}px)`;
    node.setAttribute("aria-posinset", String(index + 1));
    node.setAttribute("aria-setsize", String(this.rows.length));
    node.setAttribute("aria-selected", String(row === this.active));
    node.toggleAttribute("data-lit", this.lit.has(row.id));
    const share = this.log.share(row);
    line.bar.parentElement?.toggleAttribute("data-empty", share === null);
    if (share) {
      line.bar.style.left = `${(Math.min(0.98, share.start) * 100).toFixed(2)}%`;
      line.bar.style.width = `${(share.length * 100).toFixed(2)}%`;
    }
    const shows = `${row.id} ${row.version} ${this.query} ${this.t.language}`;
    if (line.shows === shows) return;
    line.shows = shows;
    node.id = `${this.name}-${row.id}`;
    node.dataset.row = String(row.id);
    node.dataset.kind = row.kind;
    node.dataset.depth = String(row.depth);
    line.time.textContent = clock(row.messages.length > 1 ? row.from : row.to);
    line.type.textContent = row.type;
    line.words.replaceChildren(...marked(row.summary, this.query));
    line.count.textContent = row.messages.length > 1 ? `× ${row.messages.length}` : "";
    line.length.textContent = row.to > row.from ? this.t.duration((row.to - row.from) / 1000) : "";
  }

  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.dom;
    const atEnd = scrollTop + clientHeight >= scrollHeight - 4;
    if (!atEnd && scrollTop < this.top) this.setFollow(false);
    else if (atEnd && scrollTop > this.top) this.setFollow(true);
    this.touch();
  }

  /** @param {MouseEvent} event */
  click(event) {
    const node = event.target instanceof Element ? event.target.closest(".debug-row") : null;
    const id = node instanceof HTMLElement ? Number(node.dataset.row) : Number.NaN;
    const row = this.rows.find((one) => one.id === id);
    if (row) this.hooks.chosen(row);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = Math.max(1, Math.floor(this.dom.clientHeight / HEIGHT) - 1);
    const now = this.active ? this.rows.indexOf(this.active) : -1;
    const end = this.rows.length - 1;
    const to = { ArrowDown: now + 1, ArrowUp: now < 0 ? end : now - 1, PageDown: now + page, PageUp: now - page, Home: 0, End: end }[
      event.key
    ];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const row = this.rows[Math.max(0, Math.min(end, to))];
    if (row) this.hooks.chosen(row);
  }
}

/** @param {number} at milliseconds since 1970 @returns {string} hours to milliseconds, here */
function clock(at) {
  const moment = new Date(at);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const seconds = `${two(moment.getSeconds())}.${String(moment.getMilliseconds()).padStart(3, "0")}`;
  return `${two(moment.getHours())}:${two(moment.getMinutes())}:${seconds}`;
}

/** @param {string} text @param {string} query in lower case @returns {(Node | string)[]} */
function marked(text, query) {
  const at = query ? text.toLowerCase().indexOf(query) : -1;
  if (at < 0) return [text];
  return [text.slice(0, at), el("mark", {}, text.slice(at, at + query.length)), text.slice(at + query.length)];
}
