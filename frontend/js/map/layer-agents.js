// @ts-check
/** Layer that shows which agents drew in a room: the numbers of their layers in its corner, the top one's filled. */

import { toScreen } from "./geometry.js";
import { drawText } from "./strokes.js";

/** @import { Stage } from "./layers.js" */
/** @import { LayerScene } from "./renderer.js" */

const RADIUS = 7.5;
/** Negative: the numbers overlap the corner, because names and icons are inside the room. */
const INSET = -3;

/** @param {LayerScene} scene */
export const isEmpty = ({ floor }) => !floor || floor.owners.size === 0;

/** @param {LayerScene} scene */
export const inputs = ({ floor }) => [floor?.owners];

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {LayerScene} scene */
export function paint(ctx, stage, { floor }) {
  if (!floor) return;
  const { view, palette } = stage;
  for (const [room, numbers] of floor.owners) {
    const { left, top, width } = toScreen(view, floor.plan.box(room));
    if (width < numbers.length * 2 * RADIUS) continue; // too small for numbers; the card of layers still lists them
    numbers.forEach((number, at) => {
      const middle = { x: left + INSET + RADIUS + at * (2 * RADIUS + 2), y: top + INSET + RADIUS };
      const isTop = at === numbers.length - 1;
      ctx.beginPath();
      ctx.arc(middle.x, middle.y, RADIUS, 0, 2 * Math.PI);
      ctx.fillStyle = isTop ? palette.ink : palette.paper;
      ctx.fill();
      ctx.lineWidth = 1.5;
      ctx.strokeStyle = palette.ink;
      ctx.stroke();
      drawText(ctx, stage, String(number), middle, {
        size: 10,
        bold: true,
        colour: isTop ? palette.paper : palette.ink,
        halo: null,
      });
    });
  }
}
