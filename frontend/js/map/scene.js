// @ts-check
/**
 * Content of one floor, prepared for the layers: computed when the picture changes, kept while only the view changes.
 * Pure.
 */

import { ownersOn } from "./agents.js";
import { closedIn } from "./closure-signs.js";
import { planOf } from "./plan.js";
import { floorOf, highlightsOf } from "./state.js";

/** @import { Floor } from "../types.js" */
/** @import { Highlight, PlacedOverlay } from "./drawings.js" */
/** @import { Plan } from "./plan.js" */
/** @import { PointSet } from "./points.js" */
/** @import { MapPicture, PlacedArrow } from "./state.js" */

/**
 * @typedef {object} FloorScene
 * @property {MapPicture} picture
 * @property {Floor} floor
 * @property {Plan} plan
 * @property {Map<number, Highlight>} marks highlighted rooms, by their place in the plan
 * @property {Uint8Array} marked 1 for every highlighted room; the same array while the same rooms are highlighted
 * @property {Uint8Array} closed 1 for every closed room; the same array while the closures are the same
 * @property {Map<number, number[]>} owners where several agents drew, the numbers of their layers by room
 * @property {PlacedOverlay[]} overlays
 * @property {PlacedArrow[]} arrows
 * @property {PointSet | null} points on this floor
 */

/**
 * Return the scene.
 *
 * @param {MapPicture} picture
 * @param {FloorScene | null} before
 * @returns {FloorScene | null} null when no floor is shown
 */
export function sceneOf(picture, before) {
  if (before?.picture === picture) return before;
  const floor = floorOf(picture);
  if (!floor || picture.onEarth) return null;
  const plan = planOf(floor);
  const here = (/** @type {{floorId: string | null}} */ mark) => mark.floorId === floor.floorId;
  /** @type {Map<number, Highlight>} */
  const marks = new Map();
  for (const highlight of highlightsOf(picture).filter(here)) {
    const room = plan.indexes.get(highlight.room);
    if (room !== undefined) marks.set(room, highlight);
  }
  /** @type {Map<number, number[]>} */
  const owners = new Map();
  for (const [name, numbers] of ownersOn(picture, floor.floorId)) {
    const room = plan.indexes.get(name);
    if (room !== undefined) owners.set(room, numbers);
  }
  const points = picture.points?.kind === "plan" && here(picture.points) ? picture.points : null;
  const overlays = picture.overlays.filter(here);
  return {
    picture,
    floor,
    plan,
    marks,
    marked: markedIn(plan, marks, before),
    closed:
      before?.plan === plan && before.picture.closures === picture.closures
        ? before.closed
        : closedIn(picture, plan),
    owners,
    overlays,
    arrows: picture.arrows.filter(here),
    points,
  };
}

/** @param {Plan} plan @param {Map<number, Highlight>} marks @param {FloorScene | null} before @returns {Uint8Array} */
function markedIn(plan, marks, before) {
  const same =
    before?.plan === plan &&
    before.marks.size === marks.size &&
    [...marks.keys()].every((room) => before.marked[room]);
  if (same) return before.marked;
  const marked = new Uint8Array(plan.count);
  for (const room of marks.keys()) marked[room] = 1;
  return marked;
}
