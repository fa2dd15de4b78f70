/** Layers of the map, painted on a canvas that remembers. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { arrange } from "../../frontend/js/map/arrangement.js";
import { addHatch } from "../../frontend/js/map/hatch.js";
import * as closures from "../../frontend/js/map/layer-closures.js";
import * as data from "../../frontend/js/map/layer-data.js";
import { roomsInSight } from "../../frontend/js/map/rooms.js";
import { planOf } from "../../frontend/js/map/plan.js";
import { sceneOf } from "../../frontend/js/map/scene.js";
import { emptyMap, reduceMap } from "../../frontend/js/map/state.js";
import { BUILDING, floor, map, rectangle } from "./messages.js";

/** Floor with two plan pixels per unit. */
const floorOf = (rooms) =>
  floor("1", rooms, {
    coordinateSystem: {
      topLeft: { px: 0, py: 0, x: 0, y: 0 },
      bottomRight: { px: 800, py: 200, x: 400, y: 100 },
    },
  });
const ROOMS = Array.from({ length: 20 }, (_, at) =>
  rectangle(`Room ${at}`, {
    id: `r${at}`,
    topLeft: { x: 20 * at, y: 0 },
    bottomRight: { x: 20 * at + 18, y: 18 },
  }),
);
const BUILT = {
  type: "map_definition",
  content: { ...BUILDING, floors: [floorOf(ROOMS)], links: [] },
};
const sight = { left: 0, top: 0, width: 400, height: 100 };
const stageAt = (scale, left = 0) => ({
  dpr: 1,
  view: { scale, left, top: 0 },
  sight,
  size: sight,
  palette: { paper: "#fff", ink: "#000" },
});

/** Canvas that remembers every filled box and its opacity, and every line. */
function canvas() {
  const [boxes, lines] = [[], []];
  const ctx = { globalAlpha: 1, boxes, lines };
  for (const call of ["save", "restore", "translate", "beginPath", "stroke", "arc", "fill"])
    ctx[call] = () => undefined;
  let [x, y] = [0, 0];
  ctx.moveTo = (...at) => ([x, y] = at);
  ctx.lineTo = (toX, toY) => lines.push({ x, y, toX, toY });
  ctx.fillRect = (left, top, width, height) =>
    boxes.push({ left, top, width, height, alpha: ctx.globalAlpha, colour: ctx.fillStyle });
  return ctx;
}

test("coloured rooms of a few pixels keep their own opacity, are seen without a fill, and nothing else turns faint", () => {
  const look = [
    { fillOpacity: 0.8 },
    { fillOpacity: 0 },
    { fillOpacity: 0, strokeOpacity: 0 },
    { fillOpacity: 0.3 },
  ];
  const marked = look.map((more, at) => rectangle(`Room ${at * 5}`, more));
  const scene = sceneOf([BUILT, map("1", marked)].reduce(reduceMap, emptyMap), null);
  const ctx = canvas();
  data.paint(ctx, stageAt(0.1), {
    floor: scene,
    arrangement: { icons: [], texts: [], dots: null },
    bitmap: () => null,
  });
  assert.deepEqual(
    ctx.boxes.map(({ alpha }) => alpha),
    [0.35, 0.35, 0.8],
  );
  assert.equal(ctx.globalAlpha, 1);
});

test("the rooms in sight are searched once for all layers of a frame", () => {
  const plan = planOf(floorOf(ROOMS));
  const rooms = roomsInSight(plan, stageAt(1));
  assert.equal(rooms.length, 11);
  assert.equal(roomsInSight(plan, { ...stageAt(1), sight: { ...sight } }), rooms);
  assert.notEqual(roomsInSight(plan, stageAt(1, -30)), rooms);
});

const closing = (...parts) => ({ type: "closures", content: { closures: parts, scenarios: [] } });
const FLOOR = { kind: "floor", floorId: "1", rooms: [] };

test("closed rooms of a few pixels are filled, larger ones hatched by lines fixed to the plan and inside them", () => {
  const scene = sceneOf([BUILT, closing(FLOOR)].reduce(reduceMap, emptyMap), null);
  const painted = (scale, left = 0) => {
    const ctx = canvas();
    closures.paint(ctx, stageAt(scale, left), { floor: scene });
    assert.equal(ctx.globalAlpha, 1);
    return ctx;
  };
  assert.ok(painted(0.1).boxes.length > 0);
  assert.equal(painted(0.3).boxes.length, ROOMS.length);
  const { lines } = painted(1);
  assert.ok(lines.length > 10);
  for (const { x, y, toX, toY } of lines) {
    assert.ok(Math.floor(x / 40) === Math.floor(toX / 40) && Math.max(y, toY) <= 36 && Math.min(y, toY) >= 0);
    assert.ok(Math.max(x % 40, toX % 40) <= 36);
    assert.equal(Math.round((x + y) % 9) % 9, 0);
  }
  const moved = painted(1, -4).lines.map(({ x, y }) => `${x + 4} ${y}`);
  assert.ok(lines.every(({ x, y }) => x > 380 || x < 10 || moved.includes(`${x} ${y}`)));
});

test("hatching leaves out the holes of a room", () => {
  const square = (from, to) => [
    { x: from, y: from },
    { x: to, y: from },
    { x: to, y: to },
    { x: from, y: to },
  ];
  const ring = rectangle("Ring", {
    topLeft: { x: 0, y: 0 },
    bottomRight: { x: 40, y: 40 },
    polygon: square(0, 40),
    holes: [square(10, 30)],
  });
  const lines = [];
  addHatch(lines, stageAt(1), planOf(floorOf([ring])), 0);
  const isIn = (at) => at > 20 && at < 60;
  assert.ok(lines.length > 20);
  for (const [x, y, toX, toY] of lines) assert.ok(!isIn((x + toX) / 2) || !isIn((y + toY) / 2));
});

test("no name is drawn over the sign of a closed room, door or lift", () => {
  const door = { kind: "door", floorId: "1", rooms: ["Room 1"], at: { x: 29, y: 9 } };
  const picture = [BUILT, closing({ ...FLOOR, kind: "room", rooms: ["Room 0"] }, door)].reduce(
    reduceMap,
    emptyMap,
  );
  const scene = sceneOf(picture, null);
  const measure = (text, size) => text.length * size * 0.2;
  const { names } = arrange(scene, { ...stageAt(2), fit: { scale: 2 }, measure }, null);
  names.place([0, 1, 2]);
  const [first, second, third] = names.labels;
  const far = ({ box }, { x, y }) =>
    Math.hypot(
      x - Math.min(Math.max(x, box.left), box.left + box.width),
      y - Math.min(Math.max(y, box.top), box.top + box.height),
    );
  assert.ok(far(first, { x: 12, y: 12 }) > 9 && far(second, { x: 116, y: 36 }) > 9);
  assert.deepEqual(third.at, { x: 196, y: 36 });
});
