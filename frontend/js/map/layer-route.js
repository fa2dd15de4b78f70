// @ts-check
/**
 * Layer of the routes: a line in the accent colour on a white casing, which is drawn once from its start with a moving
 * dash; a ring at the start, a pin at the goal, a badge at each change of floor.
 */

import { iconPath } from "../core/icons.js";
import { fontOf } from "./palette.js";
import { BADGE, beginning, lengthOf } from "./route-layout.js";

/** @import { Stage } from "./layers.js" */
/** @import { Palette } from "./palette.js" */
/** @import { LayerScene } from "./renderer.js" */
/** @import { Badge, EndMark, LegRef, RouteLayout } from "./route-layout.js" */
/** @import { XY } from "../types.js" */
/**
 * @typedef {{layout: RouteLayout, progress: number, lit: LegRef | null}} RouteScene `progress`: how far it is drawn, 0
 *   to 1
 */

/** Accent colour on light paper, which the plan has in both themes. */
const ROUTE = "#3567d6";
const LINE = 4;
const CASING = 2;
/** Width of the lit leg. */
const LIT_LINE = 6;
/** Opacity of the other legs meanwhile. */
const UNLIT_OPACITY = 0.4;
const DASH = [3, 9];
const WHITE = "#ffffff";
/** Number of times that a dash passes while the line is drawn. */
const DASHES = 24;

/** @param {LayerScene} scene */
export function isEmpty({ route: { layout } }) {
  return layout.lines.length === 0 && layout.badges.length === 0;
}

/** @param {LayerScene} scene */
export function inputs({ route: { layout, progress, lit } }) {
  return [layout, progress, lit];
}

/**
 * Paint the routes.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {LayerScene} scene
 * @returns {boolean} whether they are still being drawn
 */
export function paint(ctx, { palette }, { route: { layout, progress, lit } }) {
  ctx.lineJoin = "round";
  ctx.lineCap = "round";
  const total = layout.lines.reduce((sum, { line }) => sum + lengthOf(line), 0);
  let remaining = progress >= 1 ? Infinity : total * progress;
  const drawn = layout.lines.map((stretch) => {
    const line = remaining <= 0 ? [] : beginning(stretch.line, remaining);
    remaining -= lengthOf(stretch.line);
    return {
      ...stretch,
      line,
      isLit: lit !== null && stretch.route === lit.route && stretch.leg === lit.leg,
    };
  });
  const order = [...drawn].sort((a, b) => Number(a.isLit) - Number(b.isLit)); // the lit leg is painted last, on top
  for (const { line, isLit } of order) {
    ctx.globalAlpha = lit && !isLit ? UNLIT_OPACITY : 1;
    stroke(ctx, line, (isLit ? LIT_LINE : LINE) + 2 * CASING, WHITE);
    stroke(ctx, line, isLit ? LIT_LINE : LINE, ROUTE);
  }
  ctx.globalAlpha = 1;
  if (progress < 1) for (const { line } of drawn) paintDash(ctx, line, progress);
  for (const end of layout.ends) if (end.end === "start" || progress >= 1) paintEnd(ctx, end);
  for (const badge of layout.badges) paintBadge(ctx, badge, palette);
  return progress < 1;
}

/** @param {CanvasRenderingContext2D} ctx @param {XY[]} line @param {number} width @param {string} colour */
function stroke(ctx, line, width, colour) {
  if (line.length === 0) return;
  ctx.beginPath();
  for (const { x, y } of line) ctx.lineTo(x, y);
  // a line of no length would not be painted; this makes a dot
  if (line.length === 1 && line[0]) ctx.lineTo(line[0].x + 0.01, line[0].y);
  ctx.lineWidth = width;
  ctx.strokeStyle = colour;
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {XY[]} line @param {number} progress */
function paintDash(ctx, line, progress) {
  ctx.save();
  ctx.setLineDash(DASH);
  ctx.lineDashOffset = -progress * DASHES * (DASH[0] ?? 0);
  ctx.globalAlpha = Math.min(1, (1 - progress) * 4);
  stroke(ctx, line, LINE / 2, WHITE);
  ctx.restore();
}

/** Paint a ring at the start or a pin at the goal. @param {CanvasRenderingContext2D} ctx @param {EndMark} mark */
function paintEnd(ctx, { at: { x, y }, end }) {
  ctx.beginPath();
  if (end === "start") {
    ctx.arc(x, y, 6, 0, 2 * Math.PI);
    fillAndLine(ctx, WHITE, ROUTE, 3.5);
    return;
  }
  ctx.arc(x, y - 15, 9, Math.PI * 0.82, Math.PI * 2.18);
  ctx.lineTo(x, y);
  ctx.closePath();
  fillAndLine(ctx, ROUTE, WHITE, 2);
  ctx.beginPath();
  ctx.arc(x, y - 15, 3.5, 0, 2 * Math.PI);
  ctx.fillStyle = WHITE;
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {string} fill @param {string} line @param {number} width */
function fillAndLine(ctx, fill, line, width) {
  ctx.lineWidth = width;
  ctx.strokeStyle = line;
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.stroke();
}

/**
 * Paint a badge: filled where the route leaves the floor, outlined where it arrives.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Badge} badge
 * @param {Palette} palette
 */
function paintBadge(ctx, { box: { left, top, width, height }, kind, label, leaving }, palette) {
  const [ground, ink] = leaving ? [ROUTE, palette.paper] : [palette.paper, ROUTE];
  ctx.beginPath();
  ctx.roundRect(left - 1, top - 1, width + 2, height + 2, height / 2 + 1);
  fillAndLine(ctx, ground, leaving ? WHITE : ROUTE, leaving ? 2 : 1.5);
  ctx.save();
  ctx.translate(left + BADGE.pad, top + (height - BADGE.icon) / 2);
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = ink;
  ctx.beginPath();
  tracePath(ctx, iconPath(kind));
  ctx.stroke();
  ctx.restore();
  ctx.font = fontOf(BADGE.size, true, palette.family);
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillStyle = ink;
  ctx.fillText(label, left + BADGE.pad + BADGE.icon + BADGE.gap, top + height / 2 + 0.5);
}

// Tracer of an icon's path, command by command, because the SVG context cannot read a Path2D. It supports straight
// lines (M L H V Z, both cases), which the icons of stairs and lifts consist of.

/**
 * @typedef {{moveTo: (x: number, y: number) => void, lineTo: (x: number, y: number) => void, closePath: () => void}}
 *   Pen
 */

const PARTS = /([MLHVZ])([^MLHVZ]*)/gi;
const NUMBER = /-?\d*\.?\d+/g;

/** @param {Pen} pen @param {string} path */
export function tracePath(pen, path) {
  let [x, y] = [0, 0];
  let start = [0, 0];
  for (const [, letter = "", numbers = ""] of path.matchAll(PARTS)) {
    const command = letter.toUpperCase();
    const relative = letter !== command;
    const values = (numbers.match(NUMBER) ?? []).map(Number);
    if (command === "Z") {
      pen.closePath();
      [x, y] = /** @type {[number, number]} */ (start);
    }
    while (values.length) {
      if (command !== "V") x = (relative ? x : 0) + (values.shift() ?? 0);
      if (command !== "H") y = (relative ? y : 0) + (values.shift() ?? 0);
      if (command === "M") pen.moveTo(x, y);
      else pen.lineTo(x, y);
      if (command === "M") start = [x, y];
    }
  }
}
