/** Sheet that groups a table: the columns whose values are groups, one across, and the measures. */

import { el } from "../core/dom.js";
import { openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { MEASURES, STEPS } from "./group-rows.js";

/** @import { Column, Translate } from "../types.js" */
/** @import { Grouping, GroupKey, Measure } from "./group-rows.js" */

const MAX_KEYS = 3;
const MAX_MEASURES = 6;
const NONE = "";

/**
 * @param {Column[]} columns of the table
 * @param {Grouping | null} grouping the current one
 * @param {Translate} t
 * @param {(grouping: Grouping | null) => void} apply null shows the rows again
 */
export function openGrouping(columns, grouping, t, apply) {
  const keys = Array.from({ length: MAX_KEYS }, (_, at) =>
    keyField(columns, grouping?.by[at], t, "grid.by", at),
  );
  const across = keyField(columns, grouping?.across ?? undefined, t, "grid.across", 0);
  const measures = Array.from({ length: MAX_MEASURES }, (_, at) =>
    measureField(
      columns,
      grouping ? grouping.values[at] : at === 0 ? { measure: "rows", column: null } : undefined,
      t,
      at,
    ),
  );
  const read = () => ({
    by: keys.flatMap(({ read: readKey }) => readKey() ?? []),
    across: across.read(),
    values: measures.flatMap(({ read: readMeasure }) => readMeasure() ?? []),
  });
  /** Show one empty field after the last filled one. @param {{ dom: HTMLElement, read(): object | null }[]} fields */
  const fold = (fields) => {
    const last = fields.findLastIndex((field) => field.read() !== null);
    for (const [at, field] of fields.entries()) field.dom.hidden = at > last + 1;
  };
  const update = () => {
    fold(keys);
    fold(measures);
  };
  const body = el(
    "div",
    { class: "grid-grouping", on: { change: update } },
    group(t("grid.by"), keys),
    group(t("grid.across"), [across]),
    group(t("grid.measures"), measures),
  );
  const sheet = openSheet({
    title: t("grid.group"),
    body: [body],
    buttons: [
      sheetButton(t("grid.no_groups"), () => {
        sheet.close();
        apply(null);
      }),
      submitButton(t("shared.apply")),
    ],
    submit: () => {
      const chosen = read();
      if (chosen.by.length === 0 || chosen.values.length === 0)
        return sheet.showError(t(chosen.by.length === 0 ? "grid.one_group" : "grid.one_measure"));
      sheet.close();
      apply(chosen);
    },
    ...(keys[0] && { focus: keys[0].first }),
  });
  update();
}

/** @param {string} title @param {{ dom: HTMLElement }[]} fields */
function group(title, fields) {
  return el(
    "fieldset",
    { class: "grid-values" },
    el("legend", {}, title),
    fields.map(({ dom }) => dom),
  );
}

/**
 * @param {Column[]} columns
 * @param {GroupKey | undefined} key
 * @param {Translate} t
 * @param {string} label
 * @param {number} at
 */
function keyField(columns, key, t, label, at) {
  const name = `${t(label)}${at ? ` ${at + 1}` : ""}`;
  const column = select(
    name,
    [[NONE, t("shared.none")], ...columns.map((each, place) => [String(place), each.name])],
    key ? String(key.column) : NONE,
  );
  const step = select(
    `${name}: ${t("grid.step")}`,
    STEPS.map((each) => [each, t(`grid.step_${each || "exact"}`)]),
    key?.step ?? "",
  );
  const update = () => {
    step.hidden = columns[Number(column.value)]?.kind !== "date" || column.value === NONE;
  };
  column.addEventListener("change", update);
  update();
  return {
    dom: el("div", { class: "grid-filter" }, column, step),
    first: column,
    /** @returns {GroupKey | null} */
    read: () =>
      column.value === NONE ? null : { column: Number(column.value), step: step.hidden ? "" : step.value },
  };
}

/** @param {Column[]} columns @param {Measure | undefined} value @param {Translate} t @param {number} at */
function measureField(columns, value, t, at) {
  const name = `${t("grid.measures")}${at ? ` ${at + 1}` : ""}`;
  const column = select(
    `${name}: ${t("grid.measure_column")}`,
    columns.map((each, place) => [String(place), each.name]),
    String(
      value?.column ??
        Math.max(
          0,
          columns.findIndex(({ kind }) => kind === "number"),
        ),
    ),
  );
  const names = ["", "rows", ...(MEASURES.number ?? [])];
  const measure = select(
    name,
    names.map((each) => [each, each ? t(`grid.measure_${each}`) : t("shared.none")]),
    value?.measure ?? NONE,
  );
  const update = () => {
    column.hidden = ["", "rows"].includes(measure.value);
    for (const [place, option] of [...column.options].entries())
      option.disabled = !(MEASURES[columns[place]?.kind ?? "text"] ?? []).includes(measure.value);
    if (!column.hidden && column.selectedOptions[0]?.disabled)
      column.selectedIndex = [...column.options].findIndex(({ disabled }) => !disabled);
  };
  measure.addEventListener("change", update);
  update();
  return {
    dom: el("div", { class: "grid-filter" }, measure, column),
    /** @returns {Measure | null} */
    read: () =>
      measure.value === NONE || (!column.hidden && column.selectedIndex < 0)
        ? null
        : { measure: measure.value, column: column.hidden ? null : Number(column.value) },
  };
}

/** @param {string} label @param {string[][]} choices @param {string} now */
function select(label, choices, now) {
  return el(
    "select",
    { class: "sheet-field", "aria-label": label },
    choices.map(([value = "", text]) => el("option", { value, selected: value === now }, text)),
  );
}
