/**
 * Scroll position in a table of any length. No browser draws an element of ten million rows, so the scrollbar covers a
 * part: a small move scrolls its own distance, a large one to its share of the table. Pure.
 */

export const ROW_HEIGHT = 28;
/** Height in pixels that every browser can scroll. */
const TALLEST = 8_000_000;

/** Return the height of the scrolled element. @param {number} rows */
export function heightOf(rows) {
  return Math.min(rows * ROW_HEIGHT, TALLEST);
}

/**
 * Return the first visible row (with its fraction) after a move of the scrollbar.
 *
 * @param {number} first the previous one
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
 * Return the scroll position of a first row.
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

/**
 * Return the columns between two edges: the first, and the one after the last.
 *
 * @param {number[]} lefts left edge of each column, and the right edge of the last
 * @param {number} left
 * @param {number} right
 */
export function columnsBetween(lefts, left, right) {
  const begin = lefts.findIndex((_, place) => (lefts[place + 1] ?? Infinity) >= left);
  const end = lefts.findIndex((edge) => edge > right);
  return { begin: Math.max(0, begin), end: end < 0 ? lefts.length - 1 : Math.min(end, lefts.length - 1) };
}
