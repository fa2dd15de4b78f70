/** Scenarios side by side, and the same as CSV. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { csvOf, rowsOf } from "../../frontend/js/map/scenario-comparison.js";

const t = Object.assign((key, values) => [key, ...Object.values(values ?? {})].join(" "), {
  language: "en",
  floor: (id) => id,
  number: String,
  list: (items) => items.join(", "),
});
const rooms = (count) => Array.from({ length: count }, (_, at) => ({ floorId: "1F", name: `R${at}` }));
const scenario = (name, more) => ({
  name,
  closures: 1,
  missing: 0,
  startClosed: false,
  cutOff: [],
  withSteps: [],
  before: null,
  after: null,
  ...more,
});

test("a row says what a scenario changes, and names at most so many rooms", () => {
  const scenarios = [
    scenario(null, { cutOff: rooms(8), before: 40.2, after: 54.4 }),
    scenario("Works", { withSteps: rooms(1), before: 40, after: null }),
    scenario("Old", { missing: 1 }),
    scenario("Night", { startClosed: true }),
  ];
  const [, now, works, old, night] = rowsOf({ unit: "m", scenarios }, t, 6);
  assert.equal(now[2].includes("R5") && !now[2].includes("R6"), true);
  assert.deepEqual([now[0], now[3], now[4]], ["scenario.now", "0", "+14 m"]);
  assert.deepEqual([works[2], works[4]], ["0", "scenario.no_way"]);
  assert.deepEqual([old[2], night[2]], ["scenario.missing", "scenario.start_closed"]);
});

test("a name that a spreadsheet would compute is text in the CSV, and lengths stay numbers", () => {
  assert.equal(
    csvOf([["=1+1", "a,b", '"', "+14 m", "-3", "+cmd", "@x"]]),
    `'=1+1,"a,b","""",+14 m,-3,'+cmd,'@x\r\n`,
  );
});
