/** Button of the chats in the top bar, and Ctrl+K. Both open the drawer, whose module loads on first use. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";
import { unreadElsewhere } from "./state.js";
import { ChatsWatch } from "./watch.js";

/** @import { DeskBus, DeskState, Translate } from "../types.js" */
/** @import { ChatsDrawer } from "./drawer.js" */

export class ChatsButton {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {() => DeskState} needs.state returns the page's state
   */
  constructor({ bus, t, state }) {
    this.bus = bus;
    this.t = t;
    this.state = state;
    this.watch = new ChatsWatch({ bus, state });
    /** @type {ChatsDrawer | null} */
    this.drawer = null;
    this.unread = 0;
    this.caption = el("span", {});
    this.dom = el(
      "button",
      {
        class: "text-button chats-button",
        type: "button",
        "aria-haspopup": "dialog",
        "aria-keyshortcuts": "Control+K Meta+K",
        on: { click: () => this.open() },
      },
      icon("list"),
      this.caption,
    );
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.undo = [
      bus.on("state", (now) => this.update(now)),
      bus.on("language", () => this.label()),
      bus.on("command", ({ name }) => {
        if (name === "chats") void this.open();
      }),
    ];
    this.label();
  }

  /** @param {DeskState} state */
  update(state) {
    const unread = unreadElsewhere(state);
    if (unread === this.unread) return;
    this.unread = unread;
    this.label();
  }

  label() {
    const { t, unread } = this;
    this.caption.textContent = t("chats.button");
    this.dom.dataset.unread = String(unread);
    this.dom.setAttribute(
      "aria-label",
      unread === 0
        ? t("chats.open")
        : t(unread === 1 ? "chats.open_unread_one" : "chats.open_unread", { n: unread }),
    );
    this.dom.title = t("chats.open_key");
  }

  async open() {
    const { bus, t, state, watch } = this;
    const module = await loadLatePart(() => import("./drawer.js"), t, "chats-drawer");
    if (module === null) return;
    this.drawer ??= new module.ChatsDrawer({ bus, t, state, watch });
    this.drawer.open();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (
      event.key.toLowerCase() !== "k" ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey ||
      event.isComposing
    )
      return;
    event.preventDefault(); // Ctrl+K focuses the search bar in some browsers
    if (!document.querySelector("dialog:modal")) void this.open();
  }

  destroy() {
    document.removeEventListener("keydown", this.keys);
    for (const undo of this.undo) undo();
    this.watch.destroy();
    this.drawer?.destroy();
    this.dom.remove();
  }
}
