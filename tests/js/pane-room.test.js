/** Pane that gets the room: messages that fill a pane, a person's choice, and the resulting sizes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { unseenInChat } from "../../frontend/js/images/gallery.js";
import { LAYOUTS, sizesOf } from "../../frontend/js/page/pane-room.js";
import { resetChat, initialState, reduce } from "../../frontend/js/page/state.js";
import { userMessage, DEFINITION, map, rectangle, text } from "./messages.js";

const image = { type: "image", url: "/files/1", content: "", format: "png" };
const drawn = map("1F", [rectangle("Room1")]);
const choice = (layout) => ({ type: "@layout", layout });
const after = (...messages) =>
  messages.reduce(
    (state, message, at) =>
      reduce(state, message.type.startsWith("@") ? message : { seq: at + 1, ...message }),
    initialState(),
  );

test("the empty image pane gives its place away", () => {
  assert.deepEqual(sizesOf(after(DEFINITION)).folded, ["images"]);
  assert.deepEqual(sizesOf(after(DEFINITION, drawn)).folded, ["images"]);
});

test("the chat gets the room after a plot, the map after a map", () => {
  const plot = sizesOf(after(DEFINITION, image));
  const both = sizesOf(after(DEFINITION, image, drawn));
  assert.ok(plot.columns < 50 && both.left > 50 && both.columns > plot.columns);
  assert.equal(sizesOf(after(DEFINITION, image, drawn, { ...image, url: "/files/2" })), plot);
});

test("the image pane opens for plots that the chat does not show in its last answer", () => {
  const first = [userMessage("r1", "q"), { ...image, runId: "r1" }];
  assert.deepEqual(sizesOf(after(DEFINITION, ...first)).folded, ["images"]);
  assert.deepEqual(sizesOf(after(DEFINITION, ...first, userMessage("r2", "q"))).folded, []);
});

test("images of a version that another one replaced are shown with it alone", () => {
  const version = { ...userMessage("r2", "q"), versionOf: "r1" };
  const plots = [
    userMessage("r1", "q"),
    { ...image, runId: "r1" },
    version,
    { ...image, url: "/2", runId: "r2" },
  ];
  const unseen = (state) => unseenInChat(state).map(({ runId }) => runId);
  const state = after(...plots);
  assert.deepEqual(unseen(state), []);
  const next = reduce(state, { ...userMessage("r3", "q"), seq: 9 });
  assert.deepEqual(unseen(next), ["r2"]);
  assert.deepEqual(unseen(reduce(next, { type: "@version", runId: "r1" })), ["r1"]);
});

test("a changed chart replaces its image, and fills no pane again", () => {
  const content = { specId: "s1", imageId: "i1", name: "bars", description: "", width: 640, height: 400 };
  const chart = { type: "chart", runId: "r1", imageUrl: "/api/chats/c/files/i1", content };
  const state = after(userMessage("r1", "q"), chart, { ...drawn, runId: "r2" });
  const changed = { specId: "s1", chart: { ...content, specId: "s2", imageId: "i2", width: 320 } };
  const next = reduce(state, {
    type: "chart_changed",
    seq: 9,
    imageUrl: "/api/chats/c/files/i2",
    content: changed,
  });
  const sources = next.gallery.pictures.map(({ src, width }) => [src, width]);
  assert.deepEqual([sources, next.room], [[["/api/chats/c/files/i2", 320]], state.room]);
});

const table = (runId, rowCount = 20) => ({
  type: "table",
  runId,
  url: `/api/chats/c/tables/${runId}`,
  content: { tableId: runId, name: runId, columns: [{ name: "a", kind: "text" }], rows: [], rowCount },
});
const file = (fileId, more = {}) => ({
  type: "file",
  content: {
    fileId,
    name: `${fileId}.csv`,
    size: 1,
    mediaType: "",
    tables: [{ name: fileId, rows: 2, columns: 2 }],
  },
  ...more,
});
const placed = ({ room: { front, data } }) => [front, data?.message?.runId ?? data?.content.fileId ?? null];

test("an uploaded file and a stored table stand where the plan is; a map gives it back", () => {
  assert.deepEqual(placed(after(DEFINITION, file("f"))), ["data", "f"]);
  assert.deepEqual(placed(after(DEFINITION, file("f"), table("r1"))), ["data", "r1"]);
  assert.deepEqual(placed(after(DEFINITION, table("r1"), { ...drawn, runId: "r2" })), ["map", "r1"]);
  const { url, ...unstored } = table("r1");
  const bad = ["//host/x", "/\t/host/x", "https://host/x", `${url}/../../c2`, `${url}?x=`, "/api/session", 7];
  for (const address of [undefined, ...bad])
    assert.deepEqual(
      placed(after(DEFINITION, { ...unstored, url: address })),
      ["map", null],
      String(address),
    );
  assert.deepEqual(placed(after(DEFINITION, file("f", { runId: "r1" }))), ["map", null], "made by a run");
});

test("a file that this page uploads is opened by a person, and another one is not", () => {
  const uploading = { type: "@uploading", name: "f.csv" };
  const own = after(DEFINITION, uploading, file("f"));
  assert.deepEqual([placed(own), own.room.opened], [["data", "f"], 1]);
  assert.equal(after(DEFINITION, uploading, file("g")).room.opened, 0);
  assert.equal(
    reduce(own, { ...file("h"), content: { ...file("h").content, name: "f.csv" }, seq: 9 }).room.opened,
    1,
  );
});

test("in one run a map counts more than a table, and a table more than a plot", () => {
  const one = [{ ...drawn, runId: "r1" }, table("r1"), { ...image, runId: "r1" }];
  assert.deepEqual(placed(after(DEFINITION, ...one)), ["map", "r1"]);
  assert.equal(after(DEFINITION, ...one.slice(1)).room.filled, "data");
});

test("a small table does not replace a larger one, and narrows its place where it stands alone", () => {
  assert.deepEqual(placed(after(DEFINITION, table("r1"), table("r2", 3))), ["data", "r1"]);
  const plan = after(DEFINITION, table("r1"), { ...drawn, runId: "r2" }, table("r3", 3));
  assert.deepEqual(placed(plan), ["map", "r1"], "nor brings it to the front");
  const alone = after(DEFINITION, table("r1", 3));
  assert.deepEqual(placed(alone), ["data", "r1"]);
  assert.ok(sizesOf(alone).columns < sizesOf(after(DEFINITION, table("r1"))).columns);
});

test("an arranged layout keeps its plan; what a person opens stands until it is closed", () => {
  const arranged = after(DEFINITION, choice("own"), table("r1"), file("f"));
  assert.deepEqual(placed(arranged), ["map", null]);
  const opened = reduce(arranged, { type: "@data", data: { kind: "table", message: table("r1") } });
  assert.deepEqual(placed(opened), ["data", "r1"]);
  assert.deepEqual(placed(reduce(opened, { seq: 9, ...drawn, runId: "r2" })), ["data", "r1"]);
  assert.deepEqual(placed(reduce(opened, { type: "@data", data: null })), ["map", null]);
});

test("what fills no pane moves nothing: questions, words, an image that was there", () => {
  const state = after(DEFINITION, drawn);
  const later = [userMessage("r1", "q"), text("r1", "a")].reduce(
    (before, message, at) => reduce(before, { seq: 10 + at, ...message }),
    state,
  );
  assert.equal(sizesOf(later), sizesOf(state));
  assert.equal(reduce(state, { ...image, seq: 12, url: "", content: "" }).room, state.room);
});

test("a layout that was chosen does not lean, and own sizes are nobody else's", () => {
  for (const layout of LAYOUTS.filter((name) => name !== "lean" && name !== "own")) {
    const sizes = sizesOf(after(DEFINITION, choice(layout)));
    assert.equal(sizesOf(after(DEFINITION, choice(layout), image, drawn)), sizes);
  }
  assert.equal(sizesOf(after(DEFINITION, image, choice("own"))), null);
  assert.equal(
    sizesOf(after(DEFINITION, choice("own"), image, choice("lean"))),
    sizesOf(after(DEFINITION, image)),
  );
});

test("another chat keeps the choice and forgets what was filled", () => {
  assert.deepEqual(resetChat(after(DEFINITION, choice("map"), image, table("r1"))).room, {
    ...initialState().room,
    layout: "map",
  });
  assert.equal(sizesOf(resetChat(after(DEFINITION, image))), sizesOf(initialState()));
});

test("the same choice again changes nothing at all", () => {
  const state = after(choice("debug"));
  assert.equal(reduce(state, choice("debug")), state);
});
