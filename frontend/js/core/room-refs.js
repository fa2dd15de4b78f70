/** Lists of rooms that a question is about. Pure. */

/** @import { RoomRef } from "../types.js" */

/** @param {RoomRef} first @param {RoomRef} second */
export const isSameRoom = (first, second) => first.floorId === second.floorId && first.name === second.name;

/** @param {RoomRef[]} rooms @param {RoomRef} room @returns {RoomRef[]} */
export function without(rooms, room) {
  return rooms.filter((other) => !isSameRoom(other, room));
}

/** @param {RoomRef[]} rooms @param {RoomRef[]} expected whether they are the same, in the same order */
export function equalRooms(rooms, expected) {
  return (
    rooms.length === expected.length &&
    rooms.every((room, at) => isSameRoom(room, /** @type {RoomRef} */ (expected[at])))
  );
}
