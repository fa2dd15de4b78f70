/** Sheet of one column of a grid: sort, filter, move or hide it, and its statistics. */

import { el } from "../core/dom.js";
import { openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { asText } from "./as-text.js";
import { formatFields } from "./format-fields.js";
import { share } from "./head.js";

/** @import { Column, JsonValue, Translate } from "../types.js" */
/** @import { ColumnFacts } from "./head.js" */
/** @import { ColumnFormat } from "./formats.js" */
/** @import { Filter } from "./rows.js" */

const UNARY_OPERATORS = ["empty", "filled"];
/** @type {Record<string, string[]>} */
const OPERATORS = {
  number: ["eq", "ne", "lt", "le", "gt", "ge", "empty", "filled"],
  date: ["eq", "ne", "lt", "le", "gt", "ge", "empty", "filled"],
  text: ["contains", "starts", "eq", "ne", "empty", "filled"],
  bool: ["eq", "empty", "filled"],
};

/**
 * @param {{ column: Column, at: number, facts: ColumnFacts | null, filter: Filter | undefined, rows: number, format:
 *   ColumnFormat }} of
 * @param {{ filter(filter: Filter | null): void, sort(descending: boolean): void, hide(): void, move(by: -1 | 1): void,
 *   format(format: ColumnFormat): void }} actions
 * @param {Translate} t
 */
export function openColumn({ column, at, facts, filter, rows, format }, actions, t) {
  const formatting = formatFields(column, format, t);
  const operators = OPERATORS[column.kind] ?? [];
  const op = el(
    "select",
    { class: "sheet-field", "aria-label": t("grid.filter"), on: { change: () => updateField() } },
    operators.map((name) =>
      el("option", { value: name, selected: filter?.op === name }, t(`grid.op_${name}`)),
    ),
  );
  const value = el("input", {
    class: "sheet-field",
    "aria-label": t("grid.value"),
    autocomplete: "off",
    placeholder: column.kind === "date" ? "2024-01-31" : null,
    inputmode: column.kind === "number" ? "decimal" : null,
    value: filter && filter.op !== "in" ? asText(filter.value) : "",
  });
  const chosen = filter?.op === "in" && Array.isArray(filter.value) ? filter.value : [];
  const boxes = (facts?.values ?? []).map(([cell, count]) => ({
    cell,
    box: el("input", { type: "checkbox", checked: chosen.includes(cell) }),
    count,
  }));
  const updateField = () => {
    value.hidden = UNARY_OPERATORS.includes(op.value);
  };
  /** @returns {Filter | null} */
  const readFilter = () => {
    const some = boxes.filter(({ box }) => box.checked).map(({ cell }) => cell);
    if (some.length > 0) return { column: at, op: "in", value: some };
    if (UNARY_OPERATORS.includes(op.value)) return { column: at, op: op.value };
    const input = value.value.trim();
    return input === "" ? null : { column: at, op: op.value, value: input };
  };
  /** @param {() => void} act */
  const closeThen = (act) => () => {
    sheet.close();
    act();
  };
  const sheet = openSheet({
    title: column.name,
    body: [
      facts &&
        el(
          "dl",
          { class: "sheet-facts" },
          columnFacts(column, facts, rows, t).map(([name, text]) =>
            el("div", { class: "sheet-fact" }, el("dt", {}, name), el("dd", {}, text)),
          ),
        ),
      el(
        "div",
        { class: "grid-acts" },
        sheetButton(
          t("grid.ascending"),
          closeThen(() => actions.sort(false)),
        ),
        sheetButton(
          t("grid.descending"),
          closeThen(() => actions.sort(true)),
        ),
        sheetButton(
          t("grid.left"),
          closeThen(() => actions.move(-1)),
        ),
        sheetButton(
          t("grid.right"),
          closeThen(() => actions.move(1)),
        ),
        sheetButton(t("grid.hide"), closeThen(actions.hide)),
      ),
      formatting?.dom,
      el("div", { class: "grid-filter" }, op, value),
      boxes.length > 0 &&
        el(
          "fieldset",
          { class: "grid-values" },
          el("legend", {}, t("grid.or_values")),
          boxes.map(({ cell, box, count }) =>
            el(
              "label",
              { class: "sheet-choice" },
              box,
              el("span", {}, `${asText(cell)} · ${t.number(count)}`),
            ),
          ),
        ),
    ],
    buttons: [
      sheetButton(
        t("grid.no_filter"),
        closeThen(() => actions.filter(null)),
      ),
      submitButton(t("shared.apply")),
    ],
    submit: closeThen(() => {
      const next = formatting?.read();
      if (next && JSON.stringify(next) !== JSON.stringify(format)) actions.format(next);
      const condition = readFilter();
      if (JSON.stringify(condition) !== JSON.stringify(filter ?? null)) actions.filter(condition);
    }),
    focus: value,
  });
  updateField();
}

/**
 * @param {Column} column
 * @param {ColumnFacts} facts
 * @param {number} rows
 * @param {Translate} t
 * @returns {[string, string][]}
 */
function columnFacts(column, facts, rows, t) {
  /** @param {JsonValue | undefined} value */
  const format = (value) => (typeof value === "number" ? t.number(value) : asText(value));
  /** @type {[string, string][]} */
  const list = [
    [t("grid.type"), column.asText ? t("grid.as_text") : (column.type ?? t(`column.kind_${column.kind}`))],
    [t("grid.empty"), `${t.number(facts.missing)} (${share(facts.missing, rows, t)})`],
    [t("grid.different"), t.number(facts.distinct)],
  ];
  if (facts.counts.length > 0) list.push([t("grid.range"), `${format(facts.least)} – ${format(facts.most)}`]);
  return list;
}
