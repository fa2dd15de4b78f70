// @ts-check
/**
 * Reads a route: a line through at least one floor, what joins its legs, and its steps. A line with a hole in it would lead
 * through walls, so a route is read whole or not at all.
 */

import { isNumber, isText, list, note, record } from "./reading.js";

/** @import { Floor, FloorChange, LinkKind, RouteLeg, RouteStep, XY } from "../types.js" */
/** @import { Note, Origin } from "./reading.js" */
/**
 * @typedef {object} PlacedRoute
 * @property {number} index among the routes of its message, also those that cannot be drawn
 * @property {string} start a room
 * @property {string} goal a room
 * @property {RouteLeg[]} legs at least one
 * @property {FloorChange[]} changes one less than legs
 * @property {RouteStep[]} steps those that name a leg of this route
 * @property {number} length
 * @property {"m" | ""} unit
 * @property {number | null} seconds
 * @property {boolean} accessible
 * @property {Origin} origin
 */

/** @type {LinkKind[]} */
const KINDS = ["stairs", "lift", "escalator", "ramp"];
const ACTIONS = ["start", "walk", "through", "change", "arrive"];

/**
 * @param {Floor[]} floors of the building
 * @param {unknown} value an overlay of the type `route`
 * @param {number} index among the routes of its message
 * @param {Origin} origin
 * @param {Note[]} notes receives why it cannot be drawn
 * @returns {PlacedRoute[]} one, or none
 */
export function readRoute(floors, value, index, origin, notes) {
  const item = record(value);
  const route = routeOf(item, index, origin);
  const known = new Set(floors.map(({ floorId }) => floorId));
  const away = route?.legs.find(({ floorId }) => !known.has(floorId));
  if (!route) notes.push(note("map.no_route"));
  else if (away) notes.push(note("map.no_floor", { floor: away.floorId }));
  return route && !away ? [route] : [];
}

/**
 * A route in itself, whatever the building.
 * @param {unknown} value
 * @param {number} index among the routes of its message
 * @param {Origin} origin
 * @returns {PlacedRoute | null}
 */
export function routeOf(value, index, origin) {
  const item = record(value);
  const legs = list(item.legs).map(legOf);
  const changes = list(item.changes).map(changeOf);
  if (!isText(item.start) || !isText(item.goal) || legs.length === 0 || changes.length !== legs.length - 1) return null;
  if (legs.includes(null) || changes.includes(null)) return null;
  return {
    index,
    start: item.start,
    goal: item.goal,
    legs: /** @type {RouteLeg[]} */ (legs),
    changes: /** @type {FloorChange[]} */ (changes),
    steps: list(item.steps).flatMap((step) => stepOf(step, legs.length)),
    length: isNumber(item.length) ? Math.max(0, item.length) : 0,
    unit: item.unit === "" ? "" : "m",
    seconds: isNumber(item.seconds) && item.seconds >= 0 ? item.seconds : null,
    accessible: item.accessible === true,
    origin,
  };
}

/** @param {unknown} value @returns {RouteLeg | null} */
function legOf(value) {
  const { floorId, points } = record(value);
  const line = list(points).map(placeOf);
  return isText(floorId) && line.length > 0 && !line.includes(null) ? { floorId, points: /** @type {XY[]} */ (line) } : null;
}

/** @param {unknown} value @returns {FloorChange | null} */
function changeOf(value) {
  const { kind, name, fromFloorId, toFloorId, at, to } = record(value);
  const [from, there] = [placeOf(at), placeOf(to)];
  if (!isText(fromFloorId) || !isText(toFloorId) || !from || !there || !KINDS.includes(/** @type {LinkKind} */ (kind))) return null;
  return { kind: /** @type {LinkKind} */ (kind), name: isText(name) ? name : "", fromFloorId, toFloorId, at: from, to: there };
}

/** @param {unknown} value @param {number} legs @returns {RouteStep[]} one, or none */
function stepOf(value, legs) {
  const { action, text, leg, room, name, kind, toFloorId, length } = record(value);
  if (!ACTIONS.includes(String(action)) || !isNumber(leg) || !Number.isInteger(leg) || leg < 0 || leg >= legs) return [];
  return [
    {
      action: /** @type {RouteStep["action"]} */ (action),
      text: isText(text) ? text : "",
      leg,
      ...(isText(room) && { room }),
      ...(isText(name) && { name }),
      ...(KINDS.includes(/** @type {LinkKind} */ (kind)) && { kind: /** @type {LinkKind} */ (kind) }),
      ...(isText(toFloorId) && { toFloorId }),
      ...(isNumber(length) && length >= 0 && { length }),
    },
  ];
}

/** @param {unknown} value @returns {XY | null} */
function placeOf(value) {
  const { x, y } = record(value);
  return isNumber(x) && isNumber(y) ? { x, y } : null;
}
