/**
 * A stream of server-sent events that is open while somebody can see the page: a browser has few connections to a server, and
 * hidden tabs must not hold them. Whoever listens is told each time it opens, for what happened meanwhile has to be read.
 */

import { waitBefore } from "./socket.js";
import { linked } from "./session.js";

export class LiveEvents {
  /**
   * @param {object} needs
   * @param {() => string} needs.address asked anew for each attempt
   * @param {string[]} needs.names of the events to hear
   * @param {(name: string, data: any) => void} needs.onEvent
   * @param {() => void} needs.onReopened it is open again after it was closed; with `fromStart` also when it is open for the first
   *   time, for what was read before may have changed by then
   * @param {boolean} [needs.fromStart]
   * @param {() => void} [needs.onRefused] the server will not have it now; it is asked again later
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
      else this.shut();
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

  /** The browser tries again by itself unless the server refused; then we do, later and later. @param {EventSource} source */
  lost(source) {
    if (source !== this.source || source.readyState !== EventSource.CLOSED) return;
    this.shut();
    this.timer = window.setTimeout(() => this.onVisibility(), waitBefore(this.attempt, Math.random()));
    this.attempt += 1;
    this.onRefused();
  }

  shut() {
    window.clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  destroy() {
    this.destroyed = true;
    document.removeEventListener("visibilitychange", this.onVisibility);
    this.shut();
  }
}
