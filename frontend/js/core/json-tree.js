// @ts-check
/**
 * A JSON value as a tree one can open and close. Branches are made when they are opened, long lists in parts, and only
 * so many are open from the start: what a tree costs does not grow with the value.
 */

import { el } from "./dom.js";

/** @import { Translate } from "../types.js" */
/** How many more items may be made without being asked for. @typedef {{remaining: number}} Budget */

/** Branches this near to the root are open from the start. */
const OPEN = 2;
const PART = 100;
/** Items made before anybody opened a branch. */
const AT_ONCE = 400;
/** Texts longer than this, or with line breaks, get a block of their own. */
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
    ...(isBranch(value) ? items(value, 0, { remaining: AT_ONCE }, t) : [leaf(value)]),
  );
}

/** @param {object} value @param {number} depth @param {Budget} budget @param {Translate} t @returns {HTMLElement[]} */
function items(value, depth, budget, t) {
  const names = Object.keys(value);
  return part(/** @type {Record<string, unknown>} */ (value), names, 0, depth, budget, t);
}

/**
 * The items from `from` on: at most a part of them, then a button for more.
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

/** @param {string} name @param {unknown} value @param {number} depth @param {Budget} budget @param {Translate} t @returns {HTMLElement} */
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
