/**
 * Updates of the list of chats: every two seconds while it is open, occasionally while another chat works, once after
 * the page has loaded, and never while the page is hidden. Changes by other tabs arrive at once.
 */

import { keep, recall } from "../core/storage.js";
import { isClosed } from "../core/runs.js";
import { listChats } from "./api.js";
import { onChange } from "./others.js";
import { withReadTime } from "./state.js";

/** @import { ChatsState, Command, DeskBus, DeskState, Message, Seen } from "../types.js" */
/** @import { ChatsFact } from "./state.js" */

const OPEN_INTERVAL = 2000;
const WORKING_INTERVAL = 5000;
const LOAD_DELAY = 1500;

export class ChatsWatch {
  /** @param {object} needs @param {DeskBus} needs.bus @param {() => DeskState} needs.state returns the page's state */
  constructor({ bus, state }) {
    this.bus = bus;
    this.state = state;
    this.timer = 0;
    /**
     * Requests in progress: the first page, and a further one; neither aborts the other.
     *
     * @type {{ first?: AbortController, further?: AbortController }}
     */
    this.requests = {};
    /** Whether the open chat is working. */
    this.works = false;
    /** End of this chat's last run, by the server's clock. @type {{ chatId: string, at: number } | null} */
    this.answered = null;
    /** Times of reading; null on the first visit until the server has sent its time. @type {Seen | null} */
    this.readTimes = null;
    this.onVisibility = () => this.visible();
    this.stored = (/** @type {StorageEvent} */ { key }) => {
      if (key === "smoldesk.seen") this.recall();
    };
    document.addEventListener("visibilitychange", this.onVisibility);
    window.addEventListener("storage", this.stored);
    this.undo = [
      bus.on("message", (message) => this.receiveMessage(message)),
      bus.on("state", ({ entries, pending }) => {
        this.works = pending.length > 0 || entries.some((entry) => entry.kind === "turn" && !isClosed(entry));
      }),
      bus.on("command", (command) => this.onCommand(command)),
      onChange((change) => this.changed(change)),
    ];
    this.recall();
    this.later(LOAD_DELAY);
  }

  /** @returns {ChatsState} */
  get chats() {
    return this.state().chats;
  }

  /** @param {ChatsFact} fact */
  take(fact) {
    this.bus.emit("fact", { type: "@chats", fact });
  }

  /** Set whether the list is open. @param {boolean} open */
  setOpen(open) {
    this.take({ type: "opened", open });
    if (!open) this.search("");
    if (!open && this.chats.archived) this.shelve(false);
    if (!open && this.chats.tag) this.filter("");
    if (open) void this.read();
    else this.plan();
  }

  /** @param {string} query */
  search(query) {
    if (query === this.chats.query) return;
    this.requests.further?.abort();
    this.take({ type: "searched", query });
    void this.read();
  }

  /** Show the archive, or the other chats. @param {boolean} archived */
  shelve(archived) {
    this.requests.further?.abort();
    this.take({ type: "shelved", archived });
    void this.read();
  }

  /** Show the chats with a tag, or all. @param {string} tag */
  filter(tag) {
    this.requests.further?.abort();
    this.take({ type: "filtered", tag });
    void this.read();
  }

  /** Load the next page, unless it is loading. */
  async further() {
    const { query, next } = this.chats;
    if (next !== null && !this.requests.further) await this.ask(query, next);
  }

  /** Load the list from the start. */
  async read() {
    window.clearTimeout(this.timer);
    await this.ask(this.chats.query, null);
    this.plan();
  }

  /** @param {string} query @param {string | null} before */
  async ask(query, before) {
    const which = before === null ? "first" : "further";
    this.requests[which]?.abort();
    const request = (this.requests[which] = new AbortController());
    try {
      const { page, at } = await listChats({ ...this.chats, query }, before, request.signal);
      if (this.readTimes === null) this.begin(at - performance.now() / 1000);
      this.take({ type: "listed", query, page, further: before !== null });
    } catch (fault) {
      if (request.signal.aborted || !(fault instanceof Error)) return;
      if (this.chats.open)
        this.take({ type: "fault", fault: fault instanceof TypeError ? "no_answer" : fault.message });
    } finally {
      if (this.requests[which] === request) delete this.requests[which];
    }
  }

  /**
   * Schedule the next update, if any. An update planned while a list was loading stays planned, because that list may
   * be older.
   */
  plan() {
    const { open, list } = this.chats;
    const here = this.state().chat?.chatId;
    const works = (list ?? []).some(({ id, state }) => id !== here && state !== "idle");
    if (open) this.later(OPEN_INTERVAL);
    else if (works) this.later(WORKING_INTERVAL);
  }

  /** @param {number} wait milliseconds */
  later(wait) {
    window.clearTimeout(this.timer);
    if (document.visibilityState === "visible") this.timer = window.setTimeout(() => this.read(), wait);
  }

  visible() {
    if (document.visibilityState !== "visible") return window.clearTimeout(this.timer);
    this.markRead();
    void this.read();
  }

  /** @param {Message} message */
  receiveMessage(message) {
    if (message.type !== "run" || message.timestamp === undefined || !isClosed(message.content)) return;
    const chatId = this.state().chat?.chatId;
    if (chatId === undefined) return;
    this.answered = { chatId, at: Date.parse(message.timestamp) / 1000 };
    this.markRead();
  }

  /** Read the stored times again: other tabs change them, too. */
  recall() {
    this.readTimes = readStoredTimes() ?? this.readTimes;
    if (this.readTimes) this.take({ type: "seen", seen: this.readTimes });
  }

  /**
   * Start on the browser's first visit: earlier answers are not news.
   *
   * @param {number} since time of the page's load, by the server's clock
   */
  begin(since) {
    this.readTimes = { since, chats: {} };
    keep("seen", JSON.stringify(this.readTimes));
    this.recall();
    this.markRead();
  }

  /** Store that the visible answer was read. */
  markRead() {
    const before = readStoredTimes() ?? this.readTimes;
    if (before === null || this.answered === null || document.visibilityState !== "visible") return;
    const { chatId, at } = this.answered;
    this.readTimes = withReadTime(before, chatId, at + 0.001); // the message has milliseconds, the list finer times
    if (this.readTimes.chats !== before.chats) keep("seen", JSON.stringify(this.readTimes));
    this.take({ type: "seen", seen: this.readTimes });
  }

  /** @param {Command} command */
  onCommand(command) {
    if (command.name === "submit") this.works = true;
    if (command.name !== "reset") return;
    this.answered = null;
    if (this.works) this.later(OPEN_INTERVAL); // the chat still works when it is left
    this.works = false;
  }

  /** @param {import("./others.js").Change} change */
  changed({ chatId, title, restored }) {
    if (chatId !== undefined && title !== undefined)
      this.bus.emit("fact", { type: "@titled", chatId, title });
    if (chatId !== undefined && restored) this.bus.emit("command", { name: "chat-restored", chatId });
    if (this.chats.open) void this.read();
  }

  destroy() {
    window.clearTimeout(this.timer);
    this.requests.first?.abort();
    this.requests.further?.abort();
    document.removeEventListener("visibilitychange", this.onVisibility);
    window.removeEventListener("storage", this.stored);
    for (const undo of this.undo) undo();
  }
}

/** Return the stored times. @returns {Seen | null} */
function readStoredTimes() {
  try {
    const { since, chats } = JSON.parse(recall("seen") ?? "");
    if (typeof since === "number" && typeof chats === "object" && chats !== null) return { since, chats };
  } catch {
    // nothing stored, or not valid
  }
  return null;
}
