/** Text with the matches of a search marked. */

import { el } from "../core/dom.js";

/**
 * Split a text at the search terms: pieces at odd indexes are matches. Pure.
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

/**
 * Check whether a text contains all terms, so that no other part of the chat has to be shown.
 *
 * @param {string} text
 * @param {string} query
 */
export const hasAll = (text, query) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
