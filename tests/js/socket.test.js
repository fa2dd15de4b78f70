/** Messages of a frame: in order, and only as long as the socket is the page's. */

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.window = { addEventListener() {}, clearTimeout() {}, setTimeout: () => 0 };
globalThis.document = { addEventListener() {}, visibilityState: "visible" };
const { Wire } = await import("../../frontend/js/core/socket.js");

test("the rest of a frame is left out once a message moved the page to another chat", () => {
  const received = [];
  const wire = new Wire({
    address: () => "",
    receive: (message) => {
      received.push(message.seq);
      if (message.type === "branch") wire.socket = {};
    },
    onConnection: () => {},
  });
  const old = {};
  wire.socket = old;
  const line = (type, seq) => JSON.stringify({ type, seq });
  wire.receiveData(old, [line("delta", 1), line("branch", 2), line("delta", 4711)].join("\n"));
  assert.deepEqual(received, [1, 2]);
});
