// @ts-check
/** Arrows and rooms that are found by name, on any floor. Pure. */

import { drawnOn, exceptRooms, floorOf, uniqueRooms } from "./picture.js";
import { HIGHLIGHT, note, roomOf } from "./drawings.js";

/** @import { ArrowContent, Floor, Rectangle } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { Note } from "./drawings.js" */
/** @import { Origin } from "../core/routes.js" */

/**
 * @param {MapPicture} picture
 * @param {ArrowContent} content
 * @param {Origin} origin
 * @returns {MapPicture}
 */
export function withArrow(picture, { room: name, direction }, origin) {
  const match = findRoom(picture, name);
  if (!match) return { ...picture, notes: [note("map.no_room", { room: name })] };
  const { floorId } = match.floor;
  const room = match.room.name;
  const drawn = picture.arrows.some(
    (candidate) =>
      candidate.floorId === floorId && candidate.room === room && candidate.direction === direction,
  );
  const arrow = { floorId, room, direction, origin };
  return { ...picture, floorId, onEarth: false, arrows: drawn ? picture.arrows : [...picture.arrows, arrow] };
}

/**
 * Highlight rooms by name: blue, on any floor, in addition to the map command. They replace the rooms that an earlier
 * run named. The plan stays on a floor on which the same run drew.
 *
 * @param {MapPicture} picture
 * @param {string[]} names
 * @param {Origin} origin
 * @returns {MapPicture}
 */
export function withRooms(picture, names, origin) {
  /** @type {Note[]} */
  const notes = [];
  const named = names.flatMap((name) => {
    const match = findRoom(picture, name);
    if (match) return [{ ...HIGHLIGHT, name, room: match.room.name, floorId: match.floor.floorId, origin }];
    notes.push(note("map.no_room", { room: name }));
    return [];
  });
  const earlier = exceptRooms(picture.named, named).filter(
    (highlight) => highlight.origin.runId === origin.runId,
  );
  const drawn = drawnOn(picture).some(
    (highlight) => highlight.floorId === picture.floorId && highlight.origin.runId === origin.runId,
  );
  const isOnFloor = drawn || named.some((highlight) => highlight.floorId === picture.floorId);
  const floorId = isOnFloor ? picture.floorId : (named[0]?.floorId ?? picture.floorId);
  const onEarth = picture.onEarth && (named.length === 0 || picture.points?.origin.runId === origin.runId);
  return { ...picture, floorId, onEarth, named: uniqueRooms([...earlier, ...named]), notes };
}

/**
 * Find a room by name, first on the shown floor, then on the others in order.
 *
 * @param {MapPicture} picture
 * @param {string} name
 * @returns {{floor: Floor, room: Rectangle} | null}
 */
function findRoom(picture, name) {
  const current = floorOf(picture);
  for (const floor of [...(current ? [current] : []), ...(picture.building?.floors ?? [])]) {
    const room = roomOf(floor, name);
    if (room) return { floor, room };
  }
  return null;
}
