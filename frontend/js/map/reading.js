// @ts-check
/**
 * Reads what a map message carries, field by field. Messages come from models by way of the server, so nothing is
 * taken on trust: a value of the wrong kind gets a default or is left out with a note, and never throws.
 */

/** @import { Bitmap, Floor, Position, Rectangle, Source, XY } from "../types.js" */

/** Which message drew something: what a row of the debug pane and a shape on the map have in common; and which code.
 * @typedef {{seq?: number, runId?: string, source?: Source}} Origin */
/** @typedef {{floorId: string, room: string, color: string, strokeOpacity: number, fillOpacity: number, showName: boolean, value: number | null, origin: Origin}} Highlight */
/** @typedef {{floorId: string, position: Position, offset: XY | null, origin: Origin}} Placed */
/** @typedef {Placed & {type: "bitmap", bitmapId: string}} PlacedBitmap */
/** @typedef {Placed & {type: "text", text: string, fontSize: number, color: string, backgroundColor: string | null}} PlacedText */
/** @typedef {PlacedBitmap | PlacedText} PlacedOverlay */
/** Something that could not be drawn: a key of the language files and what it names.
 * @typedef {{key: string, values: Record<string, string>}} Note */

/** Highlighted rooms are this blue unless a colour was asked for. */
export const BLUE = "#0066ff";

/** Rooms by name, made once for each floor: a playback names them many thousand times. @type {WeakMap<Floor, Map<string, Rectangle>>} */
const indexes = new WeakMap();

/**
 * A room by name: as written, else without regard to case.
 * @param {Floor} floor
 * @param {unknown} name
 * @returns {Rectangle | null}
 */
export function roomOf(floor, name) {
  const wanted = String(name);
  let index = indexes.get(floor);
  if (!index) {
    const byCase = floor.rectangles.map((one) => /** @type {[string, Rectangle]} */ ([`~${one.name.toLowerCase()}`, one]));
    const asWritten = floor.rectangles.map((one) => /** @type {[string, Rectangle]} */ ([`=${one.name}`, one]));
    index = new Map([...byCase, ...asWritten].reverse()); // the first room of a name is set last and stays
    indexes.set(floor, index);
  }
  return index.get(`=${wanted}`) ?? index.get(`~${wanted.toLowerCase()}`) ?? null;
}

/**
 * @param {Floor} shown the command's floor, which has the rooms that name none of their own
 * @param {Floor[]} floors of the building
 * @param {unknown} value one of a map command's rectangles
 * @param {Origin} origin
 * @param {Note[]} notes receives what cannot be drawn
 * @returns {Highlight[]} one, or none
 */
export function readRectangle(shown, floors, value, origin, notes) {
  const { floorId } = record(value);
  const floor = isText(floorId) ? floors.find((one) => one.floorId === floorId) : shown;
  if (floor) return readHighlight(floor, value, origin, notes);
  notes.push(note("map.no_floor", { floor: String(floorId) }));
  return [];
}

/**
 * @param {Floor} floor
 * @param {unknown} value one of a map command's rectangles
 * @param {Origin} origin
 * @param {Note[]} notes receives what cannot be drawn
 * @returns {Highlight[]} one, or none
 */
export function readHighlight(floor, value, origin, notes) {
  const item = record(value);
  const room = roomOf(floor, item.name);
  if (!room) {
    notes.push(note("map.no_room", { room: String(item.name) }));
    return [];
  }
  return [
    {
      floorId: floor.floorId,
      room: room.name,
      color: colour(item.color, BLUE),
      strokeOpacity: share(item.strokeOpacity, 1),
      fillOpacity: share(item.fillOpacity, 0.3),
      showName: item.showName !== false,
      value: isNumber(item.value) ? item.value : null,
      origin,
    },
  ];
}

/**
 * @param {Floor} floor
 * @param {Bitmap[]} bitmaps
 * @param {unknown} value one of a map command's overlays
 * @param {Origin} origin
 * @param {Note[]} notes receives what cannot be drawn
 * @returns {PlacedOverlay[]} one, or none
 */
export function readOverlay(floor, bitmaps, value, origin, notes) {
  const item = record(value);
  const position = readPosition(floor, item.position, notes);
  if (!position) return [];
  const { x, y } = record(item.offset);
  const offset = isNumber(x) && isNumber(y) ? { x, y } : null;
  const placed = { floorId: floor.floorId, position, offset, origin };
  if (item.type === "bitmap") {
    const bitmapId = String(item.bitmapId);
    if (bitmaps.some((one) => one.bitmapId === bitmapId)) return [{ type: "bitmap", bitmapId, ...placed }];
    notes.push(note("map.no_bitmap", { bitmap: bitmapId }));
  } else if (item.type === "text" && isText(item.text)) {
    const fontSize = isNumber(item.fontSize) ? Math.min(72, Math.max(8, item.fontSize)) : 14;
    const backgroundColor = item.backgroundColor ? colour(item.backgroundColor, "#ffffff") : null;
    const color = colour(item.color, "#000000");
    return [{ type: "text", text: item.text, fontSize, color, backgroundColor, ...placed }];
  } else {
    notes.push(note("map.no_overlay"));
  }
  return [];
}

/**
 * @param {Floor} floor
 * @param {unknown} value
 * @param {Note[]} notes
 * @returns {Position | null}
 */
function readPosition(floor, value, notes) {
  const { type, name, x, y } = record(value);
  if (type === "coordinate" && isNumber(x) && isNumber(y)) return { type, x, y };
  const room = type === "rectangle" ? roomOf(floor, name) : null;
  if (room) return { type: "rectangle", name: room.name };
  notes.push(type === "rectangle" ? note("map.no_room", { room: String(name) }) : note("map.no_overlay"));
  return null;
}

/** @param {string} key @param {Record<string, string>} [values] @returns {Note} */
export function note(key, values = {}) {
  return { key, values };
}

/** @param {unknown} value @returns {Record<string, unknown>} */
export function record(value) {
  return typeof value === "object" && value !== null ? /** @type {Record<string, unknown>} */ (value) : {};
}

/** @param {unknown} value @returns {unknown[]} */
export function list(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {unknown} value @returns {value is string} */
export function isText(value) {
  return typeof value === "string" && value !== "";
}

/** @param {unknown} value @returns {value is number} */
export function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/** @param {unknown} value @param {number} otherwise @returns {number} between 0 and 1 */
function share(value, otherwise) {
  return isNumber(value) ? Math.min(1, Math.max(0, value)) : otherwise;
}

/** @param {unknown} value @param {string} otherwise @returns {string} #rrggbb */
export function colour(value, otherwise) {
  return typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : otherwise;
}
