// @ts-check
/**
 * Bottom layer: the sheet, the floor image or walls, the outlines of ordinary rooms, and doors as gaps in them. Instead
 * of a floor it can show points by latitude and longitude, or nothing.
 */

import { earthSheet, earthToScreen, gridLines } from "./degrees.js";
import { paintGaps } from "./door-painter.js";
import { paintScatter } from "./dots.js";
import { toScreen, toPlan } from "./geometry.js";
import { layoutDots } from "./points.js";
import { detailOf, FAINT, fillMerged, paintKinds, roomsInSight, strokeRooms, strokeShapes } from "./rooms.js";
import { lineWidth, snap } from "./strokes.js";
import { tinted } from "./tinted.js";

/** @import { Stage } from "./layers.js" */
/** @import { Plan } from "./plan.js" */
/** @import { LayerScene } from "./renderer.js" */
/** @import { Floor } from "../types.js" */

/** Size on the screen below which a room has no walls, only an outline. */
const WALLS = 14;

export const isMovable = true;

export function isEmpty() {
  return false;
}

/** @param {LayerScene} scene */
export function inputs({ floor, sheet, image, fade, earth, points, ghost }) {
  return [floor?.plan, floor?.marked, sheet, image, fade, earth, earth && points, ghost];
}

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {LayerScene} scene */
export function paint(ctx, stage, scene) {
  const { size, dpr, palette, view } = stage;
  const { floor, earth, points, image, fade } = scene;
  ctx.fillStyle = palette.ground;
  // one more, for a device pixel that the pane covers partly
  ctx.fillRect(0, 0, Math.ceil(size.width) + 1, Math.ceil(size.height) + 1);
  if (earth && points) {
    paintEarth(ctx, stage, scene);
    return;
  }
  if (!floor) return;
  const paper = snap(dpr, toScreen(view, scene.sheet));
  ctx.save();
  ctx.shadowColor = "rgb(15 20 30 / 0.12)";
  ctx.shadowBlur = 10 * dpr;
  ctx.shadowOffsetY = 2 * dpr;
  ctx.fillStyle = palette.paper;
  ctx.fillRect(paper.left, paper.top, paper.width, paper.height);
  ctx.restore();
  const rooms = roomsInSight(floor.plan, stage);
  const opacity = image ? fade : 0;
  const wall = opacity < 1 ? wallWidth(floor.plan, rooms, view.scale) : 0;
  if (image) {
    ctx.globalAlpha = opacity;
    paintImage(ctx, stage, image);
    ctx.globalAlpha = 1;
  }
  if (wall > 0) {
    ctx.globalAlpha = 1 - opacity;
    paintKinds(ctx, stage, floor.plan, rooms);
    ctx.strokeStyle = palette.wall;
    strokeRooms(ctx, stage, floor.plan, detailOf(floor.plan, rooms, view.scale).boxes, {
      width: wall,
      inset: -wall / 2,
    });
    ctx.globalAlpha = 1;
  }
  if (scene.ghost) paintGhost(ctx, stage, scene.ghost);
  paintOutlines(ctx, stage, floor, rooms, { wall, image: opacity });
  paintGaps(ctx, stage, floor.plan, { wall, image: opacity === 1 ? image : null });
}

/**
 * Paint the outlines of ordinary rooms; polygons have their wall between two lines.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {import("./scene.js").FloorScene} floor
 * @param {number[]} rooms in sight
 * @param {{wall: number, image: number}} look width of walls, and the opacity of the image
 */
function paintOutlines(ctx, stage, { plan, marked }, rooms, { wall, image }) {
  const { dpr, view, palette } = stage;
  const { merged, boxes, shapes } = detailOf(plan, rooms, view.scale, marked);
  ctx.globalAlpha = FAINT;
  fillMerged(ctx, stage, plan, merged, () => palette.room);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = palette.room;
  strokeRooms(ctx, stage, plan, boxes, { width: 1, inset: wall / 2 });
  const [thin, thick] = [lineWidth(dpr, 1), wall * (1 - image)];
  ctx.lineWidth = thick > 0 ? thick + 2 * thin : thin;
  strokeShapes(ctx, view, plan, shapes);
  if (thick === 0) return;
  ctx.lineWidth = thick;
  ctx.strokeStyle = palette.wall;
  strokeShapes(ctx, view, plan, detailOf(plan, rooms, view.scale).shapes);
}

/**
 * Return the width of walls: proportional to the plan, and thin for small rooms.
 *
 * @param {Plan} plan
 * @param {number[]} rooms in sight
 * @param {number} scale
 * @returns {number} CSS pixels, 0 for none
 */
function wallWidth(plan, rooms, scale) {
  if (rooms.length === 0) return 0;
  const side = plan.typicalSide * scale;
  return side < WALLS ? 0 : Math.min(4, Math.max(1, side / 24));
}

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {HTMLImageElement} image */
function paintImage(ctx, { view, palette }, image) {
  const box = toScreen(view, { left: 0, top: 0, width: image.naturalWidth, height: image.naturalHeight });
  ctx.imageSmoothingEnabled = true;
  ctx.imageSmoothingQuality = "medium"; // scaled down a lot, "high" costs most and shows the least difference
  ctx.drawImage(tinted(image, palette.paper), box.left, box.top, box.width, box.height);
}

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {LayerScene} scene */
function paintEarth(ctx, { size, dpr, view, palette, measure }, { earth, points }) {
  if (!earth || !points) return;
  const sheet = toScreen(view, earthSheet(earth));
  const dots = layoutDots(points.points, earthToScreen(earth, view), size, measure, sheet);
  paintScatter(ctx, { size, dpr, sheet, grid: gridLines(earth, view, size), dots, palette });
}

// Outlines of the rooms on the floor below, faint, in the coordinates of the shown floor.

/** @typedef {{floor: Floor, below: Floor}} Ghost */

const GHOST_OPACITY = { line: 0.55, ground: 0.07 };

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {Ghost} ghost */
function paintGhost(ctx, { view, palette }, { floor, below }) {
  const at = (/** @type {{x: number, y: number}} */ point) => {
    const { x, y } = toPlan(floor, point);
    return { x: view.left + x * view.scale, y: view.top + y * view.scale };
  };
  ctx.save();
  ctx.globalAlpha = GHOST_OPACITY.line;
  ctx.strokeStyle = palette.accent;
  ctx.fillStyle = palette.accent;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([5, 4]);
  ctx.beginPath();
  for (const { topLeft, bottomRight, polygon } of below.rectangles) {
    const corners = polygon ?? [
      topLeft,
      { x: bottomRight.x, y: topLeft.y },
      bottomRight,
      { x: topLeft.x, y: bottomRight.y },
    ];
    for (const [index, corner] of corners.entries()) {
      const { x, y } = at(corner);
      if (index === 0) ctx.moveTo(x, y);
      else ctx.lineTo(x, y);
    }
    ctx.closePath();
  }
  ctx.stroke();
  ctx.globalAlpha = GHOST_OPACITY.ground;
  ctx.fill();
  ctx.restore();
}
