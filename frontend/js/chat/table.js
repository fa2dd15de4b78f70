/**
 * Table in the chat. It starts with the rows of the message, at most fifty; "show all" turns it into a window over the
 * complete table: only visible rows are in the DOM, and only their pages are fetched.
 */

import { tableRows } from "../core/api.js";
import { el } from "../core/dom.js";
import { cellWriter, tableName } from "../core/format.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";
import { deskAddress } from "../core/message-address.js";
import { pinButton } from "../core/pin-button.js";
import { isWide } from "../core/screen.js";
import { shareButton } from "../core/share-button.js";

/** @import { DeskBus, JsonValue, PaneRoom, Table, TableContent, TableSelection, Translate } from "../types.js" */

const FIRST_ROWS = 50;
const PAGE = 200;
const ROW_HEIGHT = 26;
const MARGIN_ROWS = 20;

export class TableView {
  /**
   * @param {Table} message
   * @param {{ bus: DeskBus, t: Translate, chatId: () => string | null, labelOf?: (table: TableContent) => string, room?:
   *   () => PaneRoom | undefined }} needs `labelOf` returns a name that no other table of the chat has
   */
  constructor(message, { bus, t, chatId, labelOf, room }) {
    this.bus = bus;
    this.t = t;
    this.chatId = chatId;
    this.content = message.content;
    /** @type {Map<number, JsonValue[][] | null>} page number -> rows, null while they are on their way */
    this.pages = new Map();
    this.writers = this.content.columns.map((column, at) =>
      cellWriter(
        column,
        this.content.rows.map((row) => row[at] ?? null),
        t,
      ),
    );
    this.body = el("tbody");
    this.table = el(
      "table",
      { "aria-rowcount": this.content.rowCount + 1 },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          this.content.columns.map(({ name, kind }) => el("th", { scope: "col", "data-kind": kind }, name)),
        ),
      ),
      this.body,
    );
    const label = labelOf?.(this.content) ?? tableName(this.content);
    this.box = el(
      "div",
      { class: "table-box", tabindex: "0", role: "region", "aria-label": label },
      this.table,
    );
    this.head = el("figcaption", { class: "table-head" });
    this.actions = el("span", { class: "table-actions" });
    this.dom = el(
      "figure",
      { class: "table-block", "data-table": message.content.tableId },
      this.head,
      this.box,
    );
    this.showFirst(message);
    const pin = pinButton("table", message.seq, { bus, t, chatId });
    const share = shareButton("table", message.seq, { bus, t, chatId }, tableName(this.content));
    if (pin && share) this.actions.append(pin, share);
    this.head.append(this.actions);
    this.undo = bus.on("state", (state) => this.showPlaced(state.room));
    this.showPlaced(room?.());
  }

  /** Take few lines while the table stands in the place of the plan. @param {PaneRoom | undefined} room */
  showPlaced(room) {
    const { front, data } = room ?? {};
    const isPlaced =
      front === "data" && data?.kind === "table" && data.message.content.tableId === this.content.tableId;
    this.dom.toggleAttribute("data-placed", isPlaced && isWide());
  }

  destroy() {
    this.undo();
  }

  /** Show the first rows. @param {Table} message with the address of the complete table, as pages and as CSV */
  showFirst(message) {
    const url = deskAddress(message.url);
    const { columns, rows, rowCount } = this.content;
    const name = tableName(this.content);
    const first = rows.slice(0, FIRST_ROWS);
    this.body.append(...first.map((row, at) => this.row(row, at)));
    const { t } = this;
    const count = rowCount === 1 ? t("table.row") : t("table.rows", { n: t.number(rowCount) });
    const text =
      first.length < rowCount ? t("table.first", { shown: first.length, n: t.number(rowCount) }) : count;
    this.caption = el("span", {}, text);
    // a name made of the columns says no more than the row below it
    const isNamed = !columns
      .map((column) => column.name)
      .join(", ")
      .startsWith(name);
    this.head.append(el("span", { class: "table-name" }, icon("table"), isNamed && name), this.caption);
    if (first.length < rowCount) {
      const button = el(
        "button",
        { class: "quiet-button", type: "button", on: { click: () => this.showAll(button, count) } },
        t("table.show_all", { n: t.number(rowCount) }),
      );
      this.head.append(button);
    }
    if (url)
      this.head.append(
        el(
          "button",
          { class: "quiet-button", type: "button", on: { click: () => void this.open(message, url) } },
          t("grid.open"),
        ),
      );
    if (url)
      this.actions.append(
        el(
          "a",
          { class: "icon-link", href: `${url}/csv`, download: true, title: t("table.download") },
          icon("download", t("table.download")),
        ),
      );
  }

  /** Open the table in the place of the plan, or in its own window where there is none. @param {Table} message @param {string} url */
  async open(message, url) {
    if (this.dom.closest(".desk") && isWide())
      return this.bus.emit("fact", { type: "@data", data: { kind: "table", message } });
    const module = await loadLatePart(() => import("../grid/grid.js"), this.t, "table-grid");
    module?.openGrid(this.content, module.resultSource(url, this.t), this.t, (about) => this.ask(about));
  }

  /** Select these rows for the next question, and focus the message field. @param {TableSelection} about */
  ask(about) {
    this.bus.emit("command", { name: "point-rows", about });
    this.bus.emit("command", { name: "write" });
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {string} count
   */
  showAll(button, count) {
    button.remove();
    if (this.caption) this.caption.textContent = count;
    this.freezeColumns();
    this.box.dataset.windowed = "";
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    this.box.focus({ preventScroll: true });
    this.draw();
  }

  /** Fix the current column widths, so that rows with longer texts do not move the columns during scrolling. */
  freezeColumns() {
    const widths = [...this.table.querySelectorAll("th")].map((head) =>
      Math.min(360, Math.ceil(head.getBoundingClientRect().width)),
    );
    const columns = widths.map((width) => {
      const column = el("col");
      column.style.setProperty("width", `${width}px`);
      return column;
    });
    this.table.prepend(el("colgroup", {}, columns));
    this.table.style.setProperty("width", `${widths.reduce((sum, width) => sum + width, 0)}px`);
    this.table.dataset.frozen = "";
  }

  /** Draw the visible rows with empty space for the others, and fetch missing pages. */
  draw() {
    const { rowCount } = this.content;
    const from = Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - MARGIN_ROWS);
    const to = Math.min(rowCount, from + Math.ceil(this.box.clientHeight / ROW_HEIGHT) + 2 * MARGIN_ROWS);
    const rows = [];
    for (let at = from; at < to; at += 1) rows.push(this.row(this.rowAt(at), at));
    this.body.replaceChildren(spacer(from), ...rows, spacer(rowCount - to));
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page += 1) void this.fetchPage(page);
  }

  /**
   * @param {number} at
   * @returns {JsonValue[] | null}
   */
  rowAt(at) {
    return this.pages.get(Math.floor(at / PAGE))?.[at % PAGE] ?? this.content.rows[at] ?? null;
  }

  /** @param {number} page */
  async fetchPage(page) {
    const chat = this.chatId();
    if (this.pages.has(page) || chat === null) return;
    this.pages.set(page, null);
    try {
      const { rows } = await tableRows(chat, this.content.tableId, page * PAGE, PAGE);
      this.pages.set(page, rows);
      this.draw();
    } catch (fault) {
      this.failed(page, fault instanceof Error ? fault.message : "");
    }
  }

  /**
   * @param {number} page
   * @param {string} reason
   */
  failed(page, reason) {
    this.head.querySelector(".table-fault")?.remove();
    const again = () => {
      this.head.querySelector(".table-fault")?.remove();
      this.pages.delete(page);
      this.draw();
    };
    this.head.append(
      el(
        "span",
        { class: "table-fault", role: "alert" },
        icon("error"),
        this.t("table.failed"),
        " ",
        reason,
        el("button", { class: "quiet-button", type: "button", on: { click: again } }, this.t("shared.retry")),
      ),
    );
  }

  /** Create a row. @param {JsonValue[] | null} cells null while the row loads @param {number} at */
  row(cells, at) {
    const columns = this.content.columns;
    return el(
      "tr",
      { "aria-rowindex": at + 2 },
      columns.map(({ kind }, n) => {
        const value = cells === null ? "" : (this.writers[n]?.(cells[n] ?? null) ?? "");
        return el(
          "td",
          {
            "data-kind": kind,
            "data-empty": cells !== null && cells[n] === null,
            title: value.length > 32 ? value : false,
          },
          value,
        );
      }),
    );
  }
}

/** @param {number} rows */
function spacer(rows) {
  const row = el("tr", { class: "table-space", "aria-hidden": "true" }, el("td"));
  row.style.setProperty("height", `${rows * ROW_HEIGHT}px`);
  return row;
}
