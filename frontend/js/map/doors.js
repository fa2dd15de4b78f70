// @ts-check
/** Doors as gaps in walls: position, width and direction, in plan pixels. Pure. */

import { toPlan } from "./geometry.js";

/** @import { XY } from "../types.js" */
/** @import { Plan } from "./plan.js" */

/**
 * Gap in a wall: its centre, the direction of the wall, half its length along the wall and half its depth across.
 *
 * @typedef {{x: number, y: number, ux: number, uy: number, half: number, deep: number}} Gap
 */

const METRES = 1;
/** Width of a door if the scale is unknown: a share of the shorter side of the room. */
const SHARE = 0.16;
/** Maximum share of its wall that a door takes. */
const MAX_SHARE = 0.7;

/** @param {Plan} plan @returns {Gap[]} */
export function doorGaps(plan) {
  const { floor } = plan;
  const zero = toPlan(floor, { x: 0, y: 0 });
  const unit = toPlan(floor, { x: 1, y: 1 });
  const perUnit = Math.min(Math.abs(unit.x - zero.x), Math.abs(unit.y - zero.y)) || 1;
  const metre = floor.metresPerUnit ? perUnit / floor.metresPerUnit : null;
  return (floor.doors ?? []).flatMap((door) => {
    const at = toPlan(floor, door.at);
    const walls = door.rooms.flatMap((name) => {
      const room = plan.indexes.get(name);
      const wall = room === undefined ? null : nearestWall(plan, room, at);
      return wall ? [wall] : [];
    });
    const [wall, other = wall] = walls;
    if (!wall || !other) return [];
    const wide = metre ? METRES * metre : SHARE * Math.min(wall.side, other.side);
    const half = Math.min(wide, MAX_SHARE * wall.length, MAX_SHARE * other.length) / 2;
    const [x, y] = [(wall.x + other.x) / 2, (wall.y + other.y) / 2];
    const deep = Math.hypot(wall.x - other.x, wall.y - other.y) / 2;
    return half > 0 ? [{ x, y, ux: wall.ux, uy: wall.uy, half, deep }] : [];
  });
}

/** @typedef {{x: number, y: number, ux: number, uy: number, length: number, side: number}} Wall */

/**
 * Find the wall of a room nearest to a door.
 *
 * @param {Plan} plan
 * @param {number} room
 * @param {XY} at
 * @returns {Wall | null} the wall, and the place on it
 */
function nearestWall(plan, room, at) {
  const outline = plan.outlines[room] ?? rectangle(plan, room);
  const { width, height } = plan.box(room);
  /** @type {Wall | null} */
  let best = null;
  let nearest = Infinity;
  for (let end = 0, start = outline.length - 2; end < outline.length; start = end, end += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = [
      outline[start],
      outline[start + 1],
      outline[end],
      outline[end + 1],
    ];
    const length = Math.hypot(bx - ax, by - ay);
    if (length === 0) continue;
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    const along = Math.max(0, Math.min(length, (at.x - ax) * ux + (at.y - ay) * uy));
    const [x, y] = [ax + ux * along, ay + uy * along];
    const far = Math.hypot(at.x - x, at.y - y);
    if (far >= nearest) continue;
    nearest = far;
    best = { x, y, ux, uy, length, side: Math.min(width, height) };
  }
  return best;
}

/** @param {Plan} plan @param {number} room */
function rectangle({ left, top, right, bottom }, room) {
  const [l = 0, t = 0, r = 0, b = 0] = [left[room], top[room], right[room], bottom[room]];
  return [l, t, r, t, r, b, l, b];
}
