// @ts-check
/** Layer of closures: closed rooms are hatched and have a sign, closed doors, lifts and stairs have a sign. */

import { closedRooms, signsOf } from "./closures.js";
import { centre, toScreen } from "./geometry.js";
import { floorToScreen } from "./layout.js";
import { roomPath, roomsInSight } from "./rooms.js";

/** @import { Stage } from "./layers.js" */
/** @import { LayerScene } from "./renderer.js" */

/** Red of a no-entry sign, and its white rim and bar: they are told apart without colours, too. */
const RED = "#b3261e";
const WHITE = "#ffffff";
/** CSS pixels. */
const RADIUS = 8;
const HATCH = 9;

/** @param {LayerScene} scene */
export function isEmpty({ floor }) {
  return !floor || floor.picture.closures.length === 0;
}

/** @param {LayerScene} scene */
export function inputs({ floor }) {
  return [floor?.plan, floor?.picture.closures];
}

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {LayerScene} scene */
export function paint(ctx, stage, { floor: scene }) {
  if (!scene?.picture.building) return;
  const { picture, floor, plan } = scene;
  const { building, closures } = picture;
  const { view, size } = stage;
  if (!building) return;
  const closed = new Set(closedRooms(closures, floor));
  const rooms = roomsInSight(plan, stage).filter((room) => closed.has(room));
  if (rooms.length > 0) {
    ctx.save();
    ctx.beginPath();
    for (const room of rooms) roomPath(ctx, view, plan, room);
    ctx.clip();
    hatch(ctx, size);
    ctx.restore();
  }
  const place = floorToScreen(floor, view);
  for (const room of rooms) {
    const box = toScreen(view, plan.box(room));
    if (Math.min(box.width, box.height) > 3 * RADIUS)
      sign(ctx, { ...centre(box), y: box.top + 1.5 * RADIUS });
  }
  for (const part of closures) for (const at of signsOf(part, building, floor.floorId)) sign(ctx, place(at));
}

/**
 * Fill the clipped area with diagonal lines.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {import("./geometry.js").Size} size
 */
function hatch(ctx, { width, height }) {
  ctx.strokeStyle = RED;
  ctx.globalAlpha = 0.7;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  for (let x = -height; x < width; x += HATCH) {
    ctx.moveTo(x, height);
    ctx.lineTo(x + height, 0);
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}

/** Draw a no-entry sign. @param {CanvasRenderingContext2D} ctx @param {import("../types.js").XY} at */
function sign(ctx, { x, y }) {
  for (const [colour, radius] of /** @type {[string, number][]} */ ([
    [WHITE, RADIUS + 1.5],
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
