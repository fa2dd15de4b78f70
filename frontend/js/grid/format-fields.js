/** Fields of a column's format in its sheet. */

import { el } from "../core/dom.js";
import { DATE_STYLES, DECIMALS } from "./formats.js";

/** @import { Column, Translate } from "../types.js" */
/** @import { ColumnFormat } from "./formats.js" */

/**
 * Create the fields of a column of numbers or dates; null for other columns.
 *
 * @param {Column} column
 * @param {ColumnFormat} format
 * @param {Translate} t
 * @returns {{ dom: HTMLElement, read(): ColumnFormat } | null}
 */
export function formatFields({ kind }, format, t) {
  if (kind === "number") return numberFields(format, t);
  return kind === "date" ? dateFields(format, t) : null;
}

/** @param {ColumnFormat} format @param {Translate} t */
function numberFields(format, t) {
  const decimals = choice(
    t("grid.decimals"),
    [["", t("shared.automatic")], ...DECIMALS.map((n) => [String(n), String(n)])],
    String(format.decimals ?? ""),
  );
  const thousands = check(t("grid.thousands"), format.thousands ?? true);
  const percent = check(t("grid.percent"), format.percent ?? false);
  return {
    dom: fields(t, decimals.dom, thousands.dom, percent.dom),
    read: () => ({
      ...(decimals.select.value && { decimals: Number(decimals.select.value) }),
      ...(!thousands.box.checked && { thousands: false }),
      ...(percent.box.checked && { percent: true }),
    }),
  };
}

/** @param {ColumnFormat} format @param {Translate} t */
function dateFields(format, t) {
  const styles = Object.keys(DATE_STYLES).map((name) => [name, t(`grid.date_${name}`)]);
  const style = choice(t("grid.date_style"), [["", t("grid.date_stored")], ...styles], format.date ?? "");
  return { dom: fields(t, style.dom), read: () => (style.select.value ? { date: style.select.value } : {}) };
}

/** @param {Translate} t @param {...HTMLElement} parts */
const fields = (t, ...parts) =>
  el("fieldset", { class: "grid-values grid-format" }, el("legend", {}, t("grid.format")), parts);

/** @param {string} label @param {string[][]} choices @param {string} now */
function choice(label, choices, now) {
  const select = el(
    "select",
    { class: "sheet-field" },
    choices.map(([value = "", text]) => el("option", { value, selected: value === now }, text)),
  );
  return { select, dom: el("label", { class: "grid-format-field" }, el("span", {}, label), select) };
}

/** @param {string} label @param {boolean} checked */
function check(label, checked) {
  const box = el("input", { type: "checkbox", checked });
  return { box, dom: el("label", { class: "sheet-choice" }, box, el("span", {}, label)) };
}
