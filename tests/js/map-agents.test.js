/** Layers of several agents on one map. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { initialState, reduce } from "../../frontend/js/page/state.js";
import { ownersOn } from "../../frontend/js/map/agents.js";
import { highlightsOf } from "../../frontend/js/map/picture.js";
import { arrow, CLEAR_ARROWS, CLEAR_MAP, DEFINITION, frames, map, named, rectangle } from "./messages.js";

const by = (agent) => ({ type: "run", content: { runId: `r_${agent}`, state: "running", notes: [], agent } });
const show = (...rooms) =>
  map(
    "1F",
    rooms.map((name) => rectangle(name)),
  );
const after = (...messages) =>
  [DEFINITION, ...messages].reduce((state, message) => reduce(state, message), initialState()).map;
const rooms = (picture) =>
  highlightsOf(picture)
    .map(({ room }) => room)
    .toSorted();
const arrows = (picture) => picture.arrows.map(({ room, direction }) => `${room} ${direction}`);
const inRun = (message, runId) => ({ ...message, runId });

test("a single agent's picture is just what it drew", () => {
  const drawn = [show("Room1"), named(["Kitchen"]), arrow("Bathroom", "up"), show("Bathroom")];
  const { layers: _, agent: __, ...alone } = after(...drawn);
  const { layers, agent, ...drawing } = after(by("code"), ...drawn);
  assert.deepEqual(drawing, alone);
  assert.deepEqual([layers.length, agent, rooms(drawing)], [1, "code", ["Bathroom"]]);
});

test("another agent's map leaves the first one's, and a room of both is the last one's", () => {
  const picture = after(
    by("one"),
    map("1F", [rectangle("Room1", { color: "#ff0000" }), rectangle("Kitchen", { color: "#ff0000" })]),
    arrow("Bathroom", "up"),
    by("two"),
    map("1F", [rectangle("Kitchen", { color: "#00ff00" })]),
    arrow("Bathroom", "up"),
  );
  assert.deepEqual(rooms(picture), ["Kitchen", "Room1"]);
  assert.equal(highlightsOf(picture).find(({ room }) => room === "Kitchen").color, "#00ff00");
  assert.deepEqual(arrows(picture), ["Bathroom up"]);
  assert.deepEqual(Object.fromEntries(ownersOn(picture, "1F")), {
    Room1: [1],
    Kitchen: [1, 2],
    Bathroom: [1, 2],
  });
});

test("what clears, clears the layer of its agent; a person's Clear takes all", () => {
  const both = [
    by("one"),
    show("Room1"),
    arrow("Room1", "up"),
    by("two"),
    show("Kitchen"),
    arrow("Kitchen", "down"),
  ];
  const cases = [
    [[inRun(CLEAR_ARROWS, "r_two")], ["Kitchen", "Room1"], ["Room1 up"], 2],
    [[inRun(CLEAR_MAP, "r_two")], ["Room1"], ["Room1 up"], 1],
    [[by("one"), inRun(CLEAR_MAP, "r_one")], ["Kitchen"], ["Kitchen down"], 1],
    [[CLEAR_ARROWS], [], [], 0],
    [[{ type: "@map_cleared" }], [], [], 0],
  ];
  for (const [clearing, remaining, pointed, layers] of cases) {
    const picture = after(...both, ...clearing);
    assert.deepEqual([rooms(picture), arrows(picture), picture.layers.length], [remaining, pointed, layers]);
  }
});

test("a layer can be hidden and shown, shows when its agent draws again, and is never hidden alone", () => {
  const both = [by("one"), show("Room1"), by("two"), show("Kitchen")];
  const hide = { type: "@layer", agent: "one", visible: false };
  assert.deepEqual(rooms(after(...both, hide)), ["Kitchen"]);
  assert.deepEqual(rooms(after(...both, hide, { ...hide, visible: true })), ["Kitchen", "Room1"]);
  assert.deepEqual(rooms(after(...both, hide, by("one"), show("Bathroom"))), ["Bathroom", "Kitchen"]);
  assert.deepEqual(rooms(after(...both, hide, inRun(CLEAR_MAP, "r_two"))), ["Room1"]);
  const unknown = after(...both);
  assert.equal(reduce({ ...initialState(), map: unknown }, { ...hide, agent: "nobody" }).map, unknown);
});

test("a playback of one agent stays beside the rooms of another, and keeps its frame", () => {
  const played = frames([
    { time: "1", rectangles: [rectangle("Room1")] },
    { time: "2", rectangles: [rectangle("Bathroom")] },
  ]);
  const picture = after(
    by("one"),
    show("Kitchen"),
    by("two"),
    played,
    { type: "@frame", at: 1 },
    by("one"),
    arrow("Kitchen", "up"),
  );
  assert.deepEqual([rooms(picture), picture.playback.at], [["Bathroom", "Kitchen"], 1]);
});

test("what came before the building is drawn by those who sent it, and another building takes all away", () => {
  const early = [by("one"), show("Room1"), by("two"), show("Kitchen"), DEFINITION].reduce(
    (state, message) => reduce(state, message),
    initialState(),
  ).map;
  assert.deepEqual(
    early.layers.map(({ agent, number }) => [agent, number]),
    [
      ["one", 1],
      ["two", 2],
    ],
  );
  const other = reduce(
    { ...initialState(), map: early },
    { ...DEFINITION, content: { ...DEFINITION.content, buildingId: "b_other" } },
  ).map;
  assert.deepEqual([rooms(other), other.layers], [[], []]);
});
