// @ts-check
/** Rooms that suggested questions name: rooms with a name of their own, no corridors, stairs or numbered spaces. Pure. */

import { floorOf } from "./state.js";

/** @import { Rectangle } from "../types.js" */
/** @import { MapPicture } from "./state.js" */

/** Kinds that nobody asks for, and goes through. */
const PASSAGES = new Set([
  "corridor",
  "hallway",
  "stairs",
  "lift",
  "elevator",
  "escalator",
  "ramp",
  "shaft",
  "wall",
  "void",
  "service",
]);
/** Names that an importer numbered: "room 12", "Corridor (3)". */
const NUMBERED = /^(?:room|area|space|corridor|stairs|lift|toilet|unit|部屋|廊下|階段)\s[#(]?\d+\)?$/i;

/**
 * Return the rooms of the shown floor that a question may name; those with a name of their own come first.
 *
 * @param {MapPicture} picture
 * @returns {Rectangle[]}
 */
export function askableRooms(picture) {
  return ranked(floorOf(picture)?.rectangles ?? []);
}

/**
 * Return the goal of a suggested route: a room of another floor, else another room of this one.
 *
 * @param {MapPicture} picture
 * @param {Rectangle} first
 * @param {Rectangle} other
 * @returns {Rectangle | undefined}
 */
export function goalOf(picture, first, other) {
  const differs = (/** @type {Rectangle} */ { name }) => name !== first.name && name !== other.name;
  for (const floor of picture.building?.floors ?? []) {
    const goal = floor.floorId === picture.floorId ? undefined : ranked(floor.rectangles).find(differs);
    if (goal) return goal;
  }
  return askableRooms(picture).find(differs) ?? (other.name === first.name ? undefined : other);
}

/** @param {Rectangle[]} rooms @returns {Rectangle[]} */
function ranked(rooms) {
  const places = rooms.filter(({ kind }) => !PASSAGES.has(kind ?? ""));
  const named = places.filter(({ name }) => !NUMBERED.test(name));
  return named.length > 0 ? named : places;
}
