// @ts-check
/**
 * Debug pane: all messages of the wire as a tree with figures and a waterfall (debug/list.js), with search and filters;
 * one row in detail beside it (debug/detail.js). `tools` goes into the pane's header.
 */

import { DebugErrors } from "./errors.js";
import { formatCost, formatTokens } from "./figures.js";
import { DebugFilters } from "./filters.js";
import { outputsOf, rowsOf } from "./links.js";
import { DebugList } from "./list.js";
import { since } from "./log.js";
import { Trace } from "./trace.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadPart } from "../core/late.js";

/** @import { DeskState, PaneNeeds, Selection } from "../types.js" */
/** @import { DebugDetail } from "./detail.js" */
/** @import { Logged } from "./log.js" */
/** @import { Row } from "./rows.js" */
/** @import { AnyMessage } from "./words.js" */

/** Milliseconds of idle time per slice of indexing. */
const INDEXING = 8;
/** New messages from which their rows wait for idle time, so that a long chat is first shown in the other panes. */
const MANY = 1000;
/** Milliseconds that rows wait at most. */
const LONGEST_WAIT = 1000;

export class DebugViewer {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t, selected }) {
    this.bus = bus;
    this.t = t;
    this.frame = 0;
    this.resting = 0;
    /** Request for idle time in which the rows of many messages are added. */
    this.later = 0;
    /** Log of the page's state. @type {Logged | null} */
    this.log = null;
    this.trace = new Trace();
    /** Part of the log that the rows contain. @type {Logged | null} */
    this.drawnLog = null;
    /** Selection from before the pane existed, shown with the first rows. */
    this.waiting = selected;
    /** @type {string | null} */
    this.chatId = null;
    this.list = new DebugList(this.trace, t, {
      chosen: (row) => this.choose(row),
      pointed: (row) => this.point(row),
      touched: () => this.touch(),
    });
    /** Detail view, loaded when the first row is chosen. @type {DebugDetail | null} */
    this.detail = null;
    /** @type {Row | null} */
    this.chosen = null;
    /** @type {Row | null} */
    this.pointed = null;
    this.field = el("input", {
      type: "search",
      autocomplete: "off",
      spellcheck: "false",
      on: {
        input: () => this.search(),
        keydown: (event) => event.key === "Escape" && this.resetSearch(event),
      },
    });
    const tool = (/** @type {string} */ drawing, /** @type {() => void} */ click) =>
      el("button", { type: "button", class: "tool-button", on: { click } }, icon(drawing));
    this.count = el("span", { class: "debug-total", role: "status" });
    this.follow = tool("arrow-down", () => this.list.setFollow(!this.list.follow));
    this.wipe = tool("clear", () => this.clear());
    this.narrow = tool("list", () => this.openFilters());
    this.errors = new DebugErrors(t, (row) => this.choose(row));
    this.tools = el(
      "div",
      { class: "debug-tools" },
      this.count,
      this.errors.dom,
      el("label", { class: "debug-search" }, icon("search"), this.field),
      this.narrow,
      this.follow,
      this.wipe,
    );
    this.filters = new DebugFilters(t, () => this.search());
    this.empty = el("p", { class: "debug-empty" });
    this.totals = el("p", { class: "debug-totals" });
    const timeline = el(
      "div",
      { class: "debug-timeline" },
      el("div", { class: "debug-box" }, this.list.dom, this.empty),
      this.totals,
    );
    this.split = el("div", { class: "debug-split" }, timeline);
    this.dom = el("div", { class: "debug-viewer" }, this.filters.dom, this.split);
    this.undo = [
      bus.on("state", (state) => this.update(state)),
      bus.on("select", (selection) => this.light(selection)),
      bus.on("hover", (hover) => this.near(hover)),
      bus.on("command", (command) => command.name === "reset" && this.emptyRows()),
      bus.on("language", () => {
        this.label();
        this.filters.rewrite();
        this.detail?.rewrite();
        this.touch();
      }),
    ];
    this.label();
    this.touch();
  }

  destroy() {
    for (const undo of this.undo) undo();
    cancelAnimationFrame(this.frame);
    if (this.later !== 0) window.cancelIdleCallback(this.later);
    this.list.destroy();
    this.tools.remove();
    this.dom.remove();
  }

  /** @param {Pick<DeskState, "log" | "chat">} state */
  update({ log, chat }) {
    this.chatId = chat?.chatId ?? null;
    this.log = log;
    if (log === this.drawnLog || this.later !== 0) return;
    const { fresh } = since(log, this.drawnLog);
    if (fresh.length < MANY || !("requestIdleCallback" in window)) return this.addRows();
    this.later = window.requestIdleCallback(() => this.addRows(), { timeout: LONGEST_WAIT });
  }

  /** Add the rows of new messages. */
  addRows() {
    const { log } = this;
    this.later = 0;
    const { fresh, isComplete } = since(log, this.drawnLog);
    if (isComplete) this.trace.clear();
    for (const { message, at } of fresh)
      this.trace.add(/** @type {AnyMessage} */ (/** @type {unknown} */ (message)), at);
    this.drawnLog = log;
    if (this.waiting) this.light(this.waiting);
    this.waiting = undefined;
    this.touch();
    this.index();
  }

  /** Build the search index in idle time, before the first search. */
  index() {
    if (this.resting !== 0 || !("requestIdleCallback" in window)) return;
    this.resting = window.requestIdleCallback(() => {
      this.resting = 0;
      const end = performance.now() + INDEXING;
      if (this.trace.index(() => performance.now() < end)) this.index();
    });
  }

  /** Request drawing in the next frame. */
  touch() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  /** Set the texts that are there before any row, in the current language. */
  label() {
    const { t } = this;
    this.field.placeholder = t("debug.search");
    this.field.setAttribute("aria-label", t("debug.search"));
    this.list.dom.setAttribute("aria-label", t("debug.events"));
    for (const [button, key] of /** @type {[HTMLElement, string][]} */ ([
      [this.follow, "debug.follow"],
      [this.wipe, "shared.clear"],
      [this.narrow, "debug.filter"],
    ])) {
      button.setAttribute("aria-label", t(key));
      button.title = t(key);
    }
  }

  draw() {
    const { t, trace, list } = this;
    list.draw();
    const count = trace.rows.length;
    const { matches, filter } = list;
    this.count.textContent = filter
      ? t("debug.matches", { n: t.number(matches), count: t.number(count) })
      : trace.messages === 1
        ? t("debug.count_one")
        : t("debug.count", { count: t.number(trace.messages) });
    this.count.hidden = count === 0;
    this.empty.hidden = list.rows.length > 0;
    this.empty.textContent =
      list.rows.length > 0
        ? ""
        : count > 0
          ? filter?.text
            ? t("debug.no_match", { query: this.field.value.trim() })
            : t("debug.none_left")
          : t("debug.empty");
    this.follow.setAttribute("aria-pressed", String(list.follow));
    this.narrow.setAttribute("aria-expanded", String(!this.filters.dom.hidden));
    this.narrow.toggleAttribute("data-active", this.filters.active);
    this.filters.draw(Math.max(0, ...trace.steps.values()));
    this.errors.draw(trace.errors, this.chosen);
    const runs = trace.roots.filter(({ kind }) => kind === "run");
    const seconds = runs.reduce((sum, { from, to }) => sum + (to - from) / 1000, 0);
    this.totals.hidden = runs.length === 0;
    this.totals.textContent = [
      t(runs.length === 1 ? "debug.run_one" : "debug.run_count", { n: runs.length }),
      seconds > 0 && t.duration(seconds),
      formatTokens(trace.figures, t),
      formatCost(trace.figures, t),
    ]
      .filter(Boolean)
      .join(" · ");
    this.dom.dataset.rows = String(count);
    this.dom.dataset.messages = String(trace.messages);
    this.detail?.show(this.detail.row);
  }

  /** @param {Row} row */
  choose(row) {
    this.list.lit.clear();
    this.list.choose(row);
    void this.showDetail(row);
    this.touch();
    const seq = row.messages[0]?.seq;
    this.bus.emit("select", {
      source: "debug",
      ...(seq !== undefined && { seq }),
      seqs: outputsOf(row),
      ...(row.runId && { runId: row.runId }),
    });
  }

  /** Emit the row under the pointer, or none. @param {Row | null} row */
  point(row) {
    if (row === this.pointed) return;
    this.pointed = row;
    this.bus.emit("hover", row && { source: "debug", seqs: outputsOf(row) });
  }

  /** @param {Row | null} row */
  async showDetail(row) {
    this.chosen = row;
    if (this.detail === null && row !== null) {
      const module = await loadPart(() => import("./detail.js"), this.t);
      if (module === null) return;
      this.detail ??= new module.DebugDetail(this.t, () => this.chatId, {
        closed: () => this.closeDetail(),
        chosen: (chosen) => this.choose(chosen),
      });
      this.split.append(this.detail.dom);
    }
    this.detail?.show(this.chosen);
    this.split.toggleAttribute("data-detail", this.detail?.dom.hidden === false);
  }

  closeDetail() {
    this.list.choose(null);
    void this.showDetail(null);
    this.list.dom.focus();
  }

  openFilters() {
    this.filters.dom.hidden = !this.filters.dom.hidden;
    if (this.filters.dom.hidden && this.filters.active) this.filters.reset();
    this.search();
  }

  search() {
    const text = this.field.value.trim().toLowerCase();
    this.list.search(text || this.filters.active ? { ...this.filters.value, text } : null);
    this.touch();
  }

  /** @param {Event} event */
  resetSearch(event) {
    if (this.field.value === "") return;
    event.stopPropagation();
    event.preventDefault();
    this.field.value = "";
    this.search();
  }

  /** Empty the list on this page. The log on the server stays and returns after a reload. */
  clear() {
    this.bus.emit("fact", { type: "@log_cleared" });
    this.emptyRows();
  }

  emptyRows() {
    this.trace.clear();
    this.drawnLog = null;
    this.log = null;
    this.list.choose(null);
    void this.showDetail(null);
    this.list.setFollow(true);
    this.touch();
  }

  /** Show the rows of a selection in another pane. @param {Selection} selected */
  light(selected) {
    const { source, ...selection } = selected;
    if (source === "debug") return;
    if (this.later !== 0) this.waiting = selected; // shown with the rows
    this.list.light(rowsOf(this.trace, selection));
    this.touch();
  }

  /** Mark the rows of a hover in another pane, without scrolling. @param {import("../types.js").Hover | null} hover */
  near(hover) {
    if (hover?.source === "debug") return;
    this.list.near = new Set(hover ? rowsOf(this.trace, hover) : []);
    this.touch();
  }
}
