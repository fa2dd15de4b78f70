/** When panes draw: once per frame, and after a long replay rather than during it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Bus } from "../../frontend/js/core/bus.js";
import { Desk } from "../../frontend/js/page/store.js";
import { userMessage } from "./messages.js";

const chat = (lastSeq) => ({
  type: "chat",
  content: { chatId: `c${lastSeq}`, lastSeq, files: [], tools: [], approvals: [] },
});
const asked = (seq) => ({ ...userMessage(`r${seq}`, "q"), seq });

/** A store whose frames the test draws: `draw(at)` returns the number of turns that panes got, or null. */
function store() {
  let frame = null;
  globalThis.requestAnimationFrame = (callback) => {
    frame = callback;
    return 1;
  };
  const bus = new Bus();
  const desk = new Desk(bus);
  let drawn = null;
  bus.on("state", (state) => {
    drawn = state.entries.length;
  });
  const draw = (at) => {
    drawn = null;
    const callback = frame;
    frame = null;
    callback?.(at);
    return drawn;
  };
  return { desk, draw };
}

test("a long replay is drawn when it is complete, and each frame after it", () => {
  const { desk, draw } = store();
  desk.take(chat(900));
  for (let seq = 1; seq <= 300; seq += 1) desk.take(asked(seq));
  const now = performance.now();
  desk.drawnAt = now;
  assert.equal(draw(now + 1), null);
  for (let seq = 301; seq <= 900; seq += 1) desk.take(asked(seq));
  assert.equal(draw(now + 2), 900);
  desk.take(asked(5000));
  assert.equal(draw(now + 3), 901);
});

test("a replay that takes long, or whose last events have no messages, is drawn", () => {
  const { desk, draw } = store();
  desk.take(chat(900));
  desk.take(asked(1));
  const now = performance.now();
  desk.drawnAt = now - 3000;
  assert.equal(draw(now), 1);
  desk.take(asked(2));
  assert.equal(draw(now + 10), null);
  assert.equal(draw(now + 700), 2);
  desk.take(asked(3));
  assert.equal(draw(now + 710), 3);
});
