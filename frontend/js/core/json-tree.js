// @ts-check
/**
 * JSON value as a tree. Branches are created when they open, long lists in parts, and a limited number is open at
 * first, so that the cost does not grow with the value.
 */

import { el } from "./dom.js";

/** @import { Translate } from "../types.js" */
/** Number of items that may still be created before a person opens a branch. @typedef {{remaining: number}} Budget */

/** Depth up to which branches are open at first. */
const OPEN = 2;
const PART = 100;
/** Items created before a person opens a branch. */
const MAX_INITIAL = 400;
/** Length above which a text, or one with line breaks, gets its own block. */
const SHORT = 100;
const LONGEST = 20_000;

/**
 * @param {unknown} value
 * @param {Translate} t
 * @returns {HTMLElement}
 */
export function jsonTree(value, t) {
  return el(
    "div",
    { class: "json-tree" },
    ...(isBranch(value) ? items(value, 0, { remaining: MAX_INITIAL }, t) : [leaf(value)]),
  );
}

/** @param {object} value @param {number} depth @param {Budget} budget @param {Translate} t @returns {HTMLElement[]} */
function items(value, depth, budget, t) {
  const names = Object.keys(value);
  return part(/** @type {Record<string, unknown>} */ (value), names, 0, depth, budget, t);
}

/**
 * Return up to `PART` items starting at `from`, and a button for more.
 *
 * @param {Record<string, unknown>} value
 * @param {string[]} names
 * @param {number} from
 * @param {number} depth
 * @param {Budget} budget
 * @param {Translate} t
 * @returns {HTMLElement[]}
 */
function part(value, names, from, depth, budget, t) {
  const visible = names.slice(from, from + PART);
  budget.remaining -= visible.length;
  const nodes = visible.map((name) => item(name, value[name], depth, budget, t));
  const remaining = names.length - from - visible.length;
  if (remaining === 0) return nodes;
  const button = el(
    "button",
    { type: "button", class: "json-more" },
    t("json.more", { n: t.number(Math.min(PART, remaining)) }),
  );
  button.addEventListener("click", () =>
    button.replaceWith(...part(value, names, from + PART, depth, { remaining: 0 }, t)),
  );
  return [...nodes, button];
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} depth
 * @param {Budget} budget
 * @param {Translate} t
 * @returns {HTMLElement}
 */
function item(name, value, depth, budget, t) {
  const key = el("span", { class: "json-key" }, name);
  if (!isBranch(value)) return el("div", { class: "json-leaf" }, key, ": ", leaf(value));
  const size = Object.keys(value).length;
  const brief = el("span", { class: "json-brief" }, Array.isArray(value) ? `[${size}]` : `{${size}}`);
  const node = el("details", {}, el("summary", {}, key, " ", brief));
  const fill = (/** @type {Budget} */ most) => {
    if (node.childElementCount === 1)
      node.append(el("div", { class: "json-branch" }, ...items(value, depth + 1, most, t)));
  };
  node.addEventListener("toggle", () => node.open && fill({ remaining: 0 }));
  if (depth < OPEN && size > 0 && size <= Math.min(PART, budget.remaining)) {
    fill(budget);
    node.open = true;
  }
  return node;
}

/** @param {unknown} value @returns {HTMLElement} */
function leaf(value) {
  if (typeof value === "string") {
    if (value.length > SHORT || value.includes("\n"))
      return el("pre", { "data-kind": "string" }, value.slice(0, LONGEST));
    return el("span", { "data-kind": "string" }, JSON.stringify(value));
  }
  return el("span", { "data-kind": value === null ? "null" : typeof value }, String(value));
}

/** @param {unknown} value @returns {value is object} */
function isBranch(value) {
  return typeof value === "object" && value !== null;
}
