/** Button with the number of unread reports of watches. It opens the list of watches. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { DeskBus, NoticesContent, Translate } from "../types.js" */

export class NoticesButton {
  /** @param {{ bus: DeskBus, t: Translate }} needs */
  constructor({ bus, t }) {
    this.t = t;
    /** @type {NoticesContent} */
    this.unread = { notices: [], count: 0 };
    this.number = el("span", {});
    this.button = el(
      "button",
      {
        class: "notices-button",
        type: "button",
        hidden: true,
        on: { click: () => bus.emit("command", { name: "watches", unread: this.unread }) },
      },
      icon("clock"),
      this.number,
    );
    this.announcement = el("div", { class: "visually-hidden", role: "status" });
    this.dom = el("div", { class: "notices" }, this.button, this.announcement);
    this.undo = [
      bus.on("message", (message) => {
        if (message.type === "notices") this.update(message.content);
      }),
      bus.on("language", () => this.label()),
    ];
  }

  /** @param {NoticesContent} unread */
  update(unread) {
    const [newest] = unread.notices;
    const grew = unread.count > this.unread.count;
    this.unread = unread;
    this.label();
    if (grew && newest)
      this.announcement.textContent = this.t.pair(newest.title, newest.text || newest.problem);
  }

  label() {
    const { count } = this.unread;
    const text = this.t(count === 1 ? "watches.unread_one" : "watches.unread", { n: this.t.number(count) });
    this.button.hidden = count === 0;
    this.number.textContent = this.t.number(count);
    this.button.setAttribute("aria-label", text);
    this.button.title = text;
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.dom.remove();
  }
}
