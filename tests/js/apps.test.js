/** Validation of messages from the frames of MCP server views. */

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.window = new EventTarget();
const { checked } = await import("../../frontend/js/apps/frame.js");

const request = (x) => ({ jsonrpc: "2.0", id: 1, method: "ping", params: { x } });

test("a message is JSON, and no larger than it may be", () => {
  assert.deepEqual(checked(request([1, { a: null }, "x"])), request([1, { a: null }, "x"]));
  for (const bad of [
    "x".repeat(3e6),
    3n,
    new Uint8Array(2),
    new DataView(new ArrayBuffer(1)),
    Array.from({ length: 9 }, () => "x".repeat(3e5)),
  ]) {
    assert.equal(checked(request(bad)), null);
  }
});

test("an array of a size and no entries is not written out first", () => {
  let looks = 0;
  const array = new Proxy(new Array(3e6), { get: (of, key) => ((looks += 1), of[key]) });
  assert.equal(checked(request(array)), null);
  assert.ok(looks < 100, `${looks} looks`);
});
