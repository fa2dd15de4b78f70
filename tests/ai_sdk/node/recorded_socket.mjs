/** A WebSocket class for the stock transport of ai 7 that writes down its frames. */
import WebSocket from "ws";

/** @param {import("./record.mjs").Record} record */
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
