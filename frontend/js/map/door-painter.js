// @ts-check
/** Doors: gaps that remove the wall and the outlines of both rooms. */

import { tinted } from "./tinted.js";

/** @import { Stage } from "./layers.js" */
/** @import { Plan } from "./plan.js" */

/** Minimum width of a visible door, and side of a typical room below which no door is looked for, in CSS pixels. */
const MIN_WIDTH = 4;
const MIN_SIDE = 8;
/** Pixels by which a gap extends beyond the wall on both sides, to cover the outlines of the rooms. */
const OVERLAP = 1.5;

/**
 * Paint the gaps.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {Plan} plan
 * @param {{wall: number, image: HTMLImageElement | null}} ground what is visible behind the wall
 */
export function paintGaps(ctx, { view, sight, palette }, plan, { wall, image }) {
  if (plan.typicalSide * view.scale < MIN_SIDE) return;
  ctx.fillStyle = palette.paper;
  ctx.beginPath();
  let any = false;
  for (const { x, y, ux, uy, half, deep } of plan.gaps) {
    const [along, across] = [half * view.scale, deep * view.scale + wall / 2 + OVERLAP];
    if (along * 2 < MIN_WIDTH) continue;
    const [cx, cy] = [view.left + x * view.scale, view.top + y * view.scale];
    const reach = along + across;
    if (cx < sight.left - reach || cx > sight.left + sight.width + reach) continue;
    if (cy < sight.top - reach || cy > sight.top + sight.height + reach) continue;
    any = true;
    const [ax, ay, bx, by] = [ux * along, uy * along, -uy * across, ux * across];
    ctx.moveTo(cx + ax + bx, cy + ay + by);
    ctx.lineTo(cx + ax - bx, cy + ay - by);
    ctx.lineTo(cx - ax - bx, cy - ay - by);
    ctx.lineTo(cx - ax + bx, cy - ay + by);
    ctx.closePath();
  }
  if (!any) return;
  if (!image) {
    ctx.fill();
    return;
  }
  ctx.save();
  ctx.clip();
  ctx.drawImage(
    tinted(image, palette.paper),
    view.left,
    view.top,
    image.naturalWidth * view.scale,
    image.naturalHeight * view.scale,
  );
  ctx.restore();
}
