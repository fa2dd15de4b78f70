// @ts-check
/** The floor below, faint under the shown one: its rooms' outlines, where they lie in the shown floor's coordinates. */

import { toPlan } from "./geometry.js";

/** @import { Floor } from "../types.js" */
/** @import { Stage } from "./layers.js" */

/** @typedef {{floor: Floor, below: Floor}} Ghost */

const FAINT = { line: 0.55, ground: 0.07 };

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {Ghost} ghost */
export function paintGhost(ctx, { view, palette }, { floor, below }) {
  const at = (/** @type {{x: number, y: number}} */ point) => {
    const { x, y } = toPlan(floor, point);
    return { x: view.left + x * view.scale, y: view.top + y * view.scale };
  };
  ctx.save();
  ctx.globalAlpha = FAINT.line;
  ctx.strokeStyle = palette.accent;
  ctx.fillStyle = palette.accent;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([5, 4]);
  ctx.beginPath();
  for (const { topLeft, bottomRight, polygon } of below.rectangles) {
    const corners = polygon ?? [topLeft, { x: bottomRight.x, y: topLeft.y }, bottomRight, { x: topLeft.x, y: bottomRight.y }];
    for (const [index, corner] of corners.entries()) {
      const { x, y } = at(corner);
      if (index === 0) ctx.moveTo(x, y);
      else ctx.lineTo(x, y);
    }
    ctx.closePath();
  }
  ctx.stroke();
  ctx.globalAlpha = FAINT.ground;
  ctx.fill();
  ctx.restore();
}
