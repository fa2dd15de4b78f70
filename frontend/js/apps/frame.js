/**
 * The frame of a view, and what comes out of it. Its page is a stranger's: sandboxed into an origin of its own, by this
 * attribute and by the headers it is served with. Nothing it says is believed but where it came from: messages of this very
 * window, in the form of JSON-RPC, not too large, and not too many; a view that floods, or that leaves its page, is closed.
 */

import { FocusGuard } from "./attention.js";
import { el } from "../core/dom.js";

/** Also in wires/security/app_frames.py. */
const SANDBOX = "allow-scripts allow-forms";
const LARGEST = 2_000_000;
/** Messages at once, and further ones a second. */
const BURST = 200;
const A_SECOND = 50;
/** Those over the rate that are dropped before the view is closed. */
const MOST_DROPPED = 500;

/** @typedef {"flood" | "left" | "focus"} Ending */
/** @typedef {{ jsonrpc: "2.0", id?: string | number, method?: string, params?: Record<string, any>, result?: unknown, error?: unknown }} Rpc */

/**
 * Whether a browser keeps a view from all it was not let reach: what a content security policy knows nothing of (WebRTC,
 * connections made ahead) is kept in by Connection-Allowlist alone, and that by Chromium since this version.
 *
 * @param {string} agent navigator.userAgent
 */
export const keepsFrameState = (agent) => Number(/Chrome\/(\d+)/.exec(agent)?.[1] ?? 0) >= KEEPS_IN;
const KEEPS_IN = 152;

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
    if (this.loads > 1) this.end("left");
  }

  /** @param {MessageEvent} event */
  receiveMessage({ source, origin, data }) {
    if (source === null || source !== this.dom.contentWindow || origin !== "null") return;
    if (!this.mayCome()) return;
    const message = checked(data);
    if (message) this.receive(message);
  }

  /** A bucket of messages that fills again with time. */
  mayCome() {
    const now = performance.now();
    this.budget = Math.min(BURST, this.budget + ((now - this.at) / 1000) * A_SECOND);
    this.at = now;
    if (this.budget >= 1) {
      this.budget -= 1;
      return true;
    }
    this.dropped += 1;
    if (this.dropped > MOST_DROPPED) this.end("flood");
    return false;
  }

  /** @param {Rpc} message its origin has no name, so there is none to send it to alone; the window is the frame's */
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

/** @param {unknown} data @returns {Rpc | null} null for what is no message of JSON-RPC, or too large for one */
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
    return JSON.parse(JSON.stringify(data, bounded())); // what JSON cannot say is no message
  } catch {
    return null;
  }
}

/** A replacer that throws early: an array of a size and no entries, or of bytes, costs its sender nothing, and writing it out seconds. */
function bounded() {
  let remaining = LARGEST;
  return (/** @type {string} */ key, /** @type {unknown} */ value) => {
    remaining -= key.length + 1 + (typeof value === "string" || Array.isArray(value) ? value.length : 0);
    if (remaining < 0 || ArrayBuffer.isView(value)) throw new RangeError("too large, or no JSON");
    return value;
  };
}
