// @ts-check
/**
 * Points of a map, and the places of their dots and names. Pure. A map has up to ten thousand points; only the first
 * names are tried, and the tooltip shows the others.
 */

import { boxAround, encloses, overlaps } from "./geometry.js";

/** @import { PointsContent, XY } from "../types.js" */
/** @import { Box } from "./geometry.js" */
/** @import { Origin } from "../core/routes.js" */
/** @import { Measure } from "./layout.js" */
/**
 * @typedef {{x: number, y: number, name: string}} NamedPoint x is the longitude and y the latitude of a place on the
 *   earth
 */
/**
 * @typedef {{kind: "plan" | "earth", floorId: string | null, points: NamedPoint[], description: string, origin:
 *   Origin}} PointSet
 */
/** @typedef {{text: string, at: XY, box: Box}} DotName */
/** @typedef {{at: XY[], radius: number, names: DotName[], size: number}} Dots */

const NAMES = { tried: 300, drawn: 60, size: 12, longest: 28, line: 1.3, gap: 3 };

/**
 * Convert the older form of a map: points by lat and lon, or by x and y on the shown floor.
 *
 * @param {PointsContent} content
 * @param {string | null} floorId the shown one
 * @param {Origin} origin
 * @returns {PointSet}
 */
export function pointSet({ points: input, description }, floorId, origin) {
  const points = input.map((point) =>
    "lat" in point
      ? { x: point.lon, y: point.lat, name: point.name ?? "" }
      : { x: point.x, y: point.y, name: point.name ?? "" },
  );
  const earth = input.some((point) => "lat" in point);
  return { kind: earth ? "earth" : "plan", floorId: earth ? null : floorId, points, description, origin };
}

/**
 * Lay out dots.
 *
 * @param {NamedPoint[]} points
 * @param {(point: NamedPoint) => XY} toScreen
 * @param {{width: number, height: number}} size of the pane
 * @param {Measure} measure
 * @param {Box} [paper] names stay on it, and in the pane
 * @returns {Dots} visible dots, and names that fit
 */
export function layoutDots(points, toScreen, size, measure, paper) {
  const radius = points.length <= 100 ? 5 : points.length <= 1000 ? 4 : 2.5;
  /** @type {XY[]} */
  const at = [];
  /** @type {{at: XY, name: string}[]} */
  const named = [];
  for (const point of points) {
    const place = toScreen(point);
    if (
      place.x < -radius ||
      place.y < -radius ||
      place.x > size.width + radius ||
      place.y > size.height + radius
    )
      continue;
    at.push(place);
    if (point.name && named.length < NAMES.tried) named.push({ at: place, name: point.name });
  }
  const blocked = at.slice(0, NAMES.tried).map((dot) => boxAround(dot, 2 * radius, 2 * radius));
  return {
    at,
    radius,
    names: placeDotNames(named, radius, blocked, within(size, paper), measure),
    size: NAMES.size,
  };
}

/** Intersect pane and paper. @param {{width: number, height: number}} size @param {Box} [paper] @returns {Box} */
function within(size, paper) {
  if (!paper) return { left: 0, top: 0, ...size };
  const [left, top] = [Math.max(0, paper.left), Math.max(0, paper.top)];
  const [right, bottom] = [
    Math.min(size.width, paper.left + paper.width),
    Math.min(size.height, paper.top + paper.height),
  ];
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * Place names right of their dots, else left, below or above, clear of other names and dots, and inside the pane.
 *
 * @param {{at: XY, name: string}[]} named
 * @param {number} radius
 * @param {Box[]} blocked grows
 * @param {Box} room
 * @param {Measure} measure
 */
function placeDotNames(named, radius, blocked, room, measure) {
  /** @type {DotName[]} */
  const names = [];
  for (const { at, name } of named) {
    if (names.length === NAMES.drawn) break;
    const text =
      [...name].length > NAMES.longest ? `${[...name].slice(0, NAMES.longest - 1).join("")}…` : name;
    const [wide, high] = [measure(text, NAMES.size, true) + 4, NAMES.size * NAMES.line];
    const [across, down] = [radius + NAMES.gap + wide / 2, radius + 1 + high / 2];
    for (const [dx, dy] of [
      [across, 0],
      [-across, 0],
      [0, down],
      [0, -down],
    ]) {
      const middle = { x: at.x + (dx ?? 0), y: at.y + (dy ?? 0) };
      const box = boxAround(middle, wide, high);
      if (!encloses(room, box) || blocked.some((other) => overlaps(box, other))) continue;
      blocked.push(box);
      names.push({ text, at: middle, box });
      break;
    }
  }
  return names;
}

/**
 * Find the point under the pointer.
 *
 * @param {NamedPoint[]} points
 * @param {(point: NamedPoint) => XY} toScreen
 * @param {XY} pointer
 * @param {number} within CSS pixels
 * @returns {NamedPoint | null} the nearest one
 */
export function pointNear(points, toScreen, pointer, within) {
  /** @type {NamedPoint | null} */
  let nearestPoint = null;
  let nearest = within;
  for (const point of points) {
    const { x, y } = toScreen(point);
    const far = Math.hypot(x - pointer.x, y - pointer.y);
    if (far > nearest) continue;
    [nearestPoint, nearest] = [point, far];
  }
  return nearestPoint;
}
