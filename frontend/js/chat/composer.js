/**
 * Composer of messages. Enter sends, Shift+Enter breaks the line, and Enter of an input method is left to it. The up
 * arrow in an empty field recalls earlier questions; Escape leaves the field to the page's shortcuts. A slash starts a
 * command. While a run works, the button stops it, and new messages are queued; if the run waits for a choice, a new
 * message replaces the choice. While a file is uploaded, the message waits for it. Each chat has its own draft.
 */

import { loadLatePart } from "../core/late.js";
import { el } from "../core/dom.js";
import { size } from "../core/format.js";
import { icon } from "../core/icons.js";
import { followWidth, isWide } from "../core/screen.js";
import { COMMANDS, typedCommand, commandsLike } from "./commands.js";
import { Completions } from "./completions.js";
import { keepDraft, readDraft } from "./drafts.js";
import { LostChatNotice } from "./lost-chat.js";
import { openChoice, runningTurn } from "./turns.js";

/** @import { DeskBus, DeskState, Suggestion, Translate, Turn } from "../types.js" */

const SAVE_DELAY = 300;
/** Bytes of a frame around its message. */
const FRAME_BYTES = 400;

/** Id of the message field. */
export const WRITING = "message-field";

export class Composer {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {(files: Iterable<globalThis.File>) => void} needs.add takes files
   * @param {string} needs.draft initial text
   * @param {() => string} needs.uploading returns the name of a file that is being uploaded, or ""
   */
  constructor({ bus, t, add, draft, uploading }) {
    this.bus = bus;
    this.t = t;
    this.uploading = uploading;
    /** Whether the message is sent when the files are there. */
    this.isHeld = false;
    /** @type {Turn | null} */
    this.running = null;
    /** Whether a run waits for a choice, which the next message replaces. */
    this.choice = false;
    /** @type {DeskState | null} */
    this.state = null;
    /** Chat of the draft in the field. @type {string | null} */
    this.chatId = null;
    /** Text that moves into the next chat. */
    this.carriedText = "";
    this.timer = 0;
    /** Name of the program that answers, or "". */
    this.program = "";
    /** @type {string[]} */
    this.history = [];
    this.recalled = 0;
    this.field = el("textarea", {
      class: "field",
      id: WRITING,
      rows: "1",
      "aria-label": t("chat.composer"),
      enterkeyhint: "send",
      on: {
        keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        input: () => this.typed(),
        paste: (/** @type {ClipboardEvent} */ event) => this.pasted(event, add),
      },
    });
    this.field.value = draft;
    this.picker = el("input", {
      type: "file",
      multiple: true,
      hidden: true,
      on: { change: () => this.picked(add) },
    });
    this.attach = el(
      "button",
      {
        class: "icon-button",
        type: "button",
        "aria-label": t("files.add"),
        title: t("files.add"),
        on: { click: () => this.picker.click() },
      },
      icon("clip"),
    );
    this.send = el("button", { class: "send-button", type: "submit" }, icon("send"));
    this.stop = el(
      "button",
      {
        class: "send-button stop-button",
        type: "button",
        "aria-label": t("shared.stop"),
        title: t("shared.stop"),
        hidden: true,
        on: { click: () => this.stopRun() },
      },
      icon("stop"),
    );
    this.lost = new LostChatNotice({ bus, t, startChat: () => this.startChat() });
    this.fault = el("p", { class: "composer-fault", role: "alert", hidden: true });
    this.note = el("p", { class: "composer-note", role: "status" });
    this.dom = el(
      "form",
      {
        class: "composer",
        on: {
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.submit();
          },
        },
      },
      this.lost.dom,
      this.fault,
      this.note,
      this.picker,
      this.attach,
      this.field,
      this.send,
      this.stop,
    );
    this.completions = new Completions({
      field: this.field,
      t,
      chatId: () => (this.state?.lost?.was === "open" ? null : this.chatId),
      program: () => this.program !== "",
      take: (text) => this.write(text),
      insert: (text, start, end) => this.replace(text, start, end),
      commands: (text) => this.commands(text),
      showError: (problem) => this.showError(problem),
    });
    this.dom.append(this.completions.dom);
    this.hide = () => {
      const { attempt } = this.state ?? {};
      this.keepUnsent(attempt?.kind === "continue" && attempt.fault === null ? [attempt.text] : []);
    };
    window.addEventListener("pagehide", this.hide);
    this.unfollow = followWidth(() => this.label());
    this.label();
    this.grow();
  }

  /** @param {DeskState} state */
  update(state) {
    const { entries, chat, lost } = state;
    const program = chat?.agent === "terminal" ? chat.agentName : "";
    const same = entries === this.state?.entries && program === this.program;
    this.state = state;
    this.lost.update(lost?.was === "turn" && lost.chatId !== chat?.chatId ? null : lost);
    if (chat && chat.chatId !== this.chatId) this.enter(chat.chatId);
    if (same) return;
    this.program = program;
    this.history = entries.flatMap((entry) => (entry.kind === "turn" ? [entry.question] : []));
    this.running = runningTurn(entries);
    this.choice = openChoice(state) !== null;
    this.label();
  }

  /** Update the buttons for the run and the text. */
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
    const placeholder = this.choice
      ? this.t("chat.placeholder_choice")
      : busy
        ? this.t("chat.placeholder_busy")
        : this.program
          ? this.t("program.placeholder", { agent: this.program })
          : this.t(isWide() ? "chat.placeholder" : "chat.placeholder_short");
    if (this.field.placeholder !== placeholder) this.field.placeholder = placeholder;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    // Enter and arrows belong to the input method while it composes. Safari ends the composition before
    // the keydown of its Enter: isComposing is false then, and only the old keyCode 229 tells.
    if (event.isComposing || event.keyCode === 229 || this.completions.key(event)) return;
    if (event.key === "Escape") this.field.blur();
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      this.recall(event);
    }
  }

  submit() {
    const message = this.field.value.trim();
    if (message === "" || this.runCommand(message)) return;
    if (this.state?.lost?.was === "open") return this.lost.emphasise();
    if (this.tooLong(message)) return;
    const name = this.program ? "" : this.uploading();
    if (name !== "" && !this.isHeld) return this.hold(name);
    this.write("");
    this.keep();
    this.completions.close();
    this.bus.emit("command", { name: "submit", message });
  }

  /** Keep the message until a file is there. @param {string} name */
  hold(name) {
    this.isHeld = true;
    this.note.textContent = this.t("chat.waits_for_file", { name });
  }

  /** Send the message that waited for files, unless one failed. @param {boolean} isComplete */
  release(isComplete) {
    if (!this.isHeld) return;
    if (isComplete) this.submit();
    else this.letGo();
  }

  letGo() {
    this.isHeld = false;
    this.note.textContent = "";
  }

  /**
   * Check whether a message is too long for the server, and show the error. The text stays in the field.
   *
   * @param {string} message
   */
  tooLong(message) {
    const most = this.state?.chat?.messageLimit ?? 0;
    if (most === 0 || 6 * message.length + FRAME_BYTES < most) return false;
    // the size of the frame, not of the text
    const bytes = new TextEncoder().encode(JSON.stringify(message)).length + FRAME_BYTES;
    if (bytes <= most) return false;
    this.showError(this.t("chat.too_long", { size: size(bytes), most: size(most) }));
    return true;
  }

  /**
   * Run the command that a message names, or report an unknown one. Input of a program is never a command.
   *
   * @param {string} message
   * @returns {boolean} whether it was a command
   */
  runCommand(message) {
    const typed = this.program ? null : typedCommand(message);
    if (typed === null || typed === "") return false;
    const command = COMMANDS.find(({ name }) => name === typed);
    if (command) this.run(command);
    else this.showError(this.t("commands.unknown", { name: typed }));
    return true;
  }

  /**
   * Return suggestions of commands, or null if the text is not a command.
   *
   * @param {string} text
   * @returns {Suggestion[] | null}
   */
  commands(text) {
    const typed = this.program ? null : typedCommand(text);
    if (typed === null) return null;
    return commandsLike(typed).map((command) => ({
      text: `/${command.name}`,
      detail: this.t(command.textKey),
      run: () => this.run(command),
    }));
  }

  /** @param {typeof COMMANDS[number]} command */
  run({ name, command }) {
    this.completions.close();
    this.write("");
    this.keep();
    if (command) this.bus.emit("command", command);
    else if (name === "report") this.bus.emit("command", { name, chatId: this.state?.chat?.chatId ?? null });
    else void this.export();
  }

  async export() {
    const { chat, entries } = this.state ?? {};
    if (!chat || !entries?.some((entry) => entry.kind === "turn"))
      return this.showError(this.t("commands.nothing"));
    (await loadLatePart(() => import("../chats/export.js"), this.t))?.openExport(this.t, chat.chatId);
  }

  /** Show an error. @param {string} problem "" hides it */
  showError(problem) {
    this.fault.textContent = problem;
    this.fault.hidden = problem === "";
  }

  // --- drafts --------------------------------------------------------------------------------------------------------

  /** Switch to another chat and its draft, unless something was typed meanwhile. @param {string} chatId */
  enter(chatId) {
    this.keep();
    this.chatId = chatId;
    const { lost } = this.state ?? {};
    const lostDraft =
      lost && lost.was !== "open" && lost.was !== "deleted" && lost.was !== "turn" && lost.chatId !== chatId
        ? readDraft(lost.chatId)
        : "";
    if (lostDraft && lost) keepDraft(lost.chatId, "");
    const draft = [this.field.value, this.carriedText].find(Boolean) || readDraft(chatId) || lostDraft;
    this.carriedText = "";
    if (draft !== this.field.value) this.write(draft);
    this.keep();
    this.completions.close();
  }

  /** Store the draft, with messages that the server never received. @param {string[]} [more] */
  keepUnsent(more = []) {
    const pending = (this.state?.pending ?? []).filter(({ state }) => state !== "sent");
    const texts = [...pending.map(({ content }) => content), ...more, this.field.value];
    window.clearTimeout(this.timer);
    if (this.chatId !== null) keepDraft(this.chatId, texts.filter(Boolean).join("\n\n"));
  }

  /** Leave the chat. */
  leave() {
    this.keepUnsent();
    this.chatId = null;
    if (this.field.value !== "") this.write("");
    window.clearTimeout(this.timer);
  }

  /** Start a new chat with the text of the field. */
  startChat() {
    this.carriedText = this.field.value;
    this.bus.emit("command", { name: "new-chat" });
  }

  keep() {
    window.clearTimeout(this.timer);
    if (this.chatId !== null) keepDraft(this.chatId, this.field.value);
  }

  /** Focus the field, except on touch devices, where the keyboard would open. */
  focus() {
    if (!window.matchMedia("(pointer: coarse)").matches && !document.querySelector("dialog:modal"))
      this.field.focus({ preventScroll: true });
  }

  /** Focus the field and append a text. @param {string} [text] */
  appendText(text) {
    if (text !== undefined) this.write([this.field.value.trimEnd(), text].filter(Boolean).join("\n\n"));
    this.focus();
  }

  stopRun() {
    if (this.running) this.bus.emit("send", { type: "cancel", runId: this.running.runId });
    this.field.focus();
  }

  /**
   * Recall older questions with the up arrow and newer ones with the down arrow while the field holds one of them.
   *
   * @param {KeyboardEvent} event
   */
  recall(event) {
    const text = this.field.value;
    if (text !== "" && text !== this.history.at(-this.recalled)) return;
    if (text === "") this.recalled = 0;
    const next = this.recalled + (event.key === "ArrowUp" ? 1 : -1);
    if (next < 0 || next > this.history.length) return;
    event.preventDefault();
    this.recalled = next;
    this.write(next === 0 ? "" : (this.history.at(-next) ?? ""));
  }

  /** @param {string} text */
  write(text) {
    this.field.value = text;
    this.typed();
    this.field.setSelectionRange(text.length, text.length);
  }

  /** @param {string} text @param {number} start @param {number} end */
  replace(text, start, end) {
    this.field.setRangeText(text, start, end, "end");
    this.typed();
  }

  typed() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.keep(), SAVE_DELAY);
    this.showError("");
    this.letGo();
    this.label();
    this.grow();
    this.completions.follow();
  }

  /** Set the height of the field to its text, up to the limit in CSS. */
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
   * Upload a pasted picture or file.
   *
   * @param {ClipboardEvent} event
   * @param {(files: Iterable<globalThis.File>) => void} add
   */
  pasted(event, add) {
    const files = filesOfPaste(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  }

  destroy() {
    this.keep();
    window.removeEventListener("pagehide", this.hide);
    this.unfollow();
  }
}

/**
 * Return the files of a paste. A spreadsheet adds a picture of its cells to their text: the text is used. A file
 * manager adds names to its files: the files are used.
 *
 * @param {DataTransfer | null} data
 */
export function filesOfPaste(data) {
  const files = [...(data?.files ?? [])];
  const text = data?.getData("text/plain").trim() ?? "";
  const names = text.split("\n").map((line) => line.trim().split("/").at(-1));
  return text === "" || files.every(({ name }) => names.includes(name)) ? files : [];
}
