/**
 * Player of messages into the page's state: forwards one by one or at the original speed, backwards from a stored
 * state. `at` is the number of shown messages. Only the names of floors listen to the messages, so no work is done
 * again.
 */

/** @import { DeskBus, DeskState, Message, Placed } from "../types.js" */
/** @import { Desk } from "../page/store.js" */

const STATE_INTERVAL = 200;
/** Maximum milliseconds of a pause in the chat. */
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
    /** Start of each turn. @type {number[]} */
    this.turns = [];
    /** Stored states by number of messages. @type {Map<number, DeskState>} */
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

  /** Show the first `target` messages. @param {number} target */
  seek(target) {
    const at = Math.max(0, Math.min(this.messages.length, Math.round(target)));
    if (at < this.at) this.back(at);
    while (this.at < at) this.feed();
    this.desk.schedule();
    this.changed();
  }

  /** Return to the nearest stored state, without changing what is not the chat's. @param {number} at */
  back(at) {
    const from = Math.floor(at / STATE_INTERVAL) * STATE_INTERVAL;
    this.desk.reset();
    this.bus.emit("state", this.desk.state); // panes only handle a growing log: the empty state makes them reset
    const now = this.desk.state;
    const snapshot = this.states.get(from);
    const { connection, stepsOpen, openAsks, talk, chats } = now;
    this.desk.state = snapshot
      ? { ...snapshot, connection, stepsOpen, openAsks, talk, chats, room: now.room }
      : now;
    this.at = snapshot ? from : 0;
  }

  feed() {
    const message = this.messages[this.at];
    if (message === undefined) return;
    if (this.at % STATE_INTERVAL === 0) this.states.set(this.at, this.desk.state);
    this.at += 1;
    this.desk.state = this.desk.reduceMessage(message);
    if (message.type === "map_definition") this.bus.emit("message", message);
  }

  /** Step. @param {number} by messages, or turns */
  step(by) {
    this.pause();
    this.seek(this.at + by);
  }

  /** Go to the previous or next question. @param {1 | -1} direction */
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
  setSpeed(speed) {
    this.speed = speed;
    if (!this.playing) return this.changed();
    window.clearTimeout(this.timer);
    this.wait();
  }

  /** Schedule the next messages. Those of one moment are shown at once. */
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

  /** Return the milliseconds between the current message and the next. */
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
