// @ts-check
/**
 * Stacked canvases of the map, one per layer, each painted only when its inputs changed.
 *
 * A layer is a module: `paint(ctx, stage, scene)` draws in CSS pixels on an empty canvas and returns true to request
 * another frame; `inputs(scene)` lists what it depends on, compared item by item with the last time; `isEmpty(scene)`
 * hides its canvas. View, size and colours are inputs of every layer. To add a layer, put it into LAYERS.
 */

import { el } from "../core/dom.js";
import * as agents from "./layer-agents.js";
import * as closures from "./layer-closures.js";
import * as data from "./layer-data.js";
import * as interaction from "./layer-interaction.js";
import * as names from "./layer-names.js";
import * as plan from "./layer-plan.js";
import * as route from "./layer-route.js";

/** @import { Language } from "../types.js" */
/** @import { Size, View } from "./geometry.js" */
/** @import { Measure } from "./layout.js" */
/** @import { Palette } from "./palette.js" */
/** @import { LayerScene } from "./renderer.js" */

/**
 * Surroundings of every layer; `size` in CSS pixels, `view` aligned to whole device pixels.
 *
 * @typedef {{size: Size, dpr: number, view: View, fit: View, palette: Palette, measure: Measure, language: Language}} Stage
 */
/**
 * @typedef {object} Layer
 * @property {(ctx: CanvasRenderingContext2D, stage: Stage, scene: LayerScene) => boolean | void} paint
 * @property {(scene: LayerScene) => unknown[]} inputs
 * @property {(scene: LayerScene) => boolean} isEmpty
 */

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
    const common = [size.width, size.height, dpr, view.scale, view.left, view.top, fit.scale, palette];
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
      if (sheet.painted && inputs.every((input, at) => Object.is(input, sheet.painted?.[at]))) continue;
      ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
      if (sheet !== this.sheets[0]) ctx.clearRect(0, 0, size.width + 1, size.height + 1);
      const more = layer.paint(ctx, stage, scene) === true;
      sheet.painted = more ? null : inputs;
      sheet.count += 1;
      again ||= more;
    }
    return again;
  }
}
