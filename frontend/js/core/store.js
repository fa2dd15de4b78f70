/**
 * Holds the state of the page. Every message and every fact of the page goes through `take`, which reduces it and
 * tells the bus: `message` at once, `state` at most once per frame, so that no pane draws more often than it is seen.
 */

import { initialState, reduce } from "./state.js";

/** @import { DeskBus, Fact, Message } from "../types.js" */

export class Desk {
  /** @param {DeskBus} bus */
  constructor(bus) {
    this.bus = bus;
    this.state = initialState();
    this.frame = 0;
  }

  /** @param {Message | Fact} message */
  take(message) {
    const next = reduce(this.state, message);
    const placed = !message.type.startsWith("@");
    const repeated = placed && "seq" in message && message.seq !== undefined && next === this.state;
    if (repeated) return;
    const changed = next !== this.state;
    this.state = next;
    if (placed) this.bus.emit("message", /** @type {Message} */ (message));
    if (changed) this.schedule();
  }

  /** Forget everything: another chat comes. */
  reset() {
    this.state = { ...initialState(), connection: this.state.connection };
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
