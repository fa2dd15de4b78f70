/** Evidence of an answer: the places of its figures in the shown text, and where the state keeps it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { indexOfFigure } from "../../frontend/js/chat/figure-places.js";
import { initialState, reduce } from "../../frontend/js/page/state.js";
import { userMessage } from "./messages.js";

const find = (markdown, shown, text, number = 0) => {
  let at = -1;
  for (let left = number; left >= 0; left -= 1) at = markdown.indexOf(text, at + 1);
  return indexOfFigure(markdown, { text, start: [...markdown.slice(0, at)].length }, shown);
};

test("a figure is found by its number among equal ones, whatever the marks around it", () => {
  const markdown = "**12** rooms, then `12` in code, 12 doors of [12](https://host/12).";
  const shown = "12 rooms, then  in code, 12 doors of 12.";
  assert.equal(find(markdown, shown, "12", 0), 0);
  assert.equal(find(markdown, shown, "12", 2), 25);
  assert.equal(find(markdown, shown, "12", 3), 37);
});

test("a part of a longer number or word is no figure", () => {
  assert.equal(find("112 and 1,200 and 12.5 and 12", "112 and 1,200 and 12.5 and 12", "12", 2), 27);
  assert.equal(find("合計12件、12.", "合計12件、12.", "12", 1), 6);
});

test("characters outside of the basic plane count as one, as the server counts", () => {
  assert.equal(find("📈 up 5 %", "📈 up 5 %", "5 %"), 6);
});

test("without the same number of equal texts a figure is not marked", () => {
  assert.equal(find("7 and 7", "7", "7"), -1);
  assert.equal(find("gone 7", "gone", "7"), -1);
});

test("the evidence of a run stands at its turn", () => {
  const content = { figures: [], total: 0, supported: 0, earlier: 0, unmatched: 0 };
  const asked = reduce(initialState(), { seq: 1, ...userMessage("r1", "a") });
  const [turn] = reduce(asked, { seq: 2, type: "evidence", runId: "r1", content }).entries;
  assert.deepEqual(turn.evidence, content);
  assert.equal(asked.entries[0].evidence, null);
});
