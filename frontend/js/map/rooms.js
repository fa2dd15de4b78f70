// @ts-check
/** Rooms as outlines and grounds: the visible rooms, their outlines in few strokes, their paths. */

import { lineWidth, trace } from "./strokes.js";

/** @import { Size, View } from "./geometry.js" */
/** @import { Stage } from "./layers.js" */
/** @import { Plan } from "./plan.js" */

/** Rectangles per path: larger paths are slow, smaller ones are too many. */
const BATCH = 500;

/**
 * Last result, for the other layers of the same frame.
 *
 * @type {{plan: Plan | null, scale: number, left: number, top: number, width: number, height: number, rooms: number[]}}
 */
const last = { plan: null, scale: 0, left: 0, top: 0, width: 0, height: 0, rooms: [] };

/**
 * Return the visible rooms.
 *
 * @param {Plan} plan
 * @param {View} view
 * @param {Size} size
 * @returns {number[]} in order; the array belongs to this module and is reused
 */
export function roomsInSight(plan, { scale, left, top }, { width, height }) {
  if (
    last.plan === plan &&
    last.scale === scale &&
    last.left === left &&
    last.top === top &&
    last.width === width &&
    last.height === height
  )
    return last.rooms;
  Object.assign(last, { plan, scale, left, top, width, height });
  plan.grid.search(-left / scale, -top / scale, (width - left) / scale, (height - top) / scale, last.rooms);
  last.rooms.sort(ascending);
  return last.rooms;
}

/** @param {number} a @param {number} b */
function ascending(a, b) {
  return a - b;
}

/**
 * Stroke rectangular rooms, with edges on device pixels.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {Plan} plan
 * @param {number[]} rooms
 * @param {{width: number, inset: number, without?: Uint8Array}} line in CSS pixels; `inset`: from the room's edge to
 *   the outside of the line, negative for a line that is partly outside
 */
export function strokeRooms(ctx, { dpr, view }, plan, rooms, { width, inset, without }) {
  const { left, top, right, bottom, outlines } = plan;
  const line = Math.max(1, Math.round(width * dpr));
  const shift = Math.round(inset * dpr) + line / 2;
  const [scale, x, y] = [view.scale * dpr, view.left * dpr, view.top * dpr];
  ctx.save();
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.lineWidth = line;
  ctx.beginPath();
  let waiting = 0;
  for (const room of rooms) {
    if (without?.[room] || outlines[room]) continue;
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
 * Stroke polygonal rooms: the red line on both sides of the wall, or alone.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {Plan} plan
 * @param {number[]} rooms
 * @param {{wall: number, without: Uint8Array}} how
 */
export function strokeShapes(ctx, { dpr, view, palette }, plan, rooms, { wall, without }) {
  const shapes = rooms.flatMap((room) => {
    const outline = plan.outlines[room];
    const plain = !without[room];
    return outline ? [outline, ...(plan.holes[room] ?? [])].map((ring) => ({ outline: ring, plain })) : [];
  });
  if (shapes.length === 0) return;
  const thin = lineWidth(dpr, 1);
  const stroke = (/** @type {string} */ colour, /** @type {number} */ width, /** @type {boolean} */ all) => {
    ctx.beginPath();
    for (const { outline, plain } of shapes) if (all || plain) trace(ctx, view, outline);
    ctx.lineJoin = "round";
    ctx.lineWidth = width;
    ctx.strokeStyle = colour;
    ctx.stroke();
  };
  stroke(palette.room, wall > 0 ? wall + 2 * thin : thin, false);
  if (wall > 0) stroke(palette.wall, wall, true);
}

/**
 * Fill corridors, stairs and other kinds.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {Plan} plan
 * @param {Record<string, string>} colours
 */
export function paintKinds(ctx, { view }, plan, colours) {
  for (const { at, kind } of plan.kinds) {
    const colour = colours[kind];
    if (!colour) continue;
    ctx.fillStyle = colour;
    ctx.beginPath();
    roomPath(ctx, view, plan, at);
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
