// @ts-check
/** What the colours of rooms mean: places the numbers of a legend and finds a value on it. Pure. */

/** @import { LegendOverlay } from "../types.js" */
/** @typedef {{value: number, at: number}} Tick `at` from 0 to 1 along the gradient */

/** Numbers beneath the gradient: more would touch. */
const MOST_TICKS = 5;
/** The share of the gradient that one character of a number takes, and the decimals that are ever of use. */
const CHARACTER = 0.05;
const MOST_DECIMALS = 6;

/** @param {LegendOverlay} legend @param {number} value @returns {number} where it lies, from 0 to 1 */
export function placeOn({ stops }, value) {
  const [low, high] = [stops[0]?.value ?? 0, stops.at(-1)?.value ?? 0];
  return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5;
}

/** @param {LegendOverlay} legend @returns {number} decimals at which values of this span differ: two digits beyond its first */
export function decimalsFor({ stops }) {
  const span = (stops.at(-1)?.value ?? 0) - (stops[0]?.value ?? 0);
  return span > 0 ? Math.min(MOST_DECIMALS, Math.max(0, 1 - Math.floor(Math.log10(span)))) : MOST_DECIMALS;
}

/** @param {LegendOverlay} legend @returns {string} a CSS gradient from the lowest value to the highest */
export function gradientOf(legend) {
  const { stops } = legend;
  const even = stops[0]?.value === stops.at(-1)?.value;
  const parts = stops.map(
    ({ value, color }, index) =>
      `${color} ${((even ? index / (stops.length - 1) : placeOn(legend, value)) * 100).toFixed(1)}%`,
  );
  return `linear-gradient(to right, ${parts.join(", ")})`;
}

/** @param {LegendOverlay} legend @returns {Tick[]} the ends and what fits between them, the lowest first */
export function ticksOf(legend) {
  const { stops } = legend;
  const decimals = decimalsFor(legend);
  const all = stops.map(({ value }) => ({
    value: Number(value.toFixed(decimals)),
    at: placeOn(legend, value),
  }));
  const room = Math.max(0.2, CHARACTER * Math.max(...all.map(({ value }) => String(value).length)));
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) return [];
  if (first.value === last.value) return [{ value: first.value, at: 0.5 }];
  const inner = all.slice(1, -1).filter(({ at }) => at >= room && at <= 1 - room);
  const every = Math.max(1, Math.ceil(inner.length / (MOST_TICKS - 2)));
  const spaced = inner.filter((_, index) => index % every === Math.floor((every - 1) / 2));
  const apart = spaced.filter(({ at }, index) => index === 0 || at - (spaced[index - 1]?.at ?? 0) >= room);
  return [{ ...first, at: 0 }, ...apart, { ...last, at: 1 }];
}
