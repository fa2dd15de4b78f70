// @ts-check
/** Routes of a map command: each with its number among them and the message it came from. Pure. */

import { note } from "./drawings.js";

/** @import { Floor, Overlay, RouteOverlay } from "../types.js" */
/** @import { Note, Origin } from "./drawings.js" */
/** @typedef {RouteOverlay & {index: number, origin: Origin}} PlacedRoute `index` is that among the routes of its message */

/** @param {Overlay[]} overlays @param {Origin} origin @returns {PlacedRoute[]} */
export function routesIn(overlays, origin) {
  return overlays.filter((one) => one.type === "route").map((route, index) => ({ ...route, index, origin }));
}

/**
 * @param {Floor[]} floors of the building
 * @param {PlacedRoute[]} routes
 * @param {Note[]} notes receives which floors are missing
 * @returns {PlacedRoute[]} those whose floors are all there
 */
export function drawable(floors, routes, notes) {
  const known = new Set(floors.map(({ floorId }) => floorId));
  return routes.filter(({ legs }) => {
    const away = legs.find(({ floorId }) => !known.has(floorId));
    if (away) notes.push(note("map.no_floor", { floor: away.floorId }));
    return !away;
  });
}
