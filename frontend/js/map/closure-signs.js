// @ts-check
/** Places of the no-entry signs of closures. Pure. */

import { closedRooms, signsOf } from "./closures.js";
import { boxAround, centre } from "./geometry.js";
import { floorToScreen } from "./layout.js";

/** @import { XY } from "../types.js" */
/** @import { Box } from "./geometry.js" */
/** @import { Plan } from "./plan.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { FloorScene } from "./scene.js" */

/** CSS pixels: radius of a sign, its rim, and the shorter side of a room above which it has one. */
export const RADIUS = 8;
export const RIM = 1.5;
const ROOMY = 3 * RADIUS;

/**
 * Return 1 for every closed room of a plan.
 *
 * @param {MapPicture} picture
 * @param {Plan} plan
 * @returns {Uint8Array}
 */
export function closedIn({ closures }, plan) {
  const closed = new Uint8Array(plan.count);
  if (closures.length > 0) for (const room of closedRooms(closures, plan.floor)) closed[room] = 1;
  return closed;
}

/**
 * Return the place of a closed room's sign: above in the middle of a polygon, else in the corner, where a name beside it
 * has most space.
 *
 * @param {Plan} plan
 * @param {number} room
 * @param {number} scale
 * @returns {XY | null} in CSS pixels from the plan's own corner; null if the room is too small
 */
export function roomSign(plan, room, scale) {
  const { left, top, width, height } = plan.box(room);
  if (Math.min(width, height) * scale <= ROOMY) return null;
  const x = plan.outlines[room] ? centre(plan.box(room)).x * scale : left * scale + 1.5 * RADIUS;
  return { x, y: top * scale + 1.5 * RADIUS };
}

/**
 * Return the places of the signs of closed doors, lifts and stairs.
 *
 * @param {FloorScene} scene
 * @param {number} scale
 * @returns {XY[]} in CSS pixels from the plan's own corner
 */
export function partSigns({ picture, floor }, scale) {
  const { building, closures } = picture;
  if (!building) return [];
  const place = floorToScreen(floor, { scale, left: 0, top: 0 });
  return closures.flatMap((part) => signsOf(part, building, floor.floorId).map(place));
}

/** Return the box of a sign. @param {XY} at @returns {Box} */
export function signBox(at) {
  return boxAround(at, 2 * (RADIUS + RIM), 2 * (RADIUS + RIM));
}
