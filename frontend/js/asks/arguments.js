/** Arguments of a call as a small table. An argument that a person changed shows its old value struck out. */

import { formatValue } from "./words.js";
import { el } from "../core/dom.js";
import { changedArguments } from "../core/runs.js";

/** @import { AskClosedContent, AskContent, JsonValue, Translate } from "../types.js" */

/**
 * Return the table.
 *
 * @param {AskContent} ask
 * @param {AskClosedContent | null} closed
 * @param {Translate} t
 * @returns {HTMLTableElement | null} null for a call without arguments
 */
export function argumentTable(ask, closed, t) {
  const original = ask.arguments;
  const ran = changedArguments(ask, closed) ?? original;
  const names = [...new Set([...Object.keys(original), ...Object.keys(ran)])];
  if (names.length === 0) return null;
  const row = (/** @type {string} */ name) => {
    const same = JSON.stringify(original[name]) === JSON.stringify(ran[name]);
    const cell = same ? [formatValue(ran[name])] : change(original[name], ran[name], t);
    return el(
      "tr",
      {},
      el("th", { scope: "row", title: ask.parameters[name]?.description || null }, name),
      el("td", {}, cell),
    );
  };
  return el(
    "table",
    { class: "ask-arguments", "aria-label": t("ask.arguments") },
    el("tbody", {}, names.map(row)),
  );
}

/**
 * @param {JsonValue | undefined} before
 * @param {JsonValue | undefined} after
 * @param {Translate} t
 */
function change(before, after, t) {
  const absent = () => el("span", { class: "ask-absent" }, t("ask.left_out"));
  return [
    before === undefined ? null : el("del", {}, formatValue(before)),
    before === undefined ? null : " ",
    after === undefined ? absent() : el("ins", {}, formatValue(after)),
  ];
}
