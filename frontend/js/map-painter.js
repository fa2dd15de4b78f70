// @ts-check
/**
 * Paints one floor on a canvas, layer by layer: sheet, floor image, rooms, highlights, overlays and arrows, names, what is
 * pointed at. Draws in CSS pixels, with lines snapped to device pixels and text set at its final size, so that it is
 * sharp at any zoom. Decides nothing: what goes where comes from map-layout.js.
 */

import { paintDots } from "./map-dots.js";
import { luminance, mix } from "./map-ink.js";
import { fontOf } from "./map-palette.js";
import { centre, roomBox, toScreen } from "./map-geometry.js";

/** @import { Direction, Floor } from "./types.js" */
/** @import { Box, Size, View } from "./map-geometry.js" */
/** @import { FloorLayout, IconShape, TextShape } from "./map-layout.js" */
/** @import { Highlight } from "./map-reading.js" */
/** @import { Label } from "./map-names.js" */
/** @import { Palette } from "./map-palette.js" */

/**
 * @typedef {object} Scene
 * @property {Size} size of the pane, CSS pixels
 * @property {number} dpr device pixels per CSS pixel
 * @property {View} view
 * @property {Floor} floor
 * @property {Box} sheet in plan pixels
 * @property {HTMLImageElement | null} image of the floor, once it has arrived
 * @property {number} fade how much of the image is to be seen, 0 to 1
 * @property {(bitmapId: string) => HTMLImageElement | null} bitmap
 * @property {FloorLayout} layout
 * @property {string | null} hover name of a room
 * @property {Set<string>} lit names of rooms
 * @property {Palette} palette
 */

const TURNS = { up: 0, right: 0.25, down: 0.5, left: 0.75 };

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Scene} scene
 */
export function paintFloor(ctx, scene) {
  ctx.setTransform(scene.dpr, 0, 0, scene.dpr, 0, 0);
  ctx.imageSmoothingEnabled = true;
  ctx.imageSmoothingQuality = "high";
  ctx.fillStyle = scene.palette.ground;
  ctx.fillRect(0, 0, scene.size.width, scene.size.height);
  paintSheet(ctx, scene);
  paintPlan(ctx, scene);
  for (const { box, highlight } of scene.layout.rooms) if (!highlight) outlineRoom(ctx, scene, box);
  for (const { box, highlight } of scene.layout.rooms) if (highlight) paintHighlight(ctx, scene, box, highlight);
  for (const icon of scene.layout.icons) paintIcon(ctx, scene, icon);
  for (const text of scene.layout.texts) paintText(ctx, scene, text);
  for (const { label, highlight } of scene.layout.rooms) if (label) paintName(ctx, scene, label, highlight);
  if (scene.layout.dots) paintDots(ctx, scene.layout.dots, scene.dpr, scene.palette);
  for (const { name, box } of scene.layout.rooms) {
    if (scene.lit.has(name)) ring(ctx, scene, box);
    else if (name === scene.hover) veil(ctx, scene, box);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene */
function paintSheet(ctx, scene) {
  const box = snap(scene, toScreen(scene.view, scene.sheet));
  ctx.save();
  ctx.shadowColor = "rgb(15 20 30 / 0.12)";
  ctx.shadowBlur = 10 * scene.dpr;
  ctx.shadowOffsetY = 2 * scene.dpr;
  ctx.fillStyle = scene.palette.paper;
  ctx.fillRect(box.left, box.top, box.width, box.height);
  ctx.restore();
}

/**
 * The floor image, or its rooms' walls while it is on its way (or for good, when there is none). Multiplied, so that the
 * image's white ground takes the colour of the paper.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Scene} scene
 */
function paintPlan(ctx, scene) {
  const { image, fade, view, floor, palette } = scene;
  ctx.save();
  if (!image || fade < 1) {
    ctx.globalAlpha = image ? 1 - fade : 1;
    ctx.strokeStyle = palette.wall;
    ctx.lineWidth = Math.max(1, 3 * Math.min(1.5, view.scale * 2.5));
    for (const room of floor.rectangles) {
      const box = toScreen(view, roomBox(floor, room));
      const out = ctx.lineWidth / 2;
      ctx.strokeRect(box.left - out, box.top - out, box.width + 2 * out, box.height + 2 * out);
    }
  }
  if (image) {
    ctx.globalAlpha = fade;
    ctx.globalCompositeOperation = "multiply";
    const box = toScreen(view, { left: 0, top: 0, width: image.naturalWidth, height: image.naturalHeight });
    ctx.drawImage(image, box.left, box.top, box.width, box.height);
  }
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} room */
function outlineRoom(ctx, scene, room) {
  ctx.strokeStyle = scene.palette.room;
  strokeSharp(ctx, scene, room, 1);
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} room @param {Highlight} highlight */
function paintHighlight(ctx, scene, room, highlight) {
  const box = snap(scene, room);
  ctx.save();
  ctx.fillStyle = highlight.color;
  ctx.globalAlpha = highlight.fillOpacity;
  ctx.fillRect(box.left, box.top, box.width, box.height);
  ctx.strokeStyle = highlight.color;
  ctx.globalAlpha = highlight.strokeOpacity;
  strokeSharp(ctx, scene, room, 2);
  ctx.restore();
}

/**
 * A bitmap fitted into its square. An arrow is drawn even when its bitmap is not there; other icons wait for theirs.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Scene} scene
 * @param {IconShape} icon
 */
function paintIcon(ctx, scene, icon) {
  const image = scene.bitmap(icon.bitmapId);
  if (image) {
    const ratio = Math.min(icon.box.width / image.naturalWidth, icon.box.height / image.naturalHeight);
    const { x, y } = centre(icon.box);
    const [width, height] = [image.naturalWidth * ratio, image.naturalHeight * ratio];
    ctx.drawImage(image, x - width / 2, y - height / 2, width, height);
  } else if (icon.direction) {
    drawArrow(ctx, icon.box, icon.direction, scene.palette.ink);
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
  for (const [dx, dy] of [[0, -4.5], [4, 0], [1.6, 0], [1.6, 4.5], [-1.6, 4.5], [-1.6, 0], [-4, 0]]) {
    ctx.lineTo((dx ?? 0) * unit, (dy ?? 0) * unit);
  }
  ctx.closePath();
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {TextShape} text */
function paintText(ctx, scene, text) {
  if (text.backgroundColor) {
    const { left, top, width, height } = snap(scene, text.box);
    ctx.fillStyle = text.backgroundColor;
    ctx.beginPath();
    ctx.roundRect(left, top, width, height, 4);
    ctx.fill();
  }
  const room = scene.layout.rooms.find(({ name }) => name === text.room);
  const ground = groundOf(room?.highlight ?? null, scene.palette);
  const halo = text.backgroundColor ? null : haloFor(text.color, ground, scene.palette);
  write(ctx, scene, text.text, text.at, text.size, true, text.color, halo);
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Label} label @param {Highlight | null} highlight */
function paintName(ctx, scene, label, highlight) {
  const ground = groundOf(highlight, scene.palette);
  const colour = luminance(ground) > 0.2 ? scene.palette.ink : "#ffffff";
  write(ctx, scene, label.text, label.at, label.size, label.bold, colour, ground);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Scene} scene
 * @param {string} text
 * @param {{x: number, y: number}} at its middle
 * @param {number} size
 * @param {boolean} bold
 * @param {string} colour
 * @param {string | null} halo keeps it legible over walls and icons
 */
function write(ctx, scene, text, at, size, bold, colour, halo) {
  ctx.font = fontOf(size, bold, scene.palette.family);
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  const { actualBoundingBoxAscent: ascent, actualBoundingBoxDescent: descent } = ctx.measureText("Hx国");
  const y = Math.round((at.y + (ascent - descent) / 2) * scene.dpr) / scene.dpr;
  if (halo) {
    ctx.lineJoin = "round";
    ctx.lineWidth = 3;
    ctx.strokeStyle = halo;
    ctx.strokeText(text, at.x, y);
  }
  ctx.fillStyle = colour;
  ctx.fillText(text, at.x, y);
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} box */
function ring(ctx, scene, box) {
  const out = { left: box.left - 3, top: box.top - 3, width: box.width + 6, height: box.height + 6 };
  ctx.strokeStyle = "#ffffff";
  strokeSharp(ctx, scene, { ...out, left: out.left - 1, top: out.top - 1, width: out.width + 2, height: out.height + 2 }, 5);
  ctx.strokeStyle = scene.palette.accent;
  strokeSharp(ctx, scene, out, 3);
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} room */
function veil(ctx, scene, room) {
  const box = snap(scene, room);
  ctx.save();
  ctx.globalAlpha = 0.1;
  ctx.fillStyle = scene.palette.accent;
  ctx.fillRect(box.left, box.top, box.width, box.height);
  ctx.restore();
}

/**
 * A frame just inside the box, its edges on device pixels.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Scene} scene
 * @param {Box} box
 * @param {number} width CSS pixels
 */
function strokeSharp(ctx, scene, box, width) {
  const line = Math.max(1, Math.round(width * scene.dpr)) / scene.dpr;
  const { left, top, width: wide, height: high } = snap(scene, box);
  ctx.lineWidth = line;
  ctx.strokeRect(left + line / 2, top + line / 2, Math.max(0, wide - line), Math.max(0, high - line));
}

/** @param {Scene} scene @param {Box} box @returns {Box} with edges on device pixels */
function snap({ dpr }, box) {
  const left = Math.round(box.left * dpr) / dpr;
  const top = Math.round(box.top * dpr) / dpr;
  const right = Math.round((box.left + box.width) * dpr) / dpr;
  const bottom = Math.round((box.top + box.height) * dpr) / dpr;
  return { left, top, width: right - left, height: bottom - top };
}

/** @param {Highlight | null} highlight @param {Palette} palette @returns {string} the colour behind words in a room */
function groundOf(highlight, { paper }) {
  return highlight ? mix(paper, highlight.color, highlight.fillOpacity) : paper;
}

/** @param {string} colour of words @param {string} ground @param {Palette} palette @returns {string} the ground, unless it hides them */
function haloFor(colour, ground, { paper, ink }) {
  const [a, b] = [luminance(colour) + 0.05, luminance(ground) + 0.05];
  if (Math.max(a, b) / Math.min(a, b) > 3) return ground;
  return a > 0.5 ? ink : paper;
}
