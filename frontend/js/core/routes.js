// @ts-check
/** Routes of a map command, and their description in the language of the page: steps, lengths and times. Pure. */

/** @import { Overlay, RouteOverlay, RouteStep, Source, Translate } from "../types.js" */
/**
 * Origin of a drawing: its message, which links a row of the debug pane with a shape on the map, and its code.
 *
 * @typedef {{seq?: number, runId?: string, source?: Source}} Origin
 */
/**
 * @typedef {RouteOverlay & {index: number, origin: Origin}} PlacedRoute `index` is that among the routes of its message
 */

/** @param {Overlay[]} overlays @param {Origin} origin @returns {PlacedRoute[]} */
export function routesIn(overlays, origin) {
  return overlays
    .filter((overlay) => overlay.type === "route")
    .map((route, index) => ({ ...route, index, origin }));
}

/** @param {number} length @param {"m" | ""} unit @param {Translate} t */
export function formatLength(length, unit, t) {
  if (unit === "") return t("route.units", { n: t.number(Math.round(length)) });
  if (length >= 1000) return t("route.kilometres", { n: t.number(Math.round(length / 100) / 10) });
  return t("route.metres", { n: t.number(Math.round(length)) });
}

/** @param {number} seconds @param {Translate} t */
export function formatDuration(seconds, t) {
  const minutes = Math.round(seconds / 60);
  if (seconds < 45) return t("route.under_a_minute");
  if (minutes < 90) return t("route.minutes", { n: Math.max(1, minutes) });
  return t("route.hours", { n: t.number(Math.round(minutes / 6) / 10) });
}

/**
 * Return the facts of a route.
 *
 * @param {PlacedRoute} route
 * @param {Translate} t
 * @returns {string[]} length, time, and whether it has no stairs
 */
export function routeFacts({ length, unit, seconds, accessible }, t) {
  return [
    formatLength(length, unit, t),
    ...(seconds === undefined ? [] : [formatDuration(seconds, t)]),
    ...(accessible ? [t("route.accessible")] : []),
  ];
}

/** Check whether a door has a readable name; "1f-room1" is only an id in the file. @param {string} name */
function isReadableName(name) {
  return / |[^\x00-\x7f]/.test(name);
}

/**
 * Return the length of a step if its text does not contain it.
 *
 * @param {RouteStep} step
 * @param {"m" | ""} unit unit of the route
 * @param {Translate} t
 */
export function stepLength({ action, length }, unit, t) {
  return action === "walk" || !length ? "" : formatLength(length, unit, t);
}

/** What the server calls a goal that leads out of the building. */
const EXIT = "the exit";

/**
 * Describe a step of a route.
 *
 * @param {RouteStep} step
 * @param {"m" | ""} unit unit of the route
 * @param {Translate} t
 * @returns {string} the step's own text if its parts make no sentence
 */
export function describeStep({ action, text, room, name, kind, toFloorId, length, assumed }, unit, t) {
  const far = length === undefined ? "" : formatLength(length, unit, t);
  switch (action) {
    case "start":
      return room ? t("route.start", { room }) : text;
    case "walk":
      if (far && room) return t("route.walk_in", { length: far, room });
      return far ? t("route.walk", { length: far }) : room ? t("route.cross", { room }) : text;
    case "through":
      if (!room) return text || (name ?? "");
      return name && isReadableName(name)
        ? t("route.through_named", { name, room })
        : t(assumed ? "route.into" : "route.through", { room });
    case "change":
      if (!toFloorId || (!name && !kind)) return text;
      return name && name.toLowerCase() !== kind
        ? t("route.change_named", { name, floor: t.floor(toFloorId) })
        : t("route.change", { link: t(`route.${kind}`), floor: t.floor(toFloorId) });
    case "arrive":
      if (name === EXIT && room) return t("route.arrive_exit", { room });
      return room ? t("route.arrive", { room }) : text;
  }
}
