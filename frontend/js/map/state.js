// @ts-check
/**
 * How messages change what the map shows: `reduceMap(picture, message)` returns the next picture and never touches the page.
 *
 * The whole picture is rebuilt by replaying messages in order, so nothing here depends on when they arrive. Reading
 * untrusted fields is in map/reading.js, geometry in map/geometry.js, drawing in map/layer-*.js.
 */

import { readBuilding } from "./building.js";
import { withFrames, withMap } from "./commands.js";
import { withFrame } from "./frames.js";
import { withArrow, withRooms } from "./named.js";
import { floorOf, NOTHING } from "./picture.js";
import { list, record } from "./reading.js";
import { readSource } from "./source.js";

/** @typedef {import("./picture.js").MapPicture} MapPicture */
/** @typedef {import("./picture.js").PlacedArrow} PlacedArrow */
/** @import { AnyMessage } from "./picture.js" */
/** @import { Playback } from "./frames.js" */

export { drawnOn, emptyMap, floorOf, highlightsOf } from "./picture.js";

const COMMANDS = new Set(["map", "map_frames", "arrow", "highlight_room", "clear_arrows", "clear_map"]);

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
  const source = readSource(content.source);
  const origin = { seq: message.seq, runId: message.runId, ...(source && { source }) };
  switch (message.type) {
    case "map":
      return withMap(picture, picture.building, content, origin);
    case "map_frames":
      return withFrames(picture, picture.building, content, origin);
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
 * Another frame of the playback; without one nothing changes.
 * @param {MapPicture} picture
 * @param {number} at
 * @returns {MapPicture}
 */
export function showFrame(picture, at) {
  const playback = picture.playback && withFrame(picture.playback, at);
  return playback === picture.playback ? picture : { ...picture, playback };
}

/**
 * The same building sent again, after a reconnect, keeps what is drawn on its floors. On another one nothing of the old
 * one stays, whatever its floors are called: it was about other rooms.
 * @param {MapPicture} before
 * @param {unknown} content
 * @returns {MapPicture}
 */
function withBuilding(before, content) {
  const building = readBuilding(content);
  const another = before.building !== null && before.building.buildingId !== building.buildingId;
  const picture = another ? { ...before, ...NOTHING, floorId: null, arrows: [] } : before;
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
    routes: picture.routes.filter(({ legs }) => legs.every(stays)),
    playback: picture.playback && withFloors(picture.playback, stays),
    arrows: picture.arrows.filter(stays),
    early: [],
  };
  return picture.early.reduce(reduceMap, next);
}

/**
 * @param {Playback} playback
 * @param {(thing: {floorId: string | null}) => boolean} stays
 * @returns {Playback | null} null when its floor is gone
 */
function withFloors(playback, stays) {
  if (!stays(playback)) return null;
  return { ...playback, frames: playback.frames.map(({ time, highlights }) => ({ time, highlights: highlights.filter(stays) })) };
}
