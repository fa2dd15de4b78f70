// @ts-check
/**
 * Drawings of a map command: each with its floor, the room's name as the plan spells it, and its message. A missing
 * room, floor or bitmap is left out with a note. Pure.
 */

/** @import { Bitmap, BitmapOverlay, Floor, LegendOverlay, MapRectangle } from "../types.js" */
/** @import { Position, Rectangle, TextOverlay } from "../types.js" */
/** @import { Origin } from "../core/routes.js" */

/** @typedef {MapRectangle & {floorId: string, room: string, origin: Origin}} Highlight */
/** @typedef {(BitmapOverlay | TextOverlay) & {floorId: string, origin: Origin}} PlacedOverlay */
/** @typedef {TextOverlay & {floorId: string, origin: Origin}} PlacedText */
/**
 * Note about something that could not be drawn: a text key and its values.
 *
 * @typedef {{key: string, values: Record<string, string>}} Note
 */

/** Default look of a highlighted room, as in the server's `MapRectangle`. */
export const HIGHLIGHT = { color: "#0066ff", strokeOpacity: 1, fillOpacity: 0.3, showName: true };

/**
 * Rooms by name, indexed once per floor: a playback looks names up many thousand times.
 *
 * @type {WeakMap<Floor, Map<string, Rectangle>>}
 */
const indexes = new WeakMap();

/**
 * Find a room by its exact name, else ignoring case.
 *
 * @param {Floor} floor
 * @param {string} name
 * @returns {Rectangle | null}
 */
export function roomOf(floor, name) {
  let index = indexes.get(floor);
  if (!index) {
    const byCase = floor.rectangles.map(
      (rectangle) => /** @type {[string, Rectangle]} */ ([`~${rectangle.name.toLowerCase()}`, rectangle]),
    );
    const asWritten = floor.rectangles.map(
      (rectangle) => /** @type {[string, Rectangle]} */ ([`=${rectangle.name}`, rectangle]),
    );
    index = new Map([...byCase, ...asWritten].reverse()); // reversed, so that the first room of a name wins
    indexes.set(floor, index);
  }
  return index.get(`=${name}`) ?? index.get(`~${name.toLowerCase()}`) ?? null;
}

/**
 * Resolve a highlighted room.
 *
 * @param {Floor} current floor of the command, for rooms without their own floor
 * @param {Floor[]} floors of the building
 * @param {MapRectangle} rectangle
 * @param {Origin} origin
 * @param {Note[]} notes receives what cannot be drawn
 * @returns {Highlight[]} one, or none
 */
export function highlight(current, floors, rectangle, origin, notes) {
  const { floorId } = rectangle;
  const floor = floorId ? floors.find((candidate) => candidate.floorId === floorId) : current;
  const room = floor && roomOf(floor, rectangle.name);
  if (room) return [{ ...rectangle, floorId: floor.floorId, room: room.name, origin }];
  notes.push(
    floor ? note("map.no_room", { room: rectangle.name }) : note("map.no_floor", { floor: String(floorId) }),
  );
  return [];
}

/**
 * Resolve the position of an overlay.
 *
 * @param {Floor} floor
 * @param {Bitmap[]} bitmaps
 * @param {BitmapOverlay | TextOverlay} overlay
 * @param {Origin} origin
 * @param {Note[]} notes receives what cannot be drawn
 * @returns {PlacedOverlay[]} one, or none
 */
export function placed(floor, bitmaps, overlay, origin, notes) {
  const position = positionOn(floor, overlay.position, notes);
  if (!position) return [];
  if (overlay.type === "text" || bitmaps.some(({ bitmapId }) => bitmapId === overlay.bitmapId))
    return [{ ...overlay, position, floorId: floor.floorId, origin }];
  notes.push(note("map.no_bitmap", { bitmap: overlay.bitmapId }));
  return [];
}

/** Return the legend with its stops ordered by value. @param {LegendOverlay} legend @returns {LegendOverlay} */
export const byValue = (legend) => ({ ...legend, stops: legend.stops.toSorted((a, b) => a.value - b.value) });

/** @param {Floor} floor @param {Position} position @param {Note[]} notes @returns {Position | null} */
function positionOn(floor, position, notes) {
  if (position.type === "coordinate") return position;
  const room = roomOf(floor, position.name);
  if (room) return { type: "rectangle", name: room.name };
  notes.push(note("map.no_room", { room: position.name }));
  return null;
}

/** @param {string} key @param {Record<string, string>} [values] @returns {Note} */
export function note(key, values = {}) {
  return { key, values };
}
