// @ts-check
/**
 * Live layers: which there are, and the values of the shown one over time. The server sends values as they arrive; here
 * they are sorted into frames. Pure.
 */

import { colourOn } from "./legend.js";

/** @import { LayerStatus, LayerValuesContent, LegendOverlay, ShownLayer } from "../types.js" */
/** @import { Origin } from "../core/routes.js" */
/** @import { Highlight } from "./drawings.js" */
/** @typedef {{ floorId: string, room: string, value: number, at: number }} LiveValue */
/** @typedef {{ at: number, values: Map<string, LiveValue> }} LiveFrame `at`: its start, in seconds since 1970 */
/**
 * @typedef {object} Live
 * @property {LayerStatus[]} layers
 * @property {boolean} listed whether the server has said which layers there are
 * @property {string | null} shown name of the layer on the map
 * @property {boolean} painted whether its colours are visible: a later drawing with colours covers them
 * @property {LiveFrame[]} frames the oldest first
 * @property {Map<string, LiveValue>} latest last value of each room
 * @property {number | null} time of the last value, in seconds since 1970
 * @property {number | null} at start of the chosen frame; null: the present
 * @property {LegendOverlay | null} legend
 * @property {Highlight[]} highlights rooms in their colours at that time
 * @property {Origin} origin message that showed the layer
 */

/** Look of a room with a value, as in the server's drawings. */
const LOOK = { strokeOpacity: 1, fillOpacity: 0.75, showName: true };

/** @type {Live} */
export const NO_LIVE = Object.freeze({
  layers: [],
  listed: false,
  shown: null,
  painted: false,
  frames: [],
  latest: new Map(),
  time: null,
  at: null,
  legend: null,
  highlights: [],
  origin: {},
});

/**
 * Show a layer, with its values of then until the present ones come.
 *
 * @param {Live} live
 * @param {ShownLayer} content
 * @param {Origin} origin
 * @returns {Live}
 */
export function withLayer({ layers, listed }, { layer, picture }, origin) {
  const next = { ...NO_LIVE, layers, listed, origin };
  if (layer === undefined) return next;
  if (!picture) return { ...next, shown: layer, painted: true };
  const legend = picture.overlays.find((overlay) => overlay.type === "legend") ?? null;
  const highlights = picture.rectangles.map((rectangle) => ({
    ...rectangle,
    room: rectangle.name,
    floorId: rectangle.floorId ?? picture.floorId,
    origin,
  }));
  return { ...next, shown: layer, painted: true, legend, highlights };
}

/**
 * Add values. Those of a layer that is no longer shown are ignored.
 *
 * @param {Live} live
 * @param {LayerValuesContent} content
 * @returns {Live}
 */
export function withValues(live, content) {
  if (content.layer !== live.shown) return live;
  const { rooms, legend } = content;
  const latest = new Map(content.reset ? [] : live.latest);
  const frames = new Map((content.reset ? [] : live.frames).map((frame) => [frame.at, frame]));
  for (const { at, places, values } of content.frames) {
    const added = new Map(frames.get(at)?.values);
    places.forEach((place, index) => {
      const { floorId, name } = rooms[place] ?? { floorId: "", name: "" };
      const value = { floorId, room: name, value: values[index] ?? 0, at };
      const key = `${floorId}\n${name}`;
      added.set(key, value);
      if (at >= (latest.get(key)?.at ?? 0)) latest.set(key, value);
    });
    frames.set(at, { at, values: added });
  }
  const inHistory = [...frames.values()]
    .filter(({ at }) => at >= content.since)
    .toSorted((a, b) => a.at - b.at);
  const at = live.at !== null && inHistory.some((frame) => frame.at === live.at) ? live.at : null;
  return repainted({ ...live, frames: inHistory, latest, legend, at, time: content.time });
}

/**
 * Show another frame of the history, by its place; the last one is the present.
 *
 * @param {Live} live
 * @param {number} place
 * @returns {Live}
 */
export function withLiveFrame(live, place) {
  const at = place >= live.frames.length - 1 ? null : (live.frames[Math.max(0, place)]?.at ?? null);
  return at === live.at ? live : repainted({ ...live, at });
}

/** Return the place of the shown frame. @param {Live} live */
export function placeOf({ frames, at }) {
  return at === null ? frames.length - 1 : frames.findIndex((frame) => frame.at === at);
}

/** Colour the rooms by their last values until the chosen time. @param {Live} live @returns {Live} */
function repainted(live) {
  const { legend, origin } = live;
  const highlights = [...valuesAt(live).values()].map(({ floorId, room, value }) => ({
    ...LOOK,
    name: room,
    room,
    floorId,
    value,
    color: legend ? colourOn(legend, value) : "#888888",
    origin,
  }));
  return { ...live, highlights };
}

/** @param {Live} live @returns {Map<string, LiveValue>} */
function valuesAt({ frames, latest, at }) {
  if (at === null) return latest;
  /** @type {Map<string, LiveValue>} */
  const values = new Map();
  for (const frame of frames) {
    if (frame.at > at) break;
    for (const [key, value] of frame.values) values.set(key, value);
  }
  return values;
}

/**
 * Check whether the last value of a layer is old.
 *
 * @param {LayerStatus} layer
 * @param {number} now milliseconds since 1970
 */
export function isStale({ time, stale }, now) {
  return time !== undefined && now - time * 1000 > stale * 1000;
}

/** Check whether a layer is painted that is gone: the server does not list it. @param {Live} live */
export function isGone(live) {
  return live.listed && live.painted && live.shown !== null && statusOf(live) === null;
}

/** Return the status of the shown layer. @param {Live} live */
export function statusOf({ layers, shown }) {
  return layers.find(({ name }) => name === shown) ?? null;
}
