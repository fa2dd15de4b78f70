// @ts-check
/**
 * Stacked canvases of the map, one per layer, each painted only when its inputs changed.
 *
 * A layer is a module: `paint(ctx, stage, scene)` draws in CSS pixels on an empty canvas and returns true to request
 * another frame; `inputs(scene)` lists what it depends on, compared item by item with the last time; `isEmpty(scene)`
 * hides its canvas. View, size and colours are inputs of every layer. If only the place of the view changed and much is
 * in sight, the pixels of a layer with `isMovable` are moved, and it paints what came into sight: its drawing must be
 * fixed to the plan. To add a layer, put it into LAYERS.
 */

import { el } from "../core/dom.js";
import * as agents from "./layer-agents.js";
import * as closures from "./layer-closures.js";
import * as data from "./layer-data.js";
import * as interaction from "./layer-interaction.js";
import * as names from "./layer-names.js";
import * as plan from "./layer-plan.js";
import * as route from "./layer-route.js";
import { cornersInSight } from "./rooms.js";

/** @import { Language } from "../types.js" */
/** @import { Box, Size, View } from "./geometry.js" */
/** @import { Measure } from "./layout.js" */
/** @import { Palette } from "./palette.js" */
/** @import { LayerScene } from "./renderer.js" */

/**
 * Surroundings of every layer; `size` in CSS pixels, `view` aligned to whole device pixels. `sight` is the part of the
 * pane that is painted, and a margin for lines of rooms beside it.
 *
 * @typedef {{size: Size, sight: Box, dpr: number, view: View, fit: View, palette: Palette, measure: Measure,
 *   language: Language}} Stage
 */
/**
 * @typedef {object} Layer
 * @property {(ctx: CanvasRenderingContext2D, stage: Stage, scene: LayerScene) => boolean | void} paint
 * @property {(scene: LayerScene) => unknown[]} inputs
 * @property {(scene: LayerScene) => boolean} isEmpty
 * @property {boolean} [isMovable]
 */
/** @typedef {{layer: Layer, canvas: HTMLCanvasElement, painted: unknown[] | null, count: number}} Sheet */

/** CSS pixels by which lines of a room lie outside it. */
const MARGIN = 8;
/** Visible corners (`Plan.corners`) above which moving pixels costs less than painting: the copies take some 10 ms. */
const MANY = 6000;

/** Return the part of a pane whose rooms are painted. @param {Box} part @returns {Box} */
export function sightOf({ left, top, width, height }) {
  return { left: left - MARGIN, top: top - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
}

/** Layers from the bottom up. @type {[name: string, layer: Layer][]} */
const LAYERS = [
  ["plan", plan],
  ["data", data],
  ["route", route],
  ["closures", closures],
  ["names", names],
  ["agents", agents],
  ["interaction", interaction],
];

/**
 * Paint all layers on one canvas, for an export.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Stage} stage
 * @param {LayerScene} scene
 */
export function paintLayers(ctx, stage, scene) {
  for (const [, layer] of LAYERS) {
    if (layer.isEmpty(scene)) continue;
    ctx.save();
    ctx.setTransform(stage.dpr, 0, 0, stage.dpr, 0, 0);
    layer.paint(ctx, stage, scene);
    ctx.restore();
  }
}

export class MapLayers {
  constructor() {
    this.sheets = LAYERS.map(([name, layer], at) => {
      const canvas = el("canvas", { class: "map-canvas", "data-layer": name, "aria-hidden": "true" });
      const ctx = canvas.getContext("2d", { alpha: at > 0 });
      return { name, layer, canvas, ctx, painted: /** @type {unknown[] | null} */ (null), count: 0 };
    });
    this.canvases = this.sheets.map(({ canvas }) => canvas);
    /** Lowest canvas, which is always shown. */
    this.ground = /** @type {HTMLCanvasElement} */ (this.canvases[0]);
  }

  /** Resize all canvases in device pixels, which clears them. @param {number} width @param {number} height */
  resize(width, height) {
    for (const sheet of this.sheets) {
      sheet.canvas.width = width;
      sheet.canvas.height = height;
      sheet.painted = null;
    }
  }

  /**
   * Paint the changed layers.
   *
   * @param {Stage} stage
   * @param {LayerScene} scene
   * @returns {boolean} whether a layer requests another frame
   */
  paint(stage, scene) {
    const { size, dpr, view, fit, palette } = stage;
    const common = [view.left, view.top, size.width, size.height, dpr, view.scale, fit.scale, palette];
    const isCostly = scene.floor !== null && cornersInSight(scene.floor.plan, stage) > MANY;
    let again = false;
    for (const sheet of this.sheets) {
      const { layer, canvas, ctx } = sheet;
      if (!ctx) continue;
      const empty = layer.isEmpty(scene);
      if (canvas.hidden !== empty) canvas.hidden = empty;
      if (empty) {
        sheet.painted = null;
        continue;
      }
      const inputs = [...common, ...layer.inputs(scene)];
      if (sheet.painted && isEqual(inputs, sheet.painted, 0)) continue;
      const parts = (isCostly && layer.isMovable && this.move(sheet, ctx, inputs, dpr)) || [
        { left: 0, top: 0, width: size.width + 1, height: size.height + 1 },
      ];
      let more = false;
      for (const part of parts)
        more = this.paintPart(sheet, ctx, { ...stage, sight: sightOf(part) }, scene, part) || more;
      sheet.painted = more ? null : inputs;
      sheet.count += 1;
      again ||= more;
    }
    return again;
  }

  /**
   * Paint a layer on a part of its canvas.
   *
   * @param {Sheet} sheet
   * @param {CanvasRenderingContext2D} ctx
   * @param {Stage} stage
   * @param {LayerScene} scene
   * @param {Box} part in CSS pixels
   * @returns {boolean} whether the layer requests another frame
   */
  paintPart(sheet, ctx, stage, scene, { left, top, width, height }) {
    ctx.save();
    ctx.setTransform(stage.dpr, 0, 0, stage.dpr, 0, 0);
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    if (sheet.canvas !== this.ground) ctx.clearRect(left, top, width, height);
    const more = sheet.layer.paint(ctx, stage, scene) === true;
    ctx.restore();
    return more;
  }

  /**
   * Move the pixels of a layer with the view.
   *
   * @param {Sheet} sheet
   * @param {CanvasRenderingContext2D} ctx
   * @param {unknown[]} inputs of this frame
   * @param {number} dpr
   * @returns {Box[] | null} what came into sight, in CSS pixels; null if the layer has to be painted again
   */
  move({ canvas, painted }, ctx, inputs, dpr) {
    if (!painted || !isEqual(inputs, painted, 2)) return null;
    const [x = 0, y = 0] = [0, 1].map((at) => Math.round((Number(inputs[at]) - Number(painted[at])) * dpr));
    const { width, height } = canvas;
    if (Math.abs(x) > width / 2 || Math.abs(y) > height / 2) return null;
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalCompositeOperation = "copy";
    ctx.drawImage(canvas, x, y);
    ctx.restore();
    const [wide, high] = [Math.abs(x) / dpr, Math.abs(y) / dpr];
    return [
      { left: x > 0 ? 0 : width / dpr - wide, top: 0, width: wide, height: height / dpr },
      { left: 0, top: y > 0 ? 0 : height / dpr - high, width: width / dpr, height: high },
    ].filter((part) => part.width > 0 && part.height > 0);
  }
}

/** Compare inputs from an index on. @param {unknown[]} inputs @param {unknown[]} before @param {number} from */
function isEqual(inputs, before, from) {
  return inputs.every((input, at) => at < from || Object.is(input, before[at]));
}
