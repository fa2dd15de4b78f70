/** Pane that gets the room: messages that fill a pane, a person's choice, and the resulting sizes. */

import assert from "node:assert/strict";
import { test } from "node:test";

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

test("images get the room after a plot, the map after a map", () => {
  const plot = sizesOf(after(DEFINITION, image));
  const both = sizesOf(after(DEFINITION, image, drawn));
  assert.deepEqual([plot.folded, both.folded], [[], []]);
  assert.ok(plot.left < 50 && both.left > 50 && both.columns > plot.columns);
  assert.equal(sizesOf(after(DEFINITION, image, drawn, { ...image, url: "/files/2" })), plot);
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
  assert.deepEqual(resetChat(after(DEFINITION, choice("map"), image)).room, {
    layout: "map",
    filled: null,
  });
  assert.equal(sizesOf(resetChat(after(DEFINITION, image))), sizesOf(initialState()));
});

test("the same choice again changes nothing at all", () => {
  const state = after(choice("debug"));
  assert.equal(reduce(state, choice("debug")), state);
});
