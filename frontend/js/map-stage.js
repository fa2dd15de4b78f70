// @ts-check
/**
 * The stage of the map pane: the canvas, where the person looks, the images that are drawn, and the frame that is painted
 * from them. It is shown a picture and told what is pointed at; the layers it paints are listed in map-scene.js.
 */

import { el } from "./dom.js";
import { MapCamera } from "./map-camera.js";
import { earthOf, earthSheet } from "./map-degrees.js";
import { roomAt, sheetBox } from "./map-geometry.js";
import { fileUrl, MapImages } from "./map-images.js";
import { readPalette } from "./map-palette.js";
import { litRooms } from "./map-pointing.js";
import { paintEarth, paintNothing, paintPlan } from "./map-scene.js";
import { emptyMap, floorOf } from "./map-state.js";
import { MapSurface } from "./map-surface.js";

/** @import { Floor, Rectangle, XY } from "./types.js" */
/** @import { Box, Size, View } from "./map-geometry.js" */
/** @import { Earth } from "./map-degrees.js" */
/** @import { Lit } from "./map-pointing.js" */
/** @import { PointSet } from "./map-points.js" */
/** @import { MapPicture } from "./map-state.js" */

const FLOORS = "/backend/data/floors/";
const BITMAPS = "/backend/bitmaps/";
/** CSS pixels of the pane that the floor tabs and the margins take. */
const ABOVE = 68;

export class MapStage {
  /** @param {{looked: (view: View) => void, arrived: () => void}} hooks called when the view changed, and when an image came or failed */
  constructor({ looked, arrived }) {
    this.picture = emptyMap;
    /** The room under the pointer. @type {string | null} */
    this.hover = null;
    /** @type {Lit} */
    this.lit = { room: null, seq: null };
    /** The sheet of the points by latitude and longitude, made once for each set of them. @type {{of: PointSet, earth: Earth} | null} */
    this.sheetOfPoints = null;
    this.palette = readPalette();
    this.images = new MapImages(arrived);
    this.canvas = el("canvas", { class: "map-canvas", "aria-hidden": "true" });
    this.dom = el("div", { class: "map-stage", tabindex: "0", role: "application" }, this.canvas);
    this.camera = new MapCamera((view) => {
      looked(view);
      this.surface.touch();
    });
    this.surface = new MapSurface(this.canvas, {
      resized: () => this.aim(),
      paint: (ctx, dpr) => this.paint(ctx, dpr),
    });
  }

  destroy() {
    this.surface.destroy();
    this.images.destroy();
  }

  /** @returns {Size} of the pane */
  get size() {
    return this.surface.size;
  }

  /** @param {MapPicture} picture */
  show(picture) {
    this.picture = picture;
    for (const { bitmapFile } of picture.building?.bitmaps ?? []) this.images.get(fileUrl(BITMAPS, bitmapFile));
    this.aim();
    this.surface.touch();
  }

  /** @param {string | null} name of the room under the pointer */
  point(name) {
    if (name === this.hover) return;
    this.hover = name;
    this.surface.touch();
  }

  /** @param {Lit} lit what is selected */
  light(lit) {
    this.lit = lit;
    this.surface.touch();
  }

  /** The page has other colours. */
  recolour() {
    this.palette = readPalette();
    this.surface.touch();
  }

  /** Paint now what is to be painted. */
  draw() {
    this.surface.draw();
  }

  /** @returns {ReturnType<MapImages["get"]> | null} the image of the shown floor */
  plan() {
    const floor = floorOf(this.picture);
    return floor && this.images.get(fileUrl(FLOORS, floor.floorImage));
  }

  /** @param {string} bitmapId */
  bitmap(bitmapId) {
    const found = this.picture.building?.bitmaps.find((one) => one.bitmapId === bitmapId);
    return found ? this.images.get(fileUrl(BITMAPS, found.bitmapFile)) : null;
  }

  /** @param {XY} at on the screen @returns {{floor: Floor, room: Rectangle} | null} the room there */
  roomAt(at) {
    const floor = this.picture.onEarth ? null : floorOf(this.picture);
    const room = floor && roomAt(floor, this.camera.view, at);
    return room && { floor, room };
  }

  /** The sheet of the shown floor; an image larger than its coordinates promise makes it larger. @param {Floor} floor @returns {Box} */
  sheet(floor) {
    const sheet = sheetBox(floor);
    const plan = this.plan();
    if (plan?.arrival !== "ready") return sheet;
    const { naturalWidth, naturalHeight } = plan.image;
    return { ...sheet, width: Math.max(sheet.width, naturalWidth), height: Math.max(sheet.height, naturalHeight) };
  }

  /** The camera hears of every change of floor, sheet and pane. */
  aim() {
    const earth = this.earth();
    if (earth) return this.camera.aim(`earth ${this.picture.points?.origin.seq}`, earthSheet(earth), this.size);
    const floor = floorOf(this.picture);
    if (floor) this.camera.aim(floor.floorId, this.sheet(floor), this.size);
    return undefined;
  }

  /** @returns {Earth | null} the part of the earth that is shown in place of the plan */
  earth() {
    const { points, onEarth } = this.picture;
    if (!onEarth || !points) return null;
    const { width, height } = this.size;
    if (this.sheetOfPoints?.of !== points) {
      if (!width || !height) return earthOf(points.points);
      const aspect = Math.min(2, Math.max(0.6, width / Math.max(1, height - ABOVE)));
      this.sheetOfPoints = { of: points, earth: earthOf(points.points, aspect) };
    }
    return this.sheetOfPoints.earth;
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} dpr */
  paint(ctx, dpr) {
    const { picture, palette, hover } = this;
    const { view, fit, sheet } = this.camera;
    const stage = { size: this.size, dpr, view, fit, palette };
    const earth = this.earth();
    const floor = floorOf(picture);
    const plan = this.plan();
    if (earth && picture.points) return paintEarth(ctx, stage, earth, picture.points);
    if (!floor || !plan) return paintNothing(ctx, stage);
    const lit = litRooms(picture, this.lit);
    const fades = paintPlan(ctx, stage, { floor, picture, sheet, plan, hover, lit, bitmap: (id) => this.bitmap(id) });
    if (fades) this.surface.touch();
    return undefined;
  }
}
