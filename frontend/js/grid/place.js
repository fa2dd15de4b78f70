/**
 * Where one is in a table of any length. A browser draws no element of ten million rows, so the scrollbar stands for a part
 * of them: a small move goes as far as it looks, a large one to its share of the table. Pure.
 */

export const ROW_HEIGHT = 28;
/** Pixels that every browser scrolls through. */
const TALLEST = 8_000_000;

/** How high the rows are, as the scrollbar has it. @param {number} rows */
export function heightOf(rows) {
  return Math.min(rows * ROW_HEIGHT, TALLEST);
}

/**
 * The first row in sight (with its fraction) after a move of the scrollbar.
 *
 * @param {number} first the one before
 * @param {{ from: number, to: number, most: number }} scroll in pixels
 * @param {{ rows: number, inSight: number }} table
 */
export function firstAfter(first, { from, to, most }, { rows, inSight }) {
  const last = Math.max(0, rows - inSight);
  if (to <= 0) return 0;
  if (to >= most - 1) return last;
  const isSmall = Math.abs(to - from) <= inSight * ROW_HEIGHT;
  const target =
    rows * ROW_HEIGHT <= TALLEST
      ? to / ROW_HEIGHT
      : isSmall
        ? first + (to - from) / ROW_HEIGHT
        : (to / most) * last;
  return Math.min(last, Math.max(0, target));
}

/**
 * The place of the scrollbar for a first row.
 *
 * @param {number} first
 * @param {number} most
 * @param {{ rows: number, inSight: number }} table
 */
export function scrollFor(first, most, { rows, inSight }) {
  if (rows * ROW_HEIGHT <= TALLEST) return first * ROW_HEIGHT;
  const last = Math.max(1, rows - inSight);
  return first >= last ? most : Math.min(most - 2, Math.max(first > 0 ? 1 : 0, (first / last) * most));
}
