/** Title of the chat in the top bar: a button that becomes a field, once the chat has a title. */

import { el } from "../core/dom.js";
import { attemptRename } from "./changes.js";
import { TitleField } from "./title-field.js";
import { titleFrom } from "./title-words.js";

/** @import { DeskBus, DeskState, Translate } from "../types.js" */
/** @import { PageTitle } from "../core/page-title.js" */

export class ChatTitle {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {PageTitle} needs.page
   */
  constructor({ bus, t, page }) {
    this.bus = bus;
    this.t = t;
    this.page = page;
    /** @type {DeskState | null} */
    this.state = null;
    this.button = el("button", {
      class: "chat-title-button",
      type: "button",
      on: { click: () => this.edit() },
    });
    /** @type {TitleField | null} */
    this.field = null;
    this.dom = el("h1", { class: "chat-title" });
    /** Title on the page. */
    this.drawn = "";
    this.undo = [bus.on("state", (state) => this.update(state)), bus.on("language", () => this.draw())];
    this.draw();
  }

  /** @param {DeskState} state */
  update(state) {
    const before = this.state;
    this.state = state;
    if (state.chat?.chatId !== before?.chat?.chatId) this.field?.end(false);
    if (state.chat !== before?.chat || state.lost !== before?.lost || this.title() !== this.drawn)
      this.draw();
  }

  /** Return the chat's title, else the one from its first message, or from its first file; "" if it has none. */
  title() {
    const { entries = [], files = [], chat } = this.state ?? {};
    const title = chat?.title ?? "";
    const isFile = files.some(({ name }) => name === title);
    const first = entries.find((entry) => entry.kind === "turn");
    if (title && !(isFile && first)) return title;
    return first ? titleFrom(first.question) : title || (files[0]?.name ?? "");
  }

  draw() {
    const { t, state } = this;
    const title = (this.drawn = this.title());
    const text = title || t("app.new_chat");
    const named = state?.chat && title && state.lost?.was !== "open";
    this.button.textContent = text;
    this.button.title = `${text}\n${t("chats.rename")}`;
    this.dom.title = named ? "" : text;
    if (!this.field)
      this.dom.replaceChildren(named ? this.button : el("span", { class: "chat-title-words" }, text));
    this.page.set({ chat: state?.chat || title ? text : "" });
  }

  edit() {
    const chatId = this.state?.chat?.chatId;
    if (chatId === undefined || this.field) return;
    this.field = new TitleField({
      t: this.t,
      title: this.title(),
      rename: (title) => attemptRename(this.bus, chatId, title),
      done: (focus) => this.leave(focus),
    });
    this.dom.replaceChildren(this.field.dom);
    this.field.focus();
  }

  /** @param {boolean} focus */
  leave(focus) {
    this.field = null;
    this.draw();
    if (focus) this.button.focus();
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.dom.remove();
  }
}
