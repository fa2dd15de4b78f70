/** Order of a finished turn, lists that only repeat its results, and the duration of its work. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { isArranged, resultsOf, stepOfError } from "../../frontend/js/chat/arrangement.js";
import { isRepeated, isRepeatedTable } from "../../frontend/js/chat/repeats.js";
import { grown } from "../../frontend/js/chat/rope.js";
import { lastLines } from "../../frontend/js/chat/stream.js";
import { initialState, reduce } from "../../frontend/js/page/state.js";
import { userMessage, code, debug, map, route, run, text } from "./messages.js";

const after = (...messages) =>
  messages.reduce(
    (state, message, at) => reduce(state, { seq: at + 1, timestamp: `2024-05-01T10:00:0${at}Z`, ...message }),
    initialState(),
  );
const table = (columns, rows) => ({
  type: "table",
  runId: "r1",
  content: {
    tableId: "t",
    name: "table",
    columns: columns.map((name) => ({ name, kind: "text" })),
    rows,
    rowCount: rows.length,
  },
});
const image = { type: "image", runId: "r1", content: "", url: "/api/p.png", format: "png" };
const fault = { type: "error", runId: "r1", content: "KeyError" };
const kinds = (turn) => resultsOf(turn).map((at) => turn.blocks[at].message.type);

test("words come first, then plots, tables, the map and how it was read", () => {
  const state = after(
    userMessage("r1", "q"),
    run("r1", "running", { step: 1 }),
    code("r1", "a"),
    table(["a"], [[1]]),
    { ...map("1F"), runId: "r1" },
    image,
    { type: "reading", runId: "r1", content: { query: {}, chips: [], corrected: false } },
    text("r1", "891"),
    run("r1", "finished", { text: "891" }),
  );
  const [turn] = state.entries;
  assert.deepEqual(kinds(turn), ["text", "image", "table", "map", "reading"]);
  assert.equal(isArranged(turn), true);
});

test("a turn that runs, failed, was stopped or was written by a program keeps the order of what happened", () => {
  for (const end of [run("r1", "running"), run("r1", "failed"), run("r1", "cancelled")])
    assert.equal(isArranged(after(userMessage("r1", "q"), end).entries[0]), false);
  const program = after(
    userMessage("r1", "q"),
    run("r1", "running", { step: 1 }),
    { type: "delta", kind: "output", content: "hello", step: 1, runId: "r1" },
    run("r1", "finished"),
  );
  assert.equal(isArranged(program.entries[0]), false);
});

test("an error that did not end the run belongs to the step before it", () => {
  const [turn] = after(
    userMessage("r1", "q"),
    run("r1", "running", { step: 1 }),
    code("r1", "a"),
    fault,
    text("r1", "ok"),
    run("r1", "finished"),
  ).entries;
  assert.deepEqual([kinds(turn), turn.blocks[stepOfError(turn, 1)].kind], [["text"], "step"]);
  assert.equal(stepOfError(turn, 0), -1);
});

const FARES = table(
  ["class", "female", "male"],
  [
    ["First", 106.1258, 67.226127],
    ["Second", 21.97, 19.74],
  ],
);
const lists = [
  ["the rows of the table", ["First: 106.13", "Second: 21.97"], true],
  ["rows and columns, in any case", ["first, Female: 106.13", "First, male: 67.2"], true],
  ["with a unit", ["First: 106.13 EUR"], true],
  ["with a full-width colon", ["First：106.13"], true],
  ["a figure that the table does not have", ["First: 106.13", "Second: 22.97"], false],
  ["a figure of another row", ["Second: 106.13"], false],
  ["a name that the table does not have", ["Third: 21.97"], false],
  ["more words than a row has", ["First: 106.13, which is far more than one would think"], false],
  ["advice", ["Look at the outliers.", "Use the median."], false],
  ["nothing", [], false],
];
for (const [what, items, repeated] of lists) {
  test(`a list of ${what} is ${repeated ? "" : "not "}repeated`, () =>
    assert.equal(isRepeated(items, [FARES]), repeated));
}

test("a long number is the same with its groups, and a label may have a comma", () => {
  assert.equal(
    isRepeated(["Braund, Mr. Owen: 1,234,567"], [table(["name", "fare"], [["Braund, Mr. Owen", 1234567.2]])]),
    true,
  );
});

test("a table is repeated by its cells, rounded, grouped or with an index in front", () => {
  const results = [table(["shop", "total"], [["A", 1234.5678], ["B", null]])]; // prettier-ignore
  const repeated = (...lines) => isRepeatedTable(lines, results);
  assert.equal(repeated(["Shop", "total"], ["A", "1,234.57"], ["b", "nan"]), true);
  assert.equal(repeated(["", "shop", "total"], ["0", "A", "1235"], ["1", "B", ""]), true);
  assert.equal(repeated(["shop", "total"], ["A", "1,234.58"], ["B", ""]), false);
  assert.equal(repeated(["shop", "total"], ["A", "1,234.57"]), false);
  assert.equal(repeated(["shop", "sum"], ["A", "1,234.57"], ["B", ""]), false);
});

test("the steps of a route are repeated only when all of them are", () => {
  const results = [map("1F", [], [route()])];
  assert.equal(isRepeated(["Start in Room1", "Arrive"], results), true);
  assert.equal(isRepeated(["Start in Room1"], results), false);
  assert.equal(isRepeated(["Start in Room1", "Arrive"], []), false);
});

test("waiting for a person is no work", () => {
  const ask = { type: "ask", runId: "r1", content: { askId: "a1", kind: "approval", tool: "pay" } };
  const worked = (...more) =>
    after(
      userMessage("r1", "q"),
      run("r1", "running", { step: 1 }),
      ask,
      run("r1", "waiting"),
      run("r1", "running"),
      ...more,
    ).entries[0].blocks[0];
  const measured = { ...debug("r1"), content: { ...debug("r1").content, agent_response: { duration: 2.5 } } };
  assert.equal(worked(measured).duration, 1.5); // of 2.5 s one was spent waiting
  assert.equal(worked(debug("r1")).duration, 3); // seen from outside: four, less the one
  assert.equal(worked(debug("r1")).waited, 1);
});

test("stopping while it waits ends the wait", () => {
  const [turn] = after(
    userMessage("r1", "q"),
    run("r1", "running", { step: 1 }),
    run("r1", "waiting"),
    run("r1", "stopping"),
    run("r1", "cancelled"),
  ).entries;
  assert.deepEqual([turn.waiting, turn.blocks[0].waited], [null, 1]);
});

test("the newest lines of a text, at the cost of what is shown", () => {
  const pieces = (...parts) => parts.reduce((before, part) => grown(before, part), null);
  assert.equal(lastLines(pieces("a\nb", "c\nd\n", "e\n"), 2), "d\ne");
  assert.equal(lastLines(pieces("a\n", "b"), 2), "a\nb");
  assert.equal(lastLines(pieces("a\n\n\nb\n"), 2), "\nb");
  assert.equal(lastLines(null, 2), "");
  const endless = pieces(...Array.from({ length: 100 }, () => "x".repeat(1000)));
  assert.equal(lastLines(endless, 2).length, 16_000);
});

test("whether steps stand open is kept when another chat comes", async () => {
  const { resetChat: anotherChat } = await import("../../frontend/js/page/state.js");
  const open = reduce(initialState(), { type: "@steps", open: true });
  assert.equal(anotherChat(open).stepsOpen, true);
  assert.equal(reduce(open, { type: "@steps", open: true }), open);
});
