// @ts-check
/** Pointer targets of a picture: the point under the pointer, and the rooms that a selection lights. Pure. */

import { degrees, earthToScreen } from "./degrees.js";
import { floorToScreen } from "./layout.js";
import { pointNear } from "./points.js";
import { drawnOn, floorOf } from "./state.js";

/** @import { RoomRef, XY } from "../types.js" */
/** @import { Earth } from "./degrees.js" */
/** @import { View } from "./geometry.js" */
/** @import { MapPicture } from "./state.js" */

/** Selection: a room, or the message that drew something. @typedef {{room: string | null, seq: number | null}} Lit */

/** Distance in CSS pixels within which the pointer hits a point. */
const NEAR = 10;

/**
 * Return the label of the point under the pointer.
 *
 * @param {MapPicture} picture
 * @param {Earth | null} earth the visible part of the earth, if it replaces the plan
 * @param {View} view
 * @param {XY} at
 * @returns {string | null}
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
 * Return the rooms to ring.
 *
 * @param {MapPicture} picture
 * @param {Lit} lit
 * @param {RoomRef[]} chosen rooms of the next question
 * @returns {Set<string>} names on the shown floor
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
