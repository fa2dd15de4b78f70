/** Events of two runs in pairs: aligned by kind, and marked if they differ in more than ids and times. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { MOST_EVENTS, pairEvents } from "../../frontend/js/versions/events.js";

const drawn = (floorId, extra = {}) => ({ type: "map", content: { floorId, ...extra } });
const printed = (result) => ({ type: "tool", content: { tool: "where_is", state: "returned", result } });
const marks = (first, second) =>
  pairEvents(first, second).map(({ first: one, second: other, differs }) => [
    one?.type ?? "-",
    other?.type ?? "-",
    differs,
  ]);

test("ids, times and names of charts make no difference", () => {
  const chart = (n) => ({
    seq: n,
    type: "chart",
    content: { specId: `f_${n}`, name: `chart-${n}`, duration: n, rows: 3 },
  });
  const found = (n) => printed(`Kitchen at 2026-11-30T15:56:2${n}Z`);
  assert.deepEqual(marks([chart(1), found(1)], [chart(4), found(4)]), [
    ["chart", "chart", false],
    ["tool", "tool", false],
  ]);
});

test("another floor, result or argument differs", () => {
  assert.deepEqual(marks([drawn("1F"), printed("a")], [drawn("2F"), printed("b")]), [
    ["map", "map", true],
    ["tool", "tool", true],
  ]);
});

test("an event of one run alone stands beside nothing, and the others stay in pairs", () => {
  const [code, text] = [
    { type: "code", content: "x" },
    { type: "text", content: "y" },
  ];
  assert.deepEqual(marks([code, drawn("1F"), text], [code, text]), [
    ["code", "code", false],
    ["map", "-", true],
    ["text", "text", false],
  ]);
  assert.deepEqual(marks([text], [code, { type: "delta", content: "y" }, text]), [
    ["-", "code", true],
    ["text", "text", false],
  ]);
});

test("a run of many events is compared up to a limit", () => {
  const many = Array.from({ length: 5000 }, (_, n) => printed(`${n}`));
  assert.equal(pairEvents(many, many).length, MOST_EVENTS);
});
