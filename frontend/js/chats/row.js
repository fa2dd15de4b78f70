/** Row of a chat in the drawer: its link, its state, and its actions. */

import { linkToChat } from "../core/address.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";
import { archive, attemptRename, pin, remove, restore, setTags } from "./changes.js";
import { hasAll, marked } from "./marked.js";
import { TagEditor, tagButton } from "./tag-editor.js";
import { TitleField } from "./title-field.js";

/** @import { ChatSummary, DeskBus, Translate } from "../types.js" */
/** @typedef {{ current: boolean, unread: boolean, deleted: boolean, query: string }} RowState */

export class ChatRow {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {() => void} needs.close closes the drawer
   * @param {(tag: string) => void} needs.filter shows the chats with a tag
   */
  constructor({ bus, t, close, filter }) {
    this.bus = bus;
    this.t = t;
    this.close = close;
    this.filter = filter;
    /** @type {ChatSummary | null} */
    this.chat = null;
    this.drawn = "";
    this.busy = false;
    /** @type {TitleField | TagEditor | null} */
    this.field = null;
    this.link = el("a", {
      class: "chats-link chats-target",
      on: { click: (/** @type {MouseEvent} */ event) => this.go(event) },
    });
    this.pin = action("pin", () => this.act(() => pin(this.bus, this.summary())));
    this.rename = action("pencil", () => this.edit());
    this.tag = action("tag", () => this.editTags());
    this.save = action("download", () => this.openExport());
    this.archive = action("folder", () => this.act(() => archive(this.bus, this.summary())));
    this.trash = action("trash", () => this.remove());
    this.actions = el(
      "span",
      { class: "chats-actions" },
      this.pin,
      this.rename,
      this.tag,
      this.save,
      this.archive,
      this.trash,
    );
    this.tags = el("div", { class: "chats-tags" });
    this.gone = el("span", { class: "chats-gone" });
    this.undo = el("button", {
      class: "quiet-button chats-target",
      type: "button",
      on: { click: () => this.act(() => restore(this.bus, this.summary().id), true) },
    });
    this.deleted = el("div", { class: "chats-deleted", hidden: true }, this.gone, this.undo);
    this.fault = el("p", { class: "chats-row-fault", role: "alert", hidden: true });
    this.dom = el("li", { class: "chats-row" }, this.link, this.actions, this.tags, this.deleted, this.fault);
  }

  async openExport() {
    const { id } = this.summary();
    this.close();
    (await loadLatePart(() => import("./export.js"), this.t))?.openExport(this.t, id);
  }

  /** @returns {ChatSummary} */
  summary() {
    return /** @type {ChatSummary} */ (this.chat);
  }

  /**
   * @param {ChatSummary} chat
   * @param {RowState} rowState
   */
  update(chat, rowState) {
    const { id, title, pinned, archived, tags, state, updatedAt, found } = chat;
    const facts = JSON.stringify([
      title,
      pinned,
      archived,
      tags,
      state,
      updatedAt,
      found,
      rowState,
      new Date().toDateString(),
    ]);
    this.chat = chat;
    if (facts === this.drawn) return;
    this.drawn = facts;
    this.link.href = linkToChat(id);
    this.dom.dataset.chat = id;
    this.draw(chat, rowState);
  }

  /**
   * @param {ChatSummary} chat
   * @param {RowState} standing
   */
  draw(
    { title: ownTitle, pinned, archived, tags, state, updatedAt, found },
    { current, unread, deleted, query },
  ) {
    const { t } = this;
    const title = ownTitle || t("app.new_chat");
    const hadFocus = this.dom.contains(document.activeElement);
    this.dom.dataset.state = state;
    this.dom.toggleAttribute("data-unread", unread);
    this.dom.toggleAttribute("data-deleted", deleted);
    if (current) this.link.setAttribute("aria-current", "page");
    else this.link.removeAttribute("aria-current");
    this.link.replaceChildren(
      el("span", { class: "chats-name" }, marked(title, query)),
      el(
        "time",
        { class: "chats-time", datetime: new Date(updatedAt * 1000).toISOString() },
        when(updatedAt, t),
      ),
      this.mark(state, unread),
      found && !hasAll(title, query) ? el("span", { class: "chats-found" }, marked(found, query)) : "",
    );
    this.link.title = title;
    name(this.pin, t(pinned ? "chats.unpin" : "chats.pin", { title }));
    this.pin.setAttribute("aria-pressed", String(pinned));
    name(this.rename, t("chats.rename_title", { title }));
    name(this.tag, t("tags.edit", { title }));
    this.drawTags(tags, query);
    name(this.save, t("export.title"));
    name(this.archive, t(archived ? "chats.unarchive" : "chats.archive", { title }));
    this.archive.setAttribute("aria-pressed", String(archived));
    this.pin.hidden = archived;
    name(this.trash, t("chats.delete", { title }));
    this.gone.textContent = t("chats.deleted", { title });
    this.undo.textContent = t("chats.undo");
    this.undo.setAttribute("aria-label", t("chats.undo_title", { title }));
    this.show(deleted);
    const focused = document.activeElement;
    if (hadFocus && (!this.dom.contains(focused) || focused?.closest("[hidden]"))) this.focus();
  }

  /** @param {string[]} tags @param {string} query */
  drawTags(tags, query) {
    this.tags.replaceChildren(
      ...tags.map((tag) => {
        const button = tagButton(tag, this.t("tags.filter", { tag }), () => this.filter(tag));
        button.firstElementChild?.replaceChildren(...marked(tag, query));
        return button;
      }),
    );
    if (this.field instanceof TagEditor) this.field.update(tags);
  }

  /** @param {boolean} deleted */
  show(deleted) {
    const editing = this.field !== null && !deleted;
    this.link.hidden = deleted || (editing && !(this.field instanceof TagEditor));
    this.actions.hidden = deleted || editing;
    this.tags.hidden = deleted || editing || this.tags.childElementCount === 0;
    this.deleted.hidden = !deleted;
  }

  /** @param {ChatSummary["state"]} state @param {boolean} unread */
  mark(state, unread) {
    const key =
      state === "waiting"
        ? "chats.waiting"
        : state === "running"
          ? "shared.working"
          : unread
            ? "chats.unread"
            : "";
    return key
      ? el("span", { class: "chats-mark", "data-mark": key.slice("chats.".length) }, this.t(key))
      : "";
  }

  focus() {
    (this.deleted.hidden ? this.link : this.undo).focus({ preventScroll: true });
  }

  /**
   * Open the chat on this page after a plain click. A click with a modifier key is left to the browser.
   *
   * @param {MouseEvent} event
   */
  go(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.close();
    this.bus.emit("command", { name: "open-chat", chatId: this.summary().id });
  }

  edit() {
    if (this.field || !this.deleted.hidden) return;
    const { id, title } = this.summary();
    const field = new TitleField({
      t: this.t,
      title,
      rename: (typed) => attemptRename(this.bus, id, typed),
      done: (focus) => this.leave(focus),
    });
    this.enter(field, this.dom.firstChild);
    field.focus();
  }

  editTags() {
    if (this.field || !this.deleted.hidden) return;
    const { id, title, tags } = this.summary();
    const editor = new TagEditor({
      t: this.t,
      title: title || this.t("turn.untitled"),
      tags,
      save: (names) => setTags(this.bus, id, names),
      done: (focus) => this.leave(focus),
    });
    this.enter(editor, this.deleted);
    editor.field.focus({ preventScroll: true });
    editor.dom.scrollIntoView({ block: "nearest" });
  }

  /** Show an editor before a part of the row. @param {TitleField | TagEditor} field @param {Node | null} part */
  enter(field, part) {
    this.showError("");
    this.field = field;
    this.dom.insertBefore(field.dom, part);
    this.show(false);
  }

  /** @param {boolean} focus */
  leave(focus) {
    this.field?.dom.remove();
    this.field = null;
    this.show(!this.deleted.hidden);
    if (focus) this.focus();
  }

  async remove() {
    if (this.deleted.hidden) await this.act(() => remove(this.bus, this.summary().id));
  }

  /**
   * Run a request that the server may refuse, one at a time.
   *
   * @param {() => Promise<void>} act
   * @param {boolean} [gone] whether "not found" removes the row
   */
  async act(act, gone = false) {
    if (this.busy) return;
    this.busy = true;
    this.showError("");
    try {
      await act();
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      const status = "status" in fault ? fault.status : 0;
      this.showError(
        fault instanceof TypeError
          ? this.t("shared.no_answer")
          : status === 404
            ? this.t(gone ? "chats.gone_for_good" : "chats.deleted_elsewhere")
            : fault.message,
      );
    } finally {
      this.busy = false;
    }
  }

  /** @param {string} problem */
  showError(problem) {
    this.fault.textContent = problem;
    this.fault.hidden = problem === "";
  }
}

/** @param {string} drawing @param {() => void} press @param {string} [label] */
export function action(drawing, press, label) {
  const button = el(
    "button",
    { class: "icon-button small", type: "button", "data-action": drawing, on: { click: press } },
    icon(drawing),
  );
  if (label) name(button, label);
  return button;
}

/** @param {HTMLElement} button @param {string} label */
function name(button, label) {
  button.setAttribute("aria-label", label);
  button.title = label;
}

/**
 * Format the time of day for today, else the date; with the year if it is another one.
 *
 * @param {number} at seconds since 1970
 * @param {Translate} t
 */
function when(at, t) {
  const moment = new Date(at * 1000);
  const now = new Date();
  const locale = t.language === "ja" ? "ja-JP" : "en-GB";
  if (moment.toDateString() === now.toDateString())
    return moment.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
  const year = moment.getFullYear() === now.getFullYear() ? {} : { year: /** @type {const} */ ("numeric") };
  return moment.toLocaleDateString(locale, { day: "numeric", month: "short", ...year });
}
