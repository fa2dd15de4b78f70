/**
 * Text that only grows at its end. A new piece points at what was there before it, so appending costs the piece and
 * nothing else, old values stay valid, and a reader that remembers where it was walks back over the new pieces only.
 */

/** @import { Pieces } from "../types.js" */

/**
 * @param {Pieces | null} before
 * @param {string} text
 * @returns {Pieces}
 */
export function grown(before, text) {
  return { before, text, length: (before?.length ?? 0) + text.length };
}

/**
 * The text after `last` (all of it when `last` is null); null when `pieces` did not grow out of `last`.
 *
 * @param {Pieces | null} pieces
 * @param {Pieces | null} last
 * @returns {string | null}
 */
export function since(pieces, last) {
  const texts = [];
  let piece = pieces;
  for (; piece !== null && piece !== last; piece = piece.before) texts.push(piece.text);
  return piece === last ? texts.reverse().join("") : null;
}

/** @param {Pieces | null} pieces */
export function textOf(pieces) {
  return since(pieces, null) ?? "";
}
