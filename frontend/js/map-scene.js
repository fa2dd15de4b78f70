// @ts-check
/**
 * One frame of the map pane: the points on the earth, the plan of a floor, or bare ground. Lays out and paints; what is
 * shown is decided in map-stage.js, the strokes are in map-painter.js and map-dots.js.
 */

import { earthSheet, earthToScreen, gridLines } from "./map-degrees.js";
import { paintScatter } from "./map-dots.js";
import { toScreen } from "./map-geometry.js";
import { layoutFloor } from "./map-layout.js";
import { paintFloor } from "./map-painter.js";
import { fontOf } from "./map-palette.js";
import { layoutDots } from "./map-points.js";

/** @import { Floor } from "./types.js" */
/** @import { Earth } from "./map-degrees.js" */
/** @import { Box, View } from "./map-geometry.js" */
/** @import { MapImages } from "./map-images.js" */
/** @import { Measure } from "./map-layout.js" */
/** @import { Palette } from "./map-palette.js" */
/** @import { PointSet } from "./map-points.js" */
/** @import { MapPicture } from "./map-state.js" */
/** @typedef {ReturnType<MapImages["get"]>} Loaded */
/** @typedef {{size: {width: number, height: number}, dpr: number, view: View, fit: View, palette: Palette}} Stage */
/**
 * @typedef {object} PlanScene
 * @property {Floor} floor
 * @property {MapPicture} picture
 * @property {Box} sheet
 * @property {Loaded} plan the floor's image
 * @property {(id: string) => Loaded | null} bitmap
 * @property {string | null} hover the room under the pointer
 * @property {Set<string>} lit rooms to ring
 */

/** Milliseconds a floor image takes to appear. */
const FADE = 160;

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 */
export function paintNothing(ctx, { size, dpr, palette }) {
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  ctx.fillStyle = palette.ground;
  ctx.fillRect(0, 0, size.width, size.height);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {Earth} earth
 * @param {PointSet} points
 */
export function paintEarth(ctx, { size, dpr, view, palette }, earth, points) {
  const sheet = toScreen(view, earthSheet(earth));
  const dots = layoutDots(points.points, earthToScreen(earth, view), size, measureIn(ctx, palette), sheet);
  paintScatter(ctx, { size, dpr, sheet, grid: gridLines(earth, view, size), dots, palette });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {PlanScene} scene
 * @returns {boolean} whether the image still fades in, so that another frame is needed
 */
export function paintPlan(ctx, { size, dpr, view, fit, palette }, { floor, picture, sheet, plan, hover, lit, bitmap }) {
  const ready = plan.arrival === "ready";
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const fade = still ? 1 : Math.min(1, Math.max(0, (performance.now() - plan.at) / FADE));
  const layout = layoutFloor(floor, picture, view, fit, measureIn(ctx, palette), size);
  const icon = (/** @type {string} */ id) => {
    const entry = bitmap(id);
    return entry?.arrival === "ready" ? entry.image : null;
  };
  paintFloor(ctx, { size, dpr, view, floor, sheet, image: ready ? plan.image : null, fade, bitmap: icon, layout, hover, lit, palette });
  return ready && fade < 1;
}

/** @param {CanvasRenderingContext2D} ctx @param {Palette} palette @returns {Measure} */
function measureIn(ctx, palette) {
  return (text, fontSize, bold) => {
    ctx.font = fontOf(fontSize, bold, palette.family);
    return ctx.measureText(text).width;
  };
}
