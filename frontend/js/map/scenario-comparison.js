// @ts-check
/** Sheet that sets scenarios side by side: rooms cut off, rooms without a step-free way, how much longer a way is. */

import { el } from "../core/dom.js";
import { saveAs } from "../core/save.js";
import { openSheet, sheetButton } from "../core/sheet.js";

/** @import { RoomRef, Translate } from "../types.js" */
/**
 * @typedef {{ name: string | null, closures: number, missing: number, startClosed: boolean, cutOff: RoomRef[],
 *   withSteps: RoomRef[], before: number | null, after: number | null }} Compared
 */
/** @typedef {{ start: RoomRef, unit: "m" | "", scenarios: Compared[] }} Comparison */
/** @typedef {(query: { start: string, goal: string }) => Promise<Comparison>} Fetch */

/** Rooms that a cell names; more are counted. */
const NAMED = 6;

/** @param {Translate} t @param {Fetch} fetch */
export async function openComparison(t, fetch) {
  let comparison = await fetch({ start: "", goal: "" });
  const place = el("div", {
    class: "scenario-table",
    tabindex: "0",
    role: "region",
    "aria-label": t("scenario.compare"),
  });
  const show = () => place.replaceChildren(tableOf(comparison, t));
  const start = field(t("scenario.from"), comparison.start.name);
  const goal = field(t("scenario.to"), "");
  const sheet = openSheet({
    title: t("scenario.compare"),
    body: [el("div", { class: "scenario-ends" }, start.dom, goal.dom), place],
    buttons: [
      sheetButton(t("scenario.csv"), () =>
        saveAs(
          new Blob(["\ufeff", csvOf(rowsOf(comparison, t, Infinity))], { type: "text/csv" }),
          "scenarios.csv",
        ),
      ),
      sheetButton(t("shared.compare"), () => void update(), "strong"),
    ],
    submit: () => void update(),
  });
  const update = async () => {
    try {
      comparison = await fetch({ start: start.input.value.trim(), goal: goal.input.value.trim() });
      sheet.showError("");
      show();
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      sheet.showError(fault.message);
    }
  };
  show();
}

/** @param {string} label @param {string} value */
function field(label, value) {
  const input = el("input", {
    class: "sheet-field",
    type: "text",
    maxlength: 200,
    autocomplete: "off",
    value,
  });
  return { input, dom: el("label", { class: "sheet-label" }, label, input) };
}

/** @param {Comparison} comparison @param {Translate} t */
function tableOf(comparison, t) {
  const [head = [], ...rows] = rowsOf(comparison, t, NAMED);
  return el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        head.map((text) => el("th", { scope: "col" }, text)),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map(([name = "", ...cells]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, name),
          cells.map((text) => el("td", {}, text)),
        ),
      ),
    ),
  );
}

/**
 * Return the comparison as rows of texts, the head first.
 *
 * @param {Comparison} comparison
 * @param {Translate} t
 * @param {number} most rooms that a cell names
 * @returns {string[][]}
 */
export function rowsOf({ scenarios, unit }, t, most) {
  const head = ["name", "closed", "cut_off", "steps", "longer"].map((key) => t(`scenario.col_${key}`));
  const rooms = (/** @type {RoomRef[]} */ list) => {
    const names = list
      .slice(0, most)
      .map(({ floorId, name }) => t("room.on_floor", { room: name, floor: t.floor(floorId) }));
    const more = list.length > most ? ` ${t("shared.and_more", { n: list.length - most })}` : "";
    return list.length === 0 ? "0" : `${t.number(list.length)}: ${t.list(names)}${more}`;
  };
  return [
    head,
    ...scenarios.map(({ name, closures, missing, startClosed, cutOff, withSteps, before, after }) => [
      name ?? t("scenario.now"),
      t.number(closures),
      ...(missing > 0
        ? [t("scenario.missing"), "", ""]
        : startClosed
          ? [t("scenario.start_closed"), "", ""]
          : [rooms(cutOff), rooms(withSteps), longer(before, after, unit, t)]),
    ]),
  ];
}

/** @param {number | null} before @param {number | null} after @param {string} unit @param {Translate} t */
function longer(before, after, unit, t) {
  if (before === null) return "";
  if (after === null) return t("scenario.no_way");
  const by = Math.round(after - before);
  return `${by > 0 ? "+" : ""}${t.number(by)}${unit ? ` ${unit}` : ""}`;
}

/** Return rows as CSV. A text that a spreadsheet would take for a formula gets an apostrophe. @param {string[][]} rows */
export function csvOf(rows) {
  const cell = (/** @type {string} */ text) => {
    const safe = /^[=@\t\r]|^[+-](?![\d,. ]+m?$)/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
