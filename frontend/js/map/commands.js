// @ts-check
/** What the commands that replace each other make of the picture: a map, points, rooms over time. Pure. */

import { readFrames } from "./frames.js";
import { readLegend } from "./legend.js";
import { floorOf, NOTHING } from "./picture.js";
import { readPoints } from "./points.js";
import { list, note, readOverlay, readRectangle, record } from "./reading.js";
import { readRoute } from "./route-reading.js";

/** @import { MapDefinitionContent } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { Note, Origin } from "./reading.js" */

/**
 * A map command replaces the one before it; arrows come and go by commands of their own. One of which nothing can be drawn
 * leaves the map as it is.
 * @param {MapPicture} picture
 * @param {MapDefinitionContent} building
 * @param {Record<string, unknown>} content
 * @param {Origin} origin
 * @returns {MapPicture}
 */
export function withMap(picture, building, content, origin) {
  if ("points" in content) return withPoints(picture, content, origin);
  if (typeof content.floorId !== "string") return { ...picture, notes: [note("map.no_format")] };
  const floor = floorOf(picture, content.floorId);
  if (!floor) return { ...picture, notes: [note("map.no_floor", { floor: content.floorId })] };
  /** @type {Note[]} */
  const notes = [];
  const { bitmaps, floors } = building;
  const given = list(content.overlays).map(record);
  const legend = given.findLast(({ type }) => type === "legend");
  const highlights = list(content.rectangles).flatMap((one) => readRectangle(floor, floors, one, origin, notes));
  const routes = given.filter(({ type }) => type === "route").flatMap((one, index) => readRoute(floors, one, index, origin, notes));
  const overlays = given.filter(({ type }) => type !== "legend" && type !== "route").flatMap((one) => readOverlay(floor, bitmaps, one, origin, notes));
  const read = { highlights, routes, overlays, legend: legend ? readLegend(legend, notes) : null, notes };
  const asked = list(content.rectangles).length + given.length;
  if (asked > 0 && highlights.length + routes.length + overlays.length === 0) return { ...picture, notes };
  return { ...picture, ...NOTHING, floorId: floor.floorId, ...read };
}

/**
 * Rooms over time replace the map before them, in whichever form; the first frame is shown.
 * @param {MapPicture} picture
 * @param {MapDefinitionContent} building
 * @param {Record<string, unknown>} content
 * @param {Origin} origin
 * @returns {MapPicture}
 */
export function withFrames(picture, building, content, origin) {
  if (typeof content.floorId !== "string") return { ...picture, notes: [note("map.no_format")] };
  const floor = floorOf(picture, content.floorId);
  if (!floor) return { ...picture, notes: [note("map.no_floor", { floor: content.floorId })] };
  /** @type {Note[]} */
  const notes = [];
  const playback = readFrames(floor, building.floors, content, origin, notes);
  if (!playback) return { ...picture, notes: notes.length ? notes : [note("map.no_format")] };
  return { ...picture, ...NOTHING, floorId: floor.floorId, playback, notes };
}

/**
 * The older form of a map: points on the shown floor, or on the earth.
 * @param {MapPicture} picture
 * @param {Record<string, unknown>} content
 * @param {Origin} origin
 * @returns {MapPicture}
 */
function withPoints(picture, content, origin) {
  /** @type {Note[]} */
  const notes = [];
  const points = readPoints(content, picture.floorId, origin, notes);
  if (!points) return { ...picture, notes: [note("map.no_format")] };
  return { ...picture, ...NOTHING, points, onEarth: points.kind === "earth", notes };
}
