// @ts-check
/** Closed parts of the building: which there are on a floor, what is under a click, and their names. Pure. */

import { shownName } from "../core/building-names.js";
import { planOf } from "./plan.js";
import { floorToScreen } from "./layout.js";

/** @import { Closure, Floor, MapDefinitionContent, Rectangle, Translate, XY } from "../types.js" */
/** @import { View } from "./geometry.js" */

/** Distance in CSS pixels within which a click hits a door or a lift. */
const NEAR = 12;

/** Rooms of each floor by name; the first room of a name wins. @type {WeakMap<Floor, Map<string, Rectangle>>} */
const named = new WeakMap();

/** @param {Closure} first @param {Closure} other */
export const isSamePart = (first, other) => partKey(first) === partKey(other);

/** Return a text that is the same for the same part only. @param {Closure} part */
export const partKey = ({ kind, floorId, rooms, at, linkId }) =>
  JSON.stringify([kind, floorId, rooms, at && [at.x, at.y], linkId]);

/**
 * Return everything that can be closed on a floor: rooms, doors, the lifts and stairs that stop there, and the floor.
 *
 * @param {MapDefinitionContent} building
 * @param {Floor} floor
 * @returns {Closure[]}
 */
export function partsOf(building, floor) {
  const { floorId } = floor;
  return [
    ...floor.rectangles.map(({ name }) => roomPart(floorId, name)),
    ...doorParts(floor),
    ...linksOn(building, floorId).map(({ linkId }) => linkPart(linkId)),
    { kind: "floor", floorId, rooms: [] },
  ];
}

/** @param {string} floorId @param {string} name @returns {Closure} */
export const roomPart = (floorId, name) => ({ kind: "room", floorId, rooms: [name] });

/** @param {string} linkId @returns {Closure} */
const linkPart = (linkId) => ({ kind: "link", rooms: [], linkId });

/** @param {Floor} floor @returns {Closure[]} */
export const doorParts = ({ floorId, doors }) =>
  (doors ?? []).map(({ rooms, at }) => ({ kind: "door", floorId, rooms, at }));

/** @param {MapDefinitionContent} building @param {string} floorId */
const linksOn = ({ links }, floorId) =>
  (links ?? []).filter(({ stops }) => stops.some((stop) => stop.floorId === floorId));

/**
 * Return the places of a closed part on a floor, in the floor's coordinates, for its signs; none for rooms and floors.
 *
 * @param {Closure} part
 * @param {MapDefinitionContent} building
 * @param {string} floorId
 * @returns {XY[]}
 */
export function signsOf(part, building, floorId) {
  if (part.kind === "door") return part.floorId === floorId && part.at ? [part.at] : [];
  if (part.kind !== "link") return [];
  return linksOn(building, floorId)
    .filter(({ linkId }) => linkId === part.linkId)
    .flatMap(({ stops }) => stops.filter((stop) => stop.floorId === floorId).map(({ at }) => at));
}

/**
 * Return the indexes of the closed rooms of a floor.
 *
 * @param {readonly Closure[]} closures
 * @param {Floor} floor
 * @returns {number[]}
 */
export function closedRooms(closures, floor) {
  const here = closures.filter(({ floorId }) => floorId === floor.floorId);
  if (here.some(({ kind }) => kind === "floor")) return floor.rectangles.map((_, index) => index);
  const { indexes } = planOf(floor);
  return here.flatMap(({ kind, rooms }) => (kind === "room" ? (indexes.get(rooms[0] ?? "") ?? []) : []));
}

/**
 * Return the part under a click: the nearest door or lift, else the room.
 *
 * @param {MapDefinitionContent} building
 * @param {Floor} floor
 * @param {View} view
 * @param {XY} at
 * @param {string | null} room under it
 * @returns {Closure | null}
 */
export function partAt(building, floor, view, at, room) {
  const place = floorToScreen(floor, view);
  const small = [
    ...doorParts(floor),
    ...linksOn(building, floor.floorId).map(({ linkId }) => linkPart(linkId)),
  ];
  let nearest = NEAR;
  /** @type {Closure | null} */
  let part = room === null ? null : roomPart(floor.floorId, room);
  for (const candidate of small) {
    for (const sign of signsOf(candidate, building, floor.floorId)) {
      const { x, y } = place(sign);
      const far = Math.hypot(x - at.x, y - at.y);
      if (far < nearest) [nearest, part] = [far, candidate];
    }
  }
  return part;
}

/** Return the rooms of a floor by name: a search in all of them for each name is slow on large floors. @param {Floor} floor */
function roomsOf(floor) {
  let rooms = named.get(floor);
  if (rooms) return rooms;
  rooms = new Map();
  for (const room of floor.rectangles) if (!rooms.has(room.name)) rooms.set(room.name, room);
  named.set(floor, rooms);
  return rooms;
}

/**
 * Return the name of a part in the language of the page.
 *
 * @param {Closure} part
 * @param {MapDefinitionContent} building
 * @param {Translate} t
 * @param {boolean} [elsewhere] whether to name the floor
 * @returns {string}
 */
export function partName({ kind, floorId, rooms, linkId }, building, t, elsewhere = false) {
  const floor = building.floors.find((candidate) => candidate.floorId === floorId);
  const names = rooms.map((name) => shownName((floor && roomsOf(floor).get(name)) ?? {}, name, t.language));
  const floorName = floorId === undefined ? "" : t.floor(floorId);
  const on = (/** @type {string} */ text) =>
    elsewhere ? t("map.closure_on", { part: text, floor: floorName }) : text;
  const link = (building.links ?? []).find((candidate) => candidate.linkId === linkId);
  switch (kind) {
    case "floor":
      return t("map.closure_floor", { floor: floorName });
    case "link":
      if (!link) return linkId ?? "";
      return link.name && link.name.toLowerCase() !== link.kind ? link.name : t(`route.${link.kind}`);
    case "room":
      return on(names[0] ?? "");
    case "door":
      return on(
        names.length === 2
          ? t("map.closure_door", { first: names[0] ?? "", other: names[1] ?? "" })
          : t("map.closure_exit", { room: names[0] ?? "" }),
      );
  }
}
