// @ts-check
/** Routes of a map command, and a route in words in the language of the page: its steps, lengths and times. Pure. */

/** @import { Overlay, RouteOverlay, RouteStep, Source, Translate } from "../types.js" */
/** Which message drew something: what a row of the debug pane and a shape on the map have in common; and which code.
 * @typedef {{seq?: number, runId?: string, source?: Source}} Origin */
/** @typedef {RouteOverlay & {index: number, origin: Origin}} PlacedRoute `index` is that among the routes of its message */

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

/** @param {PlacedRoute} route @param {Translate} t @returns {string[]} length, time, whether it has no steps */
export function routeFacts({ length, unit, seconds, accessible }, t) {
  return [
    formatLength(length, unit, t),
    ...(seconds === undefined ? [] : [formatDuration(seconds, t)]),
    ...(accessible ? [t("route.accessible")] : []),
  ];
}

/** Whether a door's name is one that people say: 1f-room1 is only the file's. @param {string} name */
function isReadableName(name) {
  return / |[^\x00-\x7f]/.test(name);
}

/**
 * How far one walks in a step, where its words do not say it.
 * @param {RouteStep} step
 * @param {"m" | ""} unit of the route
 * @param {Translate} t
 */
export function stepLength({ action, length }, unit, t) {
  return action === "walk" || !length ? "" : formatLength(length, unit, t);
}

/**
 * @param {RouteStep} step
 * @param {"m" | ""} unit of the route
 * @param {Translate} t
 * @returns {string} the step's own text where its parts do not make a sentence
 */
export function describeStep({ action, text, room, name, kind, toFloorId, length }, unit, t) {
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
        : t("route.through", { room });
    case "change":
      if (!toFloorId || (!name && !kind)) return text;
      return name && name.toLowerCase() !== kind
        ? t("route.change_named", { name, floor: t.floor(toFloorId) })
        : t("route.change", { link: t(`route.${kind}`), floor: t.floor(toFloorId) });
    case "arrive":
      return room ? t("route.arrive", { room }) : text;
  }
}
