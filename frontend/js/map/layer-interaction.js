// @ts-check
/** Layer of pointer and selection: a veil over the room under the pointer, a ring around selected rooms. */

import { toScreen } from "./geometry.js";
import { roomPath } from "./rooms.js";
import { lineWidth, strokeInside } from "./strokes.js";

/** @import { Stage } from "./layers.js" */
/** @import { Plan } from "./plan.js" */
/** @import { LayerScene } from "./renderer.js" */

const RING = { width: 3, gap: 3, casing: 1 };
const VEIL = 0.1;

/** @param {LayerScene} scene */
export function isEmpty({ floor, hover, lit }) {
  return !floor || (hover === null && lit.size === 0);
}

/** @param {LayerScene} scene */
export function inputs({ floor, hover, lit }) {
  return [floor?.plan, hover, [...lit].join("\n")];
}

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {LayerScene} scene */
export function paint(ctx, stage, { floor, hover, lit }) {
  if (!floor) return;
  const { plan } = floor;
  for (const name of lit) {
    const room = plan.indexes.get(name);
    if (room !== undefined) ring(ctx, stage, plan, room);
  }
  const pointed = hover === null || lit.has(hover) ? undefined : plan.indexes.get(hover);
  if (pointed === undefined) return;
  ctx.globalAlpha = VEIL;
  ctx.fillStyle = stage.palette.accent;
  ctx.beginPath();
  roomPath(ctx, stage.view, plan, pointed);
  ctx.fill();
  ctx.globalAlpha = 1;
}

/**
 * Draw a ring in the accent colour on a white casing, visible on any colour.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {Plan} plan
 * @param {number} room
 */
function ring(ctx, { dpr, view, palette }, plan, room) {
  const { width, gap, casing } = RING;
  if (plan.outlines[room]) {
    ctx.beginPath();
    roomPath(ctx, view, plan, room);
    ctx.lineJoin = "round";
    for (const [colour, wide] of /** @type {[string, number][]} */ ([
      ["#ffffff", width + 2 * casing],
      [palette.accent, width],
    ])) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = lineWidth(dpr, wide);
      ctx.stroke();
    }
    return;
  }
  const { left, top, width: wide, height: high } = toScreen(view, plan.box(room));
  const out = (/** @type {number} */ by) => ({
    left: left - by,
    top: top - by,
    width: wide + 2 * by,
    height: high + 2 * by,
  });
  ctx.strokeStyle = "#ffffff";
  strokeInside(ctx, dpr, out(gap + casing), width + 2 * casing);
  ctx.strokeStyle = palette.accent;
  strokeInside(ctx, dpr, out(gap), width);
}
