/**
 * Holds the state of the page. Every message and every fact of the page goes through `take`, which reduces it and
 * tells the bus: `message` at once, `state` at most once per frame, so that no pane draws more often than it is seen.
 */

import { resetChat, initialState, isFact, reduce, unread } from "./state.js";

/** @import { DeskBus, Fact, Message } from "../types.js" */

export class Desk {
  /** @param {DeskBus} bus */
  constructor(bus) {
    this.bus = bus;
    this.state = initialState();
    this.frame = 0;
    bus.on("fact", (fact) => this.take(fact));
    bus.on("command", ({ name }) => {
      if (name === "draw") this.schedule();
    });
  }

  /** @param {Message | Fact} message */
  take(message) {
    const next = this.reduced(message);
    if (next === this.state) return;
    this.state = next;
    if (!isFact(message)) this.bus.emit("message", message);
    this.schedule();
  }

  /** A message of a shape that no reducer expects is in the log, and changes nothing else. @param {Message | Fact} message */
  reduced(message) {
    try {
      return reduce(this.state, message, Date.now());
    } catch (fault) {
      reportError(fault);
      return isFact(message) ? this.state : unread(this.state, message, Date.now());
    }
  }

  /** Forget everything: another chat comes. */
  reset() {
    this.state = resetChat(this.state);
    this.bus.emit("command", { name: "reset" });
    this.schedule();
  }

  schedule() {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.bus.emit("state", this.state);
    });
  }
}
