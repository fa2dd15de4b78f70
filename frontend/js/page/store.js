/**
 * Store of the page's state. Every message and every fact of the page goes through `take`, which reduces it and emits
 * `message` at once and `state` at most once per frame, so that panes draw no more often than the screen.
 */

import { resetChat, initialState, isFact, reduce, withInvalid } from "./state.js";

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
    const next = this.reduceMessage(message);
    if (next === this.state) return;
    this.state = next;
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
    // a replay brings thousands of messages: panes draw once per frame, and not in a hidden tab
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.bus.emit("state", this.state);
    });
  }
}
