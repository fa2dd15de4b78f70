/**
 * Where the person writes. Enter sends, Shift+Enter breaks the line, an input method's own Enter is left to it; the
 * up arrow in an empty field brings back what was asked before. While a run works, Stop stands where Send was, and
 * what is sent waits its turn.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { Completions } from "./completions.js";
import { isClosed } from "./turns.js";

/** @import { DeskBus, DeskState, Translate, Turn } from "../types.js" */

export class Composer {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {(files: Iterable<globalThis.File>) => void} needs.add takes files
   * @param {string} needs.draft what stands in the field at first
   * @param {() => string | null} needs.chatId
   */
  constructor({ bus, t, add, draft, chatId }) {
    this.bus = bus;
    this.t = t;
    /** @type {Turn | null} */
    this.running = null;
    /** @type {DeskState["entries"]} */
    this.entries = [];
    /** The name of the program that answers, if one does. */
    this.program = "";
    /** @type {string[]} */
    this.asked = [];
    this.recalled = 0;
    this.field = el("textarea", { class: "field", rows: "1", "aria-label": t("chat.composer"), enterkeyhint: "send",
      on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(event), input: () => this.typed(), paste: (/** @type {ClipboardEvent} */ event) => this.pasted(event, add) } });
    this.field.value = draft;
    this.picker = el("input", { type: "file", multiple: true, hidden: true, on: { change: () => this.picked(add) } });
    this.attach = el("button", { class: "icon-button", type: "button", "aria-label": t("files.add"), title: t("files.add"), on: { click: () => this.picker.click() } }, icon("clip"));
    this.send = el("button", { class: "send-button", type: "submit" }, icon("send"));
    this.stop = el("button", { class: "send-button stop-button", type: "button", "aria-label": t("chat.stop"), title: t("chat.stop"), hidden: true, on: { click: () => this.halt() } }, icon("stop"));
    this.dom = el("form", { class: "composer", on: { submit: (/** @type {Event} */ event) => { event.preventDefault(); this.submit(); } } },
      this.picker, this.attach, this.field, this.send, this.stop);
    this.completions = new Completions({ field: this.field, t, chatId, take: (text) => this.write(text) });
    this.dom.append(this.completions.dom);
    this.label();
    this.grow();
  }

  /** @param {DeskState} state */
  update({ entries, chat }) {
    const program = chat?.agent === "terminal" ? chat.agentName : "";
    if (entries === this.entries && program === this.program) return;
    this.program = program;
    this.entries = entries;
    const turns = /** @type {Turn[]} */ (entries.filter(({ kind }) => kind === "turn"));
    this.asked = turns.map(({ question }) => question);
    const open = turns.filter((turn) => !isClosed(turn));
    this.running = open.find(({ state }) => state !== "queued") ?? open[0] ?? null;
    this.label();
  }

  /** What the buttons do follows from whether a run works and whether something is written. */
  label() {
    const busy = this.running !== null;
    const empty = this.field.value.trim() === "";
    const name = this.t(busy ? "chat.queue" : "chat.send");
    this.stop.hidden = !busy;
    this.stop.disabled = this.running?.state === "stopping";
    this.send.hidden = busy && empty;
    this.send.disabled = empty;
    this.send.title = name;
    this.send.setAttribute("aria-label", name);
    this.field.placeholder = busy ? this.t("chat.placeholder_busy") : this.program ? this.t("program.placeholder", { agent: this.program }) : this.t("chat.placeholder");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing || event.keyCode === 229 || this.completions.key(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      this.recall(event);
    }
  }

  submit() {
    const message = this.field.value.trim();
    if (message === "") return;
    this.write("");
    this.completions.close();
    this.bus.emit("command", { name: "submit", message });
  }

  halt() {
    if (this.running) this.bus.emit("send", { type: "cancel", runId: this.running.runId });
    this.field.focus();
  }

  /**
   * Older questions with the up arrow, newer ones with the down arrow, as long as the field holds one of them.
   *
   * @param {KeyboardEvent} event
   */
  recall(event) {
    const held = this.field.value;
    if (held !== "" && held !== this.asked.at(-this.recalled)) return;
    if (held === "") this.recalled = 0;
    const next = this.recalled + (event.key === "ArrowUp" ? 1 : -1);
    if (next < 0 || next > this.asked.length) return;
    event.preventDefault();
    this.recalled = next;
    this.write(next === 0 ? "" : (this.asked.at(-next) ?? ""));
  }

  /** @param {string} text */
  write(text) {
    this.field.value = text;
    this.typed();
    this.field.setSelectionRange(text.length, text.length);
  }

  typed() {
    this.label();
    this.grow();
    this.completions.follow();
  }

  /** As high as its words, up to the limit that CSS sets. */
  grow() {
    if (CSS.supports("field-sizing", "content")) return;
    this.field.style.setProperty("height", "auto");
    this.field.style.setProperty("height", `${this.field.scrollHeight}px`);
  }

  /** @param {(files: Iterable<globalThis.File>) => void} add */
  picked(add) {
    add([...(this.picker.files ?? [])]);
    this.picker.value = "";
  }

  /**
   * A pasted picture or file is an upload, not text.
   *
   * @param {ClipboardEvent} event
   * @param {(files: Iterable<globalThis.File>) => void} add
   */
  pasted(event, add) {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || event.clipboardData?.types.includes("text/plain")) return;
    event.preventDefault();
    add(files);
  }
}
