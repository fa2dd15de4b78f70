/** Lists of rooms that a question is about. Pure. */

/** @import { RoomRef } from "../types.js" */

/** @param {RoomRef} first @param {RoomRef} other */
export const same = (first, other) => first.floorId === other.floorId && first.name === other.name;

/** @param {RoomRef[]} rooms @param {RoomRef} room @returns {RoomRef[]} */
export function without(rooms, room) {
  return rooms.filter((other) => !same(other, room));
}

/** @param {RoomRef[]} rooms @param {RoomRef[]} others whether they are the same, in the same order */
export function equalRooms(rooms, others) {
  return (
    rooms.length === others.length &&
    rooms.every((room, at) => same(room, /** @type {RoomRef} */ (others[at])))
  );
}
