/** A text in which the words that were looked for are marked. */

import { el } from "../core/dom.js";

/**
 * The text cut at the words: pieces at odd places are words. Pure.
 *
 * @param {string} text
 * @param {string} query
 */
export function pieces(text, query) {
  const terms = query
    .split(/\s+/)
    .filter(Boolean)
    .sort((a, b) => b.length - a.length);
  if (terms.length === 0) return [text];
  const escaped = terms.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return text.split(new RegExp(`(${escaped.join("|")})`, "iu"));
}

/** @param {string} text @param {string} query */
export const marked = (text, query) =>
  pieces(text, query).map((piece, at) => (at % 2 ? el("mark", {}, piece) : piece));

/** Whether a text has all the words, so that nothing else need be shown of what was found. @param {string} text @param {string} query */
export const hasAll = (text, query) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
