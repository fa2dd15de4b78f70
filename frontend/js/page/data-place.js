/**
 * Data in the place of the plan: a table of an answer, or the card of an uploaded file. While there is some, two tabs
 * choose between it and the plan; the tab of the plan has a dot for changes that were not seen. Only wide screens have
 * it: on others a table has its own window, and a card is in the chat.
 */

import { keepOpen, wasOpen } from "../chat/file-aside.js";
import { el } from "../core/dom.js";
import { tableName } from "../core/format.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";
import { deskAddress } from "../core/message-address.js";
import { isWide } from "../core/screen.js";

/** @import { DeskBus, DeskState, PaneRoom, PlacedData, Translate } from "../types.js" */
/** @import { PaneFrame } from "./pane-frame.js" */
/** @typedef {{ destroy?(): void, follow?(name: string): void }} Content grid or card */

export class DataPlace {
  /** @param {{ bus: DeskBus, t: Translate, frame: PaneFrame }} needs `frame`: that of the plan */
  constructor({ bus, t, frame }) {
    this.bus = bus;
    this.t = t;
    this.frame = frame;
    /** Data of the second tab, loaded when it comes to the front. @type {PlacedData | null} */
    this.offered = null;
    /** Data that is loaded. @type {PlacedData | null} */
    this.data = null;
    /** @type {Content | null} */
    this.content = null;
    /** Number of loads and removals: a load that is not the last one does nothing. */
    this.loads = 0;
    /** Inputs of the last drawing. @type {unknown[]} */
    this.inputs = [];
    /** Drawings of the plan that were last seen. @type {DeskState["map"]["layers"]} */
    this.seen = [];
    this.plan = this.tab("map", "map");
    this.table = this.tab("table", "data");
    this.list = el("div", { class: "place-list", role: "tablist" }, this.plan.dom, this.table.dom);
    this.close = el("button", {
      class: "icon-button small",
      type: "button",
      on: { click: () => this.remove() },
    });
    this.tabs = el("div", { class: "place-tabs" }, this.list, this.close);
    this.dom = el("div", { class: "data-place", role: "tabpanel" });
    frame.title.after(this.tabs);
    frame.body.append(this.dom);
    this.label();
  }

  /** @param {string} drawing @param {PaneRoom["front"]} front */
  tab(drawing, front) {
    const name = el("span", { class: "place-name" });
    const dom = el(
      "button",
      {
        class: "place-tab",
        type: "button",
        role: "tab",
        on: {
          click: () => this.bus.emit("fact", { type: "@front", front }),
          keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        },
      },
      icon(drawing),
      name,
    );
    return { dom, name };
  }

  /** Remove the data; the card of a file stays closed. */
  remove() {
    const { data } = this;
    if (data?.kind === "file") keepOpen(data.content.fileId, false);
    this.bus.emit("fact", { type: "@data", data: null });
    this.frame.dom.focus({ preventScroll: true }); // the button is hidden next
  }

  /** Choose the other tab with an arrow key. @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = event.currentTarget === this.plan.dom ? this.table.dom : this.plan.dom;
    event.preventDefault();
    other.click();
    other.focus();
  }

  /** Show what the state puts in front. @param {DeskState} state */
  show({ room, chat, map, files }) {
    const inputs = [room, chat?.chatId, map.layers, files, isWide()];
    if (inputs.every((input, at) => input === this.inputs[at])) return;
    this.inputs = inputs;
    const { data } = room;
    const isHidden =
      data?.kind === "file" &&
      (wasOpen(data.content.fileId) === false || !files.some(({ fileId }) => fileId === data.content.fileId));
    const shown = isWide() && !isHidden ? data : null;
    const front = shown === null ? "map" : room.front;
    this.offered = shown;
    this.frame.dom.toggleAttribute("data-tabs", shown !== null);
    this.frame.dom.dataset.front = front;
    if (front === "map") this.seen = map.layers;
    for (const [tab, name] of /** @type {const} */ ([
      [this.plan, "map"],
      [this.table, "data"],
    ])) {
      tab.dom.setAttribute("aria-selected", String(front === name));
      tab.dom.tabIndex = front === name ? 0 : -1;
    }
    this.plan.dom.toggleAttribute("data-changed", map.layers !== this.seen && map.layers.length > 0);
    // a table that nobody looks at loads nothing
    if (shown === null || front === "data") this.fill(shown, chat?.chatId ?? "");
    this.label();
  }

  /** @param {PlacedData | null} data @param {string} chatId */
  fill(data, chatId) {
    const before = this.data;
    if (data === before) return;
    this.data = data;
    if (data?.kind === "file" && before?.kind === "file" && data.content.fileId === before.content.fileId)
      return this.content?.follow?.(data.content.name);
    this.empty();
    if (data) void this.load(data, chatId);
  }

  /** @param {PlacedData} data @param {string} chatId */
  async load(data, chatId) {
    const { t, bus } = this;
    const load = ++this.loads;
    const isOver = (/** @type {object | null} */ module) => {
      if (module === null && load === this.loads) this.data = null; // the next change tries again
      return module === null || load !== this.loads;
    };
    if (data.kind === "table") {
      const module = await loadLatePart(() => import("../grid/stand.js"), t, "table-grid");
      const { url, content } = data.message;
      if (isOver(module) || module === null) return;
      this.content = module.standGrid(this.dom, content, deskAddress(url) ?? "", t, (about) => {
        bus.emit("command", { name: "point-rows", about });
        bus.emit("command", { name: "write" });
      });
      return;
    }
    const module = await loadLatePart(() => import("../chat/upload-card.js"), t, "chat-card");
    if (isOver(module) || module === null) return;
    const card = new module.UploadCard({ bus, t, chatId, name: data.content.name, stands: true });
    this.content = card;
    this.dom.replaceChildren(card.dom);
  }

  empty() {
    this.loads += 1;
    this.content?.destroy?.();
    this.content = null;
    this.dom.replaceChildren();
  }

  label() {
    const { t } = this;
    const pane = this.frame.titles[t.language];
    const name = this.name();
    this.list.setAttribute("aria-label", t("pane.place"));
    this.plan.name.textContent = pane;
    this.table.name.textContent = name;
    this.table.dom.title = name;
    this.dom.setAttribute("aria-label", name);
    const changed = this.plan.dom.dataset.changed !== undefined;
    this.plan.dom.setAttribute("aria-label", changed ? t("pane.changed", { pane }) : pane);
    const label = t("pane.close_data", { name });
    this.close.setAttribute("aria-label", label);
    this.close.title = label;
    if (!this.close.firstChild) this.close.append(icon("close"));
  }

  name() {
    if (this.offered === null) return "";
    return this.offered.kind === "table"
      ? tableName(this.offered.message.content)
      : this.offered.content.name;
  }

  /** Remove the content, whose texts are in another language. */
  relabel() {
    this.inputs = [];
    this.data = null;
    this.empty();
  }

  destroy() {
    this.empty();
    this.tabs.remove();
    this.dom.remove();
  }
}
