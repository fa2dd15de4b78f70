/**
 * What went over the wire, exchange by exchange: what the client sent, and the events that followed as they came.
 *
 * It is the drivers' own reading, independent of the SDK's, and it ends a client that will not stop asking.
 */

const PREFIX = "data: ";
const DONE = "[DONE]";

export class TooManyRequests extends Error {}

/**
 * @typedef {object} Exchange
 * @property {unknown} request the body or the frame the client sent
 * @property {number} [status] of an HTTP response
 * @property {Record<string, string>} [headers] of an HTTP response
 * @property {string} [refusal] the body of a response that is no stream
 * @property {string[]} events as they came, without the empty line
 * @property {unknown[]} chunks the JSON values of the events
 * @property {number} done how many [DONE] came
 * @property {boolean} ended the response, or the socket, was closed by the server
 * @property {string[]} malformed what is no event of the protocol
 */

export class Record {
  /** @param {number} maxRequests after these the client is refused another */
  constructor(maxRequests) {
    this.maxRequests = maxRequests;
    /** @type {Exchange[]} */
    this.exchanges = [];
    /** @type {unknown[]} frames beside the stream, such as a pong */
    this.outOfBand = [];
    /** @type {string | null} why the client was stopped */
    this.stopped = null;
    /** @type {boolean} the client reads a stream of a socket, whatever its status says */
    this.streaming = false;
    /** @type {Promise<void>[]} readers that have not come to the end of their response */
    this.reading = [];
    /** @type {((count: number) => void)[]} */
    this.listeners = [];
  }

  /** Calls back with the number of requests so far, at each. @param {(count: number) => void} listener */
  onRequest(listener) {
    this.listeners.push(listener);
  }

  /** @param {unknown} request @returns {Exchange} */
  begin(request) {
    if (this.exchanges.length >= this.maxRequests) {
      this.stopped = `more than ${this.maxRequests} requests`;
      throw new TooManyRequests(this.stopped);
    }
    const exchange = { request, events: [], chunks: [], done: 0, ended: false, malformed: [] };
    this.exchanges.push(exchange);
    for (const listener of this.listeners) listener(this.exchanges.length);
    return exchange;
  }

  /**
   * Notes one event, without the empty line that ends it.
   * @param {Exchange} exchange
   * @param {string} event
   * @returns {{ chunk?: any, done?: true }} what it holds; nothing for a comment
   */
  event(exchange, event) {
    exchange.events.push(event);
    if (event.split("\n").every((line) => line.startsWith(":"))) return {};
    if (!event.startsWith(PREFIX)) {
      exchange.malformed.push(`no "data: " in front: ${event.slice(0, 200)}`);
      return {};
    }
    const payload = event.slice(PREFIX.length);
    if (payload === DONE) {
      exchange.done += 1;
      return { done: true };
    }
    try {
      const chunk = JSON.parse(payload);
      exchange.chunks.push(chunk);
      return { chunk };
    } catch {
      exchange.malformed.push(`not one JSON value: ${payload.slice(0, 200)}`);
      return {};
    }
  }
}
