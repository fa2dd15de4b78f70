// @ts-check
/**
 * Minimap of the whole floor in a corner, while only a part is visible. The frame on it shows that part, and can be
 * dragged.
 */

import { el } from "../core/dom.js";
import { floorOf, highlightsOf } from "./state.js";
import { planOf } from "./plan.js";
import { fillMerged } from "./rooms.js";

/** @import { Translate, XY } from "../types.js" */
/** @import { MapCamera } from "./camera.js" */
/** @import { Palette } from "./palette.js" */
/** @import { MapPicture } from "./state.js" */

const MAX_SIZE = { width: 148, height: 96 };
/** Zoom relative to the fitted floor from which the minimap is shown. */
const MIN_ZOOM = 1.2;
/** Rooms above which their outlines are not drawn. */
const MOST_BOXES = 400;

export class Minimap {
  /** @param {Translate} t @param {MapCamera} camera */
  constructor(t, camera) {
    this.t = t;
    this.camera = camera;
    this.canvas = el("canvas");
    this.part = el("div", { class: "map-minimap-part" });
    this.dom = el(
      "div",
      { class: "map-minimap", hidden: true, "aria-hidden": "true" },
      this.canvas,
      this.part,
    );
    /** @type {MapPicture | null} */
    this.picture = null;
    /** Inputs of the last painting. @type {unknown[]} */
    this.painted = [];
    this.ratio = 1;
    const drag = (/** @type {PointerEvent} */ event) => {
      if (event.type === "pointerdown") this.dom.setPointerCapture(event.pointerId);
      if (!this.dom.hasPointerCapture(event.pointerId)) return;
      event.preventDefault();
      const { left, top } = this.canvas.getBoundingClientRect();
      this.go({ x: event.clientX - left, y: event.clientY - top });
    };
    this.dom.addEventListener("pointerdown", drag);
    this.dom.addEventListener("pointermove", drag);
  }

  /** Center a place of the minimap. @param {XY} at CSS pixels */
  go({ x, y }) {
    const { sheet } = this.camera;
    this.camera.centreOn({ x: sheet.left + x / this.ratio, y: sheet.top + y / this.ratio });
  }

  /** @param {MapPicture} picture @param {Palette} palette */
  show(picture, palette) {
    this.picture = picture;
    const { view, fit, sheet, size } = this.camera;
    const floor = picture.onEarth ? null : floorOf(picture);
    this.dom.hidden = !floor || view.scale < fit.scale * MIN_ZOOM || size.width < 480 || size.height < 320;
    if (this.dom.hidden || !floor) return;
    this.ratio = Math.min(MAX_SIZE.width / sheet.width, MAX_SIZE.height / sheet.height);
    this.paint(picture, palette);
    const place = {
      left: (-view.left / view.scale - sheet.left) * this.ratio,
      top: (-view.top / view.scale - sheet.top) * this.ratio,
    };
    const right = Math.min(sheet.width * this.ratio, place.left + (size.width / view.scale) * this.ratio);
    const bottom = Math.min(sheet.height * this.ratio, place.top + (size.height / view.scale) * this.ratio);
    const [left, top] = [Math.max(0, place.left), Math.max(0, place.top)];
    const { style } = this.part;
    style.setProperty("transform", `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`);
    style.setProperty("width", `${Math.max(4, right - left).toFixed(1)}px`);
    style.setProperty("height", `${Math.max(4, bottom - top).toFixed(1)}px`);
  }

  /** @param {MapPicture} picture @param {Palette} palette */
  paint(picture, palette) {
    const floor = floorOf(picture);
    const dpr = window.devicePixelRatio || 1;
    const inputs = [picture, palette, this.ratio, dpr];
    if (!floor || inputs.every((input, at) => input === this.painted[at])) return;
    this.painted = inputs;
    const { sheet } = this.camera;
    const [width, height] = [sheet.width * this.ratio, sheet.height * this.ratio];
    this.canvas.width = Math.round(width * dpr);
    this.canvas.height = Math.round(height * dpr);
    this.canvas.style.setProperty("width", `${width}px`);
    this.canvas.style.setProperty("height", `${height}px`);
    const ctx = this.canvas.getContext("2d");
    if (!ctx) return;
    ctx.fillStyle = palette.paper;
    ctx.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const scale = this.ratio * dpr;
    const plan = planOf(floor);
    const marks = new Map(
      highlightsOf(picture)
        .filter((highlight) => highlight.floorId === floor.floorId)
        .map((highlight) => [plan.indexes.get(highlight.room), highlight]),
    );
    ctx.lineWidth = dpr;
    const rooms = Array.from({ length: plan.count }, (_, room) => room);
    if (plan.count > MOST_BOXES) {
      const at = { scale: this.ratio, left: -sheet.left * this.ratio, top: -sheet.top * this.ratio };
      const stage = { dpr: 1, view: at, sight: { left: 0, top: 0, width, height } };
      ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
      ctx.globalAlpha = 0.15;
      fillMerged(ctx, stage, plan, rooms, () => palette.ink);
      ctx.globalAlpha = 0.75;
      const marked = rooms.filter((room) => marks.has(room));
      fillMerged(ctx, stage, plan, marked, (room) => marks.get(room)?.color ?? "");
      return;
    }
    for (const room of rooms) {
      const { left, top, width: wide, height: high } = plan.box(room);
      const box = /** @type {const} */ ([
        (left - sheet.left) * scale,
        (top - sheet.top) * scale,
        wide * scale,
        high * scale,
      ]);
      const mark = marks.get(room);
      ctx.globalAlpha = mark ? Math.max(0.35, mark.fillOpacity) : 0.1;
      ctx.fillStyle = mark ? mark.color : palette.ink;
      ctx.fillRect(...box);
      ctx.globalAlpha = 0.45;
      ctx.strokeStyle = palette.ink;
      ctx.strokeRect(...box);
    }
    ctx.globalAlpha = 1;
  }
}
