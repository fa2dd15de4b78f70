/** State of the list of chats: merging of pages, groups, and unread chats. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { hasAll, pieces } from "../../frontend/js/chats/marked.js";
import {
  grouped,
  initialChats,
  isUnread,
  reduceChats,
  unreadElsewhere,
  withReadTime,
} from "../../frontend/js/chats/state.js";
import { cleanTag, tagFault } from "../../frontend/js/chats/tag-words.js";
import { titleFault, titleFrom } from "../../frontend/js/chats/title-words.js";
import { typedCommand, commandsLike } from "../../frontend/js/chat/commands.js";

const chat = (id, updatedAt, more = {}) => ({
  id,
  title: id,
  createdAt: 0,
  updatedAt,
  lastSeq: 1,
  pinned: false,
  archived: false,
  tags: [],
  state: "idle",
  answeredAt: updatedAt,
  ...more,
});
const page = (chats, next = null) => ({ chats, next });
const after = (...facts) =>
  facts.reduce((state, fact) => Object.freeze(reduceChats(state, fact)), Object.freeze(initialChats()));
const pageFact = (chats, next = null, further = false, query = "") => ({
  type: "listed",
  query,
  page: page(chats, next),
  further,
});
const ids = ({ list }) => list.map(({ id }) => id);

test("a further page comes behind the first, and a chat that moved up stands once", () => {
  const state = after(
    pageFact([chat("d", 4), chat("c", 3)], "3_c"),
    pageFact([chat("b", 2), chat("a", 1)], null, true),
  );
  assert.deepEqual([ids(state), state.next], [["d", "c", "b", "a"], null]);
  const moved = reduceChats(state, pageFact([chat("a", 5), chat("d", 4)], "4_d"));
  assert.deepEqual([ids(moved), moved.next], [["a", "d", "c", "b"], null]);
});

test("what a page from the beginning reaches over and does not have is gone", () => {
  const state = after(pageFact([chat("c", 3), chat("b", 2), chat("a", 1)]));
  assert.deepEqual(ids(reduceChats(state, pageFact([chat("c", 3), chat("a", 1)]))), ["c", "a"]);
  assert.deepEqual(ids(reduceChats(state, pageFact([chat("c", 3)], "3_c"))), ["c", "b", "a"]);
  assert.equal(
    reduceChats(after(pageFact([chat("c", 3)], "3_c")), pageFact([chat("c", 4)], "4_c")).next,
    "4_c",
  );
});

test("a chat that was deleted here keeps its place until its time is over", () => {
  const state = after(
    pageFact([chat("c", 3), chat("b", 2)]),
    { type: "deleted", chatId: "b", until: 9 },
    pageFact([chat("c", 3)]),
  );
  assert.deepEqual(ids(state), ["c", "b"]);
  assert.deepEqual(ids(reduceChats(state, { type: "expired", chatId: "b", until: 9 })), ["c"]);
  const back = reduceChats(state, { type: "restored", chatId: "b" });
  assert.equal(reduceChats(back, { type: "expired", chatId: "b", until: 9 }), back);
  const again = reduceChats(back, { type: "deleted", chatId: "b", until: 20 });
  assert.equal(reduceChats(again, { type: "expired", chatId: "b", until: 9 }), again);
});

test("an answer to words that are no longer looked for changes nothing", () => {
  const state = after({ type: "searched", query: "new" });
  assert.equal(reduceChats(state, pageFact([chat("a", 1)], null, false, "old")), state);
  assert.equal(reduceChats(state, { type: "searched", query: "new" }), state);
});

test("a pinned chat moves to the pinned ones, and back to its place", () => {
  const state = after(pageFact([chat("c", 3), chat("b", 2), chat("a", 1)]), {
    type: "changed",
    chat: { id: "b", pinned: true },
  });
  assert.deepEqual(ids(state), ["b", "c", "a"]);
  assert.deepEqual(ids(reduceChats(state, { type: "changed", chat: { id: "b", pinned: false } })), [
    "c",
    "b",
    "a",
  ]);
});

test("an archived chat leaves the list, but not the result of a search", () => {
  const archived = { type: "changed", chat: { id: "b", archived: true } };
  const state = after(pageFact([chat("a", 3), chat("b", 2)]));
  assert.deepEqual(ids(reduceChats(state, archived)), ["a"]);
  assert.deepEqual(ids(reduceChats({ ...state, query: "x" }, archived)), ["a", "b"]);
});

test("a filter empties the list, keeps the tags, and a chat that loses its tag leaves it", () => {
  const tags = [{ name: "x", chats: 1, archived: 0 }];
  const first = { ...pageFact([chat("a", 3)]), page: { chats: [chat("a", 3)], next: "3_a", tags } };
  const state = after(first, { type: "filtered", tag: "x" });
  assert.deepEqual([state.list, state.next, state.tag, state.tags], [null, null, "x", tags]);
  const listed = reduceChats(state, pageFact([chat("b", 2, { tags: ["x"] })]));
  assert.deepEqual([ids(listed), listed.tags], [["b"], tags]);
  const fact = (more) => ({ type: "changed", chat: { id: "b", tags: more } });
  assert.deepEqual(ids(reduceChats(listed, fact(["x", "y"]))), ["b"]);
  assert.deepEqual(ids(reduceChats(listed, fact(["y"]))), []);
});

test("a typed tag is one line of visible text, and says what is wrong with it", () => {
  const t = (key, values = {}) => [key, ...Object.values(values)].join(" ");
  assert.equal(cleanTag("  cafe\u0301 \u3000 \u202eb\tc\u200b "), "caf\u00e9 b c");
  assert.equal(cleanTag("👩\u200d🔬"), "👩\u200d🔬");
  assert.equal(tagFault(" \u202e ", t), "tags.empty");
  assert.equal(tagFault("😀".repeat(40), t, Array(9)), "");
  assert.equal(tagFault("😀".repeat(41), t), "tags.long 40 41");
  assert.equal(tagFault("x", t, Array(10)), "tags.many 10");
});

test("headings are pinned, today, the week before and earlier, and those without chats are left out", () => {
  const now = new Date(2026, 0, 15, 12).getTime();
  const today = new Date(2026, 0, 15, 0, 0, 1).getTime() / 1000;
  const week = new Date(2026, 0, 8, 0, 0, 1).getTime() / 1000;
  const chats = [
    chat("p", 1, { pinned: true }),
    chat("t", today),
    chat("y", today - 2),
    chat("w", week),
    chat("e", week - 2),
  ];
  const groups = grouped(chats, now);
  assert.deepEqual(
    groups.map(({ name, chats }) => [name, chats.map(({ id }) => id)]),
    [
      ["pinned", ["p"]],
      ["today", ["t"]],
      ["week", ["y", "w"]],
      ["earlier", ["e"]],
    ],
  );
  assert.deepEqual(
    grouped([chat("e", 1)], now).map(({ name }) => name),
    ["earlier"],
  );
});

test("an answer is unread until it is seen; one from before the browser came, or a run that goes on, is none", () => {
  const times = withReadTime({ since: 10, chats: {} }, "a", 20);
  assert.equal(isUnread(chat("a", 0, { answeredAt: 20 }), times), false);
  assert.equal(isUnread(chat("a", 0, { answeredAt: 21 }), times), true);
  assert.equal(isUnread(chat("a", 0, { answeredAt: 21, state: "running" }), times), false);
  assert.equal(isUnread(chat("b", 0, { answeredAt: 9 }), times), false);
  assert.equal(isUnread(chat("b", 0, { answeredAt: 11 }), times), true);
  assert.equal(isUnread(chat("b", 0, { answeredAt: null }), times), false);
  assert.equal(withReadTime(times, "a", 15).chats.a, 20);
});

test("what is forgotten of the seen makes no old answer new", () => {
  let times = { since: 0, chats: {} };
  for (let at = 1; at <= 310; at += 1) times = withReadTime(times, `c${at}`, at);
  assert.equal(Object.keys(times.chats).length, 300);
  assert.equal(isUnread(chat("c1", 0, { answeredAt: 1 }), times), false);
  assert.equal(isUnread(chat("c1", 0, { answeredAt: 400 }), times), true);
});

test("the chat that is open, and one that was deleted, are not counted", () => {
  const chats = after(pageFact([chat("a", 1), chat("b", 1), chat("c", 1)]), {
    type: "deleted",
    chatId: "c",
    until: 9,
  });
  assert.equal(unreadElsewhere({ chats, chat: { chatId: "a" } }), 1);
});

test("a title is the first line of the first message, cut as the server cuts it", () => {
  assert.equal(titleFrom("  one\ntwo"), "one");
  assert.equal(titleFrom("x".repeat(60)), "x".repeat(60));
  assert.equal(titleFrom("😀".repeat(61)), `${"😀".repeat(59)}…`);
});

test("a title that cannot be kept says why", () => {
  const t = (key, values = {}) => [key, ...Object.values(values)].join(" ");
  assert.equal(titleFault("  ", t), "chats.title_empty");
  assert.equal(titleFault("x".repeat(201), t), "chats.title_long 200 201");
  assert.equal(titleFault("x".repeat(200), t), "");
});

test("words are marked wherever they stand, whatever they are made of", () => {
  assert.deepEqual(pieces("Fares (a+b) and fares", "fares a+b"), [
    "",
    "Fares",
    " (",
    "a+b",
    ") and ",
    "fares",
    "",
  ]);
  assert.deepEqual(pieces("text", " "), ["text"]);
  assert.equal(hasAll("Fares by Class", "class fares"), true);
  assert.equal(hasAll("Fares", "class"), false);
});

test("a slash begins a command, of an input method too; a path or a sentence is none", () => {
  assert.deepEqual(["/", "/Ne", "／new", "/etc/hosts", "a/", "/new chat"].map(typedCommand), [
    "",
    "ne",
    "new",
    null,
    null,
    null,
  ]);
  assert.deepEqual(
    commandsLike("e").map(({ name }) => name),
    ["export"],
  );
  assert.equal(commandsLike("").length, 11);
});
