// @ts-check
/** Layer of closures: closed rooms are hatched and have a sign, closed doors, lifts and stairs have a sign. */

import { partSigns, RADIUS, RIM, roomSign } from "./closure-signs.js";
import { toScreen } from "./geometry.js";
import { addHatch, strokeHatch } from "./hatch.js";
import { detailOf, FAINT, fillMerged, roomsInSight } from "./rooms.js";

/** @import { Stage } from "./layers.js" */
/** @import { Plan } from "./plan.js" */
/** @import { LayerScene } from "./renderer.js" */
/** @import { Segment } from "./hatch.js" */
/** @import { XY } from "../types.js" */

/** Red of a no-entry sign, and its white rim and bar: they are told apart without colours, too. */
const RED = "#b3261e";
const WHITE = "#ffffff";
/** CSS pixels of a room's longer side below which it is filled: hardly a line of the hatching would be in it. */
const SMALL = 18;

export const isMovable = true;

/** @param {LayerScene} scene */
export function isEmpty({ floor }) {
  return !floor || floor.picture.closures.length === 0;
}

/** @param {LayerScene} scene */
export function inputs({ floor }) {
  return [floor?.plan, floor?.closed, floor?.picture.closures];
}

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {LayerScene} scene */
export function paint(ctx, stage, { floor }) {
  if (!floor) return;
  const { plan, closed } = floor;
  const { view } = stage;
  const rooms = roomsInSight(plan, stage).filter((room) => closed[room]);
  if (rooms.length > 0) paintRooms(ctx, stage, plan, rooms);
  for (const room of rooms) sign(ctx, stage, roomSign(plan, room, view.scale));
  for (const at of partSigns(floor, view.scale)) sign(ctx, stage, at);
}

/**
 * Hatch rooms, and fill those that are too small for it.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {Plan} plan
 * @param {number[]} rooms
 */
function paintRooms(ctx, stage, plan, rooms) {
  const { view } = stage;
  const { merged, boxes, shapes } = detailOf(plan, rooms, view.scale);
  /** @type {Segment[]} */
  const lines = [];
  ctx.globalAlpha = FAINT;
  fillMerged(ctx, stage, plan, merged, () => RED);
  ctx.fillStyle = RED;
  for (const room of [...boxes, ...shapes]) {
    if ((plan.longSide[room] ?? 0) * view.scale >= SMALL) {
      addHatch(lines, stage, plan, room);
      continue;
    }
    const { left, top, width, height } = toScreen(view, plan.box(room));
    ctx.fillRect(left, top, width, height);
  }
  ctx.globalAlpha = 0.7;
  ctx.strokeStyle = RED;
  ctx.lineWidth = 1.5;
  strokeHatch(ctx, lines);
  ctx.globalAlpha = 1;
}

/**
 * Draw a no-entry sign if it is in sight.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {XY | null} at in CSS pixels from the plan's own corner
 */
function sign(ctx, { view, sight }, at) {
  if (!at) return;
  const [x, y] = [view.left + at.x, view.top + at.y];
  const [far, across, down] = [RADIUS + RIM, x - sight.left, y - sight.top];
  if (across < -far || down < -far || across > sight.width + far || down > sight.height + far) return;
  for (const [colour, radius] of /** @type {[string, number][]} */ ([
    [WHITE, RADIUS + RIM],
    [RED, RADIUS],
  ])) {
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.fillStyle = WHITE;
  ctx.fillRect(x - RADIUS * 0.6, y - RADIUS * 0.2, RADIUS * 1.2, RADIUS * 0.4);
}
