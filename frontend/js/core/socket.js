/**
 * WebSocket to the server: connects, reconnects after a drop and passes on each message. It stores nothing; after a
 * reconnect the server sends missed messages, from the `after` in its URL. After a sleep of the machine or of the tab it
 * reconnects by itself: its socket may be dead and look open for many minutes.
 */

import { takeFirst } from "./first-socket.js";
import { checkSession, socketProtocols } from "./session.js";

/** @import { Connection, ClientFrame, Message } from "../types.js" */

const MAX_WAIT = 15_000;
const CONNECT_TIMEOUT = 10_000;
const TICK = 15_000;
/** Milliseconds between two ticks that mean a sleep; those of a hidden tab are a minute apart. */
const SLEEP = 120_000;

/**
 * Return the milliseconds before the next attempt: at most 1.5 s first, doubling up to 15 s. The random part keeps many
 * pages from reconnecting to a restarted server at once.
 *
 * @param {number} attempt 0 for the first after a drop
 * @param {number} chance from 0 to 1
 */
export function reconnectDelay(attempt, chance) {
  return Math.min(MAX_WAIT, 1500 * 2 ** attempt) * (0.5 + chance / 2);
}

export class Wire {
  /**
   * @param {object} needs
   * @param {() => string} needs.address called for each attempt
   * @param {(message: Message) => void} needs.receive
   * @param {(connection: Connection) => void} needs.onConnection
   */
  constructor({ address, receive, onConnection }) {
    this.address = address;
    this.receive = receive;
    this.onConnection = onConnection;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.attempt = 0;
    this.timer = 0;
    this.deadline = 0;
    this.tick = Date.now();
    this.clock = 0;
    this.wake = () => {
      this.watch();
      if (document.visibilityState === "visible" && this.socket === null) this.open();
    };
    window.addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
  }

  /** Reconnect after a sleep. */
  watch() {
    const slept = Date.now() - this.tick > SLEEP;
    this.tick = Date.now();
    if (slept && this.socket !== null) this.lost(this.socket);
  }

  /** Connect now and drop any earlier connection. */
  open() {
    this.drop();
    this.clock ||= window.setInterval(() => this.watch(), TICK);
    this.onConnection("connecting");
    const address = this.address();
    const first = takeFirst(address);
    const socket = first?.socket ?? new WebSocket(address, socketProtocols());
    this.socket = socket;
    // a network that drops packets can leave a socket connecting for minutes
    this.deadline = window.setTimeout(() => this.lost(socket), CONNECT_TIMEOUT);
    socket.addEventListener("open", () => this.opened(socket));
    socket.addEventListener("message", ({ data }) => this.receiveData(socket, data));
    socket.addEventListener("close", () => this.lost(socket));
    // start.js's socket may have opened before the listeners were added
    if (socket.readyState === WebSocket.OPEN) this.opened(socket);
    for (const data of first?.messages ?? []) this.receiveData(socket, data);
  }

  /** Send a frame if the socket is open, and return whether it was sent. @param {ClientFrame} frame */
  send(frame) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Close the socket for good. */
  destroy() {
    this.drop();
    window.clearInterval(this.clock);
    window.removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
  }

  /** @param {WebSocket} socket */
  opened(socket) {
    if (socket !== this.socket) return;
    window.clearTimeout(this.deadline);
    this.onConnection("open");
  }

  /**
   * @param {WebSocket} socket
   * @param {unknown} data
   */
  receiveData(socket, data) {
    // events of a dropped socket may still arrive
    if (socket !== this.socket || typeof data !== "string") return;
    this.attempt = 0;
    for (const line of data.split("\n")) {
      if (socket !== this.socket) return; // a line before moved the page to another chat
      this.receiveLine(line);
    }
  }

  /** @param {string} line */
  receiveLine(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch (fault) {
      console.error("A message that is not JSON was left out.", fault);
      return;
    }
    if (typeof message?.type === "string" && !message.type.startsWith("@")) this.receive(message);
  }

  /** @param {WebSocket} socket */
  lost(socket) {
    if (socket !== this.socket) return;
    this.drop();
    this.onConnection("closed");
    checkSession();
    this.timer = window.setTimeout(() => this.open(), reconnectDelay(this.attempt, Math.random()));
    this.attempt += 1;
  }

  drop() {
    window.clearTimeout(this.timer);
    window.clearTimeout(this.deadline);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
