// @ts-check
/**
 * Hatching of rooms by the parts of diagonal lines that are inside them. A clip by the outlines of all hatched rooms is
 * slow. The lines are fixed to the plan, so that moved pixels fit.
 */

/** @import { Box, View } from "./geometry.js" */
/** @import { Plan } from "./plan.js" */
/** In CSS pixels. @typedef {[fromX: number, fromY: number, toX: number, toY: number]} Segment */

/** Sum of x and y between two lines, in CSS pixels. */
const SPACING = 9;
/** Lines per path: larger paths are slow. */
const BATCH = 500;

/**
 * Add the lines of a room that are in sight.
 *
 * @param {Segment[]} lines
 * @param {{view: View, sight: Box}} stage
 * @param {Plan} plan
 * @param {number} room
 */
export function addHatch(lines, { view, sight }, plan, room) {
  const { left, top, scale } = view;
  const start = sight.left + sight.top - left - top;
  const [from, to] = [start, start + sight.width + sight.height].map((sum) => Math.floor(sum / SPACING));
  /** x of the room's edges on each line. @type {Map<number, number[]>} */
  const crossings = new Map();
  for (const ring of ringsOf(plan, room))
    for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2) {
      const [x, y] = [(ring[before] ?? 0) * scale, (ring[before + 1] ?? 0) * scale];
      const [wide, high] = [(ring[at] ?? 0) * scale - x, (ring[at + 1] ?? 0) * scale - y];
      const sums = [(x + y) / SPACING, (x + y + wide + high) / SPACING];
      // the upper end belongs to the next edge, so that a corner counts once
      const last = Math.min(to + 1, Math.ceil(Math.max(...sums)) - 1);
      for (let line = Math.max(from, Math.ceil(Math.min(...sums))); line <= last; line += 1) {
        const across = x + ((line * SPACING - x - y) / (wide + high)) * wide;
        const cuts = crossings.get(line);
        if (cuts) cuts.push(across);
        else crossings.set(line, [across]);
      }
    }
  for (const [line, cuts] of crossings) {
    cuts.sort((first, other) => first - other);
    for (let at = 0; at + 1 < cuts.length; at += 2) {
      const [first = 0, other = 0] = [cuts[at], cuts[at + 1]];
      lines.push([left + first, top + line * SPACING - first, left + other, top + line * SPACING - other]);
    }
  }
}

/** Stroke hatching. @param {CanvasRenderingContext2D} ctx @param {readonly Segment[]} lines */
export function strokeHatch(ctx, lines) {
  for (let start = 0; start < lines.length; start += BATCH) {
    ctx.beginPath();
    for (const [fromX, fromY, toX, toY] of lines.slice(start, start + BATCH)) {
      ctx.moveTo(fromX, fromY);
      ctx.lineTo(toX, toY);
    }
    ctx.stroke();
  }
}

/** @param {Plan} plan @param {number} room @returns {ArrayLike<number>[]} outline and holes: x, y, x, y, ... */
function ringsOf(plan, room) {
  const outline = plan.outlines[room];
  if (outline) return [outline, ...(plan.holes[room] ?? [])];
  const { left, top, width, height } = plan.box(room);
  return [[left, top, left + width, top, left + width, top + height, left, top + height]];
}
