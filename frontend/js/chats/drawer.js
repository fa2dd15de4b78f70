/**
 * Drawer of chats: a search, and the list in groups. It is modal, so the focus stays inside and Escape closes it;
 * arrows move from the search through the list.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { chooseLog } from "./open-log.js";
import { hasSession } from "../core/session.js";
import { openSignOut } from "./sign-out.js";
import { ChatRow } from "./row.js";
import { grouped, isUnread } from "./state.js";
import { TagBar } from "./tag-bar.js";

/** @import { ChatsState, DeskBus, DeskState, Translate } from "../types.js" */
/** @import { ChatsWatch } from "./watch.js" */

const SEARCH_DELAY = 150;

export class ChatsDrawer {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {() => DeskState} needs.state
   * @param {ChatsWatch} needs.watch
   */
  constructor({ bus, t, state, watch }) {
    this.bus = bus;
    this.t = t;
    this.state = state;
    this.watch = watch;
    const button = (/** @type {() => void} */ press) =>
      el("button", { class: "text-button", type: "button", on: { click: press } });
    const leaving = (/** @type {() => void} */ press) =>
      button(() => {
        this.close();
        press();
      });
    this.sources = leaving(() => bus.emit("command", { name: "sources" }));
    this.servers = leaving(() => bus.emit("command", { name: "mcp" }));
    this.tests = leaving(() => bus.emit("command", { name: "tests" }));
    this.watches = leaving(() => bus.emit("command", { name: "watches" }));
    this.logs = leaving(() => chooseLog(bus, t));
    this.shelf = button(() => this.watch.shelve(!this.state().chats.archived));
    this.leave = leaving(() => openSignOut(t));
    this.leave.hidden = !hasSession();
    /** @type {Map<string, ChatRow>} */
    this.rows = new Map();
    this.timer = 0;
    /** Inputs of the last drawing. @type {ChatsState | null} */
    this.drawn = null;
    this.current = "";
    this.title = el("h2", { class: "chats-title", id: "chats-title" });
    this.fresh = leaving(() => bus.emit("command", { name: "new-chat" }));
    this.shut = el(
      "button",
      { class: "icon-button", type: "button", on: { click: () => this.close() } },
      icon("close"),
    );
    this.field = el("input", {
      class: "chats-field",
      type: "search",
      autocomplete: "off",
      spellcheck: "false",
      enterkeyhint: "search",
      on: {
        input: () => this.typed(),
        keydown: (/** @type {KeyboardEvent} */ event) => this.fieldKey(event),
      },
    });
    this.bar = new TagBar({ t, filter: (tag) => this.filter(tag) });
    this.fault = el("p", { class: "chats-fault", role: "alert", hidden: true });
    this.empty = el("p", { class: "chats-empty", hidden: true });
    this.more = el("button", {
      class: "quiet-button chats-more",
      type: "button",
      hidden: true,
      on: { click: () => this.watch.further() },
    });
    this.groups = el("div", { class: "chats-groups" });
    this.list = el(
      "div",
      { class: "chats-list", on: { keydown: (/** @type {KeyboardEvent} */ event) => this.listKey(event) } },
      this.groups,
      this.empty,
      this.more,
    );
    this.announcement = el("div", { class: "visually-hidden", role: "status" });
    this.foot = el(
      "footer",
      { class: "chats-foot" },
      this.shelf,
      this.sources,
      this.servers,
      this.tests,
      this.watches,
      this.logs,
      this.leave,
    );
    this.panel = el(
      "div",
      { class: "chats-panel", tabindex: "-1" },
      el("header", { class: "chats-head" }, this.title, this.fresh, this.shut),
      el("search", { class: "chats-search" }, icon("search"), this.field),
      this.bar.dom,
      this.fault,
      this.list,
      this.foot,
    );
    this.dom = el(
      "dialog",
      {
        class: "chats-drawer",
        id: "chats-drawer",
        "aria-labelledby": "chats-title",
        on: {
          close: () => this.closed(),
          keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
          pointerdown: (/** @type {PointerEvent} */ event) => {
            if (event.target === this.dom) this.close();
          },
        },
      },
      this.panel,
      this.announcement,
    );
    this.nearing = new IntersectionObserver(
      ([end]) => {
        if (end?.isIntersecting) void this.watch.further();
      },
      { root: this.list, rootMargin: "200px" },
    );
    this.nearing.observe(this.more);
    this.undo = [bus.on("state", (now) => this.update(now)), bus.on("language", () => this.label())];
    document.body.append(this.dom);
    this.label();
  }

  open() {
    if (this.dom.open) return;
    this.label();
    this.watch.setOpen(true);
    this.dom.showModal();
    this.rest();
  }

  /** Focus the search, which on touch screens would open the keyboard over the list. */
  rest() {
    (window.matchMedia("(pointer: coarse)").matches ? this.panel : this.field).focus();
  }

  /** Show the chats with a tag, or all. @param {string} tag */
  filter(tag) {
    this.watch.filter(tag);
    if (tag === "") this.rest();
  }

  close() {
    if (this.dom.open) this.dom.close();
  }

  closed() {
    window.clearTimeout(this.timer);
    this.field.value = "";
    this.watch.setOpen(false);
  }

  label() {
    const { t } = this;
    this.title.textContent = t(this.drawn?.archived ? "chats.title_of_archive" : "chats.open");
    this.shelf.replaceChildren(icon("folder"), t("chats.title_of_archive"));
    this.fresh.replaceChildren(icon("plus"), el("span", {}, t("app.new_chat")));
    this.shut.setAttribute("aria-label", t("shared.close"));
    this.shut.title = t("shared.close");
    this.field.placeholder = t("chats.search");
    this.field.setAttribute("aria-label", t("chats.search"));
    this.more.textContent = t("shared.show_more");
    this.sources.replaceChildren(icon("braces"), t("sources.title"));
    this.servers.replaceChildren(icon("tool"), t("mcp.title"));
    this.tests.replaceChildren(icon("check"), t("tests.title"));
    this.watches.replaceChildren(icon("clock"), t("watches.title"));
    this.logs.replaceChildren(icon("upload"), t("open_log.button"));
    this.leave.textContent = t("session.sign_out");
    for (const row of this.rows.values()) row.dom.remove();
    this.rows.clear();
    this.drawn = null;
    this.update(this.state());
  }

  /** @param {DeskState} state */
  update({ chats, chat }) {
    const current = chat?.chatId ?? "";
    if (!this.dom.open && this.drawn !== null) return;
    if (chats === this.drawn && current === this.current) return;
    this.announce(this.drawn, chats);
    this.drawn = chats;
    this.current = current;
    this.fault.textContent = chats.fault === "no_answer" ? this.t("shared.no_answer") : chats.fault;
    this.fault.hidden = chats.fault === "";
    this.draw(chats);
  }

  /** @param {ChatsState} chats */
  draw(chats) {
    const { t } = this;
    this.title.textContent = t(chats.archived ? "chats.title_of_archive" : "chats.open");
    this.shelf.setAttribute("aria-pressed", String(chats.archived));
    const list = chats.list ?? [];
    this.bar.update(chats);
    const focused = document.activeElement;
    const ids = new Set(list.map(({ id }) => id));
    for (const [id, row] of this.rows) {
      if (ids.has(id)) continue;
      if (row.dom.contains(focused)) this.hold(row);
      row.dom.remove();
      this.rows.delete(id);
    }
    const groups = grouped(list, Date.now()).map((group) => this.group(group, chats));
    place(this.groups, groups);
    if (focused instanceof HTMLElement && this.list.contains(focused) && document.activeElement !== focused)
      focused.focus({ preventScroll: true }); // moving a row in the DOM drops its focus
    this.list.setAttribute("aria-busy", String(chats.list === null));
    this.empty.hidden = chats.list === null || list.length > 0 || chats.next !== null;
    this.empty.textContent = chats.query
      ? t("chats.none_found", { words: chats.query })
      : chats.tag
        ? t("tags.none", { tag: chats.tag })
        : t(chats.archived ? "chats.none_archived" : "chats.none");
    this.more.hidden = chats.next === null;
    // observe again: the observer reports only changes, and another page may be needed
    this.nearing.unobserve(this.more);
    this.nearing.observe(this.more);
  }

  /**
   * @param {ReturnType<typeof grouped>[number]} group
   * @param {ChatsState} chats
   */
  group({ name, chats: members }, { seen, deleted, query }) {
    const id = `chats-${name}`;
    const existing = this.groups.querySelector(`section[data-group="${name}"]`);
    const section = /** @type {HTMLElement} */ (
      existing ??
        el(
          "section",
          { "data-group": name, "aria-labelledby": id },
          el("h3", { class: "chats-heading", id }),
          el("ul", {}),
        )
    );
    const [head, list] = /** @type {[HTMLElement, HTMLElement]} */ (
      /** @type {unknown} */ (section.children)
    );
    const heading = this.t(`chats.group_${name}`);
    if (head.textContent !== heading) head.textContent = heading;
    place(
      list,
      members.map((chat) => {
        const row = this.rows.get(chat.id) ?? this.row();
        this.rows.set(chat.id, row);
        row.update(chat, {
          current: chat.id === this.current,
          unread: chat.id !== this.current && isUnread(chat, seen),
          deleted: chat.id in deleted,
          query,
        });
        return row.dom;
      }),
    );
    return section;
  }

  row() {
    const { bus, t } = this;
    return new ChatRow({ bus, t, close: () => this.close(), filter: (tag) => this.filter(tag) });
  }

  /** Announce the result of a search to screen readers. @param {ChatsState | null} before @param {ChatsState} now */
  announce(before, { query, tag, list, next }) {
    if (query + tag === "" || list === null || list === before?.list) return;
    const n = list.length;
    this.announcement.textContent =
      n === 0
        ? this.t("chats.none_found", { words: query || tag })
        : this.t(next === null ? "chats.found" : "chats.found_so_far", { n });
  }

  /** Move the focus from a row that is about to be removed. @param {ChatRow} row */
  hold(row) {
    const targets = this.targets();
    const at = targets.findIndex((target) => row.dom.contains(target));
    const other = targets[at + 1] ?? targets[at - 1];
    (other && !row.dom.contains(other) ? other : this.field).focus({ preventScroll: true });
  }

  /** Return the targets of the arrow keys: the link of each row, or its undo button. @returns {HTMLElement[]} */
  targets() {
    const all = /** @type {NodeListOf<HTMLElement>} */ (this.groups.querySelectorAll(".chats-target"));
    return [...all].filter(({ offsetParent }) => offsetParent !== null);
  }

  typed() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.watch.search(this.field.value.trim()), SEARCH_DELAY);
  }

  /** @param {KeyboardEvent} event */
  fieldKey(event) {
    // keyCode 229: Safari ends a composition before the keydown of its Enter
    if (event.isComposing || event.keyCode === 229) return;
    const [first] = this.targets();
    if (event.key === "ArrowDown") first?.focus();
    else if (event.key === "Enter" && this.drawn?.query === this.field.value.trim()) first?.click();
    else if (event.key === "Enter") this.watch.search(this.field.value.trim());
    else if (event.key === "Escape" && this.field.value !== "") this.clear();
    else return;
    event.preventDefault();
  }

  clear() {
    this.field.value = "";
    this.watch.search("");
  }

  /** @param {KeyboardEvent} event */
  listKey(event) {
    const targets = this.targets();
    const here = targets.findIndex((target) => target.closest("li")?.contains(document.activeElement));
    if (here < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = [...this.rows.values()].find(({ dom }) => dom.contains(document.activeElement));
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: targets.length - 1 }[event.key];
    if (to !== undefined) (targets[to] ?? (to < 0 ? this.field : targets[here]))?.focus();
    else if (event.key === "F2") row?.edit();
    else if (event.key === "t" && !event.isComposing) row?.editTags();
    else if (event.key === "Delete") void row?.remove();
    else return;
    event.preventDefault();
  }

  /**
   * Handle a key. Shortcuts of the page are off while the drawer is open; the one that opened it closes it.
   *
   * @param {KeyboardEvent} event
   */
  key(event) {
    event.stopPropagation();
    if (
      event.key.toLowerCase() !== "k" ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    this.close();
  }

  destroy() {
    window.clearTimeout(this.timer);
    this.nearing.disconnect();
    for (const undo of this.undo) undo();
    this.dom.remove();
  }
}

/**
 * Set the children in this order. A child at the right place is not moved, and so keeps the focus.
 *
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} children
 */
function place(parent, children) {
  const nextChildren = new Set(children);
  for (const child of [...parent.children])
    if (!nextChildren.has(/** @type {HTMLElement} */ (child))) child.remove();
  children.forEach((child, at) => {
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  });
}
