// @ts-check
/** What the commands that replace each other make of the picture: a map, points, rooms over time. Pure. */

import { byValue, highlight, note, placed } from "./drawings.js";
import { floorOf, NOTHING } from "./picture.js";
import { pointSet } from "./points.js";
import { routesIn } from "../core/routes.js";

/** @import { Floor, MapContent, MapDefinitionContent, MapFramesContent, PointsContent } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { Note } from "./drawings.js" */
/** @import { Origin, PlacedRoute } from "../core/routes.js" */

/**
 * A map command replaces the one before it; arrows come and go by commands of their own. One of which nothing can be drawn
 * leaves the map as it is.
 * @param {MapPicture} picture
 * @param {MapDefinitionContent} building
 * @param {MapContent | PointsContent} content
 * @param {Origin} origin
 * @returns {MapPicture}
 */
export function withMap(picture, building, content, origin) {
  if ("points" in content) {
    const points = pointSet(content, picture.floorId, origin);
    return { ...picture, ...NOTHING, points, onEarth: points.kind === "earth" };
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
    ...NOTHING,
    floorId: floor.floorId,
    highlights,
    routes,
    overlays,
    legend: legend?.type === "legend" ? byValue(legend) : null,
    notes,
  };
}

/**
 * @param {Floor[]} floors of the building
 * @param {PlacedRoute[]} routes
 * @param {Note[]} notes receives which floors are missing
 * @returns {PlacedRoute[]} those whose floors are all there
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
 * Rooms over time replace the map before them, in whichever form; the first frame is shown. What cannot be drawn is noted once.
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
    ...NOTHING,
    floorId: floor.floorId,
    playback: { floorId: floor.floorId, frames, at: 0, legend, origin },
    notes,
  };
}
