/** Layers of the map, painted on a canvas that remembers. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as data from "../../frontend/js/map/layer-data.js";
import { roomsInSight } from "../../frontend/js/map/rooms.js";
import { planOf } from "../../frontend/js/map/plan.js";
import { sceneOf } from "../../frontend/js/map/scene.js";
import { emptyMap, reduceMap } from "../../frontend/js/map/state.js";
import { BUILDING, floor, map, rectangle } from "./messages.js";

const ROOMS = Array.from({ length: 20 }, (_, at) =>
  rectangle(`Room ${at}`, {
    id: `r${at}`,
    topLeft: { x: 20 * at, y: 0 },
    bottomRight: { x: 20 * at + 18, y: 18 },
  }),
);
const BUILT = {
  type: "map_definition",
  content: { ...BUILDING, floors: [floor("1", ROOMS, { wide: 400, high: 100 })], links: [] },
};
const sight = { left: 0, top: 0, width: 400, height: 100 };
const stageAt = (scale, left = 0) => ({
  dpr: 1,
  view: { scale, left, top: 0 },
  sight,
  size: sight,
  palette: { paper: "#fff", ink: "#000" },
});

/** Canvas that remembers the opacity of every filled box. */
function canvas() {
  const boxes = [];
  const nothing = () => undefined;
  const ctx = { globalAlpha: 1, boxes, save: nothing, restore: nothing, translate: nothing };
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
  const plan = planOf(floor("1", ROOMS, { wide: 400, high: 100 }));
  const rooms = roomsInSight(plan, stageAt(1));
  assert.equal(rooms.length, 10);
  assert.equal(roomsInSight(plan, { ...stageAt(1), sight: { ...sight } }), rooms);
  assert.notEqual(roomsInSight(plan, stageAt(1, -30)), rooms);
});
