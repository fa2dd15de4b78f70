// @ts-check
/**
 * Layout of routes on the shown floor, in CSS pixels of the pane: legs, end marks, and a badge at each change of floor.
 * Pure; map/layer-route.js paints it, and map/badges.js places buttons on the badges.
 */

import { boxAround, overlaps } from "./geometry.js";
import { floorToScreen } from "./layout.js";

/** @import { Floor, LinkKind, XY } from "../types.js" */
/** @import { Box, View } from "./geometry.js" */
/** @import { Measure } from "./layout.js" */
/** @import { PlacedRoute } from "../core/routes.js" */

/** Leg of one of the picture's routes. @typedef {{route: number, leg: number}} LegRef */
/** @typedef {LegRef & {line: XY[]}} LegLine */
/** @typedef {{at: XY, end: "start" | "goal"}} EndMark */
/**
 * @typedef {{route: number, change: number, leaving: boolean, kind: LinkKind, name: string, floorId: string, label:
 *   string, box: Box}} Badge floorId: where it leads, label: as people call it
 */
/** @typedef {{lines: LegLine[], ends: EndMark[], badges: Badge[]}} RouteLayout */

export const BADGE = { height: 24, icon: 16, pad: 7, gap: 4, size: 12 };

/**
 * Lay out routes.
 *
 * @param {PlacedRoute[]} routes
 * @param {Floor} floor
 * @param {View} view
 * @param {Measure} measure
 * @param {(floorId: string) => string} floorName returns the label of a floor
 * @returns {RouteLayout}
 */
export function layoutRoutes(routes, floor, view, measure, floorName) {
  const place = floorToScreen(floor, view);
  /** @type {RouteLayout} */
  const layout = { lines: [], ends: [], badges: [] };
  routes.forEach((route, index) => {
    route.legs.forEach(({ floorId, points }, leg) => {
      if (floorId !== floor.floorId) return;
      const line = points.map(place);
      layout.lines.push({ route: index, leg, line });
      const [first, last] = [line[0], line.at(-1)];
      if (leg === 0 && first) layout.ends.push({ at: first, end: "start" });
      if (leg === route.legs.length - 1 && last) layout.ends.push({ at: last, end: "goal" });
    });
    route.changes.forEach((change, at) => {
      const sides = [
        { floorId: change.fromFloorId, otherFloorId: change.toFloorId, point: change.at, leaving: true },
        { floorId: change.toFloorId, otherFloorId: change.fromFloorId, point: change.to, leaving: false },
      ];
      for (const { floorId, otherFloorId, point, leaving } of sides) {
        if (floorId !== floor.floorId || otherFloorId === floor.floorId) continue;
        const width =
          2 * BADGE.pad + BADGE.icon + BADGE.gap + measure(floorName(otherFloorId), BADGE.size, true);
        const box = freeBox(boxAround(place(point), width, BADGE.height), layout.badges);
        layout.badges.push({
          route: index,
          change: at,
          leaving,
          kind: change.kind,
          name: change.name,
          floorId: otherFloorId,
          label: floorName(otherFloorId),
          box,
        });
      }
    });
  });
  return layout;
}

/** Move a badge below others at the same place. @param {Box} box @param {Badge[]} badges @returns {Box} */
function freeBox(box, badges) {
  const hit = badges.find((badge) => overlaps(badge.box, box));
  return hit ? freeBox({ ...box, top: hit.box.top + hit.box.height + 4 }, badges) : box;
}

/** Return the boxes that names avoid. @param {RouteLayout} layout @returns {Box[]} its marks and badges */
export function boxesOf({ ends, badges }) {
  const marks = ends.map(({ at: { x, y }, end }) =>
    end === "start" ? boxAround({ x, y }, 20, 20) : boxAround({ x, y: y - 12 }, 24, 30),
  );
  return [...marks, ...badges.map(({ box }) => box)];
}

/**
 * Find the leg under the pointer.
 *
 * @param {LegLine[]} lines
 * @param {XY} at
 * @param {number} within CSS pixels
 * @returns {LegRef | null} the nearest one
 */
export function legNear(lines, at, within) {
  let nearest = within;
  /** @type {LegRef | null} */
  let match = null;
  for (const { route, leg, line } of lines) {
    line.forEach((end, index) => {
      const far = distance(at, line[Math.max(0, index - 1)] ?? end, end);
      if (far > nearest) return;
      nearest = far;
      match = { route, leg };
    });
  }
  return match;
}

/** Return the distance of a point from a segment. @param {XY} at @param {XY} a @param {XY} b @returns {number} */
function distance(at, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((at.x - a.x) * dx + (at.y - a.y) * dy) / length));
  return Math.hypot(at.x - a.x - along * dx, at.y - a.y - along * dy);
}

/**
 * Return the first part of a line.
 *
 * @param {XY[]} line
 * @param {number} length of the part, CSS pixels
 * @returns {XY[]} at least its first point
 */
export function beginning(line, length) {
  /** @type {XY[]} */
  const part = [];
  let left = length;
  for (const [index, end] of line.entries()) {
    const start = line[index - 1];
    const step = start ? Math.hypot(end.x - start.x, end.y - start.y) : 0;
    if (start && step > left) {
      const share = left / step;
      part.push({ x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share });
      return part;
    }
    part.push(end);
    left -= step;
  }
  return part;
}

/** @param {XY[]} line @returns {number} CSS pixels */
export function lengthOf(line) {
  return line.reduce((sum, { x, y }, index) => {
    const before = line[index - 1];
    return before ? sum + Math.hypot(x - before.x, y - before.y) : sum;
  }, 0);
}
