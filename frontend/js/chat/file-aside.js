/** File that was added between turns: a line, and a card that opens under it; the card's module loads then. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";
import { isWide } from "../core/screen.js";
import { keep, recall } from "../core/storage.js";
import { fileLine } from "./shown.js";

/** @import { DeskState, File } from "../types.js" */
/** @import { Needs } from "./shown.js" */
/** @import { UploadCard } from "./upload-card.js" */

const NARROW = "(max-width: 600px)";
/** Number of files whose cards keep their state, open or folded. */
const MOST_REMEMBERED = 100;
const KEY = "cards";
let cardCount = 0;

export class FileAside {
  /**
   * @param {File} message
   * @param {Needs} needs
   * @param {boolean} opens whether its card is open here unless a person folded it
   */
  constructor(message, needs, opens) {
    this.needs = needs;
    this.message = message;
    this.removed = false;
    /** Whether the card is in the place of the plan. */
    this.stands = false;
    /** @type {UploadCard | null} */
    this.card = null;
    const id = `upload-card-${cardCount++}`;
    this.fold = el(
      "button",
      {
        class: "icon-button small",
        type: "button",
        "aria-expanded": "false",
        "aria-controls": id,
        on: { click: () => this.press() },
      },
      icon("chevron-right"),
    );
    this.line = el("div", { class: "upload-line" });
    this.body = el("div", { class: "upload-body", id, hidden: true });
    this.dom = el(
      "li",
      { class: "aside upload" },
      el("div", { class: "upload-head" }, this.fold, this.line),
      this.body,
    );
    this.show(message);
    const { fileId } = message.content;
    const open = wasOpen(fileId) ?? (opens && !window.matchMedia(NARROW).matches);
    if (open) this.toggle(true);
  }

  get open() {
    return !this.body.hidden;
  }

  /** Show the current state of the file. @param {File} message */
  show(message) {
    const changed = message !== this.message;
    this.message = message;
    const { name } = message.content;
    this.fold.setAttribute("aria-label", this.needs.t("card.of", { name }));
    this.line.replaceChildren(
      this.removed
        ? el("span", { class: "file-named" }, icon("trash"), this.needs.t("card.removed", { name }))
        : fileLine(message, this.needs),
    );
    if (changed) this.card?.follow(name);
  }

  /** Close the card in the place of the plan, or open or fold the one here. */
  press() {
    if (this.stands) this.leave();
    else void this.toggle(!this.open);
  }

  leave() {
    keepOpen(this.message.content.fileId, false);
    this.needs.bus.emit("fact", { type: "@data", data: null });
  }

  /** @param {DeskState} state */
  update({ files, chat, room: { data, front } }) {
    const { fileId } = this.message.content;
    const stood = this.stands;
    this.stands = isWide() && front === "data" && data?.kind === "file" && data.content.fileId === fileId;
    if (this.stands && !stood && wasOpen(fileId) === false) this.leave();
    this.fold.setAttribute("aria-expanded", String(this.open || this.stands));
    const removed = chat !== null && fileId !== "" && !files.some((file) => file.fileId === fileId);
    if (removed === this.removed) return;
    this.removed = removed;
    this.fold.hidden = removed;
    if (removed) this.body.hidden = true;
    this.show(this.message);
  }

  /** @param {boolean} open */
  async toggle(open) {
    this.body.hidden = !open;
    this.fold.setAttribute("aria-expanded", String(open));
    keepOpen(this.message.content.fileId, open);
    if (!open || this.card) return;
    const module = await loadLatePart(() => import("./upload-card.js"), this.needs.t, "chat-card");
    const chatId = this.needs.chatId();
    if (module === null || chatId === null || this.card) return;
    this.card = new module.UploadCard({
      bus: this.needs.bus,
      t: this.needs.t,
      chatId,
      name: this.message.content.name,
    });
    this.body.replaceChildren(this.card.dom);
  }
}

/** Check whether the card was left open. @param {string} fileId @returns {boolean | null} null if nothing is stored */
export function wasOpen(fileId) {
  const stored = storedCards().find((entry) => entry.slice(1) === fileId);
  return stored === undefined ? null : stored.startsWith("+");
}

/** @param {string} fileId @param {boolean} open */
export function keepOpen(fileId, open) {
  const remaining = storedCards().filter((entry) => entry.slice(1) !== fileId);
  keep(KEY, [`${open ? "+" : "-"}${fileId}`, ...remaining].slice(0, MOST_REMEMBERED).join(" "));
}

const storedCards = () => (recall(KEY) ?? "").split(" ").filter(Boolean);
