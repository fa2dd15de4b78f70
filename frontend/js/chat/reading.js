/**
 * Interpretation of a question, as chips. A chip opens its alternatives; a choice asks again with the corrected query,
 * which is sent with the sentence and not parsed again.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { withMenu } from "../core/menu.js";

/** Kinds of query whose answer ends with its basis: the rows used, and those left out. It stands in the footer of the turn. */
const STATED = new Set([
  "figure",
  "groups",
  "share",
  "correlation",
  "outliers",
  "difference",
  "plot values",
  "rows",
  "distinct",
  "missing",
]);

/** @import { DeskBus, Json, JsonValue, Reading, ReadingChip, ReadingChoice, Translate } from "../types.js" */

/**
 * @param {Reading} message
 * @param {{ bus: DeskBus, t: Translate }} needs
 * @returns {HTMLElement}
 */
export function readingView({ content }, { bus, t }) {
  const { query, chips, corrected } = content;
  /** @param {ReadingChoice} choice */
  const choose = (choice) =>
    bus.emit("command", { name: "submit", message: choice.sentence, reading: correctedQuery(query, choice) });
  const title = t(corrected ? "reading.corrected" : "reading.title");
  return el(
    "div",
    {
      class: "reading",
      role: "group",
      "aria-label": title,
      "data-basis": statesBasis(content) ? "" : null,
    },
    el("span", { class: "reading-title" }, title),
    chips.map((chip) =>
      chip.part === "totals" && chip.choices[0]
        ? directChip(chip, chip.choices[0], choose)
        : chip.choices.length
          ? openChip(chip, choose, t)
          : el("span", { class: "reading-chip" }, chip.text),
    ),
  );
}

/** Check whether the answer to a query ends with its basis. @param {Reading["content"]} content */
export const statesBasis = ({ query }) => STATED.has(String(query.kind ?? "figure"));

/**
 * Return a query with a choice applied.
 *
 * @param {{ [name: string]: JsonValue }} query
 * @param {Pick<ReadingChoice, "change" | "without">} choice
 * @returns {{ [name: string]: JsonValue }}
 */
export function correctedQuery(query, { change, without = [] }) {
  return Object.fromEntries(
    Object.entries({ ...query, ...change }).filter(([name]) => !without.includes(name)),
  );
}

/**
 * Create a chip whose only choice one click takes.
 *
 * @param {ReadingChip} chip
 * @param {ReadingChoice} choice
 * @param {(choice: ReadingChoice) => void} choose
 */
function directChip({ part, text }, choice, choose) {
  return el(
    "button",
    { class: "reading-chip", type: "button", "data-part": part, on: { click: () => choose(choice) } },
    text,
  );
}

/**
 * Create a chip with its menu.
 *
 * @param {ReadingChip} chip
 * @param {(choice: ReadingChoice) => void} choose
 * @param {Translate} t
 */
function openChip({ part, text, choices }, choose, t) {
  const name = part === "add" ? t("reading.add") : t("reading.change", { text });
  const button = el(
    "button",
    { class: "reading-chip", type: "button", "aria-label": name, title: name, "data-part": part },
    part === "add" ? icon("plus") : text,
  );
  const items = choices.map((choice) => ({ text: choice.text, act: () => choose(choice) }));
  return withMenu(button, name, items, "left");
}
