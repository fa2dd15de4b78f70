// @ts-check
/**
 * Reducer of the map: `reduceMap(picture, message)` returns the next picture and has no side effects.
 *
 * The whole picture is rebuilt by replaying messages in order, so nothing here may depend on the time of arrival.
 * map/commands.js and map/drawings.js apply commands; geometry is in map/geometry.js, painting in map/layer-*.js.
 */

import { withFrames, withMap } from "./commands.js";
import { drawnBy, eachLayer } from "./agents.js";
import { withFrame } from "./frames.js";
import { NO_LIVE, withLiveFrame, withLayer, withValues } from "./live.js";
import { withArrow, withRooms } from "./named.js";
import { drawnOn, floorOf, EMPTY_DRAWING } from "./picture.js";

export { showLayer } from "./agents.js";

/** @typedef {import("./picture.js").MapPicture} MapPicture */
/** @typedef {import("./picture.js").PlacedArrow} PlacedArrow */
/** @import { Message, MapDefinitionContent } from "../types.js" */
/** @import { Playback } from "./frames.js" */

export { drawnOn, emptyMap, floorOf, highlightsOf } from "./picture.js";

/**
 * Return the picture after a server message; the same object if the message does not concern the map.
 *
 * @param {MapPicture} picture
 * @param {Message} message
 * @param {string} [agent] the agent that draws: the chat's, unless the message names another
 * @returns {MapPicture}
 */
export function reduceMap(picture, message, agent = picture.agent) {
  switch (message.type) {
    case "run": {
      const { agent: answering } = message.content;
      return answering === undefined || answering === picture.agent
        ? picture
        : { ...picture, agent: answering };
    }
    case "map_definition":
      return withBuilding(picture, message.content);
    case "closures":
      return { ...picture, ...message.content };
    case "layers":
      return { ...picture, live: { ...picture.live, layers: message.content.layers, listed: true } };
    case "layer_shown":
      return {
        ...picture,
        live: withLayer(picture.live, message.content, { seq: message.seq, runId: message.runId }),
      };
    case "layer_values":
      return withLive(picture, withValues(picture.live, message.content));
    case "map":
    case "map_frames":
    case "arrow":
    case "highlight_room":
    case "clear_arrows":
    case "clear_map":
      return picture.building
        ? drawnIn(picture, picture.building, message, agent)
        : { ...picture, early: [...picture.early, { message, agent }] };
    default:
      return picture;
  }
}

/**
 * @param {MapPicture} picture
 * @param {MapDefinitionContent} building
 * @param {Parameters<typeof drawn>[2]} message
 * @param {string} agent
 * @returns {MapPicture}
 */
function drawnIn(picture, building, message, agent) {
  // without a run it was sent by a person
  if (message.type === "clear_arrows" && message.runId === undefined) return withoutDrawings(picture);
  const next = drawnBy(picture, agent, (alone) => drawn(alone, building, message));
  return next !== picture && hasColours(message) ? covered(next) : next;
}

/** Check whether a drawing has colours of its own, or removes them. @param {Message} message */
function hasColours({ type, content }) {
  if (type === "map_frames" || type === "clear_map") return true;
  return (
    type === "map" && "overlays" in content && content.overlays.some((overlay) => overlay.type === "legend")
  );
}

/** Hide the colours of the live layer. @param {MapPicture} picture @returns {MapPicture} */
const covered = (picture) => withLive(picture, { ...picture.live, painted: false });

/** @param {MapPicture} picture @param {MapPicture["live"]} live @returns {MapPicture} */
const withLive = (picture, live) => (live === picture.live ? picture : { ...picture, live });

/**
 * @param {MapPicture} picture
 * @param {MapDefinitionContent} building
 * @param {Extract<Message, { type: "map" | "map_frames" | "arrow" | "highlight_room" | "clear_arrows" | "clear_map" }>}
 *   message
 * @returns {MapPicture}
 */
function drawn(picture, building, message) {
  const source = "source" in message.content ? message.content.source : undefined;
  const origin = { seq: message.seq, runId: message.runId, ...(source && { source }) };
  switch (message.type) {
    case "map":
      return withMap(picture, building, message.content, origin);
    case "map_frames":
      return withFrames(picture, building, message.content, origin);
    case "arrow":
      return withArrow(picture, message.content, origin);
    case "highlight_room":
      return withRooms(picture, message.content.rooms, origin);
    case "clear_arrows":
      return { ...picture, arrows: [] };
    case "clear_map":
      return withoutDrawings(picture);
  }
}

/** Remove all drawings; the floor stays. @param {MapPicture} picture @returns {MapPicture} */
export function withoutDrawings(picture) {
  return isDrawnOn(picture) || picture.layers.length > 0
    ? covered({ ...picture, ...EMPTY_DRAWING, arrows: [], layers: [] })
    : picture;
}

/** Check whether there are drawings. @param {MapPicture} picture */
export function isDrawnOn(picture) {
  const { arrows, highlights, named, overlays, routes, notes, playback, points, legend, live } = picture;
  return (
    [arrows, highlights, named, overlays, routes, notes].some((list) => list.length > 0) ||
    playback !== null ||
    points !== null ||
    live.painted ||
    legend !== null
  );
}

/**
 * Show the floor that the person picked; an unknown one changes nothing.
 *
 * @param {MapPicture} picture
 * @param {string} floorId
 * @returns {MapPicture}
 */
export function showFloor(picture, floorId) {
  const isCurrent = picture.floorId === floorId && !picture.onEarth;
  return isCurrent || !floorOf(picture, floorId) ? picture : { ...picture, floorId, onEarth: false };
}

/**
 * Show the points by latitude and longitude; without any, nothing changes.
 *
 * @param {MapPicture} picture
 * @returns {MapPicture}
 */
export function showEarth(picture) {
  return picture.onEarth || picture.points?.kind !== "earth" ? picture : { ...picture, onEarth: true };
}

/**
 * Show the floor of a message's drawing, or the points on the earth; without a drawing, nothing changes.
 *
 * @param {MapPicture} picture
 * @param {number} seq
 * @returns {MapPicture}
 */
export function showDrawing(picture, seq) {
  if (picture.points?.kind === "earth" && picture.points.origin.seq === seq) return showEarth(picture);
  const drawn = drawnOn(picture).filter(({ origin }) => origin.seq === seq);
  const here = !picture.onEarth && drawn.some(({ floorId }) => floorId === picture.floorId);
  return drawn[0]?.floorId && !here ? showFloor(picture, drawn[0].floorId) : picture;
}

/**
 * Show another frame of the playback, if there is one.
 *
 * @param {MapPicture} picture
 * @param {number} at
 * @returns {MapPicture}
 */
export function showFrame(picture, at) {
  const { playback, live } = picture;
  if (live.painted && live.frames.length > 0) return withLive(picture, withLiveFrame(live, at));
  const next = playback && withFrame(playback, at);
  if (next === playback) return picture;
  const layers = picture.layers.map((layer) =>
    layer.drawing.playback === playback ? { ...layer, drawing: { ...layer.drawing, playback: next } } : layer,
  );
  return { ...picture, playback: next, layers };
}

/**
 * Set the building. The same one, sent again after a reconnect, keeps its drawings. Another one drops them, even if
 * floors share names, because the drawings were about other rooms.
 *
 * @param {MapPicture} before
 * @param {MapDefinitionContent} building
 * @returns {MapPicture}
 */
function withBuilding(before, building) {
  const isReplaced = before.building !== null && before.building.buildingId !== building.buildingId;
  const picture = isReplaced
    ? {
        ...before,
        ...EMPTY_DRAWING,
        floorId: null,
        arrows: [],
        closures: [],
        scenarios: [],
        live: NO_LIVE,
        layers: [],
      }
    : before;
  /** @param {{floorId: string | null}} thing */
  const stays = ({ floorId }) => building.floors.some((floor) => floor.floorId === floorId);
  const floorId = stays(picture) ? picture.floorId : (building.floors[0]?.floorId ?? null);
  const next = eachLayer(
    { ...picture, building, floorId, early: [] },
    ({ highlights, named, points, overlays, routes, legend, playback, arrows }) => ({
      legend,
      highlights: highlights.filter(stays),
      named: named.filter(stays),
      points: points && (points.kind === "earth" || stays(points)) ? points : null,
      overlays: overlays.filter(stays),
      routes: routes.filter(({ legs }) => legs.every(stays)),
      playback: playback && withFloors(playback, stays),
      arrows: arrows.filter(stays),
    }),
  );
  return picture.early.reduce((drawn, { message, agent }) => reduceMap(drawn, message, agent), next);
}

/**
 * Keep the frames whose floor still exists.
 *
 * @param {Playback} playback
 * @param {(item: {floorId: string | null}) => boolean} stays
 * @returns {Playback | null} null if its floor is gone
 */
function withFloors(playback, stays) {
  if (!stays(playback)) return null;
  return {
    ...playback,
    frames: playback.frames.map(({ time, highlights }) => ({ time, highlights: highlights.filter(stays) })),
  };
}
