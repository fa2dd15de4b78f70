// @ts-check
/** Rooms as outlines and grounds: the visible rooms, their outlines in few strokes, their paths. */

import { trace } from "./strokes.js";

/** @import { Box, Size, View } from "./geometry.js" */
/** @import { Stage } from "./layers.js" */
/** @import { Plan } from "./plan.js" */
/** Rooms by the detail they are drawn with. @typedef {{merged: number[], boxes: number[], shapes: number[]}} Detail */

/** Rectangles or rings per path: larger paths are slow, smaller ones are too many. */
const BATCH = 500;
/** CSS pixels of a room's longer side below which it has no outline, and below which a polygon is drawn as its box. */
const MERGED = 4;
const BOX = 8;
/** CSS pixels of a cell of merged rooms, and their opacity on the plan. */
const CELL = 3;
export const FAINT = 0.35;

/** Last result, for the other layers of the same frame; `place`: view and sight. @type {{plan: Plan | null, place: number[], rooms: number[]}} */
const last = { plan: null, place: [], rooms: [] };

/**
 * Return the visible rooms.
 *
 * @param {Plan} plan
 * @param {{view: View, sight: Box}} stage
 * @returns {number[]} in order; the array belongs to this module and is reused
 */
export function roomsInSight(plan, { view, sight }) {
  const { scale, left, top } = view;
  // by numbers: every layer has a sight of its own
  const place = [scale, left, top, sight.left, sight.top, sight.width, sight.height];
  if (last.plan === plan && place.every((number, at) => number === last.place[at])) return last.rooms;
  const [west, north] = [(sight.left - left) / scale, (sight.top - top) / scale];
  plan.grid.search(west, north, west + sight.width / scale, north + sight.height / scale, last.rooms);
  last.rooms = Array.from(Uint32Array.from(last.rooms).sort());
  Object.assign(last, { plan, place });
  return last.rooms;
}

/**
 * Estimate the corners of the visible rooms by the share of the plan that is visible.
 *
 * @param {Plan} plan
 * @param {{view: View, size: Size}} stage
 */
export function cornersInSight({ corners, grid }, { view, size }) {
  const area = grid.cellWide * grid.columns * grid.cellHigh * grid.rows;
  return corners * Math.min(1, (size.width * size.height) / view.scale ** 2 / area);
}

/**
 * Divide rooms by their size on the screen: the smallest are merged, polygons of a few pixels are boxes.
 *
 * @param {Plan} plan
 * @param {number[]} rooms
 * @param {number} scale
 * @param {Uint8Array} [without]
 * @returns {Detail}
 */
export function detailOf({ longSide, outlines }, rooms, scale, without) {
  /** @type {Detail} */
  const detail = { merged: [], boxes: [], shapes: [] };
  const [merged, box] = [MERGED / scale, BOX / scale];
  for (const room of rooms) {
    if (without?.[room]) continue;
    const side = longSide[room] ?? 0;
    if (side < merged) detail.merged.push(room);
    else (outlines[room] && side >= box ? detail.shapes : detail.boxes).push(room);
  }
  return detail;
}

/**
 * Fill rooms that are too small for outlines, if there are any: the cells of their middles, so that a picture of any number of rooms has
 * at most as many parts as the pane has cells. The grid moves with the plan.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {{dpr: number, view: View, sight: Box}} stage
 * @param {Plan} plan
 * @param {number[]} rooms
 * @param {(room: number) => string} colourOf
 */
export function fillMerged(ctx, { dpr, view, sight }, { left, top, right, bottom }, rooms, colourOf) {
  if (rooms.length === 0) return;
  const [west, north] = [cellAt(sight.left - view.left), cellAt(sight.top - view.top)];
  const across = Math.ceil(sight.width / CELL) + 2;
  const down = Math.ceil(sight.height / CELL) + 2;
  const cells = new Uint32Array(across * down);
  for (const room of rooms) {
    const column = cellAt((((left[room] ?? 0) + (right[room] ?? 0)) / 2) * view.scale) - west;
    const row = cellAt((((top[room] ?? 0) + (bottom[room] ?? 0)) / 2) * view.scale) - north;
    if (column >= 0 && row >= 0 && column < across && row < down) cells[row * across + column] = room + 1;
  }
  const x = (/** @type {number} */ column) => view.left + Math.round((west + column) * CELL * dpr) / dpr;
  const y = (/** @type {number} */ row) => view.top + Math.round((north + row) * CELL * dpr) / dpr;
  const colour = (/** @type {number} */ cell) => (cells[cell] ? colourOf((cells[cell] ?? 0) - 1) : "");
  for (let row = 0; row < down; row += 1) {
    for (let start = 0, end = 0; start < across; start = end) {
      const fill = colour(row * across + start);
      for (end = start + 1; end < across && colour(row * across + end) === fill;) end += 1;
      if (fill === "") continue;
      ctx.fillStyle = fill;
      ctx.fillRect(x(start), y(row), x(end) - x(start), y(row + 1) - y(row));
    }
  }
}

/** @param {number} at CSS pixels from the plan's corner */
function cellAt(at) {
  return Math.floor(at / CELL);
}

/**
 * Stroke the boxes of rooms, with edges on device pixels.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {Plan} plan
 * @param {number[]} rooms
 * @param {{width: number, inset: number}} line in CSS pixels; `inset`: from the room's edge to
 *   the outside of the line, negative for a line that is partly outside
 */
export function strokeRooms(ctx, { dpr, view }, plan, rooms, { width, inset }) {
  const { left, top, right, bottom } = plan;
  const line = Math.max(1, Math.round(width * dpr));
  const shift = Math.round(inset * dpr) + line / 2;
  const [scale, x, y] = [view.scale * dpr, view.left * dpr, view.top * dpr];
  ctx.save();
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.lineWidth = line;
  ctx.beginPath();
  let waiting = 0;
  for (const room of rooms) {
    const west = Math.round((left[room] ?? 0) * scale + x) + shift;
    const north = Math.round((top[room] ?? 0) * scale + y) + shift;
    const wide = Math.round((right[room] ?? 0) * scale + x) - shift - west;
    const high = Math.round((bottom[room] ?? 0) * scale + y) - shift - north;
    ctx.rect(west, north, Math.max(0, wide), Math.max(0, high));
    if ((waiting += 1) < BATCH) continue;
    ctx.stroke();
    ctx.beginPath();
    waiting = 0;
  }
  if (waiting > 0) ctx.stroke();
  ctx.restore();
}

/**
 * Stroke the outlines of polygonal rooms and their holes.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {View} view
 * @param {Plan} plan
 * @param {number[]} rooms
 */
export function strokeShapes(ctx, view, { outlines, holes }, rooms) {
  ctx.lineJoin = "round";
  for (let start = 0; start < rooms.length; start += BATCH) {
    ctx.beginPath();
    for (const room of rooms.slice(start, start + BATCH))
      for (const ring of [outlines[room], ...(holes[room] ?? [])]) if (ring) trace(ctx, view, ring);
    ctx.stroke();
  }
}

/**
 * Fill corridors, stairs and other kinds.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {Plan} plan
 * @param {number[]} rooms
 */
export function paintKinds(ctx, { view, palette }, plan, rooms) {
  for (const room of rooms) {
    const colour = palette.kinds[plan.floor.rectangles[room]?.kind ?? ""];
    if (!colour) continue;
    ctx.fillStyle = colour;
    ctx.beginPath();
    roomPath(ctx, view, plan, room);
    ctx.fill();
  }
}

/**
 * Add a room to the current path.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {View} view
 * @param {Plan} plan
 * @param {number} room
 */
export function roomPath(ctx, view, plan, room) {
  const outline = plan.outlines[room];
  for (const hole of plan.holes[room] ?? []) trace(ctx, view, hole);
  if (outline) return trace(ctx, view, outline);
  const { left, top, width, height } = plan.box(room);
  return ctx.rect(
    view.left + left * view.scale,
    view.top + top * view.scale,
    width * view.scale,
    height * view.scale,
  );
}
