/**
 * Plays messages into the page's state: forwards one by one or as fast as they were, backwards from a state that was kept.
 * `at` counts the messages that are shown. Nothing but what a plan is named by hears of a message: no work is done again.
 */

/** @import { DeskBus, DeskState, Message, Placed } from "../types.js" */
/** @import { Desk } from "../page/store.js" */

const KEPT_EVERY = 200;
/** Milliseconds a pause of the chat lasts at most. */
const LONGEST_PAUSE = 1500;

export const SPEEDS = /** @type {const} */ ([1, 2, 10]);

export class ReplayPlayer {
  /**
   * @param {DeskBus} bus
   * @param {Desk} desk
   * @param {() => void} changed
   */
  constructor(bus, desk, changed) {
    this.bus = bus;
    this.desk = desk;
    this.changed = changed;
    /** @type {Message[]} */
    this.messages = [];
    /** Where each turn begins. @type {number[]} */
    this.turns = [];
    /** States by how many messages they are of. @type {Map<number, DeskState>} */
    this.states = new Map();
    this.at = 0;
    /** @type {number} */
    this.speed = 1;
    this.timer = 0;
  }

  get playing() {
    return this.timer !== 0;
  }

  /** @param {Message[]} more */
  add(more) {
    for (const message of more) {
      if (message.type === "user_message") this.turns.push(this.messages.length);
      this.messages.push(message);
    }
    this.changed();
  }

  /** Show so many messages, and no more. @param {number} target */
  seek(target) {
    const at = Math.max(0, Math.min(this.messages.length, Math.round(target)));
    if (at < this.at) this.back(at);
    while (this.at < at) this.feed();
    this.desk.schedule();
    this.changed();
  }

  /** Go back to the nearest state that was kept, and leave what is not the chat's as it is. @param {number} at */
  back(at) {
    const from = Math.floor(at / KEPT_EVERY) * KEPT_EVERY;
    this.desk.reset();
    this.bus.emit("state", this.desk.state); // panes let go of what they drew: they only ever see a log grow
    const now = this.desk.state;
    const state = this.states.get(from);
    const { connection, stepsOpen, openAsks, talk, chats } = now;
    this.desk.state = state
      ? { ...state, connection, stepsOpen, openAsks, talk, chats, room: now.room }
      : now;
    this.at = state ? from : 0;
  }

  feed() {
    const message = this.messages[this.at];
    if (message === undefined) return;
    if (this.at % KEPT_EVERY === 0) this.states.set(this.at, this.desk.state);
    this.at += 1;
    this.desk.state = this.desk.reduced(message);
    if (message.type === "map_definition") this.bus.emit("message", message);
  }

  /** @param {number} by messages, or turns */
  step(by) {
    this.pause();
    this.seek(this.at + by);
  }

  /** The question before or after. @param {1 | -1} direction */
  turn(direction) {
    this.pause();
    const starts = this.turns.map((turn) => turn + 1);
    const next =
      direction > 0 ? starts.find((turn) => turn > this.at) : starts.findLast((turn) => turn < this.at);
    this.seek(next ?? (direction > 0 ? this.messages.length : 0));
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.at >= this.messages.length) this.seek(0);
    this.wait();
    this.changed();
  }

  pause() {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.changed();
  }

  /** @param {number} speed */
  hasten(speed) {
    this.speed = speed;
    if (!this.playing) return this.changed();
    window.clearTimeout(this.timer);
    this.wait();
  }

  /** What comes at one moment is shown at once. */
  wait() {
    this.timer = window.setTimeout(() => {
      do this.feed();
      while (this.at < this.messages.length && this.pauseBefore() === 0);
      this.desk.schedule();
      if (this.at >= this.messages.length) return this.pause();
      this.wait();
      this.changed();
    }, this.pauseBefore() / this.speed);
  }

  /** Milliseconds between the message that is shown and the next. */
  pauseBefore() {
    const [current, next] = [this.messages[this.at - 1], this.messages[this.at]].map((message) =>
      Date.parse(/** @type {Placed} */ (message)?.timestamp ?? ""),
    );
    const pause = Number(next) - Number(current);
    return pause > 0 ? Math.min(LONGEST_PAUSE, pause) : 0;
  }

  destroy() {
    window.clearTimeout(this.timer);
  }
}
