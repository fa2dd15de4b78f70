/** Lists of rooms that a question is about. Pure. */

/** @import { RoomRef } from "../types.js" */

/** @param {RoomRef} one @param {RoomRef} other */
export const same = (one, other) => one.floorId === other.floorId && one.name === other.name;

/** @param {RoomRef[]} rooms @param {RoomRef} room @returns {RoomRef[]} */
export function without(rooms, room) {
  return rooms.filter((one) => !same(one, room));
}

/** @param {RoomRef[]} rooms @param {RoomRef[]} others whether they are the same, in the same order */
export function equalRooms(rooms, others) {
  return (
    rooms.length === others.length && rooms.every((one, at) => same(one, /** @type {RoomRef} */ (others[at])))
  );
}
