/**
 * Text that only grows at its end. A new piece points at the previous one: appending is O(1), old values stay valid,
 * and a reader walks back over the new pieces only.
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
 * Return the text after `last` (all of it if `last` is null), or null if `pieces` did not grow out of `last`.
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

/**
 * Add a piece to what a step writes. A restart drops its text and code: the model was asked again.
 *
 * @param {import("../types.js").Live} live
 * @param {{ kind: "text" | "code" | "reasoning", content: string, restart?: boolean }} piece
 * @returns {import("../types.js").Live}
 */
export function withPiece(live, { kind, content, restart }) {
  const base = restart ? { ...live, text: null, code: null } : live;
  return content ? { ...base, [kind]: grown(base[kind], content) } : base;
}
