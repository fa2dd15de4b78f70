/** Files of the chat as chips above the composer, with uploads in progress. */

import { filePath, Refusal } from "../core/api.js";
import { el } from "../core/dom.js";
import { size, describeTables } from "../core/format.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";
import { deskAddress } from "../core/message-address.js";
import { fileFault } from "./file-kinds.js";
import { fileNoteText, showFileNote } from "./file-notes.js";

/** @import { ChatContent, DeskState, FileContent, Translate, Upload } from "../types.js" */

/** Milliseconds in which the message of a file that was read should come. */
const LIST_MS = 2000;

export class FileChips {
  /**
   * @param {Translate} t
   * @param {(name: string) => void} begins called when the upload of a file begins
   * @param {(isComplete: boolean) => void} ended called when no upload is in progress; false after a failed one
   */
  constructor(t, begins, ended) {
    this.t = t;
    this.begins = begins;
    this.ended = ended;
    /** @type {DeskState | null} */
    this.state = null;
    /** @type {Upload[]} */
    this.uploads = [];
    /** Elements of uploads in progress, by id. @type {Map<number, { chip: HTMLElement, status: HTMLElement }>} */
    this.coming = new Map();
    /** Callbacks that wait for the chat. @type {((chat: ChatContent) => void)[]} */
    this.waiting = [];
    /** Callbacks that wait for one more file in the chat. @type {Set<() => void>} */
    this.unlisted = new Set();
    this.count = 0;
    this.dom = el("ul", { class: "chips", "aria-label": t("files.list"), hidden: true });
  }

  /** @param {DeskState} state */
  update(state) {
    if (state.files === this.state?.files && state.chat === this.state.chat) return;
    const { chat } = state;
    if (chat) {
      const assigned = this.uploads.map((upload) => ({ ...upload, chatId: upload.chatId ?? chat.chatId }));
      // an error is shown only in its chat
      this.uploads = assigned.filter((upload) => upload.chatId === chat.chatId || !upload.fault);
      for (const go of this.waiting.splice(0)) go(chat);
    }
    this.state = state;
    for (const look of this.unlisted) look();
    this.draw();
  }

  /** Return the name of a file of the chat whose upload is in progress, or "". */
  uploading() {
    const chatId = this.state?.chat?.chatId ?? null;
    return this.uploads.find((upload) => upload.chatId === chatId && !upload.fault)?.name ?? "";
  }

  /** Set all texts in the current language. */
  label() {
    this.dom.setAttribute("aria-label", this.t("files.list"));
    this.coming.clear();
    this.draw();
  }

  /** @param {Iterable<globalThis.File>} files */
  add(files) {
    for (const file of files) void this.send(file);
  }

  /**
   * Upload a file to the current chat, or to the next one: a file may be dropped before the server has named the chat.
   *
   * @param {globalThis.File} file
   */
  async send(file) {
    this.count += 1;
    const chat = this.state?.chat ?? null;
    this.begins(file.name);
    const before = this.state?.files.length ?? 0;
    const stop = new AbortController();
    /** @type {Upload} */
    let upload = {
      id: this.count,
      chatId: chat?.chatId ?? null,
      name: file.name,
      size: file.size,
      fault: "",
      state: chat ? "sending" : "waiting",
      share: chat ? 0 : null,
      cancel: () => stop.abort(),
    };
    this.uploads = [...this.uploads, upload];
    this.draw();
    try {
      const { chatId, uploadLimit } = chat ?? (await this.chat(stop.signal));
      upload = { ...upload, chatId, state: "sending", share: 0 };
      this.change(upload);
      const wrong = await fileFault(file, uploadLimit, this.t);
      if (wrong) throw new Refusal(wrong);
      const module = await loadLatePart(() => import("./resumable.js"), this.t);
      await module?.sendInPieces(
        chatId,
        file,
        (progress) => this.change({ ...upload, ...progress }),
        stop.signal,
      );
      await this.listed(before);
      this.forget(upload);
    } catch (fault) {
      if (!stop.signal.aborted) {
        const reason = fault instanceof Refusal ? fault.message : this.t("shared.no_answer");
        this.change({ ...upload, fault: reason });
        return this.ended(false);
      }
      this.forget(upload);
    }
    if (this.uploading() === "") this.ended(true);
  }

  /** Wait until the chat has more files than `before`, so that a question can name the new one. @param {number} before */
  async listed(before) {
    /** @type {() => void} */
    let look = () => {};
    await new Promise((resolve) => {
      look = () => (this.state?.files.length ?? 0) > before && resolve(null);
      this.unlisted.add(look);
      window.setTimeout(resolve, LIST_MS);
      look();
    });
    this.unlisted.delete(look);
  }

  /**
   * Wait for the chat. Rejects when `signal` is aborted.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<ChatContent>}
   */
  chat(signal) {
    return new Promise((resolve, reject) => {
      this.waiting.push(resolve);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }

  /** Show a dropped entry that cannot be uploaded. @param {string} name @param {string} fault */
  refuse(name, fault) {
    this.count += 1;
    this.uploads = [
      ...this.uploads,
      {
        id: this.count,
        chatId: this.state?.chat?.chatId ?? null,
        name,
        size: 0,
        fault,
        state: "sending",
        share: 0,
      },
    ];
    this.draw();
  }

  /** @param {Upload} upload */
  change(upload) {
    this.uploads = this.uploads.map((other) => (other.id === upload.id ? upload : other));
    const drawn = this.coming.get(upload.id);
    if (drawn && !upload.fault) drawn.status.textContent = this.statusText(upload);
    else this.draw();
  }

  /** @param {Upload} upload */
  forget(upload) {
    this.uploads = this.uploads.filter(({ id }) => id !== upload.id);
    this.coming.delete(upload.id);
    this.draw();
  }

  draw() {
    const chatId = this.state?.chat?.chatId ?? "";
    const files = (this.state?.files ?? []).map((file) => this.chip(file, chatId));
    const uploads = this.uploads
      .filter((upload) => upload.chatId === (chatId || null))
      .map((upload) => (upload.fault ? this.failedChip(upload) : this.uploadChip(upload)));
    this.dom.replaceChildren(...uploads, ...files.reverse());
    this.dom.hidden = this.dom.childElementCount === 0;
  }

  /**
   * Create the chip of a file: its size, the size of its table, or its problem.
   *
   * @param {FileContent} file
   * @param {string} chatId
   */
  chip({ name, size: bytes, url, tables, problems = [], problemFacts = [] }, chatId) {
    const { t } = this;
    const [problem] = problems;
    const shownProblem = el("span", { class: "chip-problem" });
    if (problem !== undefined) showFileNote(shownProblem, problem, problemFacts[0], t);
    const title = [
      t("files.open", { name }),
      ...problems.map((text, at) => fileNoteText(text, problemFacts[at], t)),
    ].join("\n");
    return el(
      "li",
      { class: "chip", "data-problem": problem !== undefined },
      el(
        "a",
        { href: deskAddress(url) ?? filePath(chatId, name), download: name, title },
        icon(problem === undefined ? "file" : "error"),
        el("span", { class: "chip-name" }, name),
        el(
          "span",
          { class: "chip-size" },
          [describeTables({ tables }, t), size(bytes)].filter(Boolean).join(" · "),
        ),
        problem === undefined ? null : shownProblem,
      ),
    );
  }

  /**
   * Return the chip of an upload in progress. It is created once, so that its button does not move under the pointer.
   *
   * @param {Upload} upload
   */
  uploadChip(upload) {
    const { name, id, cancel } = upload;
    const drawn = this.coming.get(id);
    if (drawn) return drawn.chip;
    const status = el("span", { class: "chip-size" }, this.statusText(upload));
    const chip = el(
      "li",
      { class: "chip", "aria-busy": "true" },
      icon("upload", this.t("files.uploading", { name })),
      el("span", { class: "chip-name" }, name),
      status,
      el(
        "button",
        {
          class: "icon-button small",
          type: "button",
          "aria-label": this.t("files.cancel", { name }),
          on: { click: () => cancel?.() },
        },
        icon("close"),
      ),
    );
    this.coming.set(id, { chip, status });
    return chip;
  }

  /** @param {Upload} one */
  statusText({ state, share, reason }) {
    return (reason || this.t(`files.${state}`)) + (share === null ? "" : ` ${Math.floor(share * 100)}%`);
  }

  /** @param {Upload} upload */
  failedChip(upload) {
    const name = upload.name;
    return el(
      "li",
      { class: "chip chip-fault", role: "alert" },
      icon("error"),
      el("span", {}, this.t("files.failed", { name, reason: upload.fault })),
      el(
        "button",
        {
          class: "icon-button small",
          type: "button",
          "aria-label": this.t("files.dismiss", { name }),
          on: { click: () => this.forget(upload) },
        },
        icon("close"),
      ),
    );
  }
}
