/** `reduce` over sequences of messages. Every state is frozen, so a reducer that changes one fails. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Bus } from "../../frontend/js/core/bus.js";
import { resetChat, initialState, reduce } from "../../frontend/js/page/state.js";
import { Desk } from "../../frontend/js/page/store.js";
import { textOf } from "../../frontend/js/chat/rope.js";
import { attachmentsOf } from "../../frontend/js/chat/turns.js";
import {
  arrow,
  userMessage,
  code,
  debug,
  DEFINITION,
  delta,
  map,
  rectangle,
  run,
  text,
  tool,
} from "./messages.js";

function frozen(value) {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value;
  Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const replay = (messages) =>
  messages.reduce((state, message) => frozen(reduce(state, frozen(message))), frozen(initialState()));
const numbered = (messages) =>
  messages.map((message, at) => ({
    seq: at + 1,
    timestamp: `2024-05-01T10:00:${String(at + 1).padStart(2, "0")}Z`,
    ...message,
  }));
const after = (...messages) => replay(numbered(messages));

test("a question brings the files that came since the last one, and a repeated one its own", () => {
  const file = (name) => ({ type: "file", content: { fileId: `f-${name}`, name, size: 1, mediaType: "" } });
  const of = (state, message) => attachmentsOf(state, message);
  const first = [file("a.csv"), file("b.csv")];
  assert.deepEqual(of(after(), "x"), []);
  assert.deepEqual(of(after(...first), "x"), ["a.csv", "b.csv"]);
  const asked = { ...userMessage("r1", "x"), attachments: ["a.csv", "b.csv"] };
  const produced = { ...file("made.csv"), runId: "r1" };
  const state = after(...first, asked, produced, file("c.csv"));
  assert.deepEqual(of(state, "y"), ["c.csv"]);
  assert.deepEqual(of(state, "x"), ["a.csv", "b.csv", "c.csv"]);
  const code = { ...userMessage("r2", "1 + 1"), isCode: true };
  assert.deepEqual(of(after(...first, code), "y"), ["a.csv", "b.csv"], "code is no question");
  const pending = reduce(after(...first), {
    type: "@submitted",
    id: "1",
    content: "x",
    attachments: ["a.csv"],
    sent: true,
  });
  assert.deepEqual(of(pending, "y"), ["b.csv"]);
  assert.deepEqual(of({ ...after(...first), files: [] }, "y"), [], "they were removed");
  assert.equal(of(after(...Array.from({ length: 30 }, (_, at) => file(`${at}.csv`))), "y").length, 20);
});

test("a run becomes a turn with its steps and its answer", () => {
  const state = after(
    userMessage("r1", "How many?"),
    run("r1", "running", { step: 1 }),
    delta("r1", "text", "I will "),
    delta("r1", "text", "count."),
    delta("r1", "code", "len(df)"),
    debug("r1"),
    code("r1", "len(df)"),
    text("r1", "891"),
    run("r1", "finished", { text: "891" }),
  );
  const [turn] = state.entries;
  const [step, answer] = turn.blocks;
  assert.deepEqual([turn.question, turn.state, turn.closing], ["How many?", "finished", "891"]);
  assert.deepEqual(
    [step.thought, step.code.content, step.partial, step.duration],
    ["I will count.", "len(df)", false, 4],
  );
  assert.equal(answer.message.content, "891");
  assert.equal(state.live, null);
});

test("a restart drops the text and code of its step, and keeps its reasoning", () => {
  const state = replay([
    run("r1", "running"),
    delta("r1", "reasoning", "Hm."),
    delta("r1", "text", "I guess"),
    delta("r1", "code", "x = ("),
    { ...delta("r1", "text", ""), restart: true },
    delta("r1", "code", "x = 1"),
  ]);
  const { text: prose, code: body, reasoning } = state.live;
  assert.deepEqual([prose, textOf(body), textOf(reasoning)], [null, "x = 1", "Hm."]);
});

test("deltas stand apart until the batch of their step comes", () => {
  const state = after(
    userMessage("r1", "q"),
    run("r1", "running", { step: 1 }),
    delta("r1", "code", "x = 1"),
  );
  assert.equal(state.live.code.text, "x = 1");
  assert.equal(state.entries[0].blocks[0].code, null);
});

test("an answer takes the place of the words it was streamed as", () => {
  const state = after(
    userMessage("r1", "q"),
    run("r1", "running", { step: 1 }),
    delta("r1", "text", "891"),
    debug("r1"),
    text("r1", "891"),
  );
  const [step, answer] = state.entries[0].blocks;
  assert.deepEqual([step.thought, answer.message.content], ["", "891"]);
});

test("what was being written is kept as a draft when the run is stopped", () => {
  const state = after(
    userMessage("r1", "q"),
    run("r1", "running", { step: 1 }),
    delta("r1", "code", "while True:"),
    run("r1", "stopping"),
    run("r1", "cancelled", { text: "stopped" }),
  );
  const [turn] = state.entries;
  assert.deepEqual(
    [turn.state, turn.blocks.length, turn.blocks[0].partial, turn.blocks[0].code.content],
    ["cancelled", 1, true, "while True:"],
  );
});

test("a closed run stays closed", () => {
  const state = after(
    userMessage("r1", "q"),
    run("r1", "failed", { text: "no" }),
    run("r1", "running", { step: 2 }),
  );
  assert.equal(state.entries[0].state, "failed");
});

test("a message seen before changes nothing at all", () => {
  const once = replay([{ ...userMessage("r1", "q"), seq: 1 }]);
  assert.equal(reduce(once, { ...text("r1", "twice?"), seq: 1 }), once);
});

test("an unknown type changes nothing but the log and the place in it", () => {
  const before = after(userMessage("r1", "q"));
  const { log, ...others } = after(userMessage("r1", "q"), { type: "hologram", content: { depth: 3 } });
  const { log: earlier, ...same } = before;
  assert.deepEqual(log.message.content, { depth: 3 });
  assert.deepEqual(log.before, earlier);
  assert.deepEqual(others, { ...same, lastSeq: 2 });
});

test("a tool call keeps its arguments when it returns", () => {
  const state = after(
    userMessage("r1", "q"),
    tool("r1", "called", { arguments: { room_name: "Kitchen" }, line: 3 }),
    tool("r1", "returned", { result: "ARROW_COMMAND" }),
  );
  const [call] = state.entries[0].blocks[0].calls;
  assert.deepEqual([call.state, call.arguments, call.line], ["returned", { room_name: "Kitchen" }, 3]);
});

test("rows that were pointed at go with the next message, and with it when it is sent again, and are spent", () => {
  const about = {
    kind: "table",
    tableId: "f_1",
    name: "sales",
    view: { sort: [], filters: [], search: "" },
    begin: 2,
    end: 5,
    columns: [0, 2],
  };
  const pointed = { type: "@pointed_rows", about };
  assert.equal(replay([pointed]).about, about);
  assert.equal(replay([pointed, { type: "@pointed_rows", about: null }]).about, null);
  const state = replay([
    pointed,
    { type: "@submitted", id: "a", content: "these?", about, sent: true },
    { type: "@connection", connection: "closed" },
  ]);
  assert.deepEqual(
    [state.about, state.pending[0].state, state.pending[0].about],
    [null, "unconfirmed", about],
  );
});

test("an echo confirms one message of the same words and only one", () => {
  const submitted = ["a", "b"].map((id) => ({ type: "@submitted", id, content: "again", sent: true }));
  assert.deepEqual(
    replay([...submitted, { ...userMessage("r1", "again"), seq: 1 }]).pending.map(({ id, state }) => [
      id,
      state,
    ]),
    [["b", "sent"]],
  );
});

test("a lost connection makes sent messages doubtful and leaves waiting ones", () => {
  const state = replay([
    { type: "@submitted", id: "a", content: "sent", sent: true },
    { type: "@submitted", id: "b", content: "kept", sent: false },
    { type: "@connection", connection: "closed" },
  ]);
  assert.deepEqual(
    state.pending.map((pending) => pending.state),
    ["unconfirmed", "waiting"],
  );
});

test("a refusal outside a run is said between the turns", () => {
  const refusal = { type: "error", content: "Too long.", code: "bad_input", hint: "Send less." };
  const state = replay([refusal, { type: "@dismissed", at: 0 }, refusal]);
  assert.deepEqual(
    state.entries.map(({ kind, at }) => [kind, at]),
    [["aside", 1]],
  );
});

test("a long stream costs what it is long: appending copies nothing, the piece before is the very same value", () => {
  let state = reduce(initialState(), { ...userMessage("r1", "q"), seq: 1 });
  for (let seq = 2; seq < 5002; seq += 1) {
    const before = state;
    state = reduce(state, { ...delta("r1", "code", "x"), seq });
    if (seq > 2)
      assert.ok(
        state.entries === before.entries &&
          state.live.code.before === before.live.code &&
          state.log.before === before.log,
        `at ${seq}`,
      );
  }
  assert.equal(state.live.code.length, 5000);
});

test("another chat begins empty, on the same building, with what belongs to no chat", () => {
  const asks = { asks: [], count: 3 };
  const state = after(DEFINITION, userMessage("r1", "q"), map("2F", [rectangle("Library")]), arrow("Room1"), {
    type: "open_asks",
    content: asks,
  });
  const fresh = resetChat(state);
  assert.deepEqual(
    [fresh.entries, fresh.log, fresh.lastSeq, fresh.map.arrows, fresh.map.highlights],
    [[], null, 0, [], []],
  );
  assert.deepEqual([fresh.map.building, fresh.map.floorId, fresh.openAsks], [state.map.building, "1F", asks]);
});

test("a message of a shape nobody expects is in the log, and what comes after it is shown", () => {
  const faults = [];
  Object.assign(globalThis, { requestAnimationFrame: () => 1, reportError: (fault) => faults.push(fault) });
  const desk = new Desk(new Bus());
  for (const message of numbered([{ type: "map_definition", content: null }, userMessage("r1", "q")]))
    desk.take(message);
  assert.equal(faults.length, 1);
  assert.equal(desk.state.log.before.message.type, "map_definition");
  assert.deepEqual([desk.state.lastSeq, desk.state.entries.length], [2, 1]);
});

test("a view of a managed agent's call is shown once under the agent's name, and learns there how the call ended", () => {
  const view = (state) => ({
    type: "nested",
    runId: "r1",
    content: {
      within: "c1",
      agent: "lead",
      message: {
        type: "mcp_app",
        content: { callId: "c1.1", server: "s", tool: "t", title: "T", pageId: "p", factsId: "f", state },
      },
    },
  });
  const state = after(
    DEFINITION,
    userMessage("r1", "q"),
    run("r1", "running", { step: 1 }),
    tool("r1", "called", { tool: "lead", arguments: { task: "Find" } }),
    view("called"),
    view("returned"),
  );
  const outputs = state.entries[0].blocks.filter(({ kind }) => kind === "shown");
  assert.deepEqual(
    outputs.map(({ agent, message }) => [agent, message.type, message.content.state]),
    [["lead", "mcp_app", "returned"]],
  );
});

test("calls that ended as their run was stopped were stopped; one that failed before did fail", () => {
  const nested = (message) => ({
    type: "nested",
    runId: "r1",
    content: { within: "c1", agent: "lead", message },
  });
  const inner = (callId, state, result) =>
    nested({ type: "tool", content: { callId, tool: "odd", state, step: 1, arguments: {}, result } });
  const state = after(
    userMessage("r1", "q"),
    run("r1", "running", { step: 1 }),
    tool("r1", "called", { tool: "lead" }),
    nested({ type: "run", content: { runId: "r1", state: "running", step: 1, notes: [] } }),
    inner("c1.1", "called"),
    inner("c1.1", "failed", "KeyError: 'x'"),
    inner("c1.2", "called"),
    inner("c1.2", "failed", "Stopped by a person"),
    tool("r1", "failed", { tool: "lead", result: "Stopped by a person" }),
    run("r1", "cancelled", { text: "Stopped by a person" }),
  );
  const [call] = state.entries[0].blocks[0].calls;
  assert.deepEqual(
    [call.state, ...call.work.turn.blocks[0].calls.map((innerCall) => innerCall.state)],
    ["stopped", "failed", "stopped"],
  );
});

test("a call whose code says that its run ended was stopped, whatever its words", () => {
  const state = after(
    userMessage("r1", "q"),
    run("r1", "running", { step: 1 }),
    tool("r1", "called"),
    tool("r1", "failed", { result: "The run ended", code: "run_ended" }),
    run("r1", "cancelled", { text: "Stopped by a person" }),
  );
  assert.equal(state.entries[0].blocks[0].calls[0].state, "stopped");
});

test("a managed agent's work is in its call, at any depth; what it shows is in the turn and the panes under its name", () => {
  const nested = (within, agent, message) => ({
    type: "nested",
    runId: "r1",
    content: { within, agent, message },
  });
  const inner = {
    type: "tool",
    content: { callId: "c1.1", tool: "searcher", state: "called", step: 1, arguments: { task: "Look" } },
  };
  const started = { type: "run", content: { runId: "r1", state: "running", step: 1, notes: [] } };
  const image = { type: "image", content: "", format: "png", path: "p.png", fileId: "f", url: "/api/p.png" };
  const state = after(
    DEFINITION,
    userMessage("r1", "q"),
    run("r1", "running", { step: 1 }),
    tool("r1", "called", { tool: "lead", arguments: { task: "Find" } }),
    nested("c1", "lead", started),
    nested("c1", "lead", inner),
    nested("c1.1", "searcher", started),
    nested("c1.1", "searcher", { type: "delta", kind: "code", content: "1 + 1", step: 1 }),
    nested("c1.1", "searcher", image),
    nested("c1.1", "searcher", { ...arrow("Room1") }),
    nested("c9", "ghost", started),
  );
  const [turn] = state.entries;
  const [step, ...outputs] = turn.blocks;
  const { work } = step.calls[0];
  const deep = work.turn.blocks[0].calls[0].work;
  assert.deepEqual(
    [work.agent, work.turn.question, deep.agent, deep.turn.question],
    ["lead", "Find", "searcher", "Look"],
  );
  assert.deepEqual([textOf(deep.live.code), state.live, turn.step], ["1 + 1", null, 1]);
  assert.deepEqual(
    outputs.map(({ agent, message }) => [agent, message.type]),
    [
      ["searcher", "image"],
      ["searcher", "arrow"],
    ],
  );
  assert.deepEqual(
    [state.gallery.pictures.map(({ step: label }) => label), state.map.arrows.length],
    [["searcher"], 1],
  );

  const pay = {
    type: "tool",
    content: { callId: "c1.1.1", tool: "pay", state: "called", step: 1, arguments: { amount: 30 } },
  };
  const asks = {
    type: "ask",
    runId: "r1",
    content: { askId: "a", kind: "approval", callId: "c1.1.1", tool: "pay", arguments: { amount: 30 } },
  };
  const changed = {
    type: "ask_closed",
    runId: "r1",
    content: { askId: "a", granted: true, value: { amount: 20 }, scope: "call", by: "person" },
  };
  const answered = [nested("c1.1", "searcher", pay), asks, changed].reduce(
    (before, message) =>
      frozen(
        reduce(before, frozen({ seq: before.lastSeq + 1, timestamp: "2024-05-01T10:01:00Z", ...message })),
      ),
    state,
  );
  const { blocks } = answered.entries[0];
  const searched = blocks[0].calls[0].work.turn.blocks[0].calls[0].work;
  assert.equal(blocks.at(-1).agent, "searcher");
  assert.deepEqual(
    searched.turn.blocks.flatMap(({ calls }) => calls ?? []).map(({ arguments: input }) => input),
    [{ amount: 20 }],
  );
});

test("the progress of a prompt is live until the first text of its step, and again for the next call", () => {
  const progress = (processed) => ({
    type: "prompt_progress",
    runId: "r1",
    content: { step: 1, processed, total: 100 },
  });
  const before = [userMessage("r1", "q"), run("r1", "running", { step: 1 }), progress(0), progress(40)];
  assert.equal(after(...before).live.prompt.processed, 40);
  const writing = after(...before, delta("r1", "text", "Well"));
  assert.equal(writing.live.prompt, null);
  const again = after(...before, delta("r1", "text", "Well"), progress(90));
  assert.equal(again.live.prompt.processed, 90);
  assert.equal(textOf(again.live.text), "Well");
  assert.equal(after(...before, run("r1", "cancelled")).live, null);
  assert.equal(after(progress(40)).entries.length, 0);
});
