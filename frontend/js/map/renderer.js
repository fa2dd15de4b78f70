// @ts-check
/**
 * Stage of the map pane: the canvases, the camera, the images, and the frame painted from them. The pane sets the
 * picture and the pointed room; the layers (map/layers.js) paint.
 */

import { el } from "../core/dom.js";
import { arrange } from "./arrangement.js";
import { MapCamera } from "./camera.js";
import { earthOf, earthSheet } from "./degrees.js";
import { adjacentFloor } from "./floors.js";
import { sheetBox } from "./geometry.js";
import { bitmapUrl, floorUrl, MapImages } from "./images.js";
import { MapLayers, sightOf } from "./layers.js";
import { readPalette } from "./palette.js";
import { planOf } from "./plan.js";
import { litRooms } from "./pointing.js";
import { rulerOf } from "./text-measure.js";
import { sceneOf } from "./scene.js";
import { emptyMap, floorOf } from "./state.js";
import { MapSurface } from "./surface.js";

/** @import { Floor, Language, Rectangle, RoomRef, XY } from "../types.js" */
/** @import { Arrangement } from "./arrangement.js" */
/** @import { Box, Size, View } from "./geometry.js" */
/** @import { Ghost } from "./layer-plan.js" */
/** @import { Stage } from "./layers.js" */
/** @import { Earth } from "./degrees.js" */
/** @import { RouteScene } from "./layer-route.js" */
/** @import { Lit } from "./pointing.js" */
/** @import { PointSet } from "./points.js" */
/** @import { FloorScene } from "./scene.js" */
/** @import { MapPicture } from "./state.js" */
/**
 * @typedef {object} LayerScene input of the layers
 * @property {FloorScene | null} floor null when no floor is shown
 * @property {Arrangement | null} arrangement icons, texts and names of the floor, at the zoom of the frame
 * @property {Earth | null} earth the part of the earth that replaces the plan
 * @property {PointSet | null} points on the earth
 * @property {Box} sheet in plan pixels
 * @property {HTMLImageElement | null} image of the floor, once it has loaded
 * @property {number} fade opacity of the image, 0 to 1
 * @property {(bitmapId: string) => HTMLImageElement | null} bitmap
 * @property {number} arrivals how many images have come: another one may be an icon that was waited for
 * @property {Ghost | null} ghost the floor below
 * @property {string | null} hover name of the room under the pointer
 * @property {Set<string>} lit names of selected rooms
 * @property {RouteScene} route
 */

/** Milliseconds of a floor image's fade-in. */
const FADE = 160;
/** CSS pixels of the pane above the plan: floor tabs and margins. */
const TOP_MARGIN = 68;

export class MapStage {
  /**
   * @param {object} hooks
   * @param {(view: View) => void} hooks.onViewChange the view changed
   * @param {() => void} hooks.arrived an image arrived or failed
   * @param {(floor: Floor | null, stage: Stage) => RouteScene} hooks.route returns the routes on the shown floor
   * @param {() => void} hooks.painted a frame was painted
   * @param {() => Language} hooks.language language of the shown names
   */
  constructor({ onViewChange, arrived, route, painted, language }) {
    this.hooks = { route, painted, language };
    /** Rooms of the next question. @type {RoomRef[]} */
    this.chosen = [];
    this.picture = emptyMap;
    /** Room under the pointer. @type {string | null} */
    this.hover = null;
    /** @type {Lit} */
    this.lit = { room: null, seq: null };
    /** Sheet of points by latitude and longitude, computed once per set. @type {{of: PointSet, earth: Earth} | null} */
    this.sheetOfPoints = null;
    /** Whether ordinary rooms have quiet outlines, as in protocol 2.0. */
    this.calm = false;
    this.palette = readPalette();
    /** Whether the palette is that of a plan without an image. */
    this.isDrawn = false;
    this.images = new MapImages(arrived);
    this.layers = new MapLayers();
    this.dom = el("div", { class: "map-stage", tabindex: "0", role: "application" }, ...this.layers.canvases);
    this.measure = this.ruler();
    /** @type {FloorScene | null} */
    this.scene = null;
    /** @type {Arrangement | null} */
    this.arrangement = null;
    this.ghostShown = false;
    /** Floor below, while it is shown. @type {Ghost | null} */
    this.ghost = null;
    this.camera = new MapCamera((view) => {
      onViewChange(view);
      this.surface.touch();
    });
    this.surface = new MapSurface(this.layers.ground, {
      resized: ({ width, height }) => {
        this.layers.resize(width, height);
        this.aim();
      },
      paint: () => this.paint(),
    });
  }

  destroy() {
    this.surface.destroy();
    this.images.destroy();
  }

  /** Size of the pane. @returns {Size} of the pane */
  get size() {
    return this.surface.size;
  }

  /** @param {MapPicture} picture */
  show(picture) {
    this.picture = picture;
    const isDrawn = !picture.onEarth && floorOf(picture)?.floorImage === "";
    if (isDrawn !== this.isDrawn) {
      this.isDrawn = isDrawn;
      this.palette = readPalette(this.calm, isDrawn);
    }
    this.aim();
    this.surface.touch();
  }

  /** Request all bitmaps, so that they are there when they are drawn. */
  fetchBitmaps() {
    for (const { bitmapFile } of this.picture.building?.bitmaps ?? []) this.images.get(bitmapUrl(bitmapFile));
  }

  /** Set the room under the pointer. @param {string | null} name */
  point(name) {
    if (name === this.hover) return;
    this.hover = name;
    this.surface.touch();
  }

  /** Set the selection. @param {Lit} lit what is selected */
  light(lit) {
    this.lit = lit;
    this.surface.touch();
  }

  /** Show or hide the floor below. @param {boolean} isShown whether it is shown, faint */
  showGhost(isShown) {
    this.ghostShown = isShown;
    this.surface.touch();
  }

  /** Return the floor below. @returns {Ghost | null} the same object while the floors are the same */
  below() {
    const floor = floorOf(this.picture);
    const below = this.ghostShown && floor ? adjacentFloor(this.picture.building, floor.floorId, -1) : null;
    if (!floor || !below) this.ghost = null;
    else if (this.ghost?.floor !== floor || this.ghost.below !== below) this.ghost = { floor, below };
    return this.ghost;
  }

  /** Set the rooms of the next question. @param {RoomRef[]} rooms */
  choose(rooms) {
    this.chosen = rooms;
    if (!rooms.some(({ name }) => name === this.lit.room)) this.lit = { ...this.lit, room: null };
    this.surface.touch();
  }

  /** Set the outlines of ordinary rooms. @param {boolean} calm whether they are quiet */
  setCalm(calm) {
    if (calm === this.calm) return;
    this.calm = calm;
    this.recolour();
  }

  /** Read the palette again after a change of theme. */
  recolour() {
    this.palette = readPalette(this.calm, this.isDrawn);
    this.measure = this.ruler();
    this.surface.touch();
  }

  ruler() {
    const ctx = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
    return rulerOf(ctx, this.palette.family);
  }

  /** Paint pending changes now. */
  draw() {
    this.surface.draw();
  }

  /** Return the image of the shown floor. @returns {ReturnType<MapImages["get"]> | null} */
  plan() {
    const floor = floorOf(this.picture);
    return floor?.floorImage
      ? this.images.get(floorUrl(this.picture.building?.buildingId, floor.floorImage))
      : null;
  }

  /** @param {string} bitmapId */
  bitmap(bitmapId) {
    const bitmap = this.picture.building?.bitmaps.find((candidate) => candidate.bitmapId === bitmapId);
    return bitmap ? this.images.get(bitmapUrl(bitmap.bitmapFile)) : null;
  }

  /** Return the shown name of a room of this floor. @param {string} name @param {Language} language */
  roomName(name, language) {
    const floor = floorOf(this.picture);
    const plan = floor && planOf(floor);
    return plan?.shownName(plan.indexes.get(name) ?? -1, language) || name;
  }

  /**
   * Find the room at a place.
   *
   * @param {XY} at on the screen
   * @returns {{floor: Floor, room: Rectangle} | null} the room there
   */
  roomAt(at) {
    const floor = this.picture.onEarth ? null : floorOf(this.picture);
    if (!floor) return null;
    const { scale, left, top } = this.camera.view;
    const room =
      floor.rectangles[planOf(floor).roomAt({ x: (at.x - left) / scale, y: (at.y - top) / scale })];
    return room ? { floor, room } : null;
  }

  /**
   * Return the sheet of the shown floor, enlarged to its image if that is larger than its coordinates.
   *
   * @param {Floor} floor
   * @returns {Box}
   */
  sheet(floor) {
    const sheet = sheetBox(floor);
    const plan = this.plan();
    if (plan?.arrival !== "ready") return sheet;
    const { naturalWidth, naturalHeight } = plan.image;
    return {
      ...sheet,
      width: Math.max(sheet.width, naturalWidth),
      height: Math.max(sheet.height, naturalHeight),
    };
  }

  /** Update the camera after a change of floor, sheet or pane. */
  aim() {
    const earth = this.earth();
    if (earth)
      return this.camera.aim(`earth ${this.picture.points?.origin.seq}`, earthSheet(earth), this.size);
    const floor = floorOf(this.picture);
    if (floor)
      this.camera.aim(
        `${this.picture.building?.buildingId ?? ""} ${floor.floorId}`,
        this.sheet(floor),
        this.size,
      );
    return undefined;
  }

  /** Return the part of the earth that replaces the plan. @returns {Earth | null} */
  earth() {
    const { points, onEarth } = this.picture;
    if (!onEarth || !points) return null;
    const { width, height } = this.size;
    if (this.sheetOfPoints?.of !== points) {
      if (!width || !height) return earthOf(points.points);
      const aspect = Math.min(2, Math.max(0.6, width / Math.max(1, height - TOP_MARGIN)));
      this.sheetOfPoints = { of: points, earth: earthOf(points.points, aspect) };
    }
    return this.sheetOfPoints.earth;
  }

  paint() {
    const stage = this.frame();
    const scene = this.layerScene(stage);
    const again = this.layers.paint(stage, scene);
    this.hooks.painted();
    if (again || scene.fade < 1) this.surface.touch();
  }

  /**
   * Return the surroundings of a frame, with the view aligned to whole device pixels, so that panning does not blur the
   * plan.
   *
   * @returns {Stage}
   */
  frame() {
    const { palette, measure } = this;
    const { size, dpr } = this.surface;
    const { view, fit } = this.camera;
    const snap = (/** @type {number} */ value) => Math.round(value * dpr) / dpr;
    return {
      size,
      sight: sightOf({ left: 0, top: 0, ...size }),
      dpr,
      view: { scale: view.scale, left: snap(view.left), top: snap(view.top) },
      fit,
      palette,
      measure,
      language: this.hooks.language(),
    };
  }

  /** @param {Stage} stage @returns {LayerScene} */
  layerScene(stage) {
    const { picture, hover } = this;
    this.scene = sceneOf(picture, this.scene);
    this.arrangement = this.scene && arrange(this.scene, stage, this.arrangement);
    const plan = this.plan();
    const bitmap = (/** @type {string} */ id) => {
      const entry = this.bitmap(id);
      return entry?.arrival === "ready" ? entry.image : null;
    };
    return {
      floor: this.scene,
      arrangement: this.arrangement,
      earth: this.earth(),
      points: picture.points,
      sheet: this.camera.sheet,
      image: plan?.arrival === "ready" ? plan.image : null,
      fade: this.fade(),
      bitmap,
      arrivals: this.images.arrivals,
      ghost: this.below(),
      hover,
      lit: litRooms(picture, this.lit, this.chosen),
      route: this.hooks.route(this.scene?.floor ?? null, stage),
    };
  }

  /** Return the opacity of the floor's image, 0 to 1. */
  fade() {
    const plan = this.plan();
    if (plan?.arrival !== "ready" || matchMedia("(prefers-reduced-motion: reduce)").matches) return 1;
    return Math.min(1, Math.max(0, (performance.now() - plan.at) / FADE));
  }
}
