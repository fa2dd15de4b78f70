/** Specs of charts as the page draws them: width, interaction, the unchanged original; and ranges of a brush. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { ChartControls } from "../../frontend/js/charts/controls.js";
import { BRUSH, ZOOM, canBrush, preparedSpec, rangesOf, timesOf } from "../../frontend/js/charts/dressed.js";
import { rowsOf } from "../../frontend/js/charts/rows.js";

const POINTS = {
  $schema: "any",
  mark: "point",
  encoding: {
    x: { field: "a", type: "quantitative" },
    y: { field: "b", type: "quantitative" },
    color: { field: "kind", type: "nominal" },
  },
};
const BARS = {
  mark: "bar",
  encoding: {
    x: { field: "kind", type: "nominal" },
    y: { field: "b", type: "quantitative", aggregate: "sum" },
  },
};
const named = (/** @type {any} */ spec) =>
  (spec.params ?? []).map((/** @type {any} */ parameter) => parameter.name);

test("a view is as wide as its column, zooms, and its legend picks; the spec itself is left alone", () => {
  const before = JSON.stringify(POINTS);
  const worn = preparedSpec(POINTS, "move", "Points");
  assert.equal(worn.width, "container");
  assert.deepEqual(named(worn), [ZOOM, "desk_legend"]);
  assert.equal(worn.encoding.opacity.condition.param, "desk_legend");
  assert.equal(worn.description, "Points");
  assert.equal("$schema" in worn, false);
  assert.equal(JSON.stringify(POINTS), before);
});

test("a title that stands above the chart is not drawn again; one with a subtitle is", () => {
  for (const title of ["Points", " Points", { text: "Points" }])
    assert.equal("title" in preparedSpec({ ...POINTS, title }, "move", "Points"), false);
  for (const title of ["Other", { text: "Points", subtitle: "of a test" }, ["Points", "two"], 3])
    assert.equal("title" in preparedSpec({ ...POINTS, title }, "move", "Points"), true);
});

test("names do not zoom, but can be brushed; what is computed over rows is no range of them", () => {
  assert.deepEqual(named(preparedSpec(BARS, "move", "")), []);
  const [brush] = preparedSpec(BARS, "select", "").params;
  assert.deepEqual([brush.name, brush.select.encodings], [BRUSH, ["x"]]);
});

test("a width of its own, a selection of its own, and facets stay as they are", () => {
  assert.equal(preparedSpec({ ...POINTS, width: 700 }, "move", "").width, 700);
  const withSelection = { ...POINTS, params: [{ name: "mine", select: "interval" }] };
  assert.deepEqual(named(preparedSpec(withSelection, "select", "")), ["mine"]);
  const facets = { facet: { field: "kind" }, spec: POINTS };
  assert.equal(preparedSpec(facets, "move", "").width, undefined);
  assert.equal(canBrush(facets), false);
});

test("a mark of several marks takes no hands, and panes stand as many side by side as there is room for", () => {
  const worn = preparedSpec({ mark: "boxplot", encoding: POINTS.encoding }, "move", "");
  assert.deepEqual(["params" in worn, worn.width], [false, "container"]);
  const panes = {
    mark: "bar",
    width: 200,
    encoding: { x: { field: "a" }, facet: { field: "kind", columns: 3 } },
  };
  const columns = [100, 560, 2_000].map(
    (room) => preparedSpec(panes, "move", "", room).encoding.facet.columns,
  );
  assert.deepEqual(columns, [1, 2, 3]);
  assert.equal(preparedSpec(panes, "move", "").encoding.facet.columns, 3);
});

test("hands of layers are those of the first", () => {
  const layers = preparedSpec(
    { encoding: POINTS.encoding, layer: [{ mark: "line" }, { mark: "rule" }] },
    "move",
    "",
  );
  assert.deepEqual(named(layers.layer[0]), [ZOOM, "desk_legend"]);
  assert.deepEqual(named(layers.layer[1]), []);
});

test("a brush is ranges in order, names, and moments as they are drawn", () => {
  const moment = new Date(2024, 0, 5, 12, 30).getTime();
  const brushed = { "a\\.b \\[c\\]": [5, 2], kind: ["x", "y"], yearmonth_day: [moment, moment], gone: [] };
  assert.deepEqual(rangesOf(brushed, [{ field: "kind", type: "E" }], { yearmonth_day: "day" }), [
    { field: "a.b [c]", from: 2, to: 5 },
    { field: "kind", values: ["x", "y"] },
    { field: "day", from: "2024-01-05T12:30:00", to: "2024-01-05T12:30:00" },
  ]);
  assert.deepEqual(
    timesOf({
      mark: "line",
      encoding: { x: { field: "day", type: "temporal" }, y: { field: "a", timeUnit: "year" } },
    }),
    { day: "day", year_a: "a" },
  );
});

test("rows are those of the datasets, and of every view", () => {
  const spec = { datasets: { rows: [{ a: 1 }] }, layer: [{ data: { values: [{ a: 2 }, 3] } }] };
  assert.deepEqual(rowsOf(spec), [{ a: 1 }, { a: 2 }, { value: 3 }]);
});

test("a colour has a name, and a column with a number sign its own", () => {
  const t = Object.assign((key) => `text of ${key}`, { has: (key) => key === "chart.color_#3b6fe0" });
  const text = (choice) => ChartControls.prototype.choiceText.call({ t }, "color", choice);
  assert.equal(text("#3b6fe0"), "text of chart.color_#3b6fe0");
  assert.deepEqual([text("# of items"), text("#")], ["# of items", "#"]);
});
