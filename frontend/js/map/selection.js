// @ts-check
/** The rooms a question is about: what a click and a lasso make of them. Pure. */

import { isSameRoom, without } from "../core/room-refs.js";
import { centre, roomBox, toScreen } from "./geometry.js";

/** @import { Floor, RoomRef, XY } from "../types.js" */
/** @import { View } from "./geometry.js" */

/** Rooms one question may point at. */
const MOST = 500;

/**
 * A click: that room and no other, or, when it is the only one, none; with `adds` it joins the others or leaves them.
 * @param {RoomRef[]} rooms
 * @param {RoomRef | null} room null: beside all rooms
 * @param {boolean} adds
 * @returns {RoomRef[]} the same when nothing changes
 */
export function clicked(rooms, room, adds) {
  if (!room) return adds || rooms.length === 0 ? rooms : [];
  const isSelected = rooms.some((candidate) => isSameRoom(candidate, room));
  if (adds) return isSelected ? without(rooms, room) : [...rooms, room].slice(0, MOST);
  return isSelected && rooms.length === 1 ? [] : [room];
}

/**
 * A lasso: those rooms and no others; with `adds` they join the others.
 * @param {RoomRef[]} rooms
 * @param {RoomRef[]} caught
 * @param {boolean} adds
 * @returns {RoomRef[]}
 */
export function lassoed(rooms, caught, adds) {
  const selected = adds ? rooms : [];
  return [...selected, ...caught.filter((room) => !selected.some((other) => isSameRoom(other, room)))].slice(
    0,
    MOST,
  );
}

/**
 * The rooms a loop on the screen is around: those whose middle lies within it.
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

/** @param {XY} at @param {XY[]} loop @returns {boolean} by the count of edges left of it */
function isWithin({ x, y }, loop) {
  let within = false;
  loop.forEach((a, index) => {
    const b = loop.at(index - 1) ?? a;
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) within = !within;
  });
  return within;
}
