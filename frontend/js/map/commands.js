// @ts-check
/** Commands that replace each other: a map, points, rooms over time. Pure. */

import { byValue, highlight, note, placed } from "./drawings.js";
import { floorOf, EMPTY_DRAWING } from "./picture.js";
import { pointSet } from "./points.js";
import { routesIn } from "../core/routes.js";

/** @import { Floor, MapContent, MapDefinitionContent, MapFramesContent, PointsContent } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { Note } from "./drawings.js" */
/** @import { Origin, PlacedRoute } from "../core/routes.js" */

/**
 * Apply a map command, which replaces the previous one; arrows have their own commands. If nothing of it can be drawn,
 * the map stays.
 *
 * @param {MapPicture} picture
 * @param {MapDefinitionContent} building
 * @param {MapContent | PointsContent} content
 * @param {Origin} origin
 * @returns {MapPicture}
 */
export function withMap(picture, building, content, origin) {
  if ("points" in content) {
    const points = pointSet(content, picture.floorId, origin);
    return { ...picture, ...EMPTY_DRAWING, points, onEarth: points.kind === "earth" };
  }
  const floor = floorOf(picture, content.floorId);
  if (!floor) return { ...picture, notes: [note("map.no_floor", { floor: content.floorId })] };
  /** @type {Note[]} */
  const notes = [];
  const { bitmaps, floors } = building;
  const received = content.overlays;
  const legend = received.findLast(({ type }) => type === "legend");
  const highlights = content.rectangles.flatMap((rectangle) =>
    highlight(floor, floors, rectangle, origin, notes),
  );
  const routes = drawable(floors, routesIn(received, origin), notes);
  const overlays = received.flatMap((overlay) =>
    overlay.type === "text" || overlay.type === "bitmap"
      ? placed(floor, bitmaps, overlay, origin, notes)
      : [],
  );
  const requestedCount = content.rectangles.length + received.length;
  if (requestedCount > 0 && highlights.length + routes.length + overlays.length === 0)
    return { ...picture, notes };
  return {
    ...picture,
    ...EMPTY_DRAWING,
    floorId: floor.floorId,
    highlights,
    routes,
    overlays,
    legend: legend?.type === "legend" ? byValue(legend) : null,
    notes,
  };
}

/**
 * Filter routes.
 *
 * @param {Floor[]} floors of the building
 * @param {PlacedRoute[]} routes
 * @param {Note[]} notes receives missing floors
 * @returns {PlacedRoute[]} the routes whose floors all exist
 */
function drawable(floors, routes, notes) {
  const floorIds = new Set(floors.map(({ floorId }) => floorId));
  return routes.filter(({ legs }) => {
    const missing = legs.find(({ floorId }) => !floorIds.has(floorId));
    if (missing) notes.push(note("map.no_floor", { floor: missing.floorId }));
    return !missing;
  });
}

/**
 * Apply rooms over time, which replace the previous map in any form; the first frame is shown. Each missing room is
 * noted once.
 *
 * @param {MapPicture} picture
 * @param {MapDefinitionContent} building
 * @param {MapFramesContent} content
 * @param {Origin} origin
 * @returns {MapPicture}
 */
export function withFrames(picture, building, content, origin) {
  const floor = floorOf(picture, content.floorId);
  if (!floor) return { ...picture, notes: [note("map.no_floor", { floor: content.floorId })] };
  /** @type {Note[]} */
  const faults = [];
  const frames = content.frames.map(({ time, rectangles }) => ({
    time,
    highlights: rectangles.flatMap((rectangle) =>
      highlight(floor, building.floors, rectangle, origin, faults),
    ),
  }));
  const notes = [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
  const legend = content.legend ? byValue(content.legend) : null;
  return {
    ...picture,
    ...EMPTY_DRAWING,
    floorId: floor.floorId,
    playback: { floorId: floor.floorId, frames, at: 0, legend, origin },
    notes,
  };
}
