// @ts-check
/**
 * Sheet for points by latitude and longitude: the visible part of the earth, the place of a point on it, and the grid
 * lines. Pure. Degrees have the width of the sheet's middle latitude; points on both sides of the antimeridian are
 * shown across it.
 */

/** @import { XY } from "../types.js" */
/** @import { Box, Size, View } from "./geometry.js" */
/** @import { NamedPoint } from "./points.js" */
/**
 * @typedef {{west: number, south: number, north: number, east: number, across: number, down: number}} Earth edges in
 *   degrees (east may lie beyond 180), and pixels per degree
 */
/** @typedef {{at: number, label: string}} GridLine */

/** Pixels of the sheet's longer side; the camera scales it to the pane. */
const SHEET_PIXELS = 1000;
/** Minimum degrees of a sheet, and the margin around its points. */
const MIN_DEGREES = 0.02;
const MARGIN = 0.08;
const STEPS = [
  90, 45, 30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001,
];
/** Minimum CSS pixels between two grid lines. */
const LINE_GAP = { across: 90, down: 60 };

/**
 * Return the part of the earth that contains the points, in the shape of the pane where possible.
 *
 * @param {NamedPoint[]} points at least one
 * @param {number} [aspect] width to height of the pane
 * @returns {Earth}
 */
export function earthOf(points, aspect = 1.5) {
  const [least, most] = longitudes(points);
  const lats = extent(points.map(({ y }) => y));
  const middle = { x: (least + most) / 2, y: (lats[0] + lats[1]) / 2 };
  const squeeze = Math.max(0.25, Math.cos((middle.y * Math.PI) / 180));
  const wide = Math.max(most - least, MIN_DEGREES) * (1 + 2 * MARGIN);
  const high = Math.max(lats[1] - lats[0], MIN_DEGREES) * (1 + 2 * MARGIN);
  const x = Math.min(180, Math.max(wide, (high * aspect) / squeeze) / 2);
  const y = Math.max(high, (wide * squeeze) / aspect) / 2;
  const [west, east] = [middle.x - x, middle.x + x];
  const [south, north] = [Math.max(-90, middle.y - y), Math.min(90, middle.y + y)];
  const unit = SHEET_PIXELS / Math.max((east - west) * squeeze, north - south);
  return { west, south, north, east, across: unit * squeeze, down: unit };
}

/**
 * Return the range of longitudes of all points: from the lowest to the highest, unless the range across the
 * antimeridian is at most half as long.
 *
 * @param {NamedPoint[]} points
 * @returns {[number, number]} the second is larger than the first, and may exceed 180
 */
function longitudes(points) {
  const sorted = points.map(({ x }) => x).sort((a, b) => a - b);
  const [first, last] = [sorted[0] ?? 0, sorted[sorted.length - 1] ?? 0];
  let gap = { before: first, after: first };
  for (let at = 1; at < sorted.length; at += 1) {
    const [before, after] = [sorted[at - 1] ?? 0, sorted[at] ?? 0];
    if (after - before > gap.after - gap.before) gap = { before, after };
  }
  const across = 360 - (gap.after - gap.before);
  return across <= (last - first) / 2 ? [gap.after, gap.before + 360] : [first, last];
}

/** @param {number[]} values @returns {[number, number]} */
function extent(values) {
  return values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [values[0] ?? 0, values[0] ?? 0],
  );
}

/** @param {Earth} earth @returns {Box} in pixels of the sheet */
export function earthSheet({ west, south, north, east, across, down }) {
  return { left: 0, top: 0, width: (east - west) * across, height: (north - south) * down };
}

/**
 * @param {Earth} earth
 * @param {View} view
 * @returns {(point: {x: number, y: number}) => XY} from degrees to the screen
 */
export function earthToScreen({ west, north, across, down }, { scale, left, top }) {
  return ({ x, y }) => ({
    x: left + (x < west - 1e-9 ? x + 360 - west : x - west) * across * scale,
    y: top + (north - y) * down * scale,
  });
}

/**
 * Return the visible grid lines on the screen.
 *
 * @param {Earth} earth
 * @param {View} view
 * @param {Size} size of the pane
 * @returns {{meridians: GridLine[], parallels: GridLine[]}}
 */
export function gridLines(earth, view, size) {
  const { west, east, south, north } = earth;
  const [across, down] = [earth.across * view.scale, earth.down * view.scale];
  const lon = (/** @type {number} */ pixel) => west + (pixel - view.left) / across;
  const lat = (/** @type {number} */ pixel) => north - (pixel - view.top) / down;
  const meridians = marks(
    Math.max(west, lon(0)),
    Math.min(east, lon(size.width)),
    stepOf(LINE_GAP.across / across),
  );
  const parallels = marks(
    Math.max(south, lat(size.height)),
    Math.min(north, lat(0)),
    stepOf(LINE_GAP.down / down),
  );
  return {
    meridians: meridians.map((value) => ({
      at: view.left + (value - west) * across,
      label: degrees(value, "E", "W"),
    })),
    parallels: parallels.map((value) => ({
      at: view.top + (north - value) * down,
      label: degrees(value, "N", "S"),
    })),
  };
}

/** @param {number} least degrees between two lines */
function stepOf(least) {
  return STEPS.findLast((step) => step >= least) ?? 90;
}

/** @param {number} from @param {number} to @param {number} step @returns {number[]} multiples of the step */
function marks(from, to, step) {
  const [first, last] = [Math.ceil(from / step - 1e-9), Math.floor(to / step + 1e-9)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) =>
    Number(((first + at) * step).toFixed(6)),
  );
}

/**
 * @param {number} value
 * @param {string} plus
 * @param {string} minus
 * @returns {string} as on a map: 139.5°E
 */
export function degrees(value, plus, minus) {
  const round = Number((value > 180 ? value - 360 : value < -180 ? value + 360 : value).toFixed(5));
  const side = round === 0 || Math.abs(round) === 180 ? "" : round > 0 ? plus : minus;
  return `${Math.abs(round)}°${side}`;
}
