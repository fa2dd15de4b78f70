/**
 * Work that only a browser can do for a run: asks of the kind client_tool. Exactly one tab of a browser does each,
 * once.
 *
 * A tab takes the ask's lock, asks the server whether the ask is still open, does the work and answers, all under the
 * lock; the next tab with the lock finds the ask closed. A hidden tab lets visible tabs go first. If a tab is closed
 * during the work, the next tab with the lock does it, or the same tab after a reload.
 */

import { answerAsk, askIsOpen, Refusal } from "../core/api.js";

/** @import { AskContent, ClientOutcome, ClientTools, DeskBus, Message } from "../types.js" */

/** Milliseconds before the work of an ask starts. A replayed log closes old asks within this time. */
const START_DELAY = 150;
const HIDDEN_DELAY = 1500;
const TRY_AGAIN = 1000;

export class ClientWork {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {ClientTools} needs.tools tools of this page by name
   * @param {{ askIsOpen: typeof askIsOpen, answerAsk: typeof answerAsk }} [needs.server]
   */
  constructor({ bus, tools, server = { askIsOpen, answerAsk } }) {
    this.tools = tools;
    this.server = server;
    this.chatId = "";
    /** Jobs by ask, waiting or running; aborted when the ask closes. @type {Map<string, AbortController>} */
    this.jobs = new Map();
    this.undo = [bus.on("message", (message) => this.receiveMessage(message))];
  }

  /** @param {Message} message */
  receiveMessage(message) {
    if (message.type === "chat") this.chatId = message.content.chatId;
    else if (message.type === "ask_closed") this.jobs.get(message.content.askId)?.abort();
    else if (message.type === "ask" && message.content.kind === "client_tool") this.take(message.content);
  }

  /** @param {AskContent} ask */
  take(ask) {
    const tool = this.tools[ask.tool ?? ""];
    if (tool === undefined || this.jobs.has(ask.askId)) return; // another client may have the tool
    const job = new AbortController();
    this.jobs.set(ask.askId, job);
    const done = () => {
      this.jobs.delete(ask.askId);
    };
    const fault = (/** @type {unknown} */ error) => {
      if (!job.signal.aborted) reportError(error);
    };
    this.work(ask, tool, this.chatId, job.signal).catch(fault).finally(done);
  }

  /**
   * @param {AskContent} ask
   * @param {ClientTools[string]} tool
   * @param {string} chatId
   * @param {AbortSignal} closed
   */
  async work(ask, tool, chatId, closed) {
    await pause(document.visibilityState === "visible" ? START_DELAY : HIDDEN_DELAY, closed);
    if (closed.aborted) return;
    await withLock(`smoldesk.ask.${ask.askId}`, closed, async () => {
      if (!(await this.retryRequest(() => this.server.askIsOpen(chatId, ask.askId), closed))) return;
      const outcome = await tool(ask.arguments).catch(failedOutcome);
      const { begin, ...answer } = outcome;
      const counted = await this.retryRequest(async () => {
        await this.server.answerAsk(ask.askId, answer);
        return true;
      }, closed);
      if (counted) begin?.();
    });
  }

  /**
   * Repeat a request until the server answers or the ask is closed. Returns false if it is closed: by a message, or by
   * the server's 404 or 409.
   *
   * @param {() => Promise<boolean>} request
   * @param {AbortSignal} closed
   */
  async retryRequest(request, closed) {
    while (!closed.aborted) {
      try {
        return await request();
      } catch (fault) {
        if (fault instanceof Refusal && fault.status >= 400 && fault.status < 500) return false;
        await pause(TRY_AGAIN, closed);
      }
    }
    return false;
  }

  destroy() {
    for (const undo of this.undo) undo();
    for (const job of this.jobs.values()) job.abort();
  }
}

/**
 * Run a function while no other tab of this browser does the same. Insecure pages have no Web Locks: there the server
 * decides, and the first answer counts.
 *
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} act
 */
async function withLock(name, signal, act) {
  if (navigator.locks) await navigator.locks.request(name, { signal }, act);
  else await act();
}

/** Wait. @param {number} milliseconds @param {AbortSignal} signal ends it early @returns {Promise<void>} */
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    window.setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** @param {unknown} fault @returns {ClientOutcome} */
function failedOutcome(fault) {
  reportError(fault);
  return { granted: false, reason: "The page could not do it" };
}
