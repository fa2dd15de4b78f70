/**
 * Entry to the conversations: the page's menu, the key `c`, and the address. The view
 * (conversations/conversations.js) loads on first use.
 */

import { talkInHash } from "../core/address.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";

/** @import { DeskBus, TalkState, Translate } from "../types.js" */
/** @import { ConversationsView } from "./conversations.js" */
/** @typedef {{ project: string | null, conversation: string | null }} TalkTarget */

/** @type {TalkTarget} */
const LAST_OPEN = { project: null, conversation: null };

export class ConversationsEntry {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {() => TalkState} needs.talk
   */
  constructor({ bus, t, talk }) {
    this.bus = bus;
    this.t = t;
    this.talk = talk;
    /** @type {ConversationsView | null} */
    this.view = null;
    this.leave = el("button", {
      class: "text-button talk-leave",
      type: "button",
      hidden: true,
      on: { click: () => this.toggle() },
    });
    /** Placeholder of the project chooser; the view replaces it and `dom`. @type {HTMLElement} */
    this.place = el("div", { class: "talk-place" });
    /** @type {HTMLElement} */
    this.dom = el("main", { class: "talk", tabindex: "-1", hidden: true });
    this.hash = (/** @type {HashChangeEvent} */ event) => this.follow(new URL(event.newURL).hash);
    this.escape = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.undo = bus.on("language", () => this.label());
    window.addEventListener("hashchange", this.hash);
    document.addEventListener("keydown", this.escape);
    this.label();
  }

  get opened() {
    return this.view?.opened ?? false;
  }

  /**
   * Open what the address names.
   *
   * @param {string} [hash] hash at the time of the change: the view may have rewritten it since
   */
  follow(hash = window.location.hash) {
    const target = talkInHash(hash);
    if (target) void this.open(target);
    else this.view?.close();
  }

  toggle() {
    if (this.opened) this.view?.close();
    else void this.open(LAST_OPEN);
  }

  /** @param {TalkTarget} target */
  async open(target) {
    const module = await loadLatePart(() => import("./conversations.js"), this.t, "conversations");
    if (module === null) return;
    this.view ??= this.attach(
      new module.ConversationsView({
        bus: this.bus,
        t: this.t,
        talk: this.talk,
        changed: () => this.label(),
      }),
    );
    this.view.open(target);
  }

  /** @param {ConversationsView} view */
  attach(view) {
    this.place.replaceWith(view.chooser.dom);
    this.dom.replaceWith(view.dom);
    this.place = view.chooser.dom;
    this.dom = view.dom;
    return view;
  }

  label() {
    this.leave.hidden = !this.opened;
    this.leave.replaceChildren(icon("close"), this.t("talk.leave"));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const writing =
      event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
    if (
      event.defaultPrevented ||
      writing ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      document.querySelector("dialog:modal, :popover-open")
    )
      return;
    if (event.key === "c") this.toggle();
    else if (event.key === "Escape" && this.opened) this.view?.close();
    else return;
    event.preventDefault();
  }

  destroy() {
    this.undo();
    window.removeEventListener("hashchange", this.hash);
    document.removeEventListener("keydown", this.escape);
    this.view?.destroy();
    this.dom.remove();
    this.place.remove();
    this.leave.remove();
  }
}
