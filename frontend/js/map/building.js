// @ts-check
/**
 * Reads a building, field by field. It may come from a file somebody imported: what cannot be drawn is left out with a note,
 * and nothing here throws.
 */

import { isNumber, isText, list, note, record } from "./reading.js";

/** @import { Bitmap, Door, Floor, Link, MapDefinitionContent, Rectangle, XY } from "../types.js" */
/** @import { Note } from "./reading.js" */

/** @type {WeakMap<MapDefinitionContent, Note[]>} */
const faults = new WeakMap();

/** @param {MapDefinitionContent | null} building as `readBuilding` made it @returns {Note[]} what of it cannot be drawn */
export function faultsOf(building) {
  return (building && faults.get(building)) ?? [];
}

/** @param {unknown} content @returns {MapDefinitionContent} what can be drawn of it */
export function readBuilding(content) {
  const { floors, bitmaps, links, buildingId, buildingName } = record(content);
  /** @type {Note[]} */
  const notes = [];
  const read = list(floors).flatMap((one) => readFloor(one, notes));
  /** @type {MapDefinitionContent} */
  const building = {
    floors: read.filter(({ floorId }, at) => read.findIndex((other) => other.floorId === floorId) === at),
    bitmaps: /** @type {Bitmap[]} */ (
      list(bitmaps).filter((one) => isText(record(one).bitmapId) && isText(record(one).bitmapFile))
    ),
    links: /** @type {Link[]} */ (list(links).filter((one) => isText(record(one).linkId))),
    ...(isText(buildingId) && { buildingId }),
    ...(isText(buildingName) && { buildingName }),
  };
  faults.set(building, notes);
  return building;
}

/** @param {unknown} value @param {Note[]} notes @returns {Floor[]} one, or none when it cannot be drawn */
function readFloor(value, notes) {
  const floor = record(value);
  const { floorId, ordinal, metresPerUnit } = floor;
  const { topLeft, bottomRight } = record(floor.coordinateSystem);
  const placed = [topLeft, bottomRight].every((at) => ["px", "py", "x", "y"].every((key) => isNumber(record(at)[key])));
  if (!isText(floorId) || !placed) {
    notes.push(note("map.bad_floor", { floor: isText(floorId) ? floorId : "?" }));
    return [];
  }
  const given = list(floor.rectangles);
  const rectangles = given.flatMap(readRoom);
  if (rectangles.length < given.length) notes.push(note("map.bad_rooms", { floor: floorId, n: String(given.length - rectangles.length) }));
  return [
    {
      floorId,
      floorName: isText(floor.floorName) ? floor.floorName : floorId,
      floorImage: isText(floor.floorImage) ? floor.floorImage : "",
      coordinateSystem: /** @type {Floor["coordinateSystem"]} */ (floor.coordinateSystem),
      rectangles,
      ...(isNumber(ordinal) && { ordinal }),
      ...(isNumber(metresPerUnit) && metresPerUnit > 0 && { metresPerUnit }),
      doors: list(floor.doors).flatMap(readDoor),
    },
  ];
}

/** @param {unknown} value @returns {Rectangle[]} one, or none when it has no name, no place or no area */
function readRoom(value) {
  const { name, topLeft, bottomRight, kind, polygon } = record(value);
  if (!isText(name) || !isPoint(topLeft) || !isPoint(bottomRight)) return [];
  if (topLeft.x === bottomRight.x || topLeft.y === bottomRight.y) return [];
  const corners = list(polygon).filter(isPoint);
  return [{ name, topLeft, bottomRight, ...(isText(kind) && { kind }), ...(corners.length >= 3 && { polygon: corners }) }];
}

/** @param {unknown} value @returns {Door[]} */
function readDoor(value) {
  const { rooms, at, doorId, accessible } = record(value);
  const named = list(rooms).filter(isText);
  if (!isPoint(at) || named.length === 0) return [];
  return [{ rooms: named, at, ...(isText(doorId) && { doorId }), ...(typeof accessible === "boolean" && { accessible }) }];
}

/** @param {unknown} value @returns {value is XY} */
function isPoint(value) {
  const { x, y } = record(value);
  return isNumber(x) && isNumber(y);
}
