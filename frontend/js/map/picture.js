// @ts-check
/** Content of the map, as a plain value, and queries on it. Pure; map/state.js has its changes. */

import { currentRooms } from "./frames.js";
import { NO_LIVE } from "./live.js";

/** @import { Closure, Scenario, Direction, Floor, LegendOverlay, MapDefinitionContent, Message } from "../types.js" */
/** @import { Playback } from "./frames.js" */
/** @import { Live } from "./live.js" */
/** @import { AgentLayer } from "./agents.js" */
/** @import { PointSet } from "./points.js" */
/** @import { Highlight, Note, PlacedOverlay } from "./drawings.js" */
/** @import { Origin } from "../core/routes.js" */
/** @import { PlacedRoute } from "../core/routes.js" */

/** @typedef {{floorId: string, room: string, direction: Direction, origin: Origin}} PlacedArrow */
/**
 * @typedef {object} MapPicture
 * @property {MapDefinitionContent | null} building
 * @property {string | null} floorId the shown floor
 * @property {boolean} onEarth whether the points by latitude and longitude are shown instead of the plan
 * @property {Highlight[]} highlights of the last map command
 * @property {Highlight[]} named rooms that an answer named, highlighted in addition to the map command
 * @property {PointSet | null} points of the last map command, if it had points
 * @property {PlacedOverlay[]} overlays
 * @property {PlacedRoute[]} routes of the last map command
 * @property {LegendOverlay | null} legend of the last map command
 * @property {Playback | null} playback rooms over time, instead of a map command's highlights
 * @property {PlacedArrow[]} arrows
 * @property {Closure[]} closures closed parts of the building
 * @property {readonly Scenario[]} scenarios named sets of closures
 * @property {Live} live layers of values that arrive over time
 * @property {Note[]} notes parts of the last command that the building does not have
 * @property {AgentLayer[]} layers drawing of each agent, the latest at the end; the fields above combine the visible ones
 * @property {string} agent the agent that answers now
 * @property {{message: Message, agent: string}[]} early map messages that arrived before the building
 */

/**
 * Fields that a map command replaces.
 *
 * @type {Pick<MapPicture, "highlights" | "named" | "overlays" | "routes" | "legend" | "playback" | "points" | "onEarth"
 *   | "notes">}
 */
export const EMPTY_DRAWING = {
  highlights: [],
  named: [],
  overlays: [],
  routes: [],
  legend: null,
  playback: null,
  points: null,
  onEarth: false,
  notes: [],
};

/** @type {MapPicture} */
export const emptyMap = Object.freeze({
  building: null,
  floorId: null,
  onEarth: false,
  highlights: [],
  named: [],
  points: null,
  overlays: [],
  routes: [],
  legend: null,
  playback: null,
  arrows: [],
  closures: [],
  scenarios: [],
  live: NO_LIVE,
  notes: [],
  layers: [],
  agent: "",
  early: [],
});

/**
 * Return all highlighted rooms: those of the map command, named rooms that it does not contain, and the rooms of the
 * visible live layer. Marks without a legend lie over the layer; colours of another legend are hidden by it.
 *
 * @param {MapPicture} picture
 * @returns {Highlight[]}
 */
export function highlightsOf(picture) {
  const { live, legend, playback } = picture;
  const drawn = drawnRooms(picture);
  if (!live.painted || live.highlights.length === 0) return drawn;
  return drawn.length === 0 || legend || playback
    ? live.highlights
    : [...exceptRooms(live.highlights, drawn), ...drawn];
}

/** @param {MapPicture} picture @returns {Highlight[]} */
function drawnRooms({ highlights, playback, named }) {
  const frame = playback ? currentRooms(playback) : highlights;
  const fromAnswer = playback ? exceptRooms(highlights, frame) : []; // marks of another agent
  const combined = fromAnswer.length === 0 ? frame : [...fromAnswer, ...frame];
  return named.length === 0 ? combined : [...combined, ...exceptRooms(named, combined)];
}

/** Remove duplicate rooms. @param {Highlight[]} all @returns {Highlight[]} each room once, as it came first */
export function uniqueRooms(all) {
  /** @type {Map<string, Highlight>} */
  const rooms = new Map();
  for (const highlight of all) if (!rooms.has(keyOf(highlight))) rooms.set(keyOf(highlight), highlight);
  return [...rooms.values()];
}

/** Remove rooms. @param {Highlight[]} rooms @param {Highlight[]} others @returns {Highlight[]} */
export function exceptRooms(rooms, others) {
  const keys = new Set(others.map(keyOf));
  return rooms.filter((highlight) => !keys.has(keyOf(highlight)));
}

/** @param {Highlight} highlight */
const keyOf = ({ floorId, room }) => `${floorId}\n${room}`;

/**
 * Return everything drawn on floors; points on the earth have no floor.
 *
 * @param {MapPicture} picture
 * @returns {{floorId: string | null, origin: Origin, room: string | null}[]}
 */
export function drawnOn(picture) {
  const points = picture.points?.kind === "plan" ? [{ ...picture.points, room: null }] : [];
  const overlays = picture.overlays.map((overlay) => ({
    ...overlay,
    room: overlay.position.type === "rectangle" ? overlay.position.name : null,
  }));
  const legs = picture.routes.flatMap(({ legs, origin }) =>
    legs.map(({ floorId }) => ({ floorId, origin, room: null })),
  );
  return [...highlightsOf(picture), ...overlays, ...points, ...legs, ...picture.arrows];
}

/**
 * Return the legend of the visible colours: on every floor with coloured rooms, and on the floor of the map command.
 *
 * @param {MapPicture} picture
 * @returns {LegendOverlay | null}
 */
export function legendOf({ legend, highlights, playback, floorId, onEarth, live }) {
  if (live.painted && live.legend && !onEarth) return live.legend;
  const current = playback ? playback.legend : legend;
  if (!current || onEarth) return null;
  const lists = playback ? playback.frames.map((frame) => frame.highlights) : [highlights];
  return playback?.floorId === floorId ||
    lists.some((rooms) => rooms.some((highlight) => highlight.floorId === floorId))
    ? current
    : null;
}

/**
 * Return a floor.
 *
 * @param {MapPicture} picture
 * @param {string | null} [floorId] the shown floor by default
 * @returns {Floor | null}
 */
export function floorOf(picture, floorId = picture.floorId) {
  return picture.building?.floors.find((floor) => floor.floorId === floorId) ?? null;
}
