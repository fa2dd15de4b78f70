// @ts-check
/**
 * Layers of the agents. Each agent draws in its own layer; commands of other agents do not change it, and a clearing
 * command clears that layer. The picture combines all visible layers, with the agent that drew last on top. Pure.
 */

import { EMPTY_DRAWING } from "./picture.js";

/** @import { MapPicture } from "./picture.js" */
/**
 * @typedef {Pick<MapPicture, "highlights" | "named" | "overlays" | "routes" | "legend" | "playback" | "points" |
 *   "arrows">} Drawing
 */
/**
 * `number` distinguishes a layer without colour; `agent` is "" if the log does not name the agent.
 *
 * @typedef {{agent: string, number: number, visible: boolean, drawing: Drawing}} AgentLayer
 */

const { onEarth: _, notes: __, ...CLEAR } = EMPTY_DRAWING;
/** @type {Drawing} */
const EMPTY = { ...CLEAR, arrows: [] };

/** @param {MapPicture} picture @returns {Drawing} */
const drawingOf = ({ highlights, named, overlays, routes, legend, playback, points, arrows }) => ({
  highlights,
  named,
  overlays,
  routes,
  legend,
  playback,
  points,
  arrows,
});

/** @param {Drawing} drawing */
const isEmpty = ({ highlights, named, overlays, routes, legend, playback, points, arrows }) =>
  [highlights, named, overlays, routes, arrows].every((list) => list.length === 0) &&
  !legend &&
  !playback &&
  !points;

/**
 * Apply a command of an agent to its own layer.
 *
 * @param {MapPicture} picture
 * @param {string} agent
 * @param {(alone: MapPicture) => MapPicture} draw
 * @returns {MapPicture} the same picture if nothing changed
 */
export function drawnBy(picture, agent, draw) {
  const agentLayer = picture.layers.find((layer) => layer.agent === agent);
  const alone = { ...picture, ...(agentLayer?.drawing ?? EMPTY) };
  const after = draw(alone);
  if (after === alone) return picture;
  const drawing = drawingOf(after);
  const otherLayers = picture.layers.filter((layer) => layer !== agentLayer);
  const number = agentLayer?.number ?? free(otherLayers);
  return withLayers(
    after,
    isEmpty(drawing) ? otherLayers : [...otherLayers, { agent, number, visible: true, drawing }],
  );
}

/** Return the lowest unused number. @param {AgentLayer[]} layers @returns {number} */
function free(layers) {
  const used = new Set(layers.map(({ number }) => number));
  let number = 1;
  while (used.has(number)) number += 1;
  return number;
}

/**
 * Set the layers and combine the visible ones. A single layer cannot be hidden.
 *
 * @param {MapPicture} picture
 * @param {AgentLayer[]} requested
 * @returns {MapPicture}
 */
function withLayers(picture, requested) {
  const [only] = requested;
  const layers = requested.length === 1 && only && !only.visible ? [{ ...only, visible: true }] : requested;
  return {
    ...picture,
    layers,
    ...combined(layers.filter(({ visible }) => visible).map(({ drawing }) => drawing)),
  };
}

/**
 * Apply a change to the drawing of each layer.
 *
 * @param {MapPicture} picture
 * @param {(drawing: Drawing) => Drawing} change
 * @returns {MapPicture}
 */
export const eachLayer = (picture, change) =>
  withLayers(
    picture,
    picture.layers
      .map((layer) => ({ ...layer, drawing: change(layer.drawing) }))
      .filter(({ drawing }) => !isEmpty(drawing)),
  );

/**
 * Show or hide a layer.
 *
 * @param {MapPicture} picture
 * @param {string} agent
 * @param {boolean} visible
 * @returns {MapPicture}
 */
export function showLayer(picture, agent, visible) {
  if (!picture.layers.some((layer) => layer.agent === agent && layer.visible !== visible)) return picture;
  return withLayers(
    picture,
    picture.layers.map((layer) => (layer.agent === agent ? { ...layer, visible } : layer)),
  );
}

/** Combine drawings, later ones on top. @param {Drawing[]} drawings @returns {Drawing} */
function combined(drawings) {
  const [first = EMPTY, ...more] = drawings;
  if (more.length === 0) return first; // a single layer is shown unchanged
  const all = [first, ...more];
  const top = (/** @type {"legend" | "playback" | "points"} */ key) =>
    all.findLast((drawing) => drawing[key] !== null)?.[key] ?? null;
  return /** @type {Drawing} */ ({
    highlights: lastOfEach(all.flatMap(({ highlights }) => highlights)),
    named: lastOfEach(all.flatMap(({ named }) => named)),
    overlays: all.flatMap(({ overlays }) => overlays),
    routes: all.flatMap(({ routes }) => routes),
    arrows: lastOfEach(all.flatMap(({ arrows }) => arrows)),
    legend: top("legend"),
    playback: top("playback"),
    points: top("points"),
  });
}

/**
 * Keep the last mark of each room or arrow.
 *
 * @template {{floorId: string, room: string, direction?: string}} T
 * @param {T[]} marks
 * @returns {T[]}
 */
function lastOfEach(marks) {
  return [
    ...new Map(
      marks.map((mark) => [JSON.stringify([mark.floorId, mark.room, mark.direction]), mark]),
    ).values(),
  ];
}

/**
 * Return the numbers of the visible layers that drew in each room of a floor, the top one last; empty with a single
 * layer.
 *
 * @param {MapPicture} picture
 * @param {string} floorId
 * @returns {Map<string, number[]>} by name of the room
 */
export function ownersOn({ layers }, floorId) {
  /** @type {Map<string, number[]>} */
  const owners = new Map();
  if (layers.length < 2) return owners;
  for (const { number, visible, drawing } of layers) {
    if (!visible) continue;
    const { highlights, named, playback, arrows } = drawing;
    const rooms = [
      ...highlights,
      ...named,
      ...(playback?.frames[playback.at]?.highlights ?? []),
      ...arrows,
    ].filter((mark) => mark.floorId === floorId);
    for (const room of new Set(rooms.map((mark) => mark.room)))
      owners.set(room, [...(owners.get(room) ?? []), number]);
  }
  return owners;
}
