// @ts-check
/** Selected rooms after a click or a lasso. Pure. */

import { isSameRoom, without } from "../core/room-refs.js";
import { centre, roomBox, toScreen } from "./geometry.js";

/** @import { Floor, RoomRef, XY } from "../types.js" */
/** @import { View } from "./geometry.js" */

/** Maximum number of rooms of one question. */
const MAX_ROOMS = 500;

/**
 * Select only the clicked room, or none if it was the only one; with `adds` toggle it.
 *
 * @param {RoomRef[]} rooms
 * @param {RoomRef | null} room null: outside all rooms
 * @param {boolean} adds
 * @returns {RoomRef[]} the same list if nothing changes
 */
export function clicked(rooms, room, adds) {
  if (!room) return adds || rooms.length === 0 ? rooms : [];
  const isSelected = rooms.some((candidate) => isSameRoom(candidate, room));
  if (adds) return isSelected ? without(rooms, room) : [...rooms, room].slice(0, MAX_ROOMS);
  return isSelected && rooms.length === 1 ? [] : [room];
}

/**
 * Select the rooms of a lasso; with `adds` keep the others.
 *
 * @param {RoomRef[]} rooms
 * @param {RoomRef[]} enclosed
 * @param {boolean} adds
 * @returns {RoomRef[]}
 */
export function lassoed(rooms, enclosed, adds) {
  const selected = adds ? rooms : [];
  return [
    ...selected,
    ...enclosed.filter((room) => !selected.some((other) => isSameRoom(other, room))),
  ].slice(0, MAX_ROOMS);
}

/**
 * Return the rooms whose middle is inside a loop on the screen.
 *
 * @param {Floor} floor
 * @param {View} view
 * @param {XY[]} loop
 * @returns {RoomRef[]}
 */
export function roomsWithin(floor, view, loop) {
  return floor.rectangles
    .filter((room) => isWithin(centre(toScreen(view, roomBox(floor, room))), loop))
    .map(({ name }) => ({ floorId: floor.floorId, name }));
}

/**
 * Check whether a point is inside a loop.
 *
 * @param {XY} at
 * @param {XY[]} loop
 * @returns {boolean} by the number of edges left of it
 */
function isWithin({ x, y }, loop) {
  let within = false;
  loop.forEach((a, index) => {
    const b = loop.at(index - 1) ?? a;
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) within = !within;
  });
  return within;
}
