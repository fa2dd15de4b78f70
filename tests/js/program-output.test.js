/** Output of a terminal program, and the messages that repeat it, as blocks of its turn. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { initialState, reduce } from "../../frontend/js/page/state.js";
import { userMessage, code, debug, delta, run, text } from "./messages.js";

const after = (...messages) =>
  messages.reduce((state, message, at) => reduce(state, { ...message, seq: at + 1 }), initialState());
const kinds = (state) => state.entries[0].blocks.map(({ kind }) => kind);
const batch = (outputs) => {
  const { content, ...message } = debug("r1");
  return {
    ...message,
    content: {
      ...content,
      agent_response: { raw_output: "", screen: [""], agent: "demo" },
      output_count: outputs,
    },
  };
};
const BEGUN = [userMessage("r1", "q"), run("r1", "running", { step: 1 })];
const output = (content) => delta("r1", "output", content);

test("what a program writes is a block of its own in its place", () => {
  const state = after(
    ...BEGUN,
    output("one\n"),
    output("two\n"),
    batch(1),
    text("r1", "one\ntwo"),
    output("three\n"),
  );
  assert.deepEqual(kinds(state), ["step", "shown", "output"]);
  assert.equal(state.entries[0].blocks[2].text.text, "three\n");
  assert.equal(state.live, null);
});

test("the messages of a batch take the place of the output together", () => {
  const written = [...BEGUN, output("hi\n```python\n1\n```\n"), batch(2), text("r1", "hi")];
  assert.deepEqual(kinds(after(...written)), ["step", "output"]);
  assert.deepEqual(kinds(after(...written, code("r1", "1"))), ["step", "shown", "shown"]);
});

for (const [name, then, blocks] of [
  ["the end", run("r1", "finished"), ["step", "shown"]],
  ["more output", output("more"), ["step", "shown", "output"]],
  ["another batch", batch(1), ["step", "shown"]],
]) {
  test(`a batch that stays short is shown when anything else happens: ${name}`, () => {
    assert.deepEqual(kinds(after(...BEGUN, output("hi\n"), batch(3), text("r1", "hi"), then)), blocks);
  });
}

for (const end of [run("r1", "cancelled"), run("r1", "failed"), batch(0)]) {
  test(`output that nothing repeats is kept: ${end.content.state ?? end.type}`, () => {
    assert.deepEqual(kinds(after(...BEGUN, output("half a li"), end)), ["step", "output"]);
  });
}
