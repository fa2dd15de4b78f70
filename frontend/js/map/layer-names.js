// @ts-check
/** Layer of the rooms' names, above all drawings. */

import { groundOf, inkOn } from "./contrast.js";
import { roomsInSight } from "./rooms.js";
import { drawText } from "./strokes.js";

/** @import { Stage } from "./layers.js" */
/** @import { LayerScene } from "./renderer.js" */

export const isMovable = true;

/** @param {LayerScene} scene */
export function isEmpty({ floor, arrangement }) {
  return !floor || !arrangement || floor.plan.count === 0;
}

/** @param {LayerScene} scene */
export function inputs({ floor, arrangement, image }) {
  return [floor?.marks, arrangement, image];
}

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {LayerScene} scene */
export function paint(ctx, stage, { floor, arrangement, image }) {
  if (!floor || !arrangement) return;
  const { view, palette } = stage;
  const { names } = arrangement;
  const rooms = roomsInSight(floor.plan, stage);
  names.place(rooms);
  ctx.translate(view.left, view.top);
  const plain = {
    size: 0,
    bold: false,
    colour: inkOn(palette.paper, palette.ink),
    halo: image ? palette.paper : null,
  };
  for (const room of rooms) {
    const label = names.labels[room];
    if (!label) continue;
    const mark = floor.marks.get(room);
    const ground = mark ? groundOf(mark, palette.paper) : palette.paper;
    const style = mark ? { ...plain, colour: inkOn(ground, palette.ink), halo: ground } : plain;
    style.size = label.size;
    style.bold = label.bold;
    drawText(ctx, stage, label.text, label.at, style);
  }
}
