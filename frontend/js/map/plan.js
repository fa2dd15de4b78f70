// @ts-check
/**
 * Floor prepared for drawing and pointing: its rooms in plan pixels, a spatial index, and the door gaps in walls. Pure.
 */

import { shownName } from "../core/building-names.js";
import { doorGaps } from "./doors.js";
import { Grid } from "./grid.js";
import { roomBox, toPlan } from "./geometry.js";

/** @import { Floor, Language, XY } from "../types.js" */
/** @import { Gap } from "./doors.js" */
/** @import { Box } from "./geometry.js" */

/** @type {WeakMap<Floor, Plan>} */
const plans = new WeakMap();

/** Return the plan of a floor, built once. @param {Floor} floor @returns {Plan} */
export function planOf(floor) {
  const cached = plans.get(floor);
  if (cached) return cached;
  const plan = new Plan(floor);
  plans.set(floor, plan);
  return plan;
}

export class Plan {
  /** @param {Floor} floor */
  constructor(floor) {
    const { rectangles } = floor;
    const count = rectangles.length;
    this.floor = floor;
    this.count = count;
    /** Edges of the rooms' boxes, in plan pixels. */
    this.left = new Float64Array(count);
    this.top = new Float64Array(count);
    this.right = new Float64Array(count);
    this.bottom = new Float64Array(count);
    this.area = new Float64Array(count);
    /** Longer side of each room's box. */
    this.longSide = new Float64Array(count);
    /** Outlines x, y, x, y, ... in plan pixels, of polygonal rooms. @type {(Float64Array | null)[]} */
    this.outlines = [];
    /** Holes of polygonal rooms, in the other direction than their outlines, so that both fill as one path. @type {(Float64Array[] | null)[]} */
    this.holes = [];
    /** Corners of polygonal rooms; a rectangle counts as one, because a path of rectangles is painted that much faster. */
    this.corners = 0;
    /** Index by name; the first room of a name wins. @type {Map<string, number>} */
    this.indexes = new Map();
    for (const [at, room] of rectangles.entries()) {
      const outline = outlineOfRoom(floor, room);
      const holes = outline && room.holes?.length ? holesOf(floor, outline, room.holes) : null;
      const box = outline ? boxOf(outline) : roomBox(floor, room);
      this.outlines.push(outline);
      this.corners += outline ? outline.length / 2 : 1;
      this.holes.push(holes);
      this.left[at] = box.left;
      this.top[at] = box.top;
      this.right[at] = box.left + box.width;
      this.bottom[at] = box.top + box.height;
      this.longSide[at] = Math.max(box.width, box.height);
      this.area[at] = outline
        ? Math.abs([outline, ...(holes ?? [])].reduce((sum, ring) => sum + areaOf(ring), 0))
        : box.width * box.height;
      if (!this.indexes.has(room.name)) this.indexes.set(room.name, at);
    }
    this.grid = new Grid(this.left, this.top, this.right, this.bottom);
    /** @type {Gap[] | null} */
    this.cachedGaps = null;
    /** Shorter side of the median room, in plan pixels. */
    this.typicalSide = middling(this);
    /** @type {number[]} */
    this.scratch = [];
  }

  /** Gaps of the doors, found when they are first large enough. */
  get gaps() {
    this.cachedGaps ??= doorGaps(this);
    return this.cachedGaps;
  }

  /** Return the name in a language. @param {number} at @param {Language} language */
  shownName(at, language) {
    const room = this.floor.rectangles[at];
    return room ? shownName(room, room.name, language) : "";
  }

  /** Return the box of a room. @param {number} at @returns {Box} in plan pixels */
  box(at) {
    const [left = 0, top = 0] = [this.left[at], this.top[at]];
    return { left, top, width: (this.right[at] ?? 0) - left, height: (this.bottom[at] ?? 0) - top };
  }

  /** Find the room at a point. @param {XY} point in plan pixels @returns {number} the smallest one, -1 for none */
  roomAt({ x, y }) {
    let best = -1;
    for (const at of this.grid.search(x, y, x, y, this.scratch)) {
      if (!this.contains(at, x, y)) continue;
      if (best < 0 || (this.area[at] ?? 0) < (this.area[best] ?? 0)) best = at;
    }
    return best;
  }

  /**
   * Check whether a room contains a point.
   *
   * @param {number} at
   * @param {number} x
   * @param {number} y in plan pixels
   * @returns {boolean}
   */
  contains(at, x, y) {
    if (
      x < (this.left[at] ?? 0) ||
      x > (this.right[at] ?? 0) ||
      y < (this.top[at] ?? 0) ||
      y > (this.bottom[at] ?? 0)
    )
      return false;
    const outline = this.outlines[at];
    if (!outline) return true;
    return insideOutline(outline, x, y) && !this.holes[at]?.some((hole) => insideOutline(hole, x, y));
  }

  /** Check whether a room is inside another, larger one. @param {number} outer @param {number} inner */
  encloses(outer, inner) {
    return (
      outer !== inner &&
      (this.area[inner] ?? 0) < (this.area[outer] ?? 0) &&
      (this.left[inner] ?? 0) >= (this.left[outer] ?? 0) &&
      (this.top[inner] ?? 0) >= (this.top[outer] ?? 0) &&
      (this.right[inner] ?? 0) <= (this.right[outer] ?? 0) &&
      (this.bottom[inner] ?? 0) <= (this.bottom[outer] ?? 0)
    );
  }
}

/** @param {Plan} plan */
function middling({ left, top, right, bottom, count }) {
  const sides = left
    .map((_, at) => Math.min((right[at] ?? 0) - (left[at] ?? 0), (bottom[at] ?? 0) - (top[at] ?? 0)))
    .sort();
  return sides[count >> 1] ?? 0;
}

/**
 * Convert a polygon.
 *
 * @param {Floor} floor
 * @param {XY[]} polygon in virtual coordinates
 * @returns {Float64Array} x, y, ... in plan pixels
 */
function outlineOf(floor, polygon) {
  const outline = new Float64Array(2 * polygon.length);
  for (const [at, corner] of polygon.entries()) {
    const { x, y } = toPlan(floor, corner);
    outline[2 * at] = x;
    outline[2 * at + 1] = y;
  }
  return outline;
}

/** Return the outline of a polygonal room, or of one with holes. @param {Floor} floor @param {Floor["rectangles"][number]} room */
function outlineOfRoom(floor, { polygon, holes, topLeft, bottomRight }) {
  if (polygon && polygon.length >= 3) return outlineOf(floor, polygon);
  if (!holes?.length) return null;
  const [{ x, y }, far] = [topLeft, bottomRight];
  return outlineOf(floor, [
    { x, y },
    { x: far.x, y },
    { x: far.x, y: far.y },
    { x, y: far.y },
  ]);
}

/** @param {Floor} floor @param {Float64Array} outline @param {XY[][]} holes */
function holesOf(floor, outline, holes) {
  const direction = Math.sign(areaOf(outline));
  return holes
    .filter((hole) => hole.length >= 3)
    .map((hole) => {
      const ring = outlineOf(floor, hole);
      return Math.sign(areaOf(ring)) === direction ? outlineOf(floor, hole.toReversed()) : ring;
    });
}

/** @param {Float64Array} outline @returns {Box} */
function boxOf(outline) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < outline.length; at += 2) {
    const [x = 0, y = 0] = [outline[at], outline[at + 1]];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left, top, width: right - left, height: bottom - top };
}

/** Return the signed area. @param {Float64Array} outline @returns {number} the sign is the direction of the outline */
function areaOf(outline) {
  let sum = 0;
  for (let at = 0, before = outline.length - 2; at < outline.length; before = at, at += 2) {
    sum += (outline[before] ?? 0) * (outline[at + 1] ?? 0) - (outline[at] ?? 0) * (outline[before + 1] ?? 0);
  }
  return sum / 2;
}

/**
 * Check whether a point is inside an outline, by the even-odd rule if the outline crosses itself.
 *
 * @param {Float64Array} outline
 * @param {number} x
 * @param {number} y
 */
export function insideOutline(outline, x, y) {
  let inside = false;
  for (let at = 0, before = outline.length - 2; at < outline.length; before = at, at += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = [
      outline[at],
      outline[at + 1],
      outline[before],
      outline[before + 1],
    ];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
