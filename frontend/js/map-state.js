// @ts-check
/**
 * What the map shows, as a plain value: `reduceMap(picture, message)` returns the next one and never touches the page.
 *
 * The whole picture is rebuilt by replaying messages in order, so nothing here depends on when they arrive. Reading
 * untrusted fields is in map-reading.js, geometry in map-geometry.js, drawing in map-painter.js.
 */

import { readBuilding } from "./map-building.js";
import { readPoints } from "./map-points.js";
import { BLUE, list, note, readHighlight, readOverlay, record, roomOf } from "./map-reading.js";

/** @import { Direction, Floor, MapDefinitionContent, Rectangle } from "./types.js" */
/** @import { Highlight, Note, Origin, PlacedOverlay } from "./map-reading.js" */
/** @import { PointSet } from "./map-points.js" */

/** @typedef {{floorId: string, room: string, direction: Direction, origin: Origin}} PlacedArrow */
/** @typedef {{type: string, content?: unknown, seq?: number, runId?: string}} AnyMessage */
/**
 * @typedef {object} MapPicture
 * @property {MapDefinitionContent | null} building
 * @property {string | null} floorId the floor shown
 * @property {boolean} onEarth whether the points by latitude and longitude are shown in place of the plan
 * @property {Highlight[]} highlights of the last map command
 * @property {Highlight[]} named rooms that an answer named: highlighted beside what the map command shows
 * @property {PointSet | null} points of the last map command, when it was one of points
 * @property {PlacedOverlay[]} overlays
 * @property {PlacedArrow[]} arrows
 * @property {Note[]} notes what the last command named and the building does not have
 * @property {AnyMessage[]} early map messages that came before the building
 */

const DIRECTIONS = ["up", "down", "left", "right"];
const COMMANDS = new Set(["map", "arrow", "highlight_room", "clear_arrows", "clear_map"]);

/** What a map command replaces. @type {Pick<MapPicture, "highlights" | "named" | "overlays" | "points" | "onEarth" | "notes">} */
const NOTHING = { highlights: [], named: [], overlays: [], points: null, onEarth: false, notes: [] };

/** @type {MapPicture} */
export const emptyMap = Object.freeze({
  building: null,
  floorId: null,
  onEarth: false,
  highlights: [],
  named: [],
  points: null,
  overlays: [],
  arrows: [],
  notes: [],
  early: [],
});

/**
 * The picture after one server message; the same object when the message says nothing about the map.
 * @param {MapPicture} picture
 * @param {AnyMessage} message
 * @returns {MapPicture}
 */
export function reduceMap(picture, message) {
  if (message.type === "map_definition") return withBuilding(picture, message.content);
  if (!COMMANDS.has(message.type)) return picture;
  if (!picture.building) return { ...picture, early: [...picture.early, message] };
  const content = record(message.content);
  const origin = { seq: message.seq, runId: message.runId };
  switch (message.type) {
    case "map":
      return withMap(picture, picture.building, content, origin);
    case "arrow":
      return withArrow(picture, content, origin);
    case "highlight_room":
      return withRooms(picture, list(content.rooms), origin);
    case "clear_arrows":
      return { ...picture, arrows: [] };
    default:
      return { ...picture, ...NOTHING, arrows: [] };
  }
}

/**
 * The person picked a floor; an unknown one changes nothing.
 * @param {MapPicture} picture
 * @param {string} floorId
 * @returns {MapPicture}
 */
export function showFloor(picture, floorId) {
  const shown = picture.floorId === floorId && !picture.onEarth;
  return shown || !floorOf(picture, floorId) ? picture : { ...picture, floorId, onEarth: false };
}

/**
 * The person picked the points by latitude and longitude; without such points nothing changes.
 * @param {MapPicture} picture
 * @returns {MapPicture}
 */
export function showEarth(picture) {
  return picture.onEarth || picture.points?.kind !== "earth" ? picture : { ...picture, onEarth: true };
}

/**
 * Everything that is highlighted: what the map command says, and the rooms an answer named that it leaves alone.
 * @param {MapPicture} picture
 * @returns {Highlight[]}
 */
export function highlightsOf({ highlights, named }) {
  return [...highlights, ...named.filter((one) => !highlights.some((other) => isSame(one, other)))];
}

/** @param {Highlight[]} all @returns {Highlight[]} each room once */
const distinct = (all) => all.filter((one, at) => all.findIndex((other) => isSame(one, other)) === at);

/** @param {Highlight} one @param {Highlight} other */
const isSame = (one, other) => one.floorId === other.floorId && one.room === other.room;

/**
 * Everything drawn on floors; what lies on the earth has none.
 * @param {MapPicture} picture
 * @returns {{floorId: string | null, origin: Origin, room: string | null}[]}
 */
export function drawnOn(picture) {
  const points = picture.points?.kind === "plan" ? [{ ...picture.points, room: null }] : [];
  const overlays = picture.overlays.map((one) => ({ ...one, room: one.position.type === "rectangle" ? one.position.name : null }));
  return [...highlightsOf(picture), ...overlays, ...points, ...picture.arrows];
}

/**
 * @param {MapPicture} picture
 * @param {string | null} [floorId] the shown floor unless given
 * @returns {Floor | null}
 */
export function floorOf(picture, floorId = picture.floorId) {
  return picture.building?.floors.find((floor) => floor.floorId === floorId) ?? null;
}

/**
 * A new building keeps what is drawn on the floors it shares with the old one: after a reconnect it is sent again.
 * @param {MapPicture} picture
 * @param {unknown} content
 * @returns {MapPicture}
 */
function withBuilding(picture, content) {
  const building = readBuilding(content);
  /** @param {{floorId: string | null}} thing */
  const stays = ({ floorId }) => building.floors.some((floor) => floor.floorId === floorId);
  /** @type {MapPicture} */
  const next = {
    ...picture,
    building,
    floorId: stays(picture) ? picture.floorId : (building.floors[0]?.floorId ?? null),
    highlights: picture.highlights.filter(stays),
    named: picture.named.filter(stays),
    points: picture.points && (picture.points.kind === "earth" || stays(picture.points)) ? picture.points : null,
    overlays: picture.overlays.filter(stays),
    arrows: picture.arrows.filter(stays),
    early: [],
  };
  return picture.early.reduce(reduceMap, next);
}

/**
 * A map command replaces the one before it; arrows come and go by commands of their own.
 * @param {MapPicture} picture
 * @param {MapDefinitionContent} building
 * @param {Record<string, unknown>} content
 * @param {Origin} origin
 * @returns {MapPicture}
 */
function withMap(picture, building, content, origin) {
  if ("points" in content) return withPoints(picture, content, origin);
  if (typeof content.floorId !== "string") return { ...picture, notes: [note("map.no_format")] };
  const floor = floorOf(picture, content.floorId);
  if (!floor) return { ...picture, notes: [note("map.no_floor", { floor: content.floorId })] };
  /** @type {Note[]} */
  const notes = [];
  const { bitmaps } = building;
  return {
    ...picture,
    ...NOTHING,
    floorId: floor.floorId,
    highlights: list(content.rectangles).flatMap((one) => readHighlight(floor, one, origin, notes)),
    overlays: list(content.overlays).flatMap((one) => readOverlay(floor, bitmaps, one, origin, notes)),
    notes,
  };
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

/**
 * @param {MapPicture} picture
 * @param {Record<string, unknown>} content
 * @param {Origin} origin
 * @returns {MapPicture}
 */
function withArrow(picture, content, origin) {
  const direction = String(content.direction).toLowerCase();
  const found = findRoom(picture, content.room);
  if (!found) return { ...picture, notes: [note("map.no_room", { room: String(content.room) })] };
  if (!DIRECTIONS.includes(direction)) return { ...picture, notes: [note("map.no_overlay")] };
  const { floorId } = found.floor;
  const room = found.room.name;
  const drawn = picture.arrows.some(
    (one) => one.floorId === floorId && one.room === room && one.direction === direction,
  );
  const arrow = { floorId, room, direction: /** @type {Direction} */ (direction), origin };
  return { ...picture, floorId, onEarth: false, arrows: drawn ? picture.arrows : [...picture.arrows, arrow] };
}

/**
 * Rooms highlighted by name alone: blue, on whichever floor has them, beside what the map command shows. They take the
 * place of the rooms that an earlier run named. The plan stays on a floor on which the same run drew something.
 * @param {MapPicture} picture
 * @param {unknown[]} names
 * @param {Origin} origin
 * @returns {MapPicture}
 */
function withRooms(picture, names, origin) {
  /** @type {Note[]} */
  const notes = [];
  const named = names.flatMap((name) => {
    const found = findRoom(picture, name);
    if (found) return readHighlight(found.floor, { name, color: BLUE }, origin, notes);
    notes.push(note("map.no_room", { room: String(name) }));
    return [];
  });
  const kept = picture.named.filter((one) => one.origin.runId === origin.runId && !named.some((other) => isSame(one, other)));
  const drawn = drawnOn(picture).some((one) => one.floorId === picture.floorId && one.origin.runId === origin.runId);
  const seen = drawn || named.some((one) => one.floorId === picture.floorId);
  const floorId = seen ? picture.floorId : (named[0]?.floorId ?? picture.floorId);
  const onEarth = picture.onEarth && (named.length === 0 || picture.points?.origin.runId === origin.runId);
  return { ...picture, floorId, onEarth, named: distinct([...kept, ...named]), notes };
}

/**
 * Looks on the shown floor first, then on the others in their order.
 * @param {MapPicture} picture
 * @param {unknown} name
 * @returns {{floor: Floor, room: Rectangle} | null}
 */
function findRoom(picture, name) {
  const shown = floorOf(picture);
  for (const floor of [...(shown ? [shown] : []), ...(picture.building?.floors ?? [])]) {
    const room = roomOf(floor, name);
    if (room) return { floor, room };
  }
  return null;
}
