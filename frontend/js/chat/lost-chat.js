/** Notice above the composer that a chat is missing: deleted while it was open, or unknown to the server. */

import { restore } from "../chats/changes.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { DeskBus, LostChat, Translate } from "../types.js" */

/** @type {{ [was in LostChat["was"]]?: string }} */
const TEXT_KEYS = { open: "lost.open", address: "lost.address", turn: "lost.turn" };

export class LostChatNotice {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {() => void} needs.startChat starts a new chat with the text of the field
   */
  constructor({ bus, t, startChat: begin }) {
    this.bus = bus;
    this.t = t;
    /** @type {LostChat | null} */
    this.lost = null;
    this.text = el("p", { class: "lost-words" });
    this.back = el(
      "button",
      { class: "text-button", type: "button", on: { click: () => this.restore() } },
      t("shared.restore"),
    );
    this.fresh = el(
      "button",
      { class: "text-button", type: "button", on: { click: begin } },
      t("lost.begin"),
    );
    this.close = el(
      "button",
      {
        class: "icon-button small",
        type: "button",
        "aria-label": t("chat.dismiss"),
        title: t("chat.dismiss"),
        on: { click: () => bus.emit("fact", { type: "@found" }) },
      },
      icon("close"),
    );
    this.dom = el(
      "div",
      { class: "lost", role: "alert", hidden: true },
      icon("warning"),
      this.text,
      this.back,
      this.fresh,
      this.close,
    );
  }

  /** @param {LostChat | null} lost */
  update(lost) {
    if (lost === this.lost) return;
    this.lost = lost;
    const open = lost?.was === "open";
    const textKey = lost && TEXT_KEYS[lost.was];
    this.dom.hidden = !textKey;
    this.text.textContent = textKey ? this.t(textKey) : "";
    this.back.hidden = !open;
    this.fresh.hidden = !open;
    this.close.hidden = open;
  }

  /** Emphasise the notice when the person tries to send. */
  emphasise() {
    this.text.textContent = this.t("lost.not_sent");
    (this.back.hidden ? this.fresh : this.back).focus();
  }

  async restore() {
    const { lost, t } = this;
    if (lost === null || this.back.disabled) return;
    this.back.disabled = true;
    try {
      await restore(this.bus, lost.chatId);
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      const gone = "status" in fault && fault.status === 404;
      this.back.hidden = gone;
      this.text.textContent =
        fault instanceof TypeError ? t("shared.no_answer") : gone ? t("lost.for_good") : fault.message;
      if (gone) this.fresh.focus();
    } finally {
      this.back.disabled = false;
    }
  }
}
