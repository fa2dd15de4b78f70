/** Times of watches: those that a question asks for, and those that a person chooses. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { askedCron } from "../../frontend/js/chat/asked-times.js";
import { watchTargets } from "../../frontend/js/chat/watch-targets.js";
import { choiceOf, cronOf } from "../../frontend/js/watches/times.js";

test("a question says when it is to be answered again", () => {
  assert.equal(askedCron("every Monday at 9 send me sales by shop"), "0 9 * * MON");
  assert.equal(askedCron("the mean fare every weekday at 8:30 pm"), "30 20 * * MON-FRI");
  assert.equal(askedCron("毎週月曜9時に店舗別の売上を送って"), "0 9 * * MON");
  assert.equal(askedCron("毎月1日の午後3時半に売上を送って"), "30 15 1 * *");
  assert.equal(askedCron("毎日9時の売上"), null);
  assert.equal(askedCron("show sales every month"), null);
  assert.equal(askedCron("every day at 99"), null);
});

test("a choice of times and its cron line are the same in both directions", () => {
  for (const choice of ["day", "workday", "monday", "month"]) {
    const cron = cronOf(choice, "08:05", "");
    assert.deepEqual(choiceOf(cron ?? ""), { choice, time: "08:05" });
  }
  assert.equal(cronOf("none", "08:05", ""), null);
  assert.equal(cronOf("cron", "08:05", " */5 * * * * "), "*/5 * * * *");
  assert.equal(choiceOf("*/5 * * * *"), null);
});

test("a cell that a sentence and a table show is one choice, named by its row and column", () => {
  const content = {
    tableId: "t_1",
    name: "rates",
    rows: [
      ["First", 63],
      [2, 63],
    ],
  };
  const cell = (row) => ({ kind: "cell", tableId: "t_1", row, column: "rate" });
  const figure = (row) => ({ status: "matched", text: "63", places: [cell(row)] });
  const turn = {
    blocks: [{ kind: "shown", message: { type: "table", content } }],
    evidence: { figures: [figure(0), figure(0), figure(1)] },
  };
  assert.deepEqual(
    watchTargets(turn).map(({ text }) => text),
    ["", "63 · First · rate", "63 · 2 · rate", "rates"],
  );
});
