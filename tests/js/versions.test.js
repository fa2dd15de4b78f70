/** Versions of turns: which one the chat shows, and from which one it continues. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { tableLabel, unconfirmedMessages } from "../../frontend/js/chat/turns.js";
import {
  continuedVersion,
  isHiddenVersion,
  olderVersion,
  shownEntries,
} from "../../frontend/js/core/versions.js";
import { initialState, reduce } from "../../frontend/js/page/state.js";
import { userMessage } from "./messages.js";

const again = (runId, versionOf, words = "again") => ({ ...userMessage(runId, words), versionOf });
const showing = (runId) => ({ type: "version_shown", content: { runId } });
const after = (...messages) =>
  messages.reduce((state, message, at) => reduce(state, { seq: at + 1, ...message }), initialState());
const runs = (state) => shownEntries(state).entries.map(({ runId }) => runId);

test("the newest version stands in the place of the first, until another is shown", () => {
  const state = after(userMessage("r1", "a"), userMessage("r2", "b"), again("r3", "r1"), again("r4", "r1"));
  assert.deepEqual(runs(state), ["r4", "r2"]);
  const back = reduce(state, showing("r1"));
  assert.deepEqual(runs(back), ["r1", "r2"]);
  assert.deepEqual(runs(reduce(back, again("r5", "r1"))), ["r5", "r2"]);
  assert.deepEqual(runs(reduce(back, showing("r_gone"))), ["r1", "r2"]);
});

test("a link finds a version that is not shown, and shows it on this page", () => {
  const state = after(userMessage("r1", "a"), again("r2", "r1"));
  assert.equal(isHiddenVersion(state, "r1"), true);
  const linked = reduce(state, { type: "@version", runId: "r1" });
  assert.deepEqual([runs(linked), isHiddenVersion(linked, "r1")], [["r1"], false]);
  assert.equal(isHiddenVersion(state, "r_gone"), false);
});

test("a question that continues from an older version waits with the messages until it is accepted or refused", () => {
  const attempt = { id: "1", kind: "continue", runId: "r1", text: "and then?", fault: null };
  const state = reduce(after(userMessage("r1", "a")), { type: "@attempt", attempt });
  assert.deepEqual(
    unconfirmedMessages(state).map(({ content, state: progress }) => [content, progress]),
    [["and then?", "sent"]],
  );
  const branch = { way: "to", chatId: "c2", title: "a (2)", runId: "r1", clientMessageId: "1" };
  const refusal = { type: "error", content: "no", code: "run_open", clientMessageId: "1" };
  for (const message of [{ type: "branch", content: branch, seq: 9 }, refusal])
    assert.deepEqual(unconfirmedMessages(reduce(state, message)), []);
});

test("a table whose name an earlier one has is numbered by its place in the chat", () => {
  const table = (runId) => ({ type: "table", runId, content: { name: "rides", columns: [], rows: [] } });
  const state = after(userMessage("r1", "a"), table("r1"), userMessage("r2", "b"), table("r2"), table("r2"));
  const tables = state.entries.flatMap(({ blocks }) => blocks.map(({ message }) => message.content));
  assert.deepEqual(
    tables.map((content) => tableLabel(state.entries, content)),
    ["rides", "rides (2)", "rides (3)"],
  );
});

test("the chat continues from the newest version that was there when the next turn began", () => {
  const state = after(userMessage("r1", "a"), again("r2", "r1"), userMessage("r3", "b"), again("r4", "r1"));
  assert.equal(continuedVersion(state, "r1"), "r2");
  assert.equal(olderVersion(state), null, "an earlier turn does not change where the next question goes");
  assert.equal(olderVersion(reduce(state, { type: "@continue", runId: "r4" }))?.runId, "r4");
  const last = after(userMessage("r1", "a"), again("r2", "r1"));
  assert.equal(olderVersion(last), null);
  assert.equal(olderVersion(reduce(last, showing("r1")))?.runId, "r1");
});

test("a version of a run that is not in the chat, as in a log from elsewhere, is a turn of its own", () => {
  const state = after(again("r1", "r_gone"), again("r2", "r2"), again("r3", "r1"), again("r4", "r3"));
  assert.deepEqual(runs(state), ["r3", "r2", "r4"]);
});

test("a version that the server accepted ends its attempt, and another question does not", () => {
  const attempt = { id: "1", kind: "again", runId: "r1", text: "again", fault: null };
  const state = reduce(after(userMessage("r1", "a")), { type: "@attempt", attempt });
  assert.equal(reduce(state, again("r2", "r1")).attempt, null);
  assert.deepEqual(reduce(state, userMessage("r2", "again")).attempt, attempt);
});
