/** Live layers of the map: what is painted, and whether it is current. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { isGone } from "../../frontend/js/map/live.js";
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
