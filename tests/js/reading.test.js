/** Query of an interpretation with a chip's choice applied. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { correctedQuery } from "../../frontend/js/chat/reading.js";

const QUERY = {
  table: "titanic",
  kind: "groups",
  measures: [{ fn: "mean", column: "fare" }],
  groups: [{ column: "class" }],
  plot: "bar",
};

test("a change takes the place of what it names, the rest stays", () => {
  const corrected = correctedQuery(QUERY, {
    change: { measures: [{ fn: "median", column: "fare" }] },
    without: [],
  });
  assert.deepEqual(corrected, { ...QUERY, measures: [{ fn: "median", column: "fare" }] });
});

test("what a choice is without is gone, and the query itself is as it was", () => {
  assert.deepEqual(correctedQuery(QUERY, { change: {}, without: ["plot"] }), {
    table: "titanic",
    kind: "groups",
    measures: QUERY.measures,
    groups: QUERY.groups,
  });
  assert.equal(QUERY.plot, "bar");
});

test("a choice that leaves nothing out need not say so", () => {
  assert.deepEqual(correctedQuery(QUERY, { change: { plot: "pie" } }), { ...QUERY, plot: "pie" });
});
