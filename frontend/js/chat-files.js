/** The chat's files as chips over the composer, and the uploads on their way there. */

import { filePath, Refusal, upload } from "./api.js";
import { el } from "./dom.js";
import { size } from "./format.js";
import { icon } from "./icons.js";

/** @import { DeskState, Translate, Upload } from "./types.js" */

export class FileChips {
  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    /** @type {DeskState | null} */
    this.state = null;
    /** @type {Upload[]} */
    this.uploads = [];
    this.count = 0;
    this.dom = el("ul", { class: "chips", "aria-label": t("files.list"), hidden: true });
  }

  /** @param {DeskState} state */
  update(state) {
    if (state.files === this.state?.files && state.chat === this.state.chat) return;
    this.state = state;
    this.draw();
  }

  /** @param {Iterable<globalThis.File>} files */
  add(files) {
    for (const file of files) void this.send(file);
  }

  /** @param {globalThis.File} file */
  async send(file) {
    this.count += 1;
    const one = { id: this.count, name: file.name, size: file.size, fault: "" };
    this.uploads = [...this.uploads, one];
    this.draw();
    const chatId = this.state?.chat?.chatId;
    try {
      if (chatId === undefined) throw new Refusal(this.t("files.no_chat"));
      await upload(chatId, file);
      this.forget(one);
    } catch (fault) {
      const reason = fault instanceof Refusal ? fault.message : this.t("files.no_answer");
      this.uploads = this.uploads.map((other) => (other.id === one.id ? { ...one, fault: reason } : other));
    }
    this.draw();
  }

  /** @param {Upload} one */
  forget(one) {
    this.uploads = this.uploads.filter(({ id }) => id !== one.id);
    this.draw();
  }

  draw() {
    const { t } = this;
    const chatId = this.state?.chat?.chatId ?? "";
    const files = (this.state?.files ?? []).map(({ name, size: bytes, url }) =>
      el("li", { class: "chip" }, el("a", { href: url ?? filePath(chatId, name), download: name, title: t("files.open", { name }) },
        icon("file"), el("span", { class: "chip-name" }, name), el("span", { class: "chip-size" }, size(bytes)))));
    const uploads = this.uploads.map((one) => (one.fault ? this.faulty(one) : el("li", { class: "chip", "aria-busy": "true" },
      icon("upload", t("files.uploading", { name: one.name })), el("span", { class: "chip-name" }, one.name))));
    this.dom.replaceChildren(...uploads, ...files.reverse());
    this.dom.hidden = this.dom.childElementCount === 0;
  }

  /** @param {Upload} one */
  faulty(one) {
    const name = one.name;
    return el("li", { class: "chip chip-fault", role: "alert" }, icon("error"),
      el("span", {}, this.t("files.failed", { name, reason: one.fault })),
      el("button", { class: "icon-button small", type: "button", "aria-label": this.t("files.dismiss", { name }), on: { click: () => this.forget(one) } }, icon("close")));
  }
}
