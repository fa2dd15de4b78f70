/**
 * Interpretation of a question, as chips. A chip opens its alternatives; a choice asks again with the corrected query,
 * which is sent with the sentence and not parsed again.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { placeUnder } from "../core/popover.js";

/** Kinds of query whose answer ends with its basis: the rows used, and those left out. Styles set it apart. */
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
      "data-basis": STATED.has(String(query.kind ?? "figure")) ? "" : null,
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
 * Create a chip with its menu, which is built when it first opens.
 *
 * @param {ReadingChip} chip
 * @param {(choice: ReadingChoice) => void} choose
 * @param {Translate} t
 */
function openChip({ part, text, choices }, choose, t) {
  const name = part === "add" ? t("reading.add") : t("reading.change", { text });
  const button = el(
    "button",
    {
      class: "reading-chip",
      type: "button",
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-label": name,
      title: name,
      "data-part": part,
    },
    part === "add" ? icon("plus") : text,
  );
  const place = el("span", { class: "reading-place" }, button);
  /** @type {HTMLElement | null} */
  let menu = null;
  button.addEventListener("click", () => {
    if (menu?.matches(":popover-open")) return menu.hidePopover();
    menu ??= place.appendChild(
      menuOf(
        choices,
        (choice) => {
          menu?.hidePopover();
          choose(choice);
        },
        button,
        name,
      ),
    );
    menu.showPopover();
    placeUnder(menu, button, "left");
    menu.querySelector("button")?.focus();
  });
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    button.click();
  });
  return place;
}

/**
 * @param {ReadingChoice[]} choices
 * @param {(choice: ReadingChoice) => void} choose
 * @param {HTMLElement} button
 * @param {string} name
 */
function menuOf(choices, choose, button, name) {
  const items = choices.map((choice) =>
    el(
      "button",
      {
        class: "reading-choice",
        type: "button",
        role: "menuitem",
        tabindex: "-1",
        on: { click: () => choose(choice) },
      },
      choice.text,
    ),
  );
  return el(
    "div",
    {
      class: "popover reading-menu",
      popover: "auto",
      role: "menu",
      "aria-label": name,
      on: {
        toggle: (/** @type {ToggleEvent} */ event) =>
          button.setAttribute("aria-expanded", String(event.newState === "open")),
        keydown: (/** @type {KeyboardEvent} */ event) => move(event, items),
      },
    },
    items,
  );
}

/** Move through the choices with arrows, Home and End. @param {KeyboardEvent} event @param {HTMLElement[]} items */
function move(event, items) {
  const here = items.findIndex((item) => item === document.activeElement);
  const to = {
    ArrowDown: (here + 1) % items.length,
    ArrowUp: (here + items.length - 1) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items[to]?.focus();
}
