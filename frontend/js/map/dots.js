// @ts-check
/** Painter of points as dots with names: on a floor, or on a sheet of latitudes and longitudes with its grid. */

import { fontOf } from "./palette.js";

/** @import { Box, Size } from "./geometry.js" */
/** @import { Dots } from "./points.js" */
/** @import { GridLine } from "./degrees.js" */
/** @import { Palette } from "./palette.js" */
/**
 * @typedef {object} ScatterScene
 * @property {Size} size of the pane, CSS pixels
 * @property {number} dpr
 * @property {Box} sheet on the screen
 * @property {{meridians: GridLine[], parallels: GridLine[]}} grid
 * @property {Dots} dots
 * @property {Palette} palette
 */

/** @type {Map<string, OffscreenCanvas>} */
const stamps = new Map();

/**
 * Paint dots. They are copies of one small picture, because drawing ten thousand arcs is far slower.
 *
 * @param {CanvasRenderingContext2D} ctx in CSS pixels
 * @param {Dots} dots
 * @param {number} dpr
 * @param {Palette} palette
 */
export function paintDots(ctx, { at, radius, names, size }, dpr, palette) {
  const picture = stamp(radius, dpr, palette.accent);
  const side = picture.width / dpr;
  for (const { x, y } of at) ctx.drawImage(picture, x - side / 2, y - side / 2, side, side);
  ctx.font = fontOf(size, true, palette.family);
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  ctx.lineWidth = 3;
  ctx.strokeStyle = palette.paper;
  ctx.fillStyle = palette.ink;
  for (const { text, at: middle } of names) {
    ctx.strokeText(text, middle.x, middle.y);
    ctx.fillText(text, middle.x, middle.y);
  }
}

/** @param {number} radius @param {number} dpr @param {string} colour */
function stamp(radius, dpr, colour) {
  const key = `${radius} ${dpr} ${colour}`;
  const stored = stamps.get(key);
  if (stored) return stored;
  const side = Math.ceil(2 * (radius + 1.5) * dpr);
  const canvas = new OffscreenCanvas(side, side);
  const ctx = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ctx.beginPath();
  ctx.arc(side / 2, side / 2, radius * dpr, 0, 2 * Math.PI);
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.lineWidth = 1.25 * dpr;
  ctx.strokeStyle = "#ffffff";
  ctx.stroke();
  stamps.set(key, canvas);
  return canvas;
}

/**
 * Paint the sheet, its grid with labels, and the dots.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {ScatterScene} scene
 */
export function paintScatter(ctx, { size, dpr, sheet, grid, dots, palette }) {
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  ctx.fillStyle = palette.ground;
  ctx.fillRect(0, 0, size.width, size.height);
  ctx.fillStyle = palette.paper;
  ctx.fillRect(sheet.left, sheet.top, sheet.width, sheet.height);
  const right = Math.min(size.width, sheet.left + sheet.width);
  const bottom = Math.min(size.height, sheet.top + sheet.height);
  const [left, top] = [Math.max(0, sheet.left), Math.max(0, sheet.top)];
  ctx.strokeStyle = palette.ink;
  ctx.lineWidth = 1;
  ctx.globalAlpha = 0.13;
  ctx.beginPath();
  for (const { at } of grid.meridians) line(ctx, sharp(at, dpr), top, sharp(at, dpr), bottom);
  for (const { at } of grid.parallels) line(ctx, left, sharp(at, dpr), right, sharp(at, dpr));
  ctx.stroke();
  ctx.globalAlpha = 0.4;
  ctx.strokeRect(sharp(sheet.left, dpr), sharp(sheet.top, dpr), sheet.width, sheet.height);
  ctx.globalAlpha = 1;
  paintDots(ctx, dots, dpr, palette);
  ctx.font = fontOf(11, false, palette.family);
  ctx.lineWidth = 3;
  ctx.strokeStyle = palette.paper;
  ctx.fillStyle = palette.ink;
  for (const { at, label } of grid.meridians) edgeWord(ctx, label, at, bottom - 9, "center");
  for (const { at, label } of grid.parallels) edgeWord(ctx, label, left + 5, at - 7, "left");
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {CanvasTextAlign} align
 */
function edgeWord(ctx, text, x, y, align) {
  ctx.textAlign = align;
  ctx.textBaseline = "middle";
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 */
function line(ctx, x1, y1, x2, y2) {
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2, y2);
}

/** Return the middle of a device pixel. @param {number} at @param {number} dpr @returns {number} */
function sharp(at, dpr) {
  return (Math.floor(at * dpr) + 0.5) / dpr;
}
