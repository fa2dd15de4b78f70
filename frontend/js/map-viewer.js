// @ts-check
/**
 * The map pane: a floor plan on a canvas, with what the agent drew on it. Messages go through `reduceMap` into the
 * picture; from the picture the pane lays out, paints and describes. Hands are in map-gestures.js, what lies over the
 * plan in map-controls.js, what is painted in map-scene.js, what is pointed at in map-pointing.js.
 *
 * For tests and scripts `dom` carries data-floor, data-arrows, data-highlights, data-overlays, data-image, and data-view
 * ("scale left top": plan pixels to CSS pixels), data-points, and data-earth while points by latitude and longitude are shown.
 */

import { el } from "./dom.js";
import { MapCamera } from "./map-camera.js";
import { MapControls } from "./map-controls.js";
import { earthOf, earthSheet } from "./map-degrees.js";
import { roomAt, sheetBox } from "./map-geometry.js";
import { listenToHands } from "./map-gestures.js";
import { fileUrl, MapImages } from "./map-images.js";
import { readPalette } from "./map-palette.js";
import { litRooms, pointAt } from "./map-pointing.js";
import { note } from "./map-reading.js";
import { paintEarth, paintNothing, paintPlan } from "./map-scene.js";
import { drawnOn, emptyMap, floorOf, highlightsOf, reduceMap, showEarth, showFloor } from "./map-state.js";
import { MapSurface } from "./map-surface.js";

/** @import { PaneNeeds, Selection, XY } from "./types.js" */
/** @import { Box, View } from "./map-geometry.js" */
/** @import { Earth } from "./map-degrees.js" */
/** @import { PointSet } from "./map-points.js" */
/** @import { MapPicture } from "./map-state.js" */

const FLOORS = "/backend/data/floors/";
const BITMAPS = "/backend/bitmaps/";
/** Notes shown at once: the plan is the hero. */
const NOTES = 3;
/** CSS pixels of the pane that the floor tabs and the margins take. */
const ABOVE = 68;

export class MapViewer {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    /** @type {MapPicture} */
    this.picture = emptyMap;
    /** Somebody asked something in this chat: nobody needs to be told what to ask. */
    this.asked = false;
    /** The sheet of the points by latitude and longitude, made once for each set of them. @type {{of: PointSet, earth: Earth} | null} */
    this.sheetOfPoints = null;
    this.frame = 0;
    this.camera = new MapCamera((view) => this.looked(view));
    /** @type {XY | null} */
    this.pointer = null;
    /** @type {string | null} */
    this.hover = null;
    /** @type {{room: string | null, seq: number | null}} */
    this.lit = { room: null, seq: null };
    this.images = new MapImages(() => this.soon());
    this.canvas = el("canvas", { class: "map-canvas", "aria-hidden": "true" });
    this.words = el("p", { class: "map-waiting" });
    this.stage = el("div", { class: "map-stage", tabindex: "0", role: "application" }, this.canvas);
    this.controls = new MapControls(t, {
      floor: (floorId) => this.become(showFloor(this.picture, floorId)),
      earth: () => this.become(showEarth(this.picture)),
      clear: () => this.clearArrows(),
      zoom: (factor) => this.camera.zoom(factor, null),
      fit: () => this.camera.whole(),
      ask: (message) => bus.emit("command", { name: "submit", message }),
    });
    this.dom = el("div", { class: "map-viewer" }, this.stage, this.words, ...this.controls.nodes);
    this.palette = readPalette();
    this.surface = new MapSurface(this.canvas, {
      resized: () => this.aim(),
      paint: (ctx, dpr) => this.paint(ctx, dpr),
    });
    this.undo = [
      listenToHands(this.stage, this.canvas, {
        pan: (by) => this.camera.pan(by),
        zoom: (factor, at) => this.camera.zoom(factor, at),
        fit: () => this.camera.whole(),
        hover: (at) => this.point(at),
        click: (at) => this.choose(at),
        floor: (step) => this.stepFloor(step),
      }),
      bus.on("message", (message) => this.hear(message)),
      bus.on("select", (selection) => this.light(selection)),
      bus.on("command", (command) => command.name === "reset" && this.reset()),
      bus.on("language", () => this.update()),
      bus.on("theme", () => {
        this.palette = readPalette();
        this.surface.touch();
      }),
    ];
    this.update();
  }

  destroy() {
    for (const undo of this.undo) undo();
    cancelAnimationFrame(this.frame);
    this.surface.destroy();
    this.images.destroy();
    this.dom.remove();
  }

  /** @param {{type: string, content?: unknown, seq?: number, runId?: string}} message */
  hear(message) {
    if (message.type === "map_definition") this.images.forget();
    const first = message.type === "user_message" && !this.asked;
    const picture = reduceMap(this.picture, message);
    if (picture === this.picture && !first) return;
    this.picture = picture;
    this.asked ||= first;
    this.soon();
  }

  /** Update with the next frame: a replay brings many messages between two of them. */
  soon() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.update();
      this.surface.draw();
    });
  }

  /** Another chat: its own drawings, asked or not. */
  reset() {
    this.asked = false;
    this.lit = { room: null, seq: null };
    this.become({ ...emptyMap, building: this.picture.building, floorId: this.picture.building?.floors[0]?.floorId ?? null });
  }

  /** @param {MapPicture} picture */
  become(picture) {
    if (picture === this.picture) return;
    this.picture = picture;
    this.update();
  }

  /** Everything that follows from the picture, the arrival of images and the language. */
  update() {
    const { picture, dom, t } = this;
    const floor = floorOf(picture);
    const plan = floor && this.images.get(fileUrl(FLOORS, floor.floorImage));
    for (const { bitmapFile } of picture.building?.bitmaps ?? []) this.images.get(fileUrl(BITMAPS, bitmapFile));
    dom.dataset.floor = picture.floorId ?? "";
    dom.dataset.arrows = String(picture.arrows.length);
    dom.dataset.highlights = String(highlightsOf(picture).length);
    dom.dataset.points = String(picture.points?.points.length ?? 0);
    dom.toggleAttribute("data-earth", picture.onEarth);
    dom.dataset.overlays = String(picture.overlays.length);
    dom.dataset.image = plan?.arrival ?? "none";
    this.stage.setAttribute("aria-label", `${t(picture.onEarth ? "map.points_label" : "map.label")}. ${t("map.keys")}`);
    this.words.hidden = floor !== null || picture.onEarth;
    this.words.textContent = floor ? "" : t(picture.building ? "map.no_floors" : "map.waiting");
    const drawn = picture.points !== null || drawnOn(picture).length > 0;
    this.controls.show(picture, this.notes(), !drawn && !this.asked);
    this.aim();
    this.surface.touch();
  }

  /** What the last command named and is not there, and what could not be loaded. */
  notes() {
    const missing = [...new Set(this.picture.overlays.map((one) => (one.type === "bitmap" ? one.bitmapId : "")))]
      .filter((id) => id && this.bitmapEntry(id)?.arrival === "missing")
      .map((bitmap) => note("map.no_bitmap", { bitmap }));
    const plan = this.dom.dataset.image === "missing" && !this.picture.onEarth ? [note("map.no_plan")] : [];
    return [...this.picture.notes, ...missing, ...plan].slice(0, NOTES);
  }

  /** @param {string} bitmapId */
  bitmapEntry(bitmapId) {
    const found = this.picture.building?.bitmaps.find((one) => one.bitmapId === bitmapId);
    return found ? this.images.get(fileUrl(BITMAPS, found.bitmapFile)) : null;
  }

  /** The sheet of the shown floor; an image larger than its coordinates promise makes it larger. @returns {Box} */
  sheet() {
    const floor = floorOf(this.picture);
    if (!floor) return { left: 0, top: 0, width: 1, height: 1 };
    const sheet = sheetBox(floor);
    const { image, arrival } = this.images.get(fileUrl(FLOORS, floor.floorImage));
    if (arrival !== "ready") return sheet;
    return { ...sheet, width: Math.max(sheet.width, image.naturalWidth), height: Math.max(sheet.height, image.naturalHeight) };
  }

  /** The camera hears of every change of floor, sheet and pane. */
  aim() {
    const earth = this.earth();
    if (earth) return this.camera.aim(`earth ${this.picture.points?.origin.seq}`, earthSheet(earth), this.surface.size);
    const floor = floorOf(this.picture);
    if (floor) this.camera.aim(floor.floorId, this.sheet(), this.surface.size);
    return undefined;
  }

  /** @returns {Earth | null} the part of the earth that is shown in place of the plan */
  earth() {
    const { points, onEarth } = this.picture;
    if (!onEarth || !points) return null;
    const { width, height } = this.surface.size;
    if (this.sheetOfPoints?.of !== points) {
      if (!width || !height) return earthOf(points.points);
      const aspect = Math.min(2, Math.max(0.6, width / Math.max(1, height - ABOVE)));
      this.sheetOfPoints = { of: points, earth: earthOf(points.points, aspect) };
    }
    return this.sheetOfPoints.earth;
  }

  /** @param {View} view */
  looked(view) {
    this.dom.dataset.view = [view.scale, view.left, view.top].map((value) => value.toFixed(4)).join(" ");
    if (this.pointer) this.point(this.pointer);
    this.surface.touch();
  }

  /** @param {1 | -1} step */
  stepFloor(step) {
    const floors = this.picture.building?.floors ?? [];
    const now = floors.findIndex(({ floorId }) => floorId === this.picture.floorId);
    const next = floors[now + step];
    if (next) this.become(showFloor(this.picture, next.floorId));
  }

  /** @param {XY | null} at */
  point(at) {
    this.pointer = at;
    const earth = this.earth();
    const floor = earth ? null : floorOf(this.picture);
    const name = (at && floor && roomAt(floor, this.camera.view, at)?.name) || null;
    if (at) this.controls.point(pointAt(this.picture, earth, this.camera.view, at) ?? name, at, this.surface.size.width);
    else this.controls.point(null, { x: 0, y: 0 }, 0);
    if (name === this.hover) return;
    this.hover = name;
    this.surface.touch();
  }

  /** A click on a room points at it everywhere; on nothing, at nothing here. @param {XY} at */
  choose(at) {
    const floor = this.picture.onEarth ? null : floorOf(this.picture);
    const room = floor && roomAt(floor, this.camera.view, at);
    this.lit = { room: room?.name ?? null, seq: null };
    this.surface.touch();
    if (!room || !floor) return;
    const drawn = drawnOn(this.picture).filter((one) => one.floorId === floor.floorId && one.room === room.name);
    const { seq, runId } = drawn[drawn.length - 1]?.origin ?? {};
    this.bus.emit("select", { source: "map", room: room.name, ...(seq !== undefined && { seq }), ...(runId && { runId }) });
  }

  /** Something was pointed at elsewhere: light up what it drew. @param {Selection} selection */
  light({ source, room, seq }) {
    if (source === "map") return;
    this.lit = { room: room ?? null, seq: seq ?? null };
    const { points } = this.picture;
    const drawn = drawnOn(this.picture).filter((one) => seq !== undefined && one.origin.seq === seq);
    const here = !this.picture.onEarth && drawn.some(({ floorId }) => floorId === this.picture.floorId);
    if (points?.kind === "earth" && seq !== undefined && points.origin.seq === seq) this.become(showEarth(this.picture));
    else if (drawn[0]?.floorId && !here) this.become(showFloor(this.picture, drawn[0].floorId));
    this.surface.touch();
  }

  /** The server empties the map for every page of the chat; here it happens at once. */
  clearArrows() {
    this.bus.emit("send", { type: "clear_arrows" });
    this.become(reduceMap(this.picture, { type: "clear_arrows" }));
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} dpr */
  paint(ctx, dpr) {
    const { picture, palette, hover } = this;
    const { view, fit, sheet } = this.camera;
    const { size } = this.surface;
    const stage = { size, dpr, view, fit, palette };
    const earth = this.earth();
    const floor = floorOf(picture);
    if (earth && picture.points) return paintEarth(ctx, stage, earth, picture.points);
    if (!floor) return paintNothing(ctx, stage);
    const plan = this.images.get(fileUrl(FLOORS, floor.floorImage));
    const lit = litRooms(picture, this.lit);
    const fades = paintPlan(ctx, stage, { floor, picture, sheet, plan, hover, lit, bitmap: (id) => this.bitmapEntry(id) });
    if (fades) this.surface.touch();
    return undefined;
  }
}
