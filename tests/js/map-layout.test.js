/** Layout of a floor: sizes, centres, and names that do not overlap. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { arrange } from "../../frontend/js/map/arrangement.js";
import { encloses as inside, overlaps } from "../../frontend/js/map/geometry.js";
import { RoomNames } from "../../frontend/js/map/names.js";
import { planOf } from "../../frontend/js/map/plan.js";
import { sceneOf } from "../../frontend/js/map/scene.js";
import { emptyMap, reduceMap } from "../../frontend/js/map/state.js";
import {
  arrow,
  bitmap,
  DEFINITION,
  floor,
  inRoom,
  map,
  named,
  polygon,
  rectangle,
  room,
  textOverlay,
} from "./messages.js";

const FIT = 0.7;
const measure = (text, size) => [...text].length * size * 0.6;
const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
const close = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);

function layOut(messages, scale = FIT, fit = FIT) {
  const picture = [DEFINITION, ...messages].reduce(reduceMap, emptyMap);
  const at = (zoom) => ({ scale: zoom, left: 0, top: 0 });
  const scene = sceneOf(picture, null);
  const size = { width: 1e5, height: 1e5 };
  const { icons, texts, names } = arrange(scene, { view: at(scale), fit: at(fit), size, measure }, null);
  names.place(scene.floor.rectangles.map((_, index) => index));
  const rooms = new Map(
    scene.floor.rectangles.map(({ name }, index) => [
      name,
      { box: names.boxOf(index), label: names.labels[index] },
    ]),
  );
  return { rooms, icons, texts };
}

test("an arrow takes two fifths of its room in the very middle", () => {
  const {
    rooms,
    icons: [icon],
  } = layOut([arrow("Kitchen", "left")]);
  const { box } = rooms.get("Kitchen");
  close(icon.box.width, 0.4 * box.height);
  middle(icon.box).forEach((part, at) => close(part, middle(box)[at]));
});

for (const [name, where, fit, scale, side] of [
  ["is at least 30 px", "Bathroom", 0.25, 0.25, 30],
  ["is at most 80 px", "Level1", 0.7, 0.7, 80],
  ["grows with the plan", "Level1", 0.7, 1.4, 160],
  ["is never larger than its room", "Toilet", 0.7, 0.7, 0.9 * 14],
]) {
  test(`an arrow ${name}`, () => close(layOut([arrow(where)], scale, fit).icons[0].box.width, side));
}

test("several arrows of a room stand side by side inside it", () => {
  const { rooms, icons } = layOut(
    ["up", "down", "left", "right"].map((direction) => arrow("Bathroom", direction)),
  );
  const boxes = icons.map(({ box }) => box);
  assert.equal(boxes.length, 4);
  assert.ok(boxes.every((box) => inside(rooms.get("Bathroom").box, box)));
  assert.ok(boxes.every((box, at) => !boxes.slice(at + 1).some((other) => overlaps(box, other))));
});

for (const scale of [0.2, 0.35, 0.7, 1.4, 5]) {
  test(`no name ever covers another name or an icon, at ${scale}`, () => {
    const overlays = [bitmap("person", inRoom("Room1")), textOverlay("Exit", inRoom("Room1"))];
    const { rooms, icons, texts } = layOut(
      [map("1F", [rectangle("Bathroom")], overlays), arrow("Kitchen"), arrow("Level1")],
      scale,
    );
    const labels = [...rooms.values()].flatMap(({ label }) => (label ? [label.box] : []));
    const boxes = [...icons, ...texts].map(({ box }) => box);
    assert.ok(labels.length > 0);
    labels.forEach((box, at) =>
      assert.ok(![...labels.slice(at + 1), ...boxes].some((other) => overlaps(box, other))),
    );
  });
}

test("the name of an area keeps out of the room within it", () => {
  const { rooms } = layOut([]);
  const { box, label } = rooms.get("Level1");
  assert.ok(!overlaps(label.box, rooms.get("Bathroom").box));
  assert.ok(inside(box, label.box));
});

test("a free name is centred, and a highlighted one is larger and bold", () => {
  const { rooms } = layOut([named(["Kitchen"])]);
  const [kitchen, other] = [rooms.get("Kitchen"), rooms.get("Room1")];
  assert.deepEqual([kitchen.label.at.x, kitchen.label.at.y], middle(kitchen.box));
  assert.deepEqual([kitchen.label.bold, other.label.bold], [true, false]);
  assert.ok(kitchen.label.size > other.label.size);
});

test("a highlight may hide its name", () => {
  const { rooms } = layOut([map("1F", [rectangle("Kitchen", { showName: false })])]);
  assert.equal(rooms.get("Kitchen").label, null);
});

test("a text stands under the icon of its room", () => {
  const {
    rooms,
    icons: [icon],
    texts: [text],
  } = layOut([map("1F", [], [textOverlay("John", inRoom("Kitchen")), bitmap("person", inRoom("Kitchen"))])]);
  middle(icon.box).forEach((part, at) => close(part, middle(rooms.get("Kitchen").box)[at]));
  assert.ok(text.box.top >= icon.box.top + icon.box.height);
  close(middle(text.box)[0], middle(icon.box)[0]);
});

test("an offset is in the floor's own coordinates, also upside down", () => {
  const {
    rooms,
    texts: [text],
  } = layOut([map("2F", [], [textOverlay("x", inRoom("Library"), { offset: { x: 10, y: 10 } })])]);
  const [x, y] = middle(rooms.get("Library").box);
  close(text.at.x, x + 20 * FIT);
  close(text.at.y, y - 20 * FIT); // on 2F, y grows upwards
});

for (const scale of [0.1, 0.35, 1, 3, 8]) {
  test(`of two thousand names none covers another and each lies in its room, at ${scale}`, () => {
    const grid = Array.from({ length: 2000 }, (_, n) =>
      room(
        `R${n + 1}`,
        (n % 50) * 100,
        Math.floor(n / 50) * 50,
        (n % 50) * 100 + 100,
        Math.floor(n / 50) * 50 + 50,
      ),
    );
    const plan = planOf(
      floor(
        "1",
        [...grid, room("Wing", 0, 0, 2500, 1000), polygon("Tip", [5000, 0], [5400, 1000], [5000, 2000])],
        { wide: 5400, high: 2000 },
      ),
    );
    const names = new RoomNames({ plan, marks: new Map(), scale, obstacles: [], measure });
    const all = [...new Array(plan.count).keys()];
    names.place(all.filter((at) => at % 2)); // as rooms come into sight
    names.place(all);
    const labels = names.labels.filter(Boolean);
    assert.ok(labels.every(({ room: at, box }) => inside(names.boxOf(at), box)));
    labels.forEach((label, at) =>
      assert.ok(!labels.slice(at + 1).some((other) => overlaps(label.box, other.box)), label.text),
    );
    const tip = names.labels[plan.indexes.get("Tip")];
    for (const x of tip ? [tip.box.left, tip.box.left + tip.box.width] : [])
      assert.ok(plan.contains(tip.room, x / scale, tip.at.y / scale));
    assert.equal(labels.length > 1500, scale > 0.3);
  });
}
