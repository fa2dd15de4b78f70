// @ts-check
/**
 * The debug pane: everything that came over the wire. Timeline left (debug/list.js), one event in full right
 * (debug/detail.js), the rows themselves in debug/log.js. `tools` goes into the pane's header.
 */

import { DebugList } from "./list.js";
import { DebugLog, since } from "./log.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { late } from "../core/late.js";

/** @import { DeskState, PaneNeeds, Selection } from "../types.js" */
/** @import { DebugDetail } from "./detail.js" */
/** @import { AnyMessage, Logged, Row } from "./log.js" */

export class DebugViewer {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    this.frame = 0;
    this.log = new DebugLog();
    /** What of the log is in the rows. @type {Logged | null} */
    this.seen = null;
    this.list = new DebugList(this.log, t, { chosen: (row) => this.choose(row), touched: () => this.touch() });
    /** Loaded when the first row is chosen. @type {DebugDetail | null} */
    this.detail = null;
    /** @type {Row | null} */
    this.chosen = null;
    this.field = el("input", {
      type: "search",
      autocomplete: "off",
      spellcheck: "false",
      on: { input: () => this.search(), keydown: (event) => event.key === "Escape" && this.resetSearch(event) },
    });
    this.count = el("span", { class: "debug-total", role: "status" });
    this.follow = el(
      "button",
      { type: "button", class: "tool-button", on: { click: () => this.list.setFollow(!this.list.follow) } },
      icon("arrow-down"),
    );
    this.wipe = el("button", { type: "button", class: "tool-button", on: { click: () => this.clear() } }, icon("clear"));
    this.tools = el(
      "div",
      { class: "debug-tools" },
      el("label", { class: "debug-search" }, icon("search"), this.field),
      this.count,
      this.follow,
      this.wipe,
    );
    this.empty = el("p", { class: "debug-empty" });
    const timeline = el("div", { class: "debug-timeline" }, this.list.dom, this.empty);
    this.split = el("div", { class: "debug-split" }, timeline);
    this.dom = el("div", { class: "debug-viewer" }, this.split);
    this.undo = [
      bus.on("state", (state) => this.update(state)),
      bus.on("select", (selection) => this.light(selection)),
      bus.on("command", (command) => command.name === "reset" && this.reset()),
      bus.on("language", () => {
        this.detail?.rewrite();
        this.touch();
      }),
    ];
    this.touch();
  }

  destroy() {
    for (const undo of this.undo) undo();
    cancelAnimationFrame(this.frame);
    this.list.destroy();
    this.tools.remove();
    this.dom.remove();
  }

  /** @param {Pick<DeskState, "log">} state */
  update({ log }) {
    if (log === this.seen) return;
    const { fresh, whole } = since(log, this.seen);
    if (whole) this.log.clear();
    for (const { message, at } of fresh) this.log.add(/** @type {AnyMessage} */ (/** @type {unknown} */ (message)), at);
    this.seen = log;
    this.touch();
  }

  /** Something changed: everything is drawn with the next frame, once. */
  touch() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  draw() {
    const { t, log, list } = this;
    list.draw();
    const count = log.rows.length;
    const n = list.rows.length;
    const query = this.field.value.trim();
    this.count.textContent = query
      ? t("debug.matches", { n: t.number(n), count: t.number(count) })
      : count === 1
        ? t("debug.count_one")
        : t("debug.count", { count: t.number(count) });
    this.count.hidden = count === 0;
    this.empty.hidden = n > 0;
    this.empty.textContent = n > 0 ? "" : count > 0 ? t("debug.no_match", { query }) : t("debug.empty");
    this.field.placeholder = t("debug.search");
    this.field.setAttribute("aria-label", t("debug.search"));
    this.follow.setAttribute("aria-pressed", String(list.follow));
    for (const [button, key] of /** @type {[HTMLElement, string][]} */ ([
      [this.follow, "debug.follow"],
      [this.wipe, "debug.clear"],
    ])) {
      button.setAttribute("aria-label", t(key));
      button.title = t(key);
    }
    this.dom.dataset.rows = String(count);
    this.detail?.show(this.detail.row);
  }

  /** @param {Row} row */
  choose(row) {
    this.list.lit.clear();
    this.list.choose(row);
    void this.showDetail(row);
    this.touch();
    const seq = row.messages[0]?.seq;
    this.bus.emit("select", { source: "debug", ...(seq !== undefined && { seq }), ...(row.runId && { runId: row.runId }) });
  }

  /** @param {Row | null} row */
  async showDetail(row) {
    this.chosen = row;
    if (this.detail === null && row !== null) {
      const module = await late(() => import("./detail.js"), this.t);
      if (module === null) return;
      this.detail ??= new module.DebugDetail(this.t, { closed: () => this.closeDetail() });
      this.split.append(this.detail.dom);
    }
    this.detail?.show(this.chosen);
  }

  closeDetail() {
    this.list.choose(null);
    void this.showDetail(null);
    this.list.dom.focus();
  }

  search() {
    this.list.search(this.field.value);
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

  /** Empties the list here; the log on the server stays, and comes back with a reload. */
  clear() {
    this.bus.emit("fact", { type: "@log_cleared" });
    this.emptyRows();
  }

  emptyRows() {
    this.log.clear();
    this.seen = null;
    this.list.choose(null);
    void this.showDetail(null);
    this.list.setFollow(true);
    this.touch();
  }

  reset() {
    this.log.forget();
    this.emptyRows();
  }

  /** Something was pointed at elsewhere: show the row it came from. @param {Selection} selection */
  light({ source, seq, room, runId }) {
    if (source === "debug") return;
    const bySeq = seq === undefined ? undefined : this.log.bySeq.get(seq);
    const row =
      bySeq ??
      (room === undefined ? null : this.log.ofRoom(room)) ??
      (runId === undefined ? null : this.log.rows.find((one) => one.runId === runId));
    this.list.light(row ? [row] : []);
    this.touch();
  }
}
