// @ts-check
/** The room that an arrow key moves a ghost to. Pure. */

import { centre, roomBox } from "./geometry.js";

/** @import { Rectangle, XY } from "../types.js" */
/** @import { Ghost, Target } from "./ghosts.js" */

/**
 * Return the nearest room in a direction; far to the side counts double.
 *
 * @param {Pick<Ghost, "floor" | "room" | "at">} ghost
 * @param {XY} direction
 * @returns {Target} without a room if there is none
 */
export function nextRoom({ floor, room: own, at }, { x, y }) {
  if (own === null) return { floor, room: null, at };
  const from = centre(roomBox(floor, own));
  let nearest = Infinity;
  /** @type {Rectangle | null} */
  let next = null;
  for (const room of floor.rectangles) {
    if (room === own) continue;
    const to = centre(roomBox(floor, room));
    const [ahead, aside] = [
      (to.x - from.x) * x + (to.y - from.y) * y,
      Math.abs((to.x - from.x) * y) + Math.abs((to.y - from.y) * x),
    ];
    const far = ahead + 2 * aside;
    if (ahead <= 0 || aside > 2 * ahead || far >= nearest) continue;
    nearest = far;
    next = room;
  }
  return { floor, room: next, at };
}
