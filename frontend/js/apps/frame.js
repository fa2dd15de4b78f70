/**
 * Frame of a view, and its messages. The view's page is untrusted: the sandbox attribute and its response headers put
 * it into an opaque origin. The host accepts only messages of this window, as JSON-RPC, of limited size and rate; a
 * view that floods the host or leaves its page is closed.
 */

import { FocusGuard } from "./attention.js";
import { el } from "../core/dom.js";

/** Must match wires/security/app_frames.py. */
const SANDBOX = "allow-scripts allow-forms";
const MAX_LENGTH = 2_000_000;
/** Burst of messages, and messages per second after it. */
const BURST = 200;
const RATE = 50;
/** Messages over the rate that are dropped before the view is closed. */
const MAX_DROPPED = 500;

/** @typedef {"flood" | "left" | "focus"} Ending */
/**
 * @typedef {{ jsonrpc: "2.0", id?: string | number, method?: string, params?: Record<string, any>, result?: unknown,
 *   error?: unknown }} Rpc
 */

/**
 * Check whether a browser confines a view to its declared hosts. A content security policy does not cover WebRTC and
 * preconnects; Connection-Allowlist does, in Chromium since this version.
 *
 * @param {string} agent navigator.userAgent
 */
export const confinesViews = (agent) => Number(/Chrome\/(\d+)/.exec(agent)?.[1] ?? 0) >= ALLOWLIST_VERSION;
const ALLOWLIST_VERSION = 152;

export class AppFrame {
  /**
   * @param {string} title
   * @param {string} url
   * @param {(message: Rpc) => void} receive
   * @param {(ending: Ending) => void} closed
   */
  constructor(title, url, receive, closed) {
    this.receive = receive;
    this.closed = closed;
    this.budget = BURST;
    this.dropped = 0;
    this.at = performance.now();
    this.loads = 0;
    this.dom = el("iframe", {
      class: "app-frame",
      title,
      sandbox: SANDBOX,
      allow: "",
      referrerpolicy: "no-referrer",
      src: url,
      on: { load: () => this.loaded() },
    });
    this.onMessage = (/** @type {MessageEvent} */ event) => this.receiveMessage(event);
    window.addEventListener("message", this.onMessage);
    this.guard = new FocusGuard(this.dom, () => this.end("focus"));
  }

  loaded() {
    this.loads += 1;
    // a second load: the view navigated away from its page
    if (this.loads > 1) this.end("left");
  }

  /** @param {MessageEvent} event */
  receiveMessage({ source, origin, data }) {
    // an opaque origin is serialised as "null"; other frames have it too, so the window decides
    if (source === null || source !== this.dom.contentWindow || origin !== "null") return;
    if (!this.mayCome()) return;
    const message = checked(data);
    if (message) this.receive(message);
  }

  /** Check the rate of messages with a token bucket. */
  mayCome() {
    const now = performance.now();
    this.budget = Math.min(BURST, this.budget + ((now - this.at) / 1000) * RATE);
    this.at = now;
    if (this.budget >= 1) {
      this.budget -= 1;
      return true;
    }
    this.dropped += 1;
    if (this.dropped > MAX_DROPPED) this.end("flood");
    return false;
  }

  /**
   * Send a message. The frame's origin is opaque, so the target origin is "*"; the window is the frame's own.
   *
   * @param {Rpc} message
   */
  send(message) {
    this.dom.contentWindow?.postMessage(message, "*");
  }

  /** @param {Ending} ending */
  end(ending) {
    this.destroy();
    this.closed(ending);
  }

  destroy() {
    window.removeEventListener("message", this.onMessage);
    this.guard.destroy();
    this.dom.remove();
  }
}

/** Parse a message. @param {unknown} data @returns {Rpc | null} null if it is not JSON-RPC or too large */
export function checked(data) {
  if (typeof data !== "object" || data === null) return null;
  const { jsonrpc, id, method, params } = /** @type {Rpc} */ (data);
  if (jsonrpc !== "2.0") return null;
  if (id !== undefined && typeof id !== "string" && !Number.isFinite(id)) return null;
  if (method !== undefined && typeof method !== "string") return null;
  if (method === undefined && id === undefined) return null;
  if (params !== undefined && (typeof params !== "object" || params === null || Array.isArray(params)))
    return null;
  try {
    return JSON.parse(JSON.stringify(data, bounded())); // throws for values that JSON cannot represent
  } catch {
    return null;
  }
}

/**
 * Return a replacer for JSON.stringify that stops early. An array with a length and no entries, or a byte array, costs
 * its sender nothing and takes seconds to serialise.
 */
function bounded() {
  let remaining = MAX_LENGTH;
  return (/** @type {string} */ key, /** @type {unknown} */ value) => {
    remaining -= key.length + 1 + (typeof value === "string" || Array.isArray(value) ? value.length : 0);
    if (remaining < 0 || ArrayBuffer.isView(value)) throw new RangeError("too large, or no JSON");
    return value;
  };
}
