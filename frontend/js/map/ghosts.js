// @ts-check
/**
 * Ghosts: what a waiting call would draw, as handles that a person moves before the call is allowed. A handle knows where
 * it stands and which arguments the call has after a move. Pure.
 */

import { roomOf } from "./drawings.js";
import { entrySpans, nameSpans, pointOf, quoted, replaced, unquoted } from "./ghost-lists.js";

/** @import { AskContent, Floor, JsonValue, MapDefinitionContent, Rectangle, XY } from "../types.js" */
/** @typedef {{ [name: string]: JsonValue }} Arguments */
/** @typedef {{ floor: Floor, room: Rectangle | null, at: XY }} Target `at` in coordinates of the floor */
/**
 * @typedef {object} Ghost
 * @property {string} id
 * @property {"arrow" | "text" | "bitmap" | "room" | "stop"} kind
 * @property {Floor} floor
 * @property {Rectangle | null} room
 * @property {XY} at
 * @property {string} label
 * @property {string} [direction]
 * @property {boolean} inRoom whether it needs a room; else it can stand anywhere on the plan
 * @property {(target: Target) => Arguments | null} moved null if it cannot stand there
 */

const DIRECTIONS = ["up", "right", "down", "left"];

/**
 * Return the ghosts of a call.
 *
 * @param {Pick<AskContent, "tool">} ask
 * @param {Arguments} values arguments of the call, or what a person changed them to
 * @param {MapDefinitionContent} building
 * @param {string | null} shown floor where an arrow is drawn, if it has the room
 * @returns {Ghost[]}
 */
export function ghostsOf({ tool }, values, building, shown) {
  switch (tool) {
    case "draw_arrow":
      return arrowGhosts(values, orderFloors(building, shown));
    case "show_map":
      return mapGhosts(values, building);
    case "find_route":
      return stopGhosts(values, building);
    default:
      return [];
  }
}

/** Return the arguments with the arrow turned by a quarter. @param {Arguments} values @returns {Arguments} */
export function turned(values) {
  const at = DIRECTIONS.indexOf(text(values.direction).trim().toLowerCase());
  return { ...values, direction: /** @type {string} */ (DIRECTIONS[(at + 1) % DIRECTIONS.length]) };
}

/** @param {MapDefinitionContent} building @param {string | null} shown @returns {Floor[]} */
function orderFloors({ floors }, shown) {
  const first = floors.filter(({ floorId }) => floorId === shown);
  return [...first, ...floors.filter(({ floorId }) => floorId !== shown)];
}

/** @param {Arguments} values @param {Floor[]} floors @returns {Ghost[]} */
function arrowGhosts(values, floors) {
  const match = findRoom(floors, text(values.room_name));
  if (!match) return [];
  return [
    {
      id: "arrow",
      kind: "arrow",
      ...match,
      label: match.room.name,
      direction: text(values.direction).trim().toLowerCase(),
      inRoom: true,
      moved: ({ room }) => room && { ...values, room_name: room.name }, // drawn on the shown floor if that has it
    },
  ];
}

/** @param {Arguments} values @param {MapDefinitionContent} building @returns {Ghost[]} */
function mapGhosts(values, building) {
  const id = text(values.floor_id).trim();
  const floor = building.floors.find(({ floorId }) => floorId === id);
  if (!floor) return [];
  const rooms = text(values.highlight_rooms);
  /** @type {Ghost[]} */
  const ghosts = nameSpans(rooms).flatMap((name, index) => {
    const room = roomOf(floor, unquoted(name.text));
    if (!room) return [];
    return {
      id: `room ${index}`,
      kind: /** @type {const} */ ("room"),
      floor,
      room,
      at: middle(room),
      label: room.name,
      inRoom: true,
      moved: (/** @type {Target} */ target) =>
        target.room && target.floor === floor
          ? { ...values, highlight_rooms: replaced(rooms, name, quoted(target.room.name)) }
          : null,
    };
  });
  return [
    ...ghosts,
    ...overlayGhosts(values, "text_overlays", "text", floor),
    ...overlayGhosts(values, "bitmap_overlays", "bitmap", floor),
  ];
}

/**
 * @param {Arguments} values
 * @param {"text_overlays" | "bitmap_overlays"} name
 * @param {"text" | "bitmap"} kind
 * @param {Floor} floor
 * @returns {Ghost[]}
 */
function overlayGhosts(values, name, kind, floor) {
  const list = text(values[name]);
  return entrySpans(list).flatMap(({ thing, place }, index) => {
    const point = pointOf(place.text);
    const room = point ? null : roomOf(floor, unquoted(place.text));
    const at = point ?? (room && middle(room));
    if (!at) return [];
    return {
      id: `${kind} ${index}`,
      kind,
      floor,
      room,
      at,
      label: thing,
      inRoom: false,
      moved: (target) =>
        target.floor === floor && isOnPlan(floor, target.at)
          ? { ...values, [name]: replaced(list, place, `${round(target.at.x)},${round(target.at.y)}`) }
          : null,
    };
  });
}

/** @param {Arguments} values @param {MapDefinitionContent} building @returns {Ghost[]} */
function stopGhosts(values, building) {
  const via = text(values.via);
  return nameSpans(via).flatMap((name, index) => {
    const match = findRoom(building.floors, unquoted(name.text));
    if (!match) return [];
    return {
      id: `stop ${index}`,
      kind: /** @type {const} */ ("stop"),
      ...match,
      label: match.room.name,
      inRoom: true,
      moved: (/** @type {Target} */ { floor, room }) =>
        room && !/[,;、]/.test(room.name) // the tool knows no quotes here
          ? { ...values, via: replaced(via, name, callName(building, floor, room)) }
          : null,
    };
  });
}

/** @param {JsonValue | undefined} value */
const text = (value) => (typeof value === "string" ? value : "");

/** @param {number} value */
const round = (value) => Number(value.toFixed(2));

/** @param {Rectangle} room @returns {XY} */
const middle = ({ topLeft, bottomRight }) => ({
  x: (topLeft.x + bottomRight.x) / 2,
  y: (topLeft.y + bottomRight.y) / 2,
});

/** @param {Floor} floor @param {XY} at */
export function isOnPlan({ coordinateSystem: { topLeft, bottomRight } }, { x, y }) {
  const within = (/** @type {number} */ value, /** @type {number} */ a, /** @type {number} */ b) =>
    value >= Math.min(a, b) && value <= Math.max(a, b);
  return within(x, topLeft.x, bottomRight.x) && within(y, topLeft.y, bottomRight.y);
}

/**
 * Find a room by a name as tools take it, perhaps with its floor: "Toilet (2F)".
 *
 * @param {Floor[]} floors
 * @param {string} name
 */
function findRoom(floors, name) {
  const [, short = name, floorId] = /^(.*\S)\s*[（(]([^()（）]+)[)）]$/.exec(name.trim()) ?? [];
  for (const floor of floors) {
    const room =
      roomOf(floor, name.trim()) ?? (floor.floorId === floorId?.trim() ? roomOf(floor, short) : null);
    if (room) return { floor, room, at: middle(room) };
  }
  return null;
}

/**
 * Return the name that a tool finds this room by.
 *
 * @param {MapDefinitionContent} building
 * @param {Floor} floor
 * @param {Rectangle} room
 */
function callName(building, floor, room) {
  const isElsewhere = building.floors.some((other) => other !== floor && roomOf(other, room.name));
  return isElsewhere ? `${room.name} (${floor.floorId})` : room.name;
}
