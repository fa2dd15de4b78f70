/** Window of a long chat, on a box without a browser. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { TurnWindow } from "../../frontend/js/chat/window.js";

test("a hidden log neither fills nor empties turns: their heights would be 0", () => {
  globalThis.IntersectionObserver = class {};
  const acts = [];
  const box = { clientHeight: 0 };
  const turns = new TurnWindow(box, { fill: (runs) => acts.push(...runs), trim: () => acts.push("trim") });
  turns.near.add({ hasAttribute: () => true, getAttribute: () => "r1" });
  turns.fillNear();
  assert.deepEqual(acts, []);
  box.clientHeight = 600;
  turns.fillNear();
  assert.deepEqual(acts, ["r1", "trim"]);
});
