// @ts-check
/** Sharp lines and texts: edges on device pixels, texts at their final size. Layers draw with these functions. */

import { fontOf } from "./palette.js";

/** @import { XY } from "../types.js" */
/** @import { Box, View } from "./geometry.js" */
/** @import { Palette } from "./palette.js" */

/** Align a box. @param {number} dpr @param {Box} box @returns {Box} with edges on device pixels */
export function snap(dpr, box) {
  const left = Math.round(box.left * dpr) / dpr;
  const top = Math.round(box.top * dpr) / dpr;
  const right = Math.round((box.left + box.width) * dpr) / dpr;
  const bottom = Math.round((box.top + box.height) * dpr) / dpr;
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * Stroke a frame just inside a box, with edges on device pixels.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} dpr
 * @param {Box} box
 * @param {number} width CSS pixels
 */
export function strokeInside(ctx, dpr, box, width) {
  const line = lineWidth(dpr, width);
  const { left, top, width: wide, height: high } = snap(dpr, box);
  ctx.lineWidth = line;
  ctx.strokeRect(left + line / 2, top + line / 2, Math.max(0, wide - line), Math.max(0, high - line));
}

/**
 * Return a line width.
 *
 * @param {number} dpr
 * @param {number} width
 * @returns {number} in CSS pixels, a whole number of device pixels
 */
export function lineWidth(dpr, width) {
  return Math.max(1, Math.round(width * dpr)) / dpr;
}

/**
 * Add an outline in plan pixels to the current path, closed.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {View} view
 * @param {ArrayLike<number>} outline x, y, x, y, ...
 */
export function trace(ctx, { scale, left, top }, outline) {
  ctx.moveTo(left + (outline[0] ?? 0) * scale, top + (outline[1] ?? 0) * scale);
  for (let at = 2; at < outline.length; at += 2)
    ctx.lineTo(left + (outline[at] ?? 0) * scale, top + (outline[at + 1] ?? 0) * scale);
  ctx.closePath();
}

/**
 * Write a text.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {{dpr: number, palette: Palette}} stage
 * @param {string} text
 * @param {XY} at its centre
 * @param {{size: number, bold: boolean, colour: string, halo: string | null}} look `halo` keeps it legible over walls
 *   and icons
 */
export function drawText(ctx, { dpr, palette }, text, at, { size, bold, colour, halo }) {
  const font = fontOf(size, bold, palette.family);
  ctx.font = font;
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  const y = Math.round((at.y + middleOf(ctx, font)) * dpr) / dpr;
  if (halo) {
    ctx.lineJoin = "round";
    ctx.lineWidth = 3;
    ctx.strokeStyle = halo;
    ctx.strokeText(text, at.x, y);
  }
  ctx.fillStyle = colour;
  ctx.fillText(text, at.x, y);
}

/** @type {Map<string, number>} */
const middles = new Map();

/**
 * Return the offset of the baseline.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} font
 * @returns {number} from the middle of a line of text
 */
function middleOf(ctx, font) {
  const cached = middles.get(font);
  if (cached !== undefined) return cached;
  const { actualBoundingBoxAscent: ascent, actualBoundingBoxDescent: descent } = ctx.measureText("Hx国");
  middles.set(font, (ascent - descent) / 2);
  return (ascent - descent) / 2;
}
