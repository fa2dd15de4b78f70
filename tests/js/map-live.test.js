/** Live layers of the map: what is painted, and whether it is current. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { isGone } from "../../frontend/js/map/live.js";
import { highlightsOf } from "../../frontend/js/map/picture.js";
import { emptyMap, reduceMap } from "../../frontend/js/map/state.js";
import { BUILDING } from "./messages.js";

const STATUS = { name: "co2", title: "", unit: "", source: "posted", state: "live", stale: 60 };
const after = (...messages) =>
  messages.reduce(reduceMap, reduceMap(emptyMap, { type: "map_definition", content: BUILDING }));
const listed = (...layers) => ({ type: "layers", content: { layers } });
const shown = (content) => ({ type: "layer_shown", content });

test("a painted layer that the server does not list is gone, but not before it has listed any", () => {
  assert.equal(isGone(after(shown({ layer: "co2" })).live), false);
  assert.equal(isGone(after(shown({ layer: "co2" }), listed(STATUS)).live), false);
  assert.equal(isGone(after(shown({ layer: "co2" }), listed()).live), true);
  assert.equal(isGone(after(listed(STATUS), shown({ layer: "co3" })).live), true);
  assert.equal(isGone(after(listed(), shown({ layer: "co2" }), shown({})).live), false);
});

test("colours of another legend are hidden by a layer, and marks without a legend lie over it", () => {
  const floorId = BUILDING.floors[0].floorId;
  const [first, second] = BUILDING.floors[0].rectangles.map(({ name }) => name);
  const legend = (title) => ({
    type: "legend",
    title,
    unit: "",
    stops: [{ value: 1, color: "#000000" }],
    missing: 0,
  });
  const drawn = (overlays) => ({
    type: "map",
    content: { floorId, timestamp: "", rectangles: [{ name: second, color: "#ff0000" }], overlays },
  });
  const values = {
    type: "layer_values",
    content: {
      layer: "co2",
      reset: true,
      since: 1,
      time: 1,
      rooms: [{ floorId, name: first }],
      frames: [{ at: 1, places: [0], values: [1] }],
      legend: legend("co2"),
    },
  };
  const names = (overlays) =>
    highlightsOf(after(drawn(overlays), shown({ layer: "co2" }), values)).map(({ name }) => name);
  assert.deepEqual(names([legend("seconds")]), [first]);
  assert.deepEqual(names([]), [first, second]);
});
