// @ts-check
/**
 * The map pane: a floor plan on a canvas, with what the agent drew on it. Messages go through `reduceMap` into the
 * picture; from the picture the pane lays out, paints and describes. Hands are in map-gestures.js, what lies over the
 * plan in map-controls.js.
 *
 * For tests and scripts `dom` carries data-floor, data-arrows, data-highlights, data-overlays, data-image, and data-view
 * ("scale left top": plan pixels to CSS pixels).
 */

import { el } from "./dom.js";
import { MapCamera } from "./map-camera.js";
import { MapControls } from "./map-controls.js";
import { roomAt, sheetBox } from "./map-geometry.js";
import { listenToHands } from "./map-gestures.js";
import { fileUrl, MapImages } from "./map-images.js";
import { layoutFloor } from "./map-layout.js";
import { fontOf, paintFloor } from "./map-painter.js";
import { readPalette } from "./map-palette.js";
import { note } from "./map-reading.js";
import { emptyMap, floorOf, reduceMap, showFloor } from "./map-state.js";
import { MapSurface } from "./map-surface.js";

/** @import { PaneNeeds, Selection, XY } from "./types.js" */
/** @import { Box, View } from "./map-geometry.js" */
/** @import { MapPicture } from "./map-state.js" */

const FLOORS = "/backend/data/floors/";
const BITMAPS = "/backend/bitmaps/";
/** Milliseconds a floor image takes to appear. */
const FADE = 160;
/** Notes shown at once: the plan is the hero. */
const NOTES = 3;

export class MapViewer {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    /** @type {MapPicture} */
    this.picture = emptyMap;
    /** Somebody asked something in this chat: nobody needs to be told what to ask. */
    this.asked = false;
    this.camera = new MapCamera((view) => this.looked(view));
    /** @type {XY | null} */
    this.pointer = null;
    /** @type {string | null} */
    this.hover = null;
    /** @type {{room: string | null, seq: number | null}} */
    this.lit = { room: null, seq: null };
    this.images = new MapImages(() => this.update());
    this.canvas = el("canvas", { class: "map-canvas", "aria-hidden": "true" });
    this.words = el("p", { class: "map-waiting" });
    this.stage = el("div", { class: "map-stage", tabindex: "0", role: "application" }, this.canvas);
    this.controls = new MapControls(t, {
      floor: (floorId) => this.become(showFloor(this.picture, floorId)),
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
    this.surface.destroy();
    this.images.destroy();
    this.dom.remove();
  }

  /** @param {{type: string, content?: unknown, seq?: number, runId?: string}} message */
  hear(message) {
    if (message.type === "map_definition") this.images.forget();
    if (message.type === "user_message" && !this.asked) {
      this.asked = true;
      this.update();
    }
    this.become(reduceMap(this.picture, message));
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
    dom.dataset.highlights = String(picture.highlights.length);
    dom.dataset.overlays = String(picture.overlays.length);
    dom.dataset.image = plan?.arrival ?? "none";
    this.stage.setAttribute("aria-label", `${t("map.label")}. ${t("map.keys")}`);
    this.words.hidden = floor !== null;
    this.words.textContent = floor ? "" : t(picture.building ? "map.no_floors" : "map.waiting");
    const drawn = picture.highlights.length + picture.overlays.length + picture.arrows.length > 0;
    this.controls.show(picture, this.notes(), !drawn && !this.asked);
    this.aim();
    this.surface.touch();
  }

  /** What the last command named and is not there, and what could not be loaded. */
  notes() {
    const missing = [...new Set(this.picture.overlays.map((one) => (one.type === "bitmap" ? one.bitmapId : "")))]
      .filter((id) => id && this.bitmapEntry(id)?.arrival === "missing")
      .map((bitmap) => note("map.no_bitmap", { bitmap }));
    const plan = this.dom.dataset.image === "missing" ? [note("map.no_plan")] : [];
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
    const floor = floorOf(this.picture);
    if (floor) this.camera.aim(floor.floorId, this.sheet(), this.surface.size);
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
    const floor = floorOf(this.picture);
    const name = (at && floor && roomAt(floor, this.camera.view, at)?.name) || null;
    if (at) this.controls.point(name, at, this.surface.size.width);
    else this.controls.point(null, { x: 0, y: 0 }, 0);
    if (name === this.hover) return;
    this.hover = name;
    this.surface.touch();
  }

  /** A click on a room points at it everywhere; on nothing, at nothing here. @param {XY} at */
  choose(at) {
    const floor = floorOf(this.picture);
    const room = floor && roomAt(floor, this.camera.view, at);
    this.lit = { room: room?.name ?? null, seq: null };
    this.surface.touch();
    if (!room || !floor) return;
    const drawn = [...this.picture.highlights, ...this.picture.overlays, ...this.picture.arrows].filter(
      (one) => one.floorId === floor.floorId && roomNameOf(one) === room.name,
    );
    const { seq, runId } = drawn[drawn.length - 1]?.origin ?? {};
    this.bus.emit("select", { source: "map", room: room.name, ...(seq !== undefined && { seq }), ...(runId && { runId }) });
  }

  /** Something was pointed at elsewhere: light up what it drew. @param {Selection} selection */
  light({ source, room, seq }) {
    if (source === "map") return;
    this.lit = { room: room ?? null, seq: seq ?? null };
    const things = [...this.picture.highlights, ...this.picture.overlays, ...this.picture.arrows];
    const drawn = things.filter((one) => seq !== undefined && one.origin.seq === seq);
    if (drawn[0] && !drawn.some(({ floorId }) => floorId === this.picture.floorId)) {
      this.become(showFloor(this.picture, drawn[0].floorId));
    }
    this.surface.touch();
  }

  /** The server empties the map for every page of the chat; here it happens at once. */
  clearArrows() {
    this.bus.emit("send", { type: "clear_arrows" });
    this.become(reduceMap(this.picture, { type: "clear_arrows" }));
  }

  /** @returns {Set<string>} names of the rooms to ring */
  litRooms() {
    const { room, seq } = this.lit;
    const names = new Set(room === null ? [] : [room]);
    if (seq === null) return names;
    for (const one of [...this.picture.highlights, ...this.picture.overlays, ...this.picture.arrows]) {
      const name = roomNameOf(one);
      if (one.floorId === this.picture.floorId && one.origin.seq === seq && name) names.add(name);
    }
    return names;
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} dpr */
  paint(ctx, dpr) {
    const floor = floorOf(this.picture);
    const { palette } = this;
    const { view, fit, sheet } = this.camera;
    const { size } = this.surface;
    if (!floor) {
      ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
      ctx.fillStyle = palette.ground;
      ctx.fillRect(0, 0, size.width, size.height);
      return;
    }
    const plan = this.images.get(fileUrl(FLOORS, floor.floorImage));
    const fade = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : (performance.now() - plan.at) / FADE;
    const measure = (/** @type {string} */ text, /** @type {number} */ fontSize, /** @type {boolean} */ bold) => {
      ctx.font = fontOf(fontSize, bold, palette.family);
      return ctx.measureText(text).width;
    };
    paintFloor(ctx, {
      size,
      dpr,
      view,
      floor,
      sheet,
      image: plan.arrival === "ready" ? plan.image : null,
      fade: Math.min(1, Math.max(0, fade)),
      bitmap: (id) => {
        const entry = this.bitmapEntry(id);
        return entry?.arrival === "ready" ? entry.image : null;
      },
      layout: layoutFloor(floor, this.picture, view, fit, measure),
      hover: this.hover,
      lit: this.litRooms(),
      palette,
    });
    if (plan.arrival === "ready" && fade < 1) this.surface.touch();
  }
}

/** @param {import("./map-reading.js").Highlight | import("./map-reading.js").PlacedOverlay | import("./map-state.js").PlacedArrow} thing */
function roomNameOf(thing) {
  if ("room" in thing) return thing.room;
  return thing.position.type === "rectangle" ? thing.position.name : null;
}
