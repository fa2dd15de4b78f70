/**
 * A ChatTransport over one socket that stays open, for `WS /live`.
 *
 * The client's side of the deadlock's cure: the server goes on with a turn only when it is answered, and a chat sends
 * nothing while it streams. So at the step's end after an approval request the local stream is closed, not the socket; the
 * chat becomes ready, sends the answer, and what comes then belongs to the stream of that send.
 */
import WebSocket from "ws";

const OPEN_SECONDS = 10;
const EVENT_END = "\n\n";

export class LiveTransport {
  /** @type {WebSocket | undefined} */
  #socket;
  /** @type {ReadableStreamDefaultController | undefined} the stream the chat reads now */
  #reader;
  /** @type {any[]} chunks that came while the chat read no stream */
  #early = [];
  #approvalAsked = false;
  /** @type {import("./record.mjs").Exchange | undefined} */
  #exchange;

  /**
   * @param {object} options
   * @param {string} options.url ws://...
   * @param {import("./record.mjs").Record} options.record
   * @param {"flat" | "nested"} [options.envelope] `{type, messages, ...}` or `{type, version, data: {messages}}`
   * @param {boolean} [options.ping] a ping goes before the first message
   */
  constructor({ url, record, envelope = "flat", ping = false }) {
    Object.assign(this, { url, record, envelope, ping });
    /** @type {boolean} the local stream outlives an approval request, for one that nobody answers */
    this.keepOpen = false;
  }

  async sendMessages({ chatId, messages, trigger, messageId, abortSignal }) {
    const frame = {
      type: "message",
      version: "1.0",
      ...this.#enveloped({ chatId, messages, trigger, messageId }),
    };
    this.#exchange = this.record.begin(frame);
    const socket = (this.#socket ??= await this.#open());
    this.#endStream(); // what comes from now on belongs to this send
    let reader;
    const stream = new ReadableStream({
      start: (controller) => {
        reader = this.#reader = controller;
        this.record.streaming = true;
      },
      cancel: () => {
        if (this.#reader === reader) this.#forgetStream(); // the chat gave up on what it reads
      },
    });
    abortSignal?.addEventListener("abort", () => socket.close(), { once: true });
    for (const chunk of this.#early.splice(0)) this.#deliver(chunk);
    socket.send(JSON.stringify(frame));
    return stream;
  }

  async reconnectToStream() {
    return null;
  }

  #enveloped({ chatId, messages, trigger, messageId }) {
    if (this.envelope === "nested") return { data: { messages } };
    return { timestamp: Date.now(), id: chatId, messages, trigger, messageId };
  }

  #open() {
    const socket = new WebSocket(this.url, { handshakeTimeout: OPEN_SECONDS * 1000 });
    socket.on("message", (data) => this.#received(data.toString()));
    socket.on("close", (code) => this.#closed(code));
    return new Promise((resolve, reject) => {
      socket.once("open", () => {
        if (this.ping) socket.send(JSON.stringify({ type: "ping", timestamp: 1234567890 }));
        resolve(socket);
      });
      socket.once("error", reject);
    });
  }

  /** @param {string} text one frame, which holds one event */
  #received(text) {
    if (!text.startsWith("data: ")) {
      this.record.outOfBand.push(text);
      return;
    }
    if (!text.endsWith(EVENT_END))
      this.#exchange.malformed.push(`no empty line at the end: ${text.slice(-200)}`);
    const { chunk, done } = this.record.event(this.#exchange, text.trimEnd());
    if (done) this.#endStream();
    else if (chunk !== undefined) this.#deliver(chunk);
  }

  #deliver(chunk) {
    if (this.#reader === undefined) {
      this.#early.push(chunk);
      return;
    }
    this.#reader.enqueue(chunk);
    if (chunk.type === "tool-approval-request") this.#approvalAsked = true;
    if (chunk.type === "finish-step" && this.#approvalAsked && !this.keepOpen) this.#endStream();
  }

  #endStream() {
    this.#reader?.close();
    this.#forgetStream();
  }

  #forgetStream() {
    this.#approvalAsked = false;
    this.#reader = undefined;
    this.record.streaming = false;
  }

  #closed(code) {
    if (this.#exchange) this.#exchange.ended = true;
    this.#socket = undefined;
    this.#reader?.error(new TypeError(`network: the socket was closed with ${code}`));
    this.#forgetStream();
  }
}
