/**
 * Stream of server-sent events that is open only while the page is visible. Browsers allow few connections per server,
 * and hidden tabs must not hold them. The listener learns of each reopening, because it has to read the events that it
 * missed.
 */

import { reconnectDelay } from "./socket.js";
import { linked } from "./session.js";

export class LiveEvents {
  /**
   * @param {object} needs
   * @param {() => string} needs.address called for each attempt
   * @param {string[]} needs.names names of the events
   * @param {(name: string, data: any) => void} needs.onEvent
   * @param {() => void} needs.onReopened called when the stream opens again; with `fromStart` also when it opens first,
   *   because data read earlier may be stale
   * @param {boolean} [needs.fromStart]
   * @param {() => void} [needs.onRefused] called when the server refuses; a later attempt follows
   */
  constructor({ address, names, onEvent, onReopened, fromStart = false, onRefused = () => {} }) {
    this.address = address;
    this.names = names;
    this.onEvent = onEvent;
    this.onReopened = onReopened;
    this.onRefused = onRefused;
    /** @type {EventSource | null} */
    this.source = null;
    this.attempt = 0;
    this.timer = 0;
    this.before = fromStart;
    this.opening = false;
    this.destroyed = false;
    this.onVisibility = () => {
      if (document.visibilityState === "visible") void this.open();
      else this.close();
    };
    document.addEventListener("visibilitychange", this.onVisibility);
    this.onVisibility();
  }

  async open() {
    if (this.source !== null || this.opening) return;
    window.clearTimeout(this.timer);
    this.opening = true;
    const address = await linked(this.address());
    this.opening = false;
    if (this.destroyed || document.visibilityState !== "visible") return;
    const source = new EventSource(address);
    this.source = source;
    source.addEventListener("open", () => this.opened());
    source.addEventListener("error", () => this.lost(source));
    for (const name of this.names)
      source.addEventListener(name, (event) =>
        this.onEvent(name, JSON.parse(/** @type {MessageEvent} */ (event).data)),
      );
  }

  opened() {
    this.attempt = 0;
    if (this.before) this.onReopened();
    this.before = true;
  }

  /**
   * Reconnect with growing delays if the server refused. After other errors the browser reconnects on its own.
   *
   * @param {EventSource} source
   */
  lost(source) {
    // EventSource reconnects by itself after a network error, but closes for good after an HTTP error
    if (source !== this.source || source.readyState !== EventSource.CLOSED) return;
    this.close();
    this.timer = window.setTimeout(() => this.onVisibility(), reconnectDelay(this.attempt, Math.random()));
    this.attempt += 1;
    this.onRefused();
  }

  close() {
    window.clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  destroy() {
    this.destroyed = true;
    document.removeEventListener("visibilitychange", this.onVisibility);
    this.close();
  }
}
