/** Tree of the debug pane and the texts of its rows, without a browser. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { dollars, tokens, formatTokens } from "../../frontend/js/debug/figures.js";
import { pathsTo, pathText } from "../../frontend/js/debug/json-tools.js";
import { outputsOf, rowsOf } from "../../frontend/js/debug/links.js";
import { Trace } from "../../frontend/js/debug/trace.js";
import { summarise } from "../../frontend/js/debug/words.js";

const t = /** @type {any} */ ({ language: "en" });
const run = { seq: 1, runId: "r", type: "run", content: { state: "running", step: 1 } };
const called = {
  seq: 2,
  runId: "r",
  type: "tool",
  content: { callId: "a", tool: "show_map", state: "called", step: 1, line: 2 },
};
const other = {
  seq: 3,
  runId: "r",
  type: "tool",
  content: { callId: "b", tool: "show_map", state: "called", step: 1, line: 3 },
};
const drawn = {
  seq: 4,
  runId: "r",
  type: "map",
  content: { source: { step: 1, line: 3, code: "show_map()" } },
};
const code = { seq: 5, runId: "r", type: "code", content: "show_map()", step: "Step 1" };
const image = { seq: 6, runId: "r", type: "image", content: "" };

/** @param {...any} messages */
function traceOf(...messages) {
  const trace = new Trace();
  for (const message of messages) trace.add(message, 0);
  return trace;
}

test("a drawing belongs to the call on its line, and to no other", () => {
  const trace = traceOf(run, called, other, drawn, image);
  const [first, second] = [2, 3].map((seq) => /** @type {any} */ (trace.bySeq.get(seq)));
  assert.deepEqual([outputsOf(first), outputsOf(second)], [[2], [3, 4]]);
  assert.deepEqual(
    rowsOf(trace, { seq: 4 }).map(({ type, messages }) => [type, messages[0]?.seq]),
    [
      ["map", 4],
      ["tool", 3],
    ],
  );
});

test("what a model wrote is the code of its step, before and after a call was told of", () => {
  const delta = { seq: 7, runId: "r", type: "delta", kind: "code", step: 1, content: "show" };
  const trace = traceOf(run, delta, { ...delta, seq: 8, content: "_map()" }, code);
  assert.deepEqual(outputsOf(/** @type {any} */ (trace.bySeq.get(8))), [7, 5]);
});

test("what a long step made is not lost behind the pieces of its text", () => {
  const pieces = Array.from({ length: 300 }, (_, at) => ({
    seq: 100 + at,
    runId: "r",
    type: "delta",
    kind: "code",
    step: 1,
    content: "x",
  }));
  const call = { seq: 500, runId: "r", type: "model_call", content: { step: 1, duration: 1 } };
  const trace = traceOf(run, ...pieces, call, { ...code, seq: 501 }, { ...image, seq: 502 });
  const [step, model] = [1, 100].map((seq) => /** @type {any} */ (trace.bySeq.get(seq)));
  assert.deepEqual(outputsOf(step), [1, 100, 500, 501, 502]);
  assert.deepEqual(outputsOf(model), [100, 500, 501]);
});

test("code stands before what it called, though it is told of after it, and errors keep the order of the rows", () => {
  const delta = { seq: 7, runId: "r", type: "delta", kind: "code", step: 1, content: "show_map()" };
  const call = { seq: 8, runId: "r", type: "model_call", content: { step: 1, duration: 1 } };
  const failed = {
    ...called,
    content: { callId: "a", tool: "show_map", state: "failed", result: "no such floor" },
  };
  const trace = traceOf(run, delta, call, called, { ...failed, seq: 9 }, other, code, {
    ...image,
    type: "error",
    content: "It failed.",
  });
  const { rows } = trace.filtered(null);
  assert.deepEqual(
    rows.slice(2).map(({ kind }) => kind),
    ["model", "code", "tool", "tool", "output"],
  );
  assert.deepEqual(
    rows.map(({ id }) => id),
    rows.map(({ id }) => id).toSorted((a, b) => a - b),
  );
  assert.equal(rows[4]?.summary, "show_map() → failed · no such floor");
});

test("a run that was queued stands after the one before it, whose steps are still its own", () => {
  const queued = { seq: 9, runId: "q", type: "user_message", content: "Next" };
  const { rows } = traceOf(run, queued, called).filtered(null);
  assert.deepEqual(
    rows.map(({ type, runId }) => `${type} ${runId}`),
    ["run r", "step r", "tool r", "run q"],
  );
});

test("a filter keeps what a row lies in, and counts only what it lets through", () => {
  const trace = traceOf(run, called, drawn);
  const { rows, matches } = trace.filtered({ kinds: new Set(["tool"]), level: "info", step: null, text: "" });
  assert.deepEqual([rows.map(({ type }) => type), matches], [["run", "step", "tool"], 1]);
});

test("figures are short, and a fraction of a cent is not nothing", () => {
  assert.deepEqual(
    [950, 12_345, 150_000, 999_600, 2_300_000].map((count) => tokens(count, t)),
    ["950", "12.3k", "150k", "1M", "2.3M"],
  );
  assert.deepEqual(
    [1.239, 0.031, 0.00083].map((cost) => dollars(cost, t)),
    ["$1.24", "$0.031", "$0.00083"],
  );
  assert.equal(formatTokens({ calls: 1 }, t), "");
  assert.equal(formatTokens({ calls: 1, input: 10, cached: 4, output: 2 }, t), "↑6 ⟲4 ↓2");
});

test("a path is written as code has it", () => {
  const value = { rows: [{ "a b": "Kitchen", 室: 1 }] };
  assert.deepEqual(pathsTo(value, "kit").map(pathText), ['rows[0]["a b"]']);
  assert.deepEqual(pathsTo(value, "室").map(pathText), ["rows[0].室"]);
});

test("a managed agent's work is a group below its call, and what it took counts for all above it", () => {
  const nested = (seq, within, agent, message) => ({
    seq,
    runId: "r",
    type: "nested",
    content: { within, agent, message },
  });
  const call = {
    seq: 2,
    runId: "r",
    type: "tool",
    content: { callId: "r.1", tool: "lead", state: "called", step: 1 },
  };
  const started = { type: "run", content: { runId: "r", state: "running", step: 1, notes: [] } };
  const took = {
    type: "model_call",
    content: { step: 1, model: "m", messages: 2, duration: 1, inputTokens: 10, outputTokens: 1, cost: 0.5 },
  };
  const inner = { type: "tool", content: { callId: "r.1.1", tool: "searcher", state: "called", step: 1 } };
  const failed = { type: "error", content: "No luck." };
  const trace = traceOf(
    run,
    call,
    nested(3, "r.1", "lead", started),
    nested(4, "r.1", "lead", took),
    nested(5, "r.1", "lead", inner),
    nested(6, "r.1.1", "searcher", started),
    nested(7, "r.1.1", "searcher", took),
    nested(8, "r.1.1", "searcher", failed),
    { ...took, seq: 9, runId: "r" },
  );
  const depth = (row) => (row.parent ? depth(row.parent) + 1 : 0);
  assert.deepEqual(
    trace.filtered(null).rows.map((row) => `${" ".repeat(depth(row))}${row.kind} ${row.type}`),
    [
      "run run",
      " step step",
      "  tool tool",
      "   run lead",
      "    step step",
      "     model model_call",
      "     tool tool",
      "      run searcher",
      "       step step",
      "        model model_call",
      "        output error",
      "  model model_call",
    ],
  );
  const figures = (seq) => {
    const { calls, input, cost } = /** @type {any} */ (trace.bySeq.get(seq)).figures;
    return [calls, input, cost];
  };
  assert.deepEqual(
    [figures(2), figures(5), figures(1)],
    [
      [2, 20, 1],
      [1, 10, 0.5],
      [3, 30, 1.5],
    ],
  );
  assert.deepEqual([trace.figures.input, trace.errors.map(({ summary }) => summary)], [30, ["No luck."]]);
  assert.equal(/** @type {any} */ (trace.bySeq.get(7)).parent.within, "r.1.1");
});

test("calls that ended with a run that was stopped are no errors, also those of a managed agent", () => {
  const tool = (callId, state, result) => ({
    type: "tool",
    content: { callId, tool: "lead", state, step: 1, result },
  });
  const nested = (seq, message) => ({
    seq,
    runId: "r",
    type: "nested",
    content: { within: "r.1", agent: "lead", message },
  });
  const trace = traceOf(
    run,
    { seq: 2, runId: "r", ...tool("r.1", "called") },
    nested(3, tool("r.1.1", "called")),
    nested(4, tool("r.1.1", "failed", "KeyError: 1")),
    nested(5, tool("r.1.2", "called")),
    nested(6, tool("r.1.2", "failed", "Stopped")),
    { seq: 7, runId: "r", ...tool("r.1", "failed", "Stopped") },
    {
      seq: 8,
      runId: "r",
      type: "run",
      content: { runId: "r", state: "cancelled", text: "Stopped", notes: [] },
    },
  );
  const lines = [2, 4, 6].map((seq) => {
    const { level, summary } = /** @type {any} */ (trace.bySeq.get(seq));
    return [level, summary.replace(/^.* → /, "")];
  });
  assert.deepEqual(lines, [
    ["warning", "stopped · Stopped"],
    ["error", "failed · KeyError: 1"],
    ["warning", "stopped · Stopped"],
  ]);
  assert.deepEqual(
    trace.errors.map(({ type }) => type),
    ["tool"],
  );
});

test("a chart and a reading are told in words", () => {
  const chart = {
    type: "chart",
    content: { specId: "f1", imageId: "f2", name: "chart-1", description: "people by town", rows: 3 },
  };
  const reading = {
    type: "reading",
    content: {
      query: {},
      corrected: true,
      chips: [
        { part: "figure", text: "mean fare" },
        { part: "group", text: "by class" },
      ],
    },
  };
  assert.deepEqual(
    [summarise(chart), summarise(reading)],
    ["chart-1 · 3 rows · people by town", "corrected · mean fare, by class"],
  );
});
