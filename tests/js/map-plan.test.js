/** Pure parts of the plan: the spatial index, doors, floors, scale, file names, selection, points on the earth. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { earthOf, earthSheet, earthToScreen, gridLines } from "../../frontend/js/map/degrees.js";
import { fileName } from "../../frontend/js/map/export.js";
import { adjacentFloor, floorsInOrder } from "../../frontend/js/map/floors.js";
import { fitView } from "../../frontend/js/map/geometry.js";
import { Grid } from "../../frontend/js/map/grid.js";
import { planOf } from "../../frontend/js/map/plan.js";
import { scaleOf } from "../../frontend/js/map/scale-bar.js";
import { clicked, lassoed } from "../../frontend/js/map/selection.js";
import { floor, polygon, room } from "./messages.js";

test("the index finds the rooms that looking at every room finds", () => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 40; round += 1) {
    const boxes = Array.from({ length: 1 + Math.floor(random() * 400) }, () => {
      const [x, y, wide] = [random() * 1000 - 500, random() * 300, random() < 0.1 ? 900 : random() * 40];
      return random() < 0.05 ? [NaN, y, x, y] : [x, y, x + wide, y + random() * 40];
    });
    const grid = new Grid(...[0, 1, 2, 3].map((at) => boxes.map((box) => box[at])));
    for (let query = 0; query < 20; query += 1) {
      const [x, y] = [random() * 1400 - 700, random() * 500 - 100];
      const [right, bottom] = [x + random() * 300, y + random() * 300];
      const expected = boxes.flatMap(([l, t, r, b], at) =>
        l <= right && r >= x && t <= bottom && b >= y ? [at] : [],
      );
      assert.deepEqual(
        grid.search(x, y, right, bottom, []).sort((a, b) => a - b),
        expected,
      );
    }
  }
});

test("the room at a point is the smallest one, and a polygon only where it is", () => {
  const outline = polygon("L", [0, 0], [200, 0], [200, 50], [50, 50], [50, 200], [0, 200]);
  const plan = planOf(floor("1", [outline, room("Hall", 0, 0, 500, 200), room("Box", 60, 60, 90, 90)]));
  const at = (x, y) => plan.shownName(plan.roomAt({ x: 20 + 2 * x, y: 20 + 2 * y }), "en");
  assert.deepEqual(
    [at(100, 25), at(25, 150), at(150, 150), at(75, 75), at(600, 10)],
    ["L", "L", "Hall", "Box", ""],
  );
});

test("a hole belongs to no room, whichever way its ring runs, and takes its area", () => {
  const square = [60, 60, 90, 60, 90, 90, 60, 90];
  const corners = Array.from({ length: 4 }, (_, at) => ({ x: square[2 * at], y: square[2 * at + 1] }));
  const ring = polygon("Ring", [0, 0], [200, 0], [200, 200], [0, 200]);
  const plans = [corners, corners.toReversed()].map((hole) =>
    planOf(
      floor("1", [
        { ...ring, holes: [hole] },
        { ...room("Box", 0, 0, 200, 200), holes: [hole] },
      ]),
    ),
  );
  for (const plan of plans) {
    assert.deepEqual(
      [75, 50].map((x) => plan.roomAt({ x: 20 + 2 * x, y: 20 + 2 * 75 })),
      [-1, 0],
    );
    assert.equal(plan.area[0], 4 * (200 * 200 - 30 * 30));
    assert.equal(plan.area[1], plan.area[0]);
  }
});

test("an outline that crosses itself does no harm", () => {
  planOf(floor("1", [polygon("Bow", [0, 0], [10, 10], [10, 0], [0, 10])])).roomAt({ x: 30, y: 30 });
});

test("a door opens the wall it is in as wide as a metre", () => {
  const door = (rooms, x, y) => ({ rooms, at: { x, y } });
  const doors = [
    door(["A", "B"], 105, 50),
    door(["A"], 30, 104),
    door(["A", "Nowhere"], 0, 50),
    door(["Nowhere"], 0, 0),
  ];
  const [between, out, third] = planOf(
    floor("1", [room("A", 0, 0, 100, 100), room("B", 110, 0, 200, 100)], { metresPerUnit: 0.1, doors }),
  ).gaps;
  assert.deepEqual(
    [between.x, between.y, Math.abs(between.uy), between.half, between.deep],
    [20 + 2 * 105, 20 + 2 * 50, 1, 10, 10],
  );
  assert.deepEqual([out.x, out.y, Math.abs(out.ux), third.x], [20 + 60, 20 + 200, 1, 20]);
});

test("floors go up by their ordinal whatever their order in the file", () => {
  const building = {
    bitmaps: [],
    floors: [
      floor("G", [], { ordinal: 0 }),
      floor("3", [], { ordinal: 3 }),
      floor("B", [], { ordinal: -1 }),
      floor("Roof"),
    ],
  };
  assert.deepEqual(
    floorsInOrder(building).map(({ floorId }) => floorId),
    ["B", "G", "3", "Roof"],
  );
  assert.deepEqual(
    [1, -1, 5].map((step) => adjacentFloor(building, "G", step)?.floorId),
    ["3", "B", undefined],
  );
});

for (const [metresPerUnit, scale, metres] of [
  [0.1, 0.7, 5],
  [0.1, 7, 0.5],
  [2, 0.01, 5000],
]) {
  test(`the scale bar is a round number of metres: ${metres}`, () => {
    const bar = scaleOf(floor("1", [], { metresPerUnit }), scale);
    assert.ok(Math.abs(bar.metres - metres) < 1e-9 * metres);
    assert.ok(Math.abs(bar.width - (metres / metresPerUnit) * 2 * scale) < 1e-6);
    assert.ok(bar.width >= 36 && bar.width <= 96);
  });
}

test("without a scale there is no bar", () => assert.equal(scaleOf(floor("1"), 1), null));

for (const [parts, name] of [
  [["House", "1F"], "House-1F.svg"],
  [["../../etc", 'a/b:c*?"<>|'], "etc-a-b-c.svg"],
  [["駅ビル", "地下1階"], "駅ビル-地下1階.svg"],
  [[null, ""], "map.svg"],
]) {
  test(`a file is named after building and floor: ${name}`, () => assert.equal(fileName(parts, "svg"), name));
}

test("the rules of choosing rooms", () => {
  const [a, b, upstairs] = [
    { floorId: "1F", name: "A" },
    { floorId: "1F", name: "B" },
    { floorId: "2F", name: "A" },
  ];
  assert.deepEqual(clicked([a], null, true), [a]);
  assert.deepEqual(clicked([a], upstairs, true), [a, upstairs]);
  assert.deepEqual(clicked([a, b], a, false), [a]);
  assert.deepEqual(lassoed([a], [a, b], true), [a, b]);
  assert.equal(
    lassoed(
      [],
      Array.from({ length: 900 }, (_, n) => ({ floorId: "1F", name: String(n) })),
      false,
    ).length,
    500,
  );
});

for (const [name, size, expected] of /** @type {const} */ ([
  ["a low pane", { width: 780, height: 280 }, "beside it"],
  ["a tall pane", { width: 780, height: 700 }, "above it"],
  ["a narrow pane", { width: 390, height: 220 }, "under it"],
])) {
  test(`a fitted plan stands ${expected} where a corner is to be free: ${name}`, () => {
    const sheet = { left: 0, top: 0, width: 1000, height: 420 };
    const view = fitView(sheet, size, { width: 248, height: 112 });
    const [right, bottom] = [view.left + 1000 * view.scale, view.top + 420 * view.scale];
    const where =
      bottom <= size.height - 112 ? "above it" : right <= size.width - 248 ? "beside it" : "under it";
    assert.equal(where, expected);
    assert.ok(view.top >= 52 && view.left >= 16 && right <= size.width && bottom <= size.height);
  });
}

for (const [name, coordinates, most, label] of [
  [
    "near",
    [
      [35.68, 139.65],
      [34.69, 135.5],
    ],
    6,
    "138°E",
  ],
  [
    "over the antimeridian",
    [
      [-18.1, 178.4],
      [-13.8, -171.8],
    ],
    13,
    "180°",
  ],
  [
    "an ocean",
    [
      [-36.8, 174.8],
      [21.3, -157.9],
      [64.2, -149.9],
    ],
    200,
    "180°",
  ],
  [
    "the world",
    [
      [51.5, -0.1],
      [35.7, 139.7],
      [40.7, -74],
      [-33.9, 151.2],
    ],
    280,
    "0°",
  ],
  [
    "all of it",
    [
      [-90, -180],
      [0, -60],
      [0, 60],
      [90, 180],
    ],
    360.1,
    "0°",
  ],
  ["one point", [[48.8584, 2.2945]], 0.06, "2.3°E"],
  [
    "twice the same",
    [
      [10, 20],
      [10, 20],
    ],
    0.04,
    "20°E",
  ],
]) {
  test(`every point is in the frame, and the frame is not larger than it must be: ${name}`, () => {
    const size = { width: 780, height: 560 };
    const points = coordinates.map(([lat, lon]) => ({ x: lon, y: lat }));
    const earth = earthOf(points, size.width / (size.height - 68));
    const view = fitView(earthSheet(earth), size);
    const place = earthToScreen(earth, view);
    const { meridians, parallels } = gridLines(earth, view, size);
    assert.ok(points.map(place).every(({ x, y }) => x >= 0 && x <= 780 && y >= 52 && y <= 560));
    assert.ok(earth.east - earth.west <= most);
    assert.ok(meridians.some((line) => line.label === label));
    for (const lines of [meridians, parallels]) assert.ok(lines.length >= 2 && lines.length <= 9);
  });
}
