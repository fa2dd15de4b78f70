// @ts-check
/** A JSON value as a tree one can open and close. Branches are made when they are first opened, long lists in parts. */

import { el } from "./dom.js";

/** @import { Translate } from "./types.js" */

/** Branches this near to the root are open from the start. */
const OPEN = 2;
const PART = 100;
/** Texts longer than this, or with line breaks, get a block of their own. */
const SHORT = 100;
const LONGEST = 20_000;

/**
 * @param {unknown} value
 * @param {Translate} t
 * @returns {HTMLElement}
 */
export function jsonTree(value, t) {
  return el("div", { class: "debug-tree" }, ...(isBranch(value) ? items(value, 0, t) : [leaf(value)]));
}

/** @param {object} value @param {number} depth @param {Translate} t @returns {HTMLElement[]} */
function items(value, depth, t) {
  const entries = Object.entries(value);
  const made = entries.slice(0, PART).map(([name, one]) => item(name, one, depth, t));
  if (entries.length > PART) made.push(moreItems(entries.slice(PART), depth, t));
  return made;
}

/** @param {[string, unknown][]} rest @param {number} depth @param {Translate} t @returns {HTMLElement} */
function moreItems(rest, depth, t) {
  const button = el("button", { type: "button", class: "debug-more" }, t("debug.more", { n: Math.min(PART, rest.length) }));
  button.addEventListener("click", () => {
    const next = rest.slice(0, PART).map(([name, one]) => item(name, one, depth, t));
    if (rest.length > PART) next.push(moreItems(rest.slice(PART), depth, t));
    button.replaceWith(...next);
  });
  return button;
}

/** @param {string} name @param {unknown} value @param {number} depth @param {Translate} t @returns {HTMLElement} */
function item(name, value, depth, t) {
  const key = el("span", { class: "debug-key" }, name);
  if (!isBranch(value)) return el("div", { class: "debug-leaf" }, key, ": ", leaf(value));
  const size = Object.keys(value).length;
  const brief = el("span", { class: "debug-brief" }, Array.isArray(value) ? `[${size}]` : `{${size}}`);
  const node = el("details", {}, el("summary", {}, key, " ", brief));
  const fill = () => {
    if (node.childElementCount === 1) node.append(el("div", { class: "debug-branch" }, ...items(value, depth + 1, t)));
  };
  node.addEventListener("toggle", () => node.open && fill());
  if (depth < OPEN && size > 0 && size <= PART) {
    fill();
    node.open = true;
  }
  return node;
}

/** @param {unknown} value @returns {HTMLElement} */
function leaf(value) {
  if (typeof value === "string") {
    if (value.length > SHORT || value.includes("\n")) return el("pre", { "data-kind": "string" }, value.slice(0, LONGEST));
    return el("span", { "data-kind": "string" }, JSON.stringify(value));
  }
  return el("span", { "data-kind": value === null ? "null" : typeof value }, String(value));
}

/** @param {unknown} value @returns {value is object} */
function isBranch(value) {
  return typeof value === "object" && value !== null;
}
