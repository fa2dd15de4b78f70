/**
 * Store of the page's state. Every message and every fact of the page goes through `take`, which reduces it and emits
 * `message` at once and `state` at most once per frame, so that panes draw no more often than the screen. While a long
 * chat is replayed, panes wait for its end.
 */

import { resetChat, initialState, isFact, reduce, withInvalid } from "./state.js";

/** @import { DeskBus, Fact, Message } from "../types.js" */

/** Events of a replay below which each frame is drawn. */
const FEW_EVENTS = 200;
/** Milliseconds between two drawings of a longer replay: most turns only pass by. */
const REPLAY_PAUSE = 2000;
/** Milliseconds without a message after which a replay is over. */
const SILENCE = 500;

export class Desk {
  /** @param {DeskBus} bus */
  constructor(bus) {
    this.bus = bus;
    this.state = initialState();
    this.frame = 0;
    this.drawnAt = 0;
    this.takenAt = 0;
    /** Chat whose earlier messages have all arrived. */
    this.replayed = "";
    bus.on("fact", (fact) => this.take(fact));
    bus.on("command", ({ name }) => {
      if (name === "draw") this.schedule();
    });
  }

  /** @param {Message | Fact} message */
  take(message) {
    const next = this.reduceMessage(message);
    if (next === this.state) return;
    this.state = next;
    this.takenAt = performance.now();
    if (!isFact(message)) this.bus.emit("message", message);
    this.schedule();
  }

  /** Reduce a message; one that no reducer can handle only goes into the log. @param {Message | Fact} message */
  reduceMessage(message) {
    try {
      return reduce(this.state, message, Date.now());
    } catch (fault) {
      // one malformed message must not stop the later ones
      reportError(fault);
      return isFact(message) ? this.state : withInvalid(this.state, message, Date.now());
    }
  }

  /** Reset the state for another chat. */
  reset() {
    this.state = resetChat(this.state);
    this.bus.emit("command", { name: "reset" });
    this.schedule();
  }

  schedule() {
    if (this.frame !== 0) return;
    // panes draw once per frame, and not in a hidden tab
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      if (this.isReplaying(now) && now - this.drawnAt < REPLAY_PAUSE) return this.schedule();
      this.drawnAt = now;
      this.bus.emit("state", this.state);
    });
  }

  /** Check whether many messages are still arriving that the chat had when it was opened. @param {number} now */
  isReplaying(now) {
    const { chat, lastSeq } = this.state;
    if (chat === null || chat.chatId === this.replayed) return false;
    if ((chat.lastSeq ?? 0) - lastSeq > FEW_EVENTS && now - this.takenAt < SILENCE) return true;
    this.replayed = chat.chatId; // its last events may have no messages
    return false;
  }
}
