// @ts-check
/** Strip below an exported plan, which covers nothing of it: the legend, and the agents that drew. */

import { placeOn, ticksOf } from "./legend.js";
import { fontOf } from "./palette.js";
import { drawText } from "./strokes.js";

/** @import { LegendOverlay } from "../types.js" */
/** @import { AgentLayer } from "./agents.js" */
/** @import { Stage } from "./layers.js" */
/** @import { XY } from "../types.js" */
/**
 * Texts of the strip: the number of rooms without a value, the name of an unnamed agent, a formatted number.
 *
 * @typedef {{missing: (count: number) => string, unnamed: string, number: (value: number) => string}} StripWords
 */

const PAD = 14;
const LEGEND = { width: 228, bar: 10, size: 12, tick: 11, quiet: 0.65 };
const LINE = 19;
const RADIUS = 7.5;
/** Maximum agents that are listed, and characters of a name or title. */
const MOST_AGENTS = 12;
const MOST_CHARACTERS = 48;

/**
 * Return the height of the strip.
 *
 * @param {LegendOverlay | null} legend
 * @param {AgentLayer[]} agents
 * @returns {number} in CSS pixels, 0 if there is nothing to show
 */
export function stripHeight(legend, agents) {
  const rows = legend ? 3 + Number(legend.missing > 0) : 0;
  const height = Math.max(rows, Math.min(agents.length, MOST_AGENTS)) * LINE;
  return height > 0 ? height + 2 * PAD : 0;
}

/**
 * Paint the strip.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {{top: number, legend: LegendOverlay | null, agents: AgentLayer[], words: StripWords}} content
 */
export function paintStrip(ctx, stage, { top, legend, agents, words }) {
  if (legend) paintLegend(ctx, stage, legend, { x: PAD, y: top + PAD }, words);
  const left = legend ? 2 * PAD + LEGEND.width + PAD : PAD;
  agents.slice(0, MOST_AGENTS).forEach(({ agent, number }, row) => {
    const middle = { x: left + RADIUS, y: top + PAD + (row + 0.5) * LINE };
    ctx.beginPath();
    ctx.arc(middle.x, middle.y, RADIUS, 0, 2 * Math.PI);
    ctx.lineWidth = 1.5;
    ctx.strokeStyle = stage.palette.ink;
    ctx.stroke();
    const look = { size: 10, bold: true, colour: stage.palette.ink, halo: null };
    drawText(ctx, stage, String(number), middle, look);
    write(ctx, stage, shortened(agent || words.unnamed), { x: middle.x + 2 * RADIUS, y: middle.y });
  });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {LegendOverlay} legend
 * @param {XY} at its top left corner
 * @param {StripWords} words
 */
function paintLegend(ctx, stage, legend, { x, y }, words) {
  const { width, bar, size, tick } = LEGEND;
  const title = shortened(legend.title);
  write(ctx, stage, title, { x, y: y + LINE / 2 }, { bold: true });
  const unit = { x: x + stage.measure(title, size, true) + (title ? 6 : 0), y: y + LINE / 2 };
  write(ctx, stage, shortened(legend.unit), unit, { quiet: true });
  const { stops } = legend;
  const even = stops[0]?.value === stops.at(-1)?.value;
  const ramp = ctx.createLinearGradient(x, 0, x + width, 0);
  stops.forEach(({ value, color }, index) =>
    ramp.addColorStop(even ? index / Math.max(1, stops.length - 1) : placeOn(legend, value), color),
  );
  ctx.fillStyle = ramp;
  ctx.fillRect(x, y + LINE + 3, width, bar);
  for (const { value, at } of ticksOf(legend)) {
    const text = words.number(value);
    const left = x + at * (width - stage.measure(text, tick, false));
    write(ctx, stage, text, { x: left, y: y + 2.4 * LINE }, { size: tick, quiet: true });
  }
  if (legend.missing > 0) {
    ctx.strokeStyle = stage.palette.room;
    ctx.lineWidth = 1;
    ctx.strokeRect(x + 0.5, y + 3.5 * LINE - 5, 11, 9);
    write(ctx, stage, words.missing(legend.missing), { x: x + 18, y: y + 3.5 * LINE }, { quiet: true });
  }
}

/**
 * Write a line of text.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {string} text
 * @param {XY} at the middle of its left edge
 * @param {{size?: number, bold?: boolean, quiet?: boolean}} [look]
 */
function write(ctx, { palette }, text, { x, y }, { size = LEGEND.size, bold = false, quiet = false } = {}) {
  ctx.font = fontOf(size, bold, palette.family);
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillStyle = palette.ink;
  ctx.globalAlpha = quiet ? LEGEND.quiet : 1;
  ctx.fillText(text, x, y);
  ctx.globalAlpha = 1;
}

/** @param {string} text */
function shortened(text) {
  const signs = [...text];
  return signs.length > MOST_CHARACTERS ? `${signs.slice(0, MOST_CHARACTERS - 1).join("")}…` : text;
}
