/** Scroll positions in a table of ten million rows, and rows as text for the clipboard. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { tableName } from "../../frontend/js/core/format.js";
import { groupFilters } from "../../frontend/js/grid/grouped.js";
import { SelectedRows } from "../../frontend/js/grid/selected-rows.js";
import { asMarkdown, asTsv } from "../../frontend/js/grid/as-text.js";
import { RowPages } from "../../frontend/js/grid/rows.js";
import { firstAfter, heightOf, ROW_HEIGHT, scrollFor } from "../../frontend/js/grid/place.js";

const LARGE = { rows: 10_000_000, inSight: 20 };
const MOST = heightOf(LARGE.rows) - LARGE.inSight * ROW_HEIGHT;

test("a table is named after its variable, or after its columns if that says nothing", () => {
  const columns = ["shop", "month", "sold", "price"].map((name) => ({
    name,
    kind: /** @type {const} */ ("text"),
  }));
  const names = ["data", "df2", "result", "top_shops", "data_of_june"].map((name) =>
    tableName({ name, columns }),
  );
  assert.deepEqual(names, [...Array(3).fill("shop, month, sold"), "top_shops", "data_of_june"]);
  assert.equal(tableName({ name: "data", columns: [] }), "data");
});

test("a table of any length is no higher than browsers scroll", () => {
  assert.equal(heightOf(100), 100 * ROW_HEIGHT);
  assert.equal(heightOf(10_000_000), heightOf(1_000_000_000));
  assert.ok(heightOf(1_000_000_000) < 16_000_000);
});

test("a small move goes as far as it looks, a large one to its share, and both ends are reached", () => {
  const wheel = firstAfter(5_000_000, { from: 4_000_000, to: 4_000_000 + 3 * ROW_HEIGHT, most: MOST }, LARGE);
  assert.equal(wheel, 5_000_003);
  const jump = firstAfter(0, { from: 0, to: MOST / 2, most: MOST }, LARGE);
  assert.ok(Math.abs(jump - 4_999_990) < 1);
  assert.equal(firstAfter(123, { from: 10, to: 0, most: MOST }, LARGE), 0);
  assert.equal(firstAfter(9_999_000, { from: MOST - 10, to: MOST, most: MOST }, LARGE), 9_999_980);
});

test("the bar stands where the row is, and never at an end before it", () => {
  assert.equal(scrollFor(0, MOST, LARGE), 0);
  assert.equal(scrollFor(1, MOST, LARGE), 1);
  assert.equal(scrollFor(9_999_980, MOST, LARGE), MOST);
  assert.ok(scrollFor(9_999_979, MOST, LARGE) < MOST - 1);
  assert.equal(scrollFor(7, 1000, { rows: 50, inSight: 10 }), 7 * ROW_HEIGHT);
});

test("what is copied can be pasted: tabs, quotes and line ends are quoted, bars are escaped", () => {
  const rows = [
    ["a\tb", 1, null],
    ['say "x"', 2.5, "two\nlines"],
  ];
  assert.equal(asTsv(["h", "n", "t"], rows), 'h\tn\tt\n"a\tb"\t1\t\n"say ""x"""\t2.5\t"two\nlines"');
  assert.equal(asTsv(null, [["x", true]]), "x\ttrue");
  assert.equal(
    asMarkdown(["a|b", "n"], [["x|y\nz", 3]], [false, true]),
    "| a\\|b | n |\n| --- | ---: |\n| x\\|y z | 3 |",
  );
});

test("rows selected by hand are ranges that join, split and extend from the last toggled row", () => {
  const selected = new SelectedRows();
  for (const row of [2, 4, 3]) selected.toggle(row);
  assert.deepEqual(selected.ranges, [[2, 5]]);
  selected.extendTo(9);
  selected.toggle(6);
  assert.deepEqual(selected.ranges, [
    [2, 6],
    [7, 10],
  ]);
  assert.deepEqual([selected.count, selected.has(6), selected.has(9)], [7, false, true]);
  selected.set(0, 10_000_000, true);
  selected.toggle(5_000_000);
  assert.deepEqual([selected.count, selected.ranges.length], [9_999_999, 2]);
  selected.clear();
  assert.equal(selected.count, 0);
});

test("the rows of a group are found by its value, of a period by its first day and the next one's", () => {
  assert.deepEqual(groupFilters(1, "", "text", null), [{ column: 1, op: "in", value: [null] }]);
  assert.deepEqual(groupFilters(1, "", "text", `${"長".repeat(300)}…`), [
    { column: 1, op: "starts", value: "長".repeat(300) },
  ]);
  assert.deepEqual(groupFilters(1, "", "number", 3), [{ column: 1, op: "in", value: [3] }]);
  /** @param {string} step @param {string} value */
  const ends = (step, value) => groupFilters(0, step, "date", value).map((filter) => filter.value);
  assert.deepEqual(ends("year", "2023"), ["2023-01-01", "2024-01-01"]);
  assert.deepEqual(ends("month", "2024-12"), ["2024-12-01", "2025-01-01"]);
  assert.deepEqual(ends("day", "2024-02-28"), ["2024-02-28", "2024-02-29"]);
});

test("a page whose rows are long is loaded in parts, as far as it is visible", async () => {
  const rows = new RowPages(
    "",
    1000,
    () => {},
    () => {},
  );
  /** @type {number[][]} */
  const requests = [];
  rows.ask = (offset, limit) => {
    requests.push([offset, limit]);
    const some = [0, 1, 2].map((at) => [offset + at]);
    return Promise.resolve({ rows: some, rowCount: 1000 });
  };
  for (let time = 0; time < 5; time += 1) await rows.fetchPage(2, 7);
  assert.deepEqual(requests, [
    [200, 100],
    [203, 97],
    [206, 94],
  ]);
  assert.deepEqual([rows.row(208), rows.row(209)], [[208], null]);
  assert.ok(rows.isCounted);
});
