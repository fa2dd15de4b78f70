/** Ghosts of calls that wait: where they stand, and the arguments after a move. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { nextRoom } from "../../frontend/js/map/ghost-keys.js";
import { ghostsOf, turned } from "../../frontend/js/map/ghosts.js";
import { BUILDING, floor, rectangle } from "./messages.js";

const [ground] = BUILDING.floors;
const rooms = ground.rectangles;
const [first, second] = rooms;
const ghosts = (tool, values) => ghostsOf({ tool }, values, BUILDING, ground.floorId);
const target = (room, at = { x: 1, y: 1 }) => ({ floor: ground, room, at });

test("an arrow moves from room to room and turns by quarters", () => {
  const values = { room_name: first.name, direction: "left" };
  const [arrow] = ghosts("draw_arrow", values);
  assert.equal(arrow.room, first);
  assert.deepEqual(arrow.moved(target(second)), { room_name: second.name, direction: "left" });
  assert.equal(arrow.moved(target(null)), null);
  assert.deepEqual(turned(values), { room_name: first.name, direction: "up" });
  assert.deepEqual(ghosts("draw_arrow", { room_name: "Casino", direction: "up" }), []);
  assert.deepEqual(ghosts("draw_arrow", { room_name: 7 }), []);
});

test("only the place of the moved overlay changes in its list", () => {
  const text = `"a;b:c":${first.name}|size=18; 10:30 : 5,6|color=red;x\\:y:${second.name}`;
  const values = { floor_id: ground.floorId, text_overlays: text };
  const labels = ghosts("show_map", values);
  assert.deepEqual(
    labels.map(({ label, at }) => [label, at.x > 0]),
    [
      ["a;b:c", true],
      ["10:30", true],
      ["x:y", true],
    ],
  );
  const moved = labels.map((ghost) => ghost.moved(target(null, { x: 7.125, y: 8 })).text_overlays);
  assert.equal(moved[0], text.replace(`:${first.name}|`, ":7.13,8|"));
  assert.equal(moved[1], text.replace("5,6", "7.13,8"));
  assert.equal(moved[2], `${text.slice(0, text.lastIndexOf(":") + 1)}7.13,8`);
  for (const at of [
    { x: -1e6, y: 1 },
    { x: Number.NaN, y: 1 },
    { x: 1, y: Infinity },
  ])
    assert.equal(labels[0].moved(target(null, at)), null);
  const upstairs = { ...target(null), floor: BUILDING.floors[1] ?? floor("9", []) };
  assert.equal(labels[0].moved(upstairs), null);
});

test("highlighted rooms and stops of a route move to rooms", () => {
  const [, other] = ghosts("show_map", {
    floor_id: ground.floorId,
    highlight_rooms: `${first.name}|fill=0.6、 ${second.name}`,
  });
  assert.equal(other.moved(target(first)).highlight_rooms, `${first.name}|fill=0.6、 ${first.name}`);
  const [stop] = ghosts("find_route", { start: "A", goal: "B", via: first.name });
  assert.match(stop.moved(target(second)).via, new RegExp(`^${second.name}`));
  assert.equal(stop.moved(target(rectangle("a,b"))), null); // the tool would read two names
});

test("an arrow key finds the next room in its direction", () => {
  const row = ["a", "b", "c"].map((name, at) =>
    rectangle(name, { topLeft: { x: 10 * at, y: 0 }, bottomRight: { x: 10 * at + 8, y: 8 } }),
  );
  const plan = { ...ground, rectangles: row };
  const ghost = { floor: plan, room: row[1], at: { x: 0, y: 0 } };
  assert.equal(nextRoom(ghost, { x: 1, y: 0 }).room?.name, "c");
  assert.equal(nextRoom(ghost, { x: -1, y: 0 }).room?.name, "a");
  assert.equal(nextRoom(ghost, { x: 0, y: 1 }).room, null);
});
