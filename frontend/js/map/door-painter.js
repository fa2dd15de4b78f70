// @ts-check
/** Doors: strips of wall, with the lines of both rooms, that are taken away again. */

import { tinted } from "./tinted.js";

/** @import { Stage } from "./layers.js" */
/** @import { Plan } from "./plan.js" */

/** Doors narrower than this are not seen as such. CSS pixels. */
const LEAST = 4;
/** How far a gap goes beyond the wall on both sides, to take the rooms' lines away too. */
const OVER = 1.5;

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {Plan} plan
 * @param {{wall: number, image: HTMLImageElement | null}} ground what is seen where the wall is not
 */
export function paintGaps(ctx, { view, size, palette }, plan, { wall, image }) {
  ctx.fillStyle = palette.paper;
  ctx.beginPath();
  let any = false;
  for (const { x, y, ux, uy, half, deep } of plan.gaps) {
    const [along, across] = [half * view.scale, deep * view.scale + wall / 2 + OVER];
    if (along * 2 < LEAST) continue;
    const [cx, cy] = [view.left + x * view.scale, view.top + y * view.scale];
    const reach = along + across;
    if (cx < -reach || cy < -reach || cx > size.width + reach || cy > size.height + reach) continue;
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
