// @ts-check
/** Layer of the drawings: coloured rooms, icons, texts, dots. */

import { paintDots } from "./dots.js";
import { centre, toScreen } from "./geometry.js";
import { groundOf, luminance } from "./contrast.js";
import { detailOf, FAINT, fillMerged, roomPath, roomsInSight } from "./rooms.js";
import { lineWidth, snap, strokeInside, drawText } from "./strokes.js";

/** @import { Direction } from "../types.js" */
/** @import { Box } from "./geometry.js" */
/** @import { Stage } from "./layers.js" */
/** @import { IconShape, TextShape } from "./layout.js" */
/** @import { Highlight } from "./drawings.js" */
/** @import { Palette } from "./palette.js" */
/** @import { LayerScene } from "./renderer.js" */
/** @import { FloorScene } from "./scene.js" */

const TURNS = { up: 0, right: 0.25, down: 0.5, left: 0.75 };

export const isMovable = true;

/** @param {LayerScene} scene */
export function isEmpty({ floor, arrangement }) {
  if (!floor || !arrangement) return true;
  return (
    floor.marks.size === 0 &&
    arrangement.icons.length === 0 &&
    arrangement.texts.length === 0 &&
    !arrangement.dots
  );
}

/** @param {LayerScene} scene */
export function inputs({ floor, arrangement, arrivals }) {
  return [floor, arrangement, arrivals];
}

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {LayerScene} scene */
export function paint(ctx, stage, { floor, arrangement, bitmap }) {
  if (!floor || !arrangement) return;
  const { view, dpr, palette } = stage;
  paintMarks(ctx, stage, floor);
  ctx.save();
  ctx.translate(view.left, view.top);
  for (const icon of arrangement.icons) paintIcon(ctx, icon, bitmap(icon.bitmapId), palette);
  for (const text of arrangement.texts) {
    const room = text.room === null ? undefined : floor.plan.indexes.get(text.room);
    const mark = room === undefined ? null : (floor.marks.get(room) ?? null);
    paintText(ctx, stage, text, groundOf(mark, palette.paper));
  }
  ctx.restore();
  if (arrangement.dots) paintDots(ctx, arrangement.dots, dpr, palette);
}

/** Paint the coloured rooms. @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {FloorScene} floor */
function paintMarks(ctx, stage, { plan, marks, marked }) {
  const coloured = roomsInSight(plan, stage).filter((room) => marked[room]);
  const { merged, boxes, shapes } = detailOf(plan, coloured, stage.view.scale);
  for (const [opacity, rooms] of byOpacity(merged, marks)) {
    ctx.globalAlpha = opacity;
    fillMerged(ctx, stage, plan, rooms, (room) => marks.get(room)?.color ?? "");
  }
  ctx.globalAlpha = 1;
  for (const [rooms, asShape] of /** @type {[number[], boolean][]} */ ([
    [boxes, false],
    [shapes, true],
  ]))
    for (const room of rooms) {
      const mark = marks.get(room);
      if (mark) paintMark(ctx, stage, plan, room, mark, asShape);
    }
}

/**
 * Group rooms without an outline by their opacity in tenths, the faintest first. It is so high that rooms which have
 * mainly an outline when they are larger do not vanish.
 *
 * @param {readonly number[]} rooms
 * @param {Map<number, Highlight>} marks
 * @returns {[opacity: number, rooms: number[]][]}
 */
function byOpacity(rooms, marks) {
  /** @type {Map<number, number[]>} */
  const groups = new Map();
  for (const room of rooms) {
    const { fillOpacity = 0, strokeOpacity = 0 } = marks.get(room) ?? {};
    if (fillOpacity + strokeOpacity === 0) continue;
    const opacity = Math.max(FAINT, Math.round(fillOpacity * 10) / 10);
    const group = groups.get(opacity);
    if (group) group.push(room);
    else groups.set(opacity, [room]);
  }
  return [...groups].sort(([first], [other]) => first - other);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {import("./plan.js").Plan} plan
 * @param {number} room
 * @param {Highlight} mark
 * @param {boolean} asShape whether its polygon is drawn, not its box
 */
function paintMark(ctx, { dpr, view }, plan, room, { color, fillOpacity, strokeOpacity }, asShape) {
  ctx.fillStyle = color;
  ctx.strokeStyle = color;
  if (asShape) {
    ctx.beginPath();
    roomPath(ctx, view, plan, room);
    ctx.globalAlpha = fillOpacity;
    ctx.fill();
    ctx.globalAlpha = strokeOpacity;
    ctx.lineJoin = "round";
    ctx.lineWidth = lineWidth(dpr, 2);
    ctx.stroke();
  } else {
    const box = toScreen(view, plan.box(room));
    const { left, top, width, height } = snap(dpr, box);
    ctx.globalAlpha = fillOpacity;
    ctx.fillRect(left, top, width, height);
    ctx.globalAlpha = strokeOpacity;
    strokeInside(ctx, dpr, box, 2);
  }
  ctx.globalAlpha = 1;
}

/**
 * Paint a bitmap fitted into its square. An arrow is drawn even before its bitmap has loaded; other icons wait.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {IconShape} icon
 * @param {HTMLImageElement | null} image
 * @param {Palette} palette
 */
function paintIcon(ctx, icon, image, palette) {
  if (image) {
    const ratio = Math.min(icon.box.width / image.naturalWidth, icon.box.height / image.naturalHeight);
    const { x, y } = centre(icon.box);
    const [width, height] = [image.naturalWidth * ratio, image.naturalHeight * ratio];
    ctx.imageSmoothingQuality = "high";
    ctx.drawImage(image, x - width / 2, y - height / 2, width, height);
  } else if (icon.direction) {
    drawArrow(ctx, icon.box, icon.direction, palette.ink);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {Box} box @param {Direction} direction @param {string} colour */
function drawArrow(ctx, box, direction, colour) {
  const { x, y } = centre(box);
  const unit = box.width / 10;
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(TURNS[direction] * 2 * Math.PI);
  ctx.beginPath();
  for (const [dx, dy] of [
    [0, -4.5],
    [4, 0],
    [1.6, 0],
    [1.6, 4.5],
    [-1.6, 4.5],
    [-1.6, 0],
    [-4, 0],
  ]) {
    ctx.lineTo((dx ?? 0) * unit, (dy ?? 0) * unit);
  }
  ctx.closePath();
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.restore();
}

/**
 * Paint a text.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {TextShape} text
 * @param {string} ground the colour behind it
 */
function paintText(ctx, stage, text, ground) {
  if (text.backgroundColor) {
    const { left, top, width, height } = snap(stage.dpr, text.box);
    ctx.fillStyle = text.backgroundColor;
    ctx.beginPath();
    ctx.roundRect(left, top, width, height, 4);
    ctx.fill();
  }
  const halo = text.backgroundColor ? null : haloFor(text.color, ground, stage.palette);
  drawText(ctx, stage, text.text, text.at, { size: text.size, bold: true, colour: text.color, halo });
}

/**
 * Return the colour of a text's halo.
 *
 * @param {string} colour of the text
 * @param {string} ground
 * @param {Palette} palette
 * @returns {string} the ground, unless the text would vanish on it
 */
function haloFor(colour, ground, { paper, ink }) {
  const [a, b] = [luminance(colour) + 0.05, luminance(ground) + 0.05];
  if (Math.max(a, b) / Math.min(a, b) > 3) return ground;
  return a > 0.5 ? ink : paper;
}
