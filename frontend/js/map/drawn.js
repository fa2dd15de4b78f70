// @ts-check
/**
 * Pictures of a chat's map without a page: the server runs this module in a JavaScript engine for exports and previews
 * (backend/smoldesk/export/page_map.py). The reducer, the layout and the layers are those of the map pane; the output
 * is SVG. It uses nothing of a browser, and no module that it imports does so when it is loaded.
 */

import { arrange } from "./arrangement.js";
import { CharRuler, measureText } from "./char-widths.js";
import { earthOf, earthSheet } from "./degrees.js";
import { floorsInOrder } from "./floors.js";
import { sheetBox } from "./geometry.js";
import { paintLayers, sightOf } from "./layers.js";
import { paletteOf } from "./palette.js";
import { layoutRoutes } from "./route-layout.js";
import { sceneOf } from "./scene.js";
import { emptyMap, drawnOn, floorOf, legendOf } from "./picture.js";
import { reduceMap, showFloor, showFrame } from "./state.js";
import { paintStrip, stripHeight } from "./strip.js";
import { countIdsFrom, SvgCanvas, SvgContext } from "./svg.js";

/** @import { Closure, MapDefinitionContent, Message } from "../types.js" */
/** @import { Box, View } from "./geometry.js" */
/** @import { Stage } from "./layers.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { LayerScene } from "./renderer.js" */
/** Image as a data URL. @typedef {{href: string, naturalWidth: number, naturalHeight: number}} DataImage */
/**
 * @typedef {object} DrawnMap
 * @property {MapDefinitionContent} building
 * @property {{message: Message, agent: string, floorId: string}[]} commands with the floor shown before each
 * @property {string | null} floorId the floor to show first; null for the one that was drawn on
 * @property {Closure[]} closures closed parts of the building
 * @property {boolean} all whether other floors with drawings follow
 * @property {[number, number, number, number] | null} view visible part of the floor: left, top, width, height in pixels
 * @property {Record<string, DataImage>} images of floors, by name
 * @property {Record<string, DataImage>} bitmaps by file
 * @property {string} missing text for rooms without a value, with {n}
 * @property {string} unnamed text for an agent without a name
 */

/** Size within which a plan is drawn, in CSS pixels: the width of a document. */
const MOST = { width: 860, height: 900 };
const DPR = 4;
const FAMILY =
  'system-ui, "Segoe UI", "Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", Meiryo, sans-serif';
const EARTH = "points";

/**
 * Draw a map.
 *
 * @param {DrawnMap} map
 * @returns {{floorId: string, svg: string}[]} floors with drawings, the shown one first; "points" has no floor
 */
export function pictures(map) {
  const picture = pictureOf(map);
  const shown = [picture, ...(map.all ? otherFloors(picture) : [])];
  return shown.map((one) => ({
    floorId: one.onEarth ? EARTH : (one.floorId ?? ""),
    svg: svgOf(one, map),
  }));
}

/** Replay the commands. @param {DrawnMap} map @returns {MapPicture} */
function pictureOf({ building, commands, floorId, closures }) {
  const definition = /** @type {Message} */ (
    /** @type {unknown} */ ({ type: "map_definition", content: building })
  );
  const end = commands.reduce(
    (picture, { message, agent, floorId: before }) => reduceMap(showFloor(picture, before), message, agent),
    reduceMap(emptyMap, definition),
  );
  const last = { ...showFrame(end, Infinity), closures }; // an animation ends at its last frame
  return floorId === null ? last : showFloor(last, floorId);
}

/** @param {MapPicture} picture @returns {MapPicture[]} */
function otherFloors(picture) {
  const drawn = new Set(drawnOn(picture).map(({ floorId }) => floorId));
  return floorsInOrder(picture.building)
    .filter(({ floorId }) => drawn.has(floorId) && (picture.onEarth || floorId !== picture.floorId))
    .map(({ floorId }) => showFloor(picture, floorId));
}

/** @param {MapPicture} picture @param {DrawnMap} map @returns {string} */
function svgOf(picture, map) {
  const floor = picture.onEarth ? null : floorOf(picture);
  const earth = picture.onEarth && picture.points ? earthOf(picture.points.points) : null;
  const image = (floor?.floorImage && map.images[floor.floorImage]) || null;
  const sheet = earth ? earthSheet(earth) : floor ? sheetOf(sheetBox(floor), image) : { ...EMPTY };
  const box = visiblePart(sheet, picture.onEarth ? null : map.view);
  const scale = Math.min(MOST.width / box.width, MOST.height / box.height);
  const plan = { width: Math.round(box.width * scale), height: Math.round(box.height * scale) };
  const view = { scale, left: -box.left * scale, top: -box.top * scale };
  const legend = legendOf(picture);
  const agents = picture.layers.length > 1 ? picture.layers.toSorted((a, b) => a.number - b.number) : [];
  const strip = stripHeight(legend, agents);
  const stage = stageOf(plan, view);
  const size = { width: plan.width, height: plan.height + strip };
  const ctx = new SvgContext(size, DPR, { measure: /** @type {any} */ (new CharRuler()), hrefOf });
  const canvas = /** @type {CanvasRenderingContext2D} */ (/** @type {unknown} */ (ctx));
  paintLayers(canvas, stage, {
    ...sceneFor(picture, stage, map),
    earth,
    sheet,
    image: /** @type {any} */ (image),
  });
  if (strip > 0) {
    ctx.setTransform(DPR, 0, 0, DPR, 0, 0);
    canvas.fillStyle = stage.palette.paper;
    canvas.fillRect(0, plan.height, size.width, strip);
    const words = {
      missing: (/** @type {number} */ n) => map.missing.replace("{n}", numeral(n)),
      unnamed: map.unnamed,
      number: numeral,
    };
    paintStrip(canvas, stage, { top: plan.height, legend, agents, words });
  }
  return ctx.document(floor ? floor.floorId : EARTH).replace(/^<\?xml[^>]*\?>\n/, "");
}

/** @type {Box} */
const EMPTY = { left: 0, top: 0, width: 1, height: 1 };

/** @param {Box} sheet @param {DataImage | null} image @returns {Box} */
function sheetOf(sheet, image) {
  if (!image) return sheet;
  const { naturalWidth, naturalHeight } = image;
  return {
    ...sheet,
    width: Math.max(sheet.width, naturalWidth),
    height: Math.max(sheet.height, naturalHeight),
  };
}

/** @param {Box} sheet @param {DrawnMap["view"]} view @returns {Box} the whole sheet if the view lies outside */
function visiblePart(sheet, view) {
  if (!view) return sheet;
  const [left, top] = [Math.max(sheet.left, view[0]), Math.max(sheet.top, view[1])];
  const width = Math.min(sheet.left + sheet.width, view[0] + view[2]) - left;
  const height = Math.min(sheet.top + sheet.height, view[1] + view[3]) - top;
  return width < 1 || height < 1 ? sheet : { left, top, width, height };
}

/** @param {{width: number, height: number}} size @param {View} view @returns {Stage} */
function stageOf(size, view) {
  const palette = paletteOf("light", true, { ground: "#fdfcf9", accent: "#3567d6", family: FAMILY });
  const sight = sightOf({ left: 0, top: 0, ...size });
  return { size, sight, dpr: DPR, view, fit: view, palette, measure: measureText, language: "en" };
}

/**
 * @param {MapPicture} picture
 * @param {Stage} stage
 * @param {DrawnMap} map
 * @returns {Omit<LayerScene, "earth" | "sheet" | "image">}
 */
function sceneFor(picture, stage, { bitmaps }) {
  const floor = sceneOf(picture, null);
  const bitmap = (/** @type {string} */ id) => {
    const file = picture.building?.bitmaps.find(({ bitmapId }) => bitmapId === id)?.bitmapFile;
    return /** @type {any} */ ((file && bitmaps[file]) || null);
  };
  const nameOf = (/** @type {string} */ floorId) => floorId;
  const layout = floor
    ? layoutRoutes(picture.routes, floor.floor, stage.view, stage.measure, nameOf)
    : { lines: [], ends: [], badges: [] };
  return {
    floor,
    arrangement: floor && arrange(floor, stage, null),
    points: picture.points,
    fade: 1,
    bitmap,
    arrivals: 0,
    ghost: null,
    hover: null,
    lit: new Set(),
    route: { layout, progress: 1, lit: null },
  };
}

/** @param {any} image */
const hrefOf = (image) => image.href;

/** Format a number with separated thousands. @param {number} value */
function numeral(value) {
  const [units = "", decimals] = String(value).split(".");
  const separated = units.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return decimals === undefined ? separated : `${separated}.${decimals}`;
}

/**
 * Prepare an engine for the layers, which draw some small pictures ahead.
 *
 * @param {Record<string, unknown>} engine the global object
 * @param {number} id number that no other drawing of the document has
 */
export function equip(engine, id) {
  engine.OffscreenCanvas = SvgCanvas;
  countIdsFrom(id * 1000);
}
