/** Layout of a floor: sizes, centres, and names that do not overlap. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { arrange } from "../../frontend/js/map/arrangement.js";
import { encloses as inside, overlaps } from "../../frontend/js/map/geometry.js";
import { RoomNames } from "../../frontend/js/map/names.js";
import { planOf } from "../../frontend/js/map/plan.js";
import { fillMerged } from "../../frontend/js/map/rooms.js";
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

test("a name is shortened, but not to two or three letters", () => {
  const square = { topLeft: { x: 0, y: 0 }, bottomRight: { x: 100, y: 100 } };
  const plan = planOf(floor("1", [rectangle("Laboratory", square)])); // 200 pixels wide
  const label = (scale) => {
    const names = new RoomNames({ plan, marks: new Map(), scale, obstacles: [], measure });
    names.place([0]);
    return names.labels[0]?.text;
  };
  assert.equal(label(0.5), "Laboratory");
  assert.equal(label(0.3), "Labora…");
  assert.equal(label(0.175), undefined);
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

test("a text on a plate stays on the plan beside its edge", () => {
  const plate = (x, more = {}) =>
    textOverlay(
      "queue 1 min 27 s",
      { type: "coordinate", x, y: 100 },
      { backgroundColor: "#ffffff", ...more },
    );
  const { texts } = layOut([
    map("1F", [], [plate(495), plate(250), plate(495, { backgroundColor: undefined })]),
  ]);
  const [edge, free, bare] = texts.map(({ box }) => box.left + box.width);
  assert.ok(edge <= 1020 * FIT && free < edge, `${edge} ${free}`);
  assert.ok(bare > 1020 * FIT);
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

/** Numbers from 0 to 1, the same for each seed (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A plan without any order: rooms over each other and in each other, some of them triangles, with long and short names. */
function jumbledPlan(random, count) {
  const rooms = Array.from({ length: count }, (_, n) => {
    const [x, y] = [random() * 2000, random() * 1000];
    const [wide, high] = [10 + random() ** 3 * 600, 10 + random() ** 3 * 300];
    const name = `${"国際会議室 Room ".slice(0, random() * 16)}${n}`;
    return n % 3
      ? room(name, x, y, x + wide, y + high)
      : polygon(name, [x, y], [x + wide, y + high / 3], [x + wide / 4, y + high]);
  });
  return planOf(floor("1", rooms, { wide: 2700, high: 1400 }));
}

for (let seed = 1; seed <= 12; seed += 1) {
  test(`of the names of a jumbled plan none covers another, an icon, or the world outside its room: ${seed}`, () => {
    const random = randomOf(seed);
    const plan = jumbledPlan(random, 400);
    const scale = 0.15 * 40 ** random();
    const all = [...new Array(plan.count).keys()];
    const marks = new Map(all.filter(() => random() < 0.1).map((at) => [at, { showName: true }]));
    const obstacles = [1, 2, 3].map(() => ({
      box: { left: random() * 2000 * scale, top: random() * 1000 * scale, width: 60, height: 40 },
    }));
    const names = new RoomNames({ plan, marks, scale, obstacles, measure });
    for (let view = 0; view < 5; view += 1) names.place(all.filter(() => random() < 0.4)); // as rooms come into sight
    names.place(all);
    const labels = names.labels.filter(Boolean);
    for (const [at, { text, box, room: owner }] of labels.entries()) {
      assert.ok(!labels.slice(at + 1).some((other) => overlaps(box, other.box)), text);
      assert.ok(!obstacles.some((icon) => overlaps(box, icon.box)), text);
      assert.ok(inside(names.boxOf(owner), box), text);
      for (const x of [box.left, box.left + box.width])
        assert.ok(plan.contains(owner, x / scale, (box.top + box.height / 2) / scale), text);
    }
    assert.ok(labels.length > 0);
  });
}

test("rooms too small for outlines are cells of the plan, in few pieces, wherever the view is", () => {
  const random = randomOf(7);
  const plan = jumbledPlan(random, 3000);
  const all = [...new Array(plan.count).keys()];
  const colourOf = (at) => (at % 2 ? "odd" : "even");
  const paint = (sight, left) => {
    const cells = new Map();
    const ctx = {
      fillRect(x, y, width, height) {
        for (let across = 0; across < width; across += 3)
          for (let down = 0; down < height; down += 3)
            cells.set(`${x + across - left} ${y + down}`, ctx.fillStyle);
        ctx.pieces = (ctx.pieces ?? 0) + 1;
      },
    };
    fillMerged(ctx, { dpr: 1, view: { scale: 0.1, left, top: 0 }, sight }, plan, all, colourOf);
    return { cells, pieces: ctx.pieces };
  };
  const { cells, pieces } = paint({ left: 0, top: 0, width: 270, height: 140 }, 0);
  assert.ok(pieces < 3000 && cells.size > 1000);
  const part = paint({ left: 190, top: 0, width: 80, height: 140 }, 40).cells;
  assert.ok(part.size > 100);
  for (const [cell, colour] of part) assert.equal(colour, cells.get(cell), cell);
});
