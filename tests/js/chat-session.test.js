/** Frames that the page sends for versions of a turn, over a socket that the test holds. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Bus } from "../../frontend/js/core/bus.js";
import { userMessage } from "./messages.js";

const events = { addEventListener() {}, removeEventListener() {} };
const location = { hash: "", pathname: "/", search: "" };
const history = { replaceState() {}, pushState() {} };
Object.assign(globalThis, { window: { ...events, location }, document: events, history });
globalThis.requestAnimationFrame = () => 1;
const { Link } = await import("../../frontend/js/page/chat-session.js");
const { Desk } = await import("../../frontend/js/page/store.js");

/** A link whose frames are collected, in a chat of one turn with two versions. */
function connected() {
  const bus = new Bus();
  const desk = new Desk(bus);
  const link = new Link(bus, desk);
  const frames = [];
  link.wire = { send: (frame) => frames.push(frame) > 0, open() {} };
  const chat = { chatId: "c1", title: "", files: [], selection: [] };
  link.receive({ type: "chat", content: chat });
  link.receive({ ...userMessage("r1", "first"), seq: 1 });
  link.receive({ ...userMessage("r2", "first"), versionOf: "r1", seq: 2 });
  return { bus, desk, link, frames };
}

test("a question that continues from an older version brings its rows, its reading and its new files", () => {
  const { bus, desk, frames } = connected();
  const file = { fileId: "f1", name: "new.csv", size: 1, mediaType: "" };
  desk.take({ type: "file", seq: 3, content: file });
  const about = { kind: "chart", specId: "s1", name: "bars", ranges: [] };
  bus.emit("command", { name: "point-rows", about });
  bus.emit("command", { name: "show-version", runId: "r1" });
  bus.emit("command", { name: "submit", message: "and these?", reading: { kind: "top" } });
  const { clientMessageId, ...frame } = frames.at(-1);
  assert.ok(clientMessageId);
  assert.deepEqual(frame, {
    ...{ type: "branch", runId: "r1", message: "and these?", after: true },
    ...{ about, reading: { kind: "top" }, attachments: ["new.csv"] },
  });
});

test("a version that is shown without a server is sent once there is one", () => {
  const { bus, link, frames } = connected();
  link.connected("closed");
  bus.emit("command", { name: "show-version", runId: "r1" });
  assert.deepEqual(frames, []);
  link.receive({ type: "chat", content: { chatId: "c1", title: "", files: [], selection: [] } });
  assert.deepEqual(frames, [{ type: "show_version", runId: "r1" }]);
});

test("a question that was not accepted when its chat is left goes back into its field, an accepted one does not", () => {
  for (const isAccepted of [false, true]) {
    const { bus, link, frames } = connected();
    bus.emit("command", { name: "show-version", runId: "r1" });
    bus.emit("command", { name: "submit", message: "and then?" });
    const written = [];
    bus.on("command", ({ name, text }) => name === "write" && text && written.push(text));
    const content = {
      way: "to",
      chatId: "c2",
      title: "",
      runId: "r1",
      clientMessageId: frames.at(-1).clientMessageId,
    };
    if (isAccepted) link.receive({ type: "branch", seq: 3, content });
    else bus.emit("command", { name: "new-chat" });
    assert.deepEqual(written, isAccepted ? [] : ["and then?"]);
  }
});
