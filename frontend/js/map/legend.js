// @ts-check
/** Scale of a legend: the places of its numbers and of a value. Pure. */

/** @import { LegendOverlay } from "../types.js" */
/** @typedef {{value: number, at: number}} Tick `at` from 0 to 1 along the gradient */

/** Maximum of numbers below the gradient, so that they do not touch. */
const MOST_TICKS = 5;
/** Width of one character as a share of the gradient, and the maximum decimals. */
const CHARACTER = 0.05;
const MOST_DECIMALS = 6;

/** Return the place of a value. @param {LegendOverlay} legend @param {number} value @returns {number} from 0 to 1 */
export function placeOn({ stops }, value) {
  const [low, high] = [stops[0]?.value ?? 0, stops.at(-1)?.value ?? 0];
  return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5;
}

/** Return the colour of a value, mixed in sRGB. @param {LegendOverlay} legend @param {number} value */
export function colourOn({ stops }, value) {
  const above = stops.findIndex((stop) => stop.value >= value);
  const [low, high] = [stops[Math.max(0, above - 1)], stops[above]];
  if (!low || !high || low === high) return (high ?? stops.at(-1))?.color ?? "";
  const share = (value - low.value) / (high.value - low.value || 1);
  const parts = [1, 3, 5].map((at) => {
    const [from, to] = [low, high].map(({ color }) => Number.parseInt(color.slice(at, at + 2), 16));
    return Math.round((from ?? 0) + ((to ?? 0) - (from ?? 0)) * share);
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Return the decimals of the legend's numbers.
 *
 * @param {LegendOverlay} legend
 * @returns {number} decimals at which values of this range differ: two digits beyond its first
 */
export function decimalsFor({ stops }) {
  const span = (stops.at(-1)?.value ?? 0) - (stops[0]?.value ?? 0);
  return span > 0 ? Math.min(MOST_DECIMALS, Math.max(0, 1 - Math.floor(Math.log10(span)))) : MOST_DECIMALS;
}

/** Return the CSS gradient. @param {LegendOverlay} legend @returns {string} from the lowest value to the highest */
export function gradientOf(legend) {
  const { stops } = legend;
  const even = stops[0]?.value === stops.at(-1)?.value;
  const parts = stops.map(
    ({ value, color }, index) =>
      `${color} ${((even ? index / (stops.length - 1) : placeOn(legend, value)) * 100).toFixed(1)}%`,
  );
  return `linear-gradient(to right, ${parts.join(", ")})`;
}

/**
 * Return the numbers.
 *
 * @param {LegendOverlay} legend
 * @returns {Tick[]} both ends and what fits between them, the lowest first
 */
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
