/** Lists of rooms. Pure. */

/** @import { RoomRef } from "../types.js" */

/** @param {RoomRef} first @param {RoomRef} second */
export const isSameRoom = (first, second) => first.floorId === second.floorId && first.name === second.name;

/** @param {RoomRef[]} rooms @param {RoomRef} room @returns {RoomRef[]} */
export function without(rooms, room) {
  return rooms.filter((other) => !isSameRoom(other, room));
}

/** Check that two lists have the same rooms in the same order. @param {RoomRef[]} rooms @param {RoomRef[]} expected */
export function equalRooms(rooms, expected) {
  return (
    rooms.length === expected.length &&
    rooms.every((room, at) => isSameRoom(room, /** @type {RoomRef} */ (expected[at])))
  );
}
