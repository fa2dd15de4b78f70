/**
 * Host side of MCP Apps (2026-01-26) for one view: it answers requests or refuses them with protocol errors, and sends
 * the input and the result of the call. The card asks the person.
 */

/** @import { JsonValue, McpApp } from "../types.js" */
/** @import { Rpc } from "./frame.js" */

export const VERSION = "2026-01-26";
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INVALID_REQUEST = -32600;
const REFUSED = -32000;
const MAX_TEXT = 10_000;
const LONGEST_LINK = 2_000;
const MOST_CALLS = 4;

/** Request that is answered with an error of the protocol. */
export class RpcFault extends Error {
  /** @param {string} message @param {number} [code] */
  constructor(message, code = REFUSED) {
    super(message);
    this.code = code;
  }
}

/**
 * Services of the card for a view. Each throws if it refuses.
 *
 * @typedef {object} Services
 * @property {() => Record<string, unknown>} context
 * @property {() => { csp?: unknown }} sandbox
 * @property {(tool: string, input: Record<string, JsonValue>) => Promise<unknown>} call
 * @property {(uri: string) => Promise<unknown>} read
 * @property {(url: string) => Promise<void>} open
 * @property {(text: string) => Promise<void>} write
 * @property {(mode: string) => string} display
 * @property {(height: number) => void} size
 * @property {(level: string, text: string) => void} log
 * @property {(modes: string[] | null) => void} ready
 * @property {() => void} leave
 */

export class AppHost {
  /** @param {(message: Rpc) => void} send @param {Services} services */
  constructor(send, services) {
    this.send = send;
    this.services = services;
    this.isInitialized = false;
    this.isReady = false;
    this.calls = 0;
    /** @type {Record<string, JsonValue> | null} */
    this.input = null;
    /** @type {{ method: string, params: unknown } | null} */
    this.ending = null;
    this.sent = { input: false, ending: false };
  }

  /** Send the arguments of the call that the view belongs to. @param {Record<string, JsonValue>} input */
  begin(input) {
    this.input = input;
    this.notifyPending();
  }

  /**
   * Send the end of the call: an MCP result, or the reason why there is none.
   *
   * @param {{ result: unknown } | { reason: string }} outcome
   */
  end(outcome) {
    this.ending ??=
      "result" in outcome
        ? { method: "ui/notifications/tool-result", params: outcome.result }
        : { method: "ui/notifications/tool-cancelled", params: { reason: outcome.reason } };
    this.notifyPending();
  }

  notifyPending() {
    if (!this.isReady || this.input === null) return;
    if (!this.sent.input) this.notify("ui/notifications/tool-input", { arguments: this.input });
    this.sent.input = true;
    if (this.ending === null || this.sent.ending) return;
    this.sent.ending = true;
    this.notify(this.ending.method, this.ending.params);
  }

  /** Send a changed context. @param {Record<string, unknown>} context the changed fields */
  changed(context) {
    if (this.isReady) this.notify("ui/notifications/host-context-changed", context);
  }

  teardown() {
    if (this.isReady)
      this.send({ jsonrpc: "2.0", id: "teardown", method: "ui/resource-teardown", params: {} });
  }

  /** @param {string} method @param {any} params */
  notify(method, params) {
    this.send({ jsonrpc: "2.0", method, params });
  }

  /** @param {Rpc} message */
  take({ id, method, params = {} }) {
    if (method === undefined) return; // a response, such as that to teardown: nothing waits for it
    if (id === undefined) this.receiveNotification(method, params);
    else void this.answer(id, method, params);
  }

  /** @param {string} method @param {Record<string, any>} params */
  receiveNotification(method, params) {
    switch (method) {
      case "ui/notifications/initialized":
        if (!this.isInitialized || this.isReady) return;
        this.isReady = true;
        this.notifyPending();
        return;
      case "ui/notifications/size-changed":
        if (Number.isFinite(params.height)) this.services.size(params.height);
        return;
      case "ui/notifications/request-teardown":
        this.services.leave();
        return;
      case "notifications/message":
        this.services.log(typeof params.level === "string" ? params.level : "info", short(params.data));
    }
  }

  /** @param {string | number} id @param {string} method @param {Record<string, any>} params */
  async answer(id, method, params) {
    try {
      this.send({ jsonrpc: "2.0", id, result: await this.result(method, params) });
    } catch (fault) {
      const code = fault instanceof RpcFault ? fault.code : REFUSED;
      this.send({
        jsonrpc: "2.0",
        id,
        error: { code, message: fault instanceof Error ? fault.message : String(fault) },
      });
    }
  }

  /** @param {string} method @param {Record<string, any>} params @returns {unknown} */
  result(method, params) {
    if (method === "ping") return {};
    if (method === "ui/initialize") return this.initialize(params);
    if (!this.isInitialized) throw new RpcFault("ui/initialize comes first", INVALID_REQUEST);
    switch (method) {
      case "tools/call":
        if (typeof params.name !== "string" || !isObject(params.arguments ?? {}))
          throw new RpcFault("Expected name and arguments", INVALID_PARAMS);
        return this.bounded(() => this.services.call(params.name, params.arguments ?? {}));
      case "resources/read":
        if (typeof params.uri !== "string") throw new RpcFault("Expected uri", INVALID_PARAMS);
        return this.bounded(() => this.services.read(params.uri));
      case "ui/open-link":
        return this.services.open(link(params.url)).then(() => ({}));
      case "ui/message":
        return this.services.write(messageText(params)).then(() => ({}));
      case "ui/request-display-mode":
        return { mode: this.services.display(String(params.mode)) };
      default:
        throw new RpcFault(`Method not found: ${method.slice(0, 100)}`, METHOD_NOT_FOUND);
    }
  }

  /** @param {Record<string, any>} params */
  initialize({ appCapabilities }) {
    if (this.isInitialized) throw new RpcFault("It is initialized already", INVALID_REQUEST);
    this.isInitialized = true;
    const modes = appCapabilities?.availableDisplayModes;
    this.services.ready(Array.isArray(modes) ? modes.map(String) : null);
    return {
      protocolVersion: VERSION,
      hostInfo: { name: "smoldesk", version: "2.0" },
      hostCapabilities: {
        openLinks: {},
        serverTools: {},
        serverResources: {},
        logging: {},
        message: { text: {} },
        sandbox: this.services.sandbox(),
      },
      hostContext: this.services.context(),
    };
  }

  /** @param {() => Promise<unknown>} work */
  async bounded(work) {
    if (this.calls >= MOST_CALLS) throw new RpcFault(`More than ${MOST_CALLS} requests are under way`);
    this.calls += 1;
    try {
      return await work();
    } finally {
      this.calls -= 1;
    }
  }
}

/** @param {unknown} value @returns {value is Record<string, JsonValue>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Return an address that may be opened. Addresses of the desk, and those with user info
 * (https://a.com@b.com), are refused.
 *
 * @param {unknown} url
 */
function link(url) {
  try {
    const { protocol, href, origin, username, password } = new URL(String(url));
    const isPlain = !username && !password && href.length <= LONGEST_LINK && origin !== location.origin;
    if (isPlain && (protocol === "https:" || protocol === "http:")) return href;
  } catch {
    // reported below
  }
  throw new RpcFault("Expected a web address", INVALID_PARAMS);
}

/** Return the text of a message for the chat. @param {Record<string, any>} params */
function messageText({ role = "user", content }) {
  const blocks = Array.isArray(content) ? content : [content];
  const isText =
    role === "user" &&
    blocks.length > 0 &&
    blocks.every((block) => isObject(block) && block.type === "text" && typeof block.text === "string");
  const text = isText
    ? blocks
        .map(({ text: block }) => block)
        .join("\n\n")
        .trim()
    : "";
  if (!text || text.length > MAX_TEXT)
    throw new RpcFault(`Expected a user's text of at most ${MAX_TEXT} characters`, INVALID_PARAMS);
  return text;
}

/** @param {unknown} data */
const short = (data) => (typeof data === "string" ? data : (JSON.stringify(data) ?? "")).slice(0, 500);
