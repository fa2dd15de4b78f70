// @ts-check
/** Arrows and rooms that answers name: what finds its room by name, on whichever floor has it. Pure. */

import { distinct, drawnOn, floorOf, isSame } from "./picture.js";
import { BLUE, note, readHighlight, roomOf } from "./reading.js";

/** @import { Direction, Floor, Rectangle } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { Note, Origin } from "./reading.js" */

const DIRECTIONS = ["up", "down", "left", "right"];

/**
 * @param {MapPicture} picture
 * @param {Record<string, unknown>} content
 * @param {Origin} origin
 * @returns {MapPicture}
 */
export function withArrow(picture, content, origin) {
  const direction = String(content.direction).toLowerCase();
  const found = findRoom(picture, content.room);
  if (!found) return { ...picture, notes: [note("map.no_room", { room: String(content.room) })] };
  if (!DIRECTIONS.includes(direction)) return { ...picture, notes: [note("map.no_overlay")] };
  const { floorId } = found.floor;
  const room = found.room.name;
  const drawn = picture.arrows.some(
    (one) => one.floorId === floorId && one.room === room && one.direction === direction,
  );
  const arrow = { floorId, room, direction: /** @type {Direction} */ (direction), origin };
  return { ...picture, floorId, onEarth: false, arrows: drawn ? picture.arrows : [...picture.arrows, arrow] };
}

/**
 * Rooms highlighted by name alone: blue, on whichever floor has them, beside what the map command shows. They take the
 * place of the rooms that an earlier run named. The plan stays on a floor on which the same run drew something.
 * @param {MapPicture} picture
 * @param {unknown[]} names
 * @param {Origin} origin
 * @returns {MapPicture}
 */
export function withRooms(picture, names, origin) {
  /** @type {Note[]} */
  const notes = [];
  const named = names.flatMap((name) => {
    const found = findRoom(picture, name);
    if (found) return readHighlight(found.floor, { name, color: BLUE }, origin, notes);
    notes.push(note("map.no_room", { room: String(name) }));
    return [];
  });
  const kept = picture.named.filter((one) => one.origin.runId === origin.runId && !named.some((other) => isSame(one, other)));
  const drawn = drawnOn(picture).some((one) => one.floorId === picture.floorId && one.origin.runId === origin.runId);
  const seen = drawn || named.some((one) => one.floorId === picture.floorId);
  const floorId = seen ? picture.floorId : (named[0]?.floorId ?? picture.floorId);
  const onEarth = picture.onEarth && (named.length === 0 || picture.points?.origin.runId === origin.runId);
  return { ...picture, floorId, onEarth, named: distinct([...kept, ...named]), notes };
}

/**
 * Looks on the shown floor first, then on the others in their order.
 * @param {MapPicture} picture
 * @param {unknown} name
 * @returns {{floor: Floor, room: Rectangle} | null}
 */
function findRoom(picture, name) {
  const shown = floorOf(picture);
  for (const floor of [...(shown ? [shown] : []), ...(picture.building?.floors ?? [])]) {
    const room = roomOf(floor, name);
    if (room) return { floor, room };
  }
  return null;
}
