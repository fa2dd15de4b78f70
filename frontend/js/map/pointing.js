// @ts-check
/** What of a picture is pointed at: a point under the pointer, and the rooms that a selection lights up. Pure. */

import { degrees, earthToScreen } from "./degrees.js";
import { floorToScreen } from "./layout.js";
import { pointNear } from "./points.js";
import { drawnOn, floorOf } from "./state.js";

/** @import { RoomRef, XY } from "../types.js" */
/** @import { Earth } from "./degrees.js" */
/** @import { View } from "./geometry.js" */
/** @import { MapPicture } from "./state.js" */

/** What was selected: a room, or the message that drew something.
 * @typedef {{room: string | null, seq: number | null}} Lit */

/** CSS pixels from a point within which the pointer means it. */
const NEAR = 10;

/**
 * @param {MapPicture} picture
 * @param {Earth | null} earth the part of the earth that is shown in place of the plan
 * @param {View} view
 * @param {XY} at
 * @returns {string | null} what the point there is called
 */
export function pointAt(picture, earth, view, at) {
  const { points, floorId } = picture;
  const floor = floorOf(picture);
  if (!points || (!earth && (points.kind === "earth" || points.floorId !== floorId))) return null;
  const place = earth ? earthToScreen(earth, view) : floor && floorToScreen(floor, view);
  const point = place && pointNear(points.points, place, at, NEAR);
  if (!point) return null;
  const where = earth
    ? `${degrees(point.y, "N", "S")} ${degrees(point.x, "E", "W")}`
    : `${point.x}, ${point.y}`;
  return point.name ? `${point.name} · ${where}` : where;
}

/**
 * @param {MapPicture} picture
 * @param {Lit} lit
 * @param {RoomRef[]} chosen rooms the next question is about
 * @returns {Set<string>} names of the rooms to ring on the shown floor
 */
export function litRooms(picture, { room, seq }, chosen) {
  const names = new Set(room === null ? [] : [room]);
  for (const { floorId, name } of chosen) if (floorId === picture.floorId) names.add(name);
  if (seq === null) return names;
  for (const drawing of drawnOn(picture)) {
    if (drawing.floorId === picture.floorId && drawing.origin.seq === seq && drawing.room)
      names.add(drawing.room);
  }
  return names;
}
