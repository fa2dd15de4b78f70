// @ts-check
/**
 * Virtual list of the trace with its waterfall: only visible rows are in the DOM. The pane draws it once per frame. It
 * follows its end until the person scrolls away.
 */

import { formatCost, figureList, formatLength, formatTokens } from "./figures.js";
import { CLOSING } from "./rows.js";
import { el } from "../core/dom.js";

/** @import { Translate } from "../types.js" */
/** @import { Row } from "./rows.js" */
/** @import { Filter, Trace } from "./trace.js" */

const HEIGHT = 24;
/** Extra rows above and below the visible ones. */
const SPARE = 6;
/** Streamed pieces of one text, which a row counts. */
const PIECE_TYPES = new Set(["delta", "printed", "tool_progress"]);
/** Number of lists: the row ids of each list are unique. */
let lists = 0;

/**
 * @typedef {{node: HTMLElement, twist: HTMLElement, type: HTMLElement, summary: HTMLElement, count: HTMLElement,
 *   tokens: HTMLElement, cost: HTMLElement, length: HTMLElement, bar: HTMLElement, position: string, content: string}}
 *   Line
 */

export class DebugList {
  /**
   * @param {Trace} trace
   * @param {Translate} t
   * @param {{chosen: (row: Row) => void, pointed: (row: Row | null) => void, touched: () => void}} hooks `touched`:
   *   something changed, draw with the next frame
   */
  constructor(trace, t, hooks) {
    this.trace = trace;
    this.t = t;
    this.hooks = hooks;
    this.name = `debug-${(lists += 1)}`;
    /** Rows that no filter and no closed branch hides. @type {Row[]} */
    this.rows = [];
    this.matches = 0;
    /** @type {Map<Row, number>} */
    this.places = new Map();
    /** @type {Filter | null} */
    this.filter = null;
    this.version = "";
    this.turned = 0;
    /** @type {Row | null} */
    this.active = null;
    /** Rows that belong to the selection and to the hover in other panes. @type {Set<Row>} */
    this.lit = new Set();
    /** @type {Set<Row>} */
    this.near = new Set();
    this.follow = true;
    this.top = 0;
    /** @type {Line[]} */
    this.lines = [];
    /** Row of each line node. @type {WeakMap<Element, Row>} */
    this.onLine = new WeakMap();
    this.sheet = el("div", { class: "debug-sheet", role: "presentation" });
    this.dom = el(
      "div",
      {
        class: "debug-list",
        role: "tree",
        tabindex: "0",
        on: {
          scroll: () => this.scrolled(),
          keydown: (event) => this.key(event),
          click: (event) => this.click(event),
          // pointermove: content that scrolls under a resting pointer must not count
          pointermove: (event) => this.hooks.pointed(this.rowOf(event)),
          pointerleave: () => this.hooks.pointed(null),
        },
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

  /** @param {Filter | null} filter */
  search(filter) {
    this.filter = filter;
    this.turned += 1;
    this.touch();
  }

  /** @param {boolean} follow */
  setFollow(follow) {
    this.follow = follow;
    this.touch();
  }

  /** Choose a row. @param {Row | null} row chosen, or none */
  choose(row) {
    this.active = row;
    if (row) this.show(row);
    if (row && row !== this.rows.at(-1)) this.setFollow(false); // keep the chosen row in view
    this.touch();
  }

  /** Light rows. @param {Row[]} rows that belong to a selection in another pane */
  light(rows) {
    this.lit = new Set(rows);
    if (rows[0]) this.show(rows[0]);
    this.touch();
  }

  /** Open all ancestors of a row, and scroll to it. @param {Row} row */
  show(row) {
    for (let up = row.parent; up; up = up.parent) if (!up.open) this.turn(up, true);
    this.reveal(row);
  }

  /** @param {Row} row @param {boolean} open */
  turn(row, open) {
    if (row.children.length === 0 || row.open === open) return;
    row.open = open;
    this.turned += 1;
    if (!open) this.setFollow(false);
    this.touch();
  }

  /** @param {Row} row */
  reveal(row) {
    this.collectRows();
    const index = this.places.get(row);
    if (index === undefined) return;
    const { clientHeight } = this.dom;
    const end = this.rows.length * HEIGHT - clientHeight; // the end after the pending draw, not the current one
    const scrollTop = this.follow ? Math.max(0, end) : this.dom.scrollTop;
    const top = index * HEIGHT;
    if (top >= scrollTop && top + HEIGHT <= scrollTop + clientHeight) return;
    this.setFollow(false);
    this.grow();
    this.dom.scrollTop = top < scrollTop ? top : top + HEIGHT - clientHeight;
  }

  /** Collect the rows again after new rows or a change of what is hidden. */
  collectRows() {
    const { trace, filter } = this;
    // a streamed text may start to match
    const version = `${trace.shape} ${this.turned}${filter?.text ? ` ${trace.messages}` : ""}`;
    if (version === this.version) return;
    this.version = version;
    ({ rows: this.rows, matches: this.matches } = trace.filtered(filter));
    this.places = new Map(this.rows.map((row, index) => [row, index]));
  }

  /** Set the height of the sheet to that of all rows. */
  grow() {
    const height = `${this.rows.length * HEIGHT}px`;
    if (this.sheet.style.height !== height) this.sheet.style.height = height;
  }

  draw() {
    const { dom } = this;
    this.collectRows();
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
    const place = this.active ? this.places.get(this.active) : undefined;
    const isDrawn = place !== undefined && place >= first && place < last;
    if (isDrawn) dom.setAttribute("aria-activedescendant", `${this.name}-${this.active?.id}`);
    else dom.removeAttribute("aria-activedescendant");
    dom.dataset.rows = String(this.rows.length);
  }

  addLine() {
    const part = (/** @type {string} */ name) => el("span", { class: `debug-${name}` });
    const [twist, type, summary, count, tokens, cost, length] = [
      "twist",
      "type",
      "words",
      "count",
      "tokens",
      "cost",
      "length",
    ].map(part);
    const bar = el("i");
    twist?.setAttribute("aria-hidden", "true");
    const dot = el("span", { class: "debug-dot", "aria-hidden": "true" });
    const track = el("span", { class: "debug-track", "aria-hidden": "true" }, bar);
    const parts = /** @type {Omit<Line, "node" | "stands" | "shows">} */ ({
      twist,
      type,
      summary,
      count,
      tokens,
      cost,
      length,
      bar,
    });
    const node = el(
      "div",
      { class: "debug-row", role: "treeitem" },
      parts.twist,
      dot,
      parts.type,
      parts.summary,
      parts.count,
      parts.tokens,
      parts.cost,
      parts.length,
      track,
    );
    this.lines.push({ node, ...parts, position: "", content: "" });
    this.sheet.append(node);
  }

  /** @param {Line} line @param {Row} row @param {number} index */
  fill(line, row, index) {
    const { node } = line;
    this.onLine.set(node, row);
    this.place(line, row, index);
    const shows = `${row.id} ${row.version} ${this.filter?.text} ${this.t.language}`;
    if (line.content === shows) return;
    line.content = shows;
    const { t } = this;
    const depth = depthOf(row);
    const { first } = row.figures;
    node.id = `${this.name}-${row.id}`;
    node.dataset.row = String(row.id);
    node.dataset.kind = row.kind;
    node.dataset.level = row.level;
    node.style.setProperty("--depth", String(depth));
    node.setAttribute("aria-level", String(depth + 1));
    line.bar.style.setProperty(
      "--first",
      row.kind === "model" && first !== undefined
        ? `${Math.min(100, (first * 100_000) / Math.max(1, row.to - row.from)).toFixed(1)}%`
        : "0%",
    );
    line.type.textContent = row.kind === "step" ? t("chat.step", { n: row.step ?? "" }) : row.type;
    const state = CLOSING.has(row.state ?? "") ? "" : row.state;
    line.summary.replaceChildren(
      ...marked([row.summary, state].filter(Boolean).join(" · "), this.filter?.text ?? ""),
    );
    line.count.textContent =
      PIECE_TYPES.has(row.messages[0]?.type ?? "") && row.messages.length > 1
        ? `× ${row.messages.length}`
        : "";
    line.tokens.textContent = formatTokens(row.figures, t);
    line.tokens.title = figureList(row, t)
      .map(([name, value]) => `${name}: ${value}`)
      .join(", ");
    line.cost.textContent = formatCost(row.figures, t);
    line.length.textContent = formatLength(row, t);
  }

  /**
   * Update the position and marks of a line if they changed.
   *
   * @param {Line} line
   * @param {Row} row
   * @param {number} index
   */
  place(line, row, index) {
    const { node, bar } = line;
    const share = this.trace.share(row);
    const isOpen = row.children.length > 0 ? String(row.open || this.filter !== null) : "";
    const [start, width] = share
      ? [Math.min(0.98, share.start), share.length].map((part) => `${(part * 100).toFixed(2)}%`)
      : ["", ""];
    const isSelected = row === this.active;
    const [isLit, isNear] = [this.lit.has(row), this.near.has(row)];
    const position = `${index} ${isOpen} ${start} ${width} ${isSelected} ${isLit} ${isNear}`;
    if (line.position === position) return;
    line.position = position;
    node.style.transform = `translateY(${index * HEIGHT}px)`;
    node.setAttribute("aria-selected", String(isSelected));
    node.toggleAttribute("data-lit", isLit);
    node.toggleAttribute("data-near", isNear);
    if (isOpen) node.setAttribute("aria-expanded", isOpen);
    else node.removeAttribute("aria-expanded");
    bar.parentElement?.toggleAttribute("data-empty", share === null);
    if (share) Object.assign(bar.style, { left: start, width });
  }

  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.dom;
    if (scrollTop === this.top) return; // caused by `draw`
    const atEnd = scrollTop + clientHeight >= scrollHeight - 4;
    if (!atEnd && scrollTop < this.top) this.setFollow(false);
    else if (atEnd && scrollTop > this.top) this.setFollow(true);
    this.touch();
  }

  /** Return the row of an event. @param {Event} event @returns {Row | null} the row under it */
  rowOf({ target }) {
    const node = target instanceof Element ? target.closest(".debug-row") : null;
    return (node && this.onLine.get(node)) ?? null;
  }

  /** @param {MouseEvent} event */
  click(event) {
    const row = this.rowOf(event);
    if (!row) return;
    if (event.target instanceof Element && event.target.closest(".debug-twist") && row.children.length > 0)
      this.turn(row, !row.open);
    else this.hooks.chosen(row);
  }

  /** Handle keys as in an ARIA tree: left and right close and open, up and down move. @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { active } = this;
    if (active && event.key === "ArrowRight" && active.children.length > 0 && !active.open)
      this.turn(active, true);
    else if (
      active &&
      event.key === "ArrowLeft" &&
      active.children.length > 0 &&
      active.open &&
      this.filter === null
    )
      this.turn(active, false);
    else if (active?.parent && event.key === "ArrowLeft") this.hooks.chosen(active.parent);
    else if (!this.step(event.key)) return;
    event.preventDefault();
  }

  /** Move to another row. @param {string} key @returns {boolean} whether the key moves */
  step(key) {
    const page = Math.max(1, Math.floor(this.dom.clientHeight / HEIGHT) - 1);
    const now = this.active ? (this.places.get(this.active) ?? -1) : -1;
    const end = this.rows.length - 1;
    const to = {
      ArrowDown: now + 1,
      ArrowRight: now + 1,
      ArrowUp: now < 0 ? end : now - 1,
      PageDown: now + page,
      PageUp: now - page,
      Home: 0,
      End: end,
    }[key];
    if (to === undefined) return false;
    const row = this.rows[Math.max(0, Math.min(end, to))];
    if (row) this.hooks.chosen(row);
    return true;
  }
}

/** @param {Row} row */
function depthOf(row) {
  let depth = 0;
  for (let up = row.parent; up; up = up.parent) depth += 1;
  return depth;
}

/** Mark matches. @param {string} text @param {string} query in lower case @returns {(Node | string)[]} */
function marked(text, query) {
  const at = query ? text.toLowerCase().indexOf(query) : -1;
  if (at < 0) return [text];
  return [
    text.slice(0, at),
    el("mark", {}, text.slice(at, at + query.length)),
    text.slice(at + query.length),
  ];
}
