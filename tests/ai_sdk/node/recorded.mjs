/** The stock transports' `fetch` and WebSocket, which write down what goes over them in a Record. */
import WebSocket from "ws";

const EMPTY_LINE = /\r?\n\r?\n/;

/**
 * For the HTTP transport: each request, and, read beside the SDK, each response.
 * @param {import("./record.mjs").Record} record
 * @returns {typeof fetch}
 */
export function recordedFetch(record) {
  return async (url, init) => {
    const body = typeof init?.body === "string" ? JSON.parse(init.body) : null;
    const exchange = record.begin(body ?? { method: init?.method, url: String(url) });
    const response = await fetch(url, init);
    exchange.status = response.status;
    exchange.headers = Object.fromEntries(response.headers);
    record.reading.push(read(record, exchange, response.clone()));
    return response;
  };
}

/**
 * @param {import("./record.mjs").Record} record
 * @param {import("./record.mjs").Exchange} exchange
 * @param {Response} response
 */
async function read(record, exchange, response) {
  if (response.status !== 200) {
    exchange.refusal = await response.text();
    exchange.ended = true;
    return;
  }
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const bytes of response.body) {
      const events = (rest + decoder.decode(bytes, { stream: true })).split(EMPTY_LINE);
      rest = events.pop();
      for (const event of events) record.event(exchange, event);
    }
    exchange.ended = true;
  } catch (error) {
    exchange.malformed.push(`the response broke off: ${error.message}`);
  }
  if (rest !== "") exchange.malformed.push(`no empty line at the end: ${rest.slice(0, 200)}`);
}

/** For the WebSocket transport of ai 7: its frames. @param {import("./record.mjs").Record} record */
export function recordedSocket(record) {
  /** @type {Map<string, import("./record.mjs").Exchange>} */
  const exchanges = new Map();

  return class RecordedSocket extends WebSocket {
    constructor(url, protocols) {
      super(url, protocols);
      this.on("message", (data) => note(data.toString()));
    }

    send(text) {
      const frame = JSON.parse(text);
      if (frame.type === "abort") record.outOfBand.push(text);
      else exchanges.set(frame.requestId, record.begin(frame));
      super.send(text);
    }
  };

  /** @param {string} text */
  function note(text) {
    const frame = JSON.parse(text);
    const exchange = exchanges.get(frame.requestId);
    if (exchange === undefined) {
      record.outOfBand.push(text);
      return;
    }
    exchange.events.push(text);
    if (frame.type === "chunk") exchange.chunks.push(frame.chunk);
    if (frame.type === "chunk" && frame.sequence !== exchange.chunks.length - 1) {
      exchange.malformed.push(`sequence ${frame.sequence} for chunk ${exchange.chunks.length - 1}`);
    }
    if (frame.type === "end") {
      exchange.done += 1;
      exchange.ended = true;
    }
  }
}
