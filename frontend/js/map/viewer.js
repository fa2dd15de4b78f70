// @ts-check
/**
 * The map pane: a floor plan with what the agent drew on it. Messages go through `reduceMap` into the picture; this file
 * hands the picture to what shows it: map/renderer.js paints it, map/controls.js lies over it, map/gestures.js are the
 * hands on it. What is pointed at is told on the bus, and heard there.
 *
 * For tests and scripts `dom` carries data-floor, data-arrows, data-highlights, data-overlays, data-image, and data-view
 * ("scale left top": plan pixels to CSS pixels), data-points, and data-earth while points by latitude and longitude are shown.
 */

import { el } from "../core/dom.js";
import { MapAnswers } from "./answers.js";
import { faultsOf } from "./building.js";
import { MapControls } from "./controls.js";
import { BuildingDrop } from "./drop.js";
import { fileName, pngOf, saveAs, svgOf } from "./export.js";
import { floorBeside } from "./floors.js";
import { listenToHands } from "./gestures.js";
import { Minimap } from "./minimap.js";
import { pointAt } from "./pointing.js";
import { note, record } from "./reading.js";
import { MapStage } from "./renderer.js";
import { drawnOn, emptyMap, floorOf, highlightsOf, reduceMap, showEarth, showFloor, showFrame } from "./state.js";

/** @import { PaneNeeds, Selection, XY } from "../types.js" */
/** @import { View } from "./geometry.js" */
/** @import { MapPicture } from "./state.js" */

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
    this.frame = 0;
    /** @type {XY | null} */
    this.pointer = null;
    this.stage = new MapStage({
      looked: (view) => this.looked(view),
      arrived: () => this.soon(),
      route: (floor, { view, measure }) => this.answers.route.scene(floor, view, measure),
      painted: () => this.answers.painted(),
    });
    /** @type {MapAnswers} */
    this.answers = new MapAnswers({
      bus, t, stage: this.stage,
      floor: (floorId) => this.become(showFloor(this.picture, floorId)),
      frame: (at) => this.moment(at),
      changed: () => this.update(),
    });
    this.words = el("p", { class: "map-waiting" });
    this.controls = new MapControls(t, {
      floor: (floorId) => this.become(showFloor(this.picture, floorId)),
      earth: () => this.become(showEarth(this.picture)),
      clear: () => this.clearArrows(),
      ghost: (shown) => this.stage.haunt(shown),
      save: (kind) => this.save(kind),
      zoom: (factor) => this.stage.camera.zoom(factor, null),
      fit: () => this.stage.camera.whole(),
      ask: (message) => bus.emit("command", { name: "submit", message }),
    });
    this.minimap = new Minimap(t, this.stage.camera);
    this.dom = el("div", { class: "map-viewer" }, this.stage.dom, this.words, this.minimap.dom, ...this.controls.nodes, ...this.answers.nodes);
    this.building = new BuildingDrop(this.dom, t);
    this.dom.append(this.building.dom);
    this.controls.foot.prepend(this.answers.legend.dom);
    this.controls.tools.dom.prepend(this.answers.tool);
    this.undo = [
      listenToHands(this.stage.dom, {
        pan: (by) => this.stage.camera.pan(by),
        zoom: (factor, at) => this.stage.camera.zoom(factor, at),
        fit: () => this.stage.camera.whole(),
        hover: (at) => this.point(at),
        click: (at, adds) => this.choose(at, adds),
        floor: (step) => this.stepFloor(step),
      }),
      bus.on("message", (message) => this.hear(message)),
      bus.on("select", (selection) => this.light(selection)),
      bus.on("command", (command) => command.name === "reset" && this.reset()),
      bus.on("language", () => this.update()),
      bus.on("theme", () => {
        this.stage.recolour();
        this.beside();
      }),
    ];
    this.update();
  }

  destroy() {
    for (const undo of this.undo) undo();
    cancelAnimationFrame(this.frame);
    this.building.destroy();
    this.answers.destroy();
    this.stage.destroy();
    this.dom.remove();
  }

  /** @param {{type: string, content?: unknown, seq?: number, runId?: string}} message */
  hear(message) {
    if (message.type === "map_definition") this.stage.images.forget();
    if (message.type === "chat") this.building.chatId = String(record(message.content).chatId);
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
      this.stage.draw();
    });
  }

  /** Another chat: its own drawings, asked or not. */
  reset() {
    this.asked = false;
    this.answers.reset();
    this.stage.light({ room: null, seq: null });
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
    this.stage.show(picture);
    dom.dataset.floor = picture.floorId ?? "";
    dom.dataset.arrows = String(picture.arrows.length);
    dom.dataset.highlights = String(highlightsOf(picture).length);
    dom.dataset.points = String(picture.points?.points.length ?? 0);
    dom.toggleAttribute("data-earth", picture.onEarth);
    dom.dataset.overlays = String(picture.overlays.length);
    dom.dataset.image = this.stage.plan()?.arrival ?? "none";
    this.stage.dom.setAttribute("aria-label", `${t(picture.onEarth ? "map.points_label" : "map.label")}. ${t("map.keys")}`);
    this.words.hidden = floor !== null || picture.onEarth;
    this.words.textContent = floor ? "" : t(picture.building ? "map.no_floors" : "map.waiting");
    const drawn = picture.points !== null || drawnOn(picture).length > 0;
    this.answers.show(picture, dom);
    this.controls.show(picture, this.notes(), !drawn && !this.asked);
    this.beside();
  }

  /** What follows the view: the minimap and the scale bar. */
  beside() {
    const { picture, stage, t } = this;
    this.minimap.show(picture, stage.palette);
    this.controls.scale.show(picture.onEarth ? null : floorOf(picture), stage.camera.view.scale, t.number);
  }

  /** The map as it is now, as a file. @param {"png" | "svg"} kind */
  async save(kind) {
    const { building, floorId, onEarth } = this.picture;
    const floor = onEarth ? "points" : floorId;
    const title = [building?.buildingName, floor].filter(Boolean).join(" · ");
    this.stage.point(null);
    const file = kind === "png" ? await pngOf(this.stage) : new Blob([svgOf(this.stage, title)], { type: "image/svg+xml" });
    saveAs(file, fileName([building?.buildingName ?? "map", floor], kind));
  }

  /** Another frame of the playback: only what shows it is told, so that it keeps its pace. @param {number} at */
  moment(at) {
    this.picture = showFrame(this.picture, at);
    this.stage.show(this.picture);
    this.answers.show(this.picture, this.dom);
    if (!this.answers.player.playing) this.update();
    this.stage.draw();
  }

  /** What the last command named and is not there, and what could not be loaded. */
  notes() {
    const missing = [...new Set(this.picture.overlays.map((one) => (one.type === "bitmap" ? one.bitmapId : "")))]
      .filter((id) => id && this.stage.bitmap(id)?.arrival === "missing")
      .map((bitmap) => note("map.no_bitmap", { bitmap }));
    const plan = this.dom.dataset.image === "missing" && !this.picture.onEarth ? [note("map.no_plan")] : [];
    return [...this.picture.notes, ...missing, ...plan, ...faultsOf(this.picture.building)].slice(0, NOTES);
  }

  /** @param {View} view */
  looked(view) {
    this.dom.dataset.view = [view.scale, view.left, view.top].map((value) => value.toFixed(4)).join(" ");
    this.answers.looked();
    if (this.pointer) this.point(this.pointer);
    this.beside();
  }

  /** @param {1 | -1} step one floor higher or lower */
  stepFloor(step) {
    const next = floorBeside(this.picture.building, this.picture.floorId, step);
    if (next) this.become(showFloor(this.picture, next.floorId));
  }

  /** @param {XY | null} at */
  point(at) {
    this.pointer = at;
    const { stage } = this;
    const name = (at && stage.roomAt(at)?.room.name) || null;
    const said = at && (pointAt(this.picture, stage.earth(), stage.camera.view, at) ?? this.answers.point(at, name));
    this.controls.point(said, at ?? { x: 0, y: 0 }, stage.size.width);
    if (!at) this.answers.point(null, null);
    stage.point(name);
  }

  /** A click on a room points at it everywhere; on nothing, at nothing here. @param {XY} at @param {boolean} adds it to the rooms pointed at */
  choose(at, adds) {
    const found = this.stage.roomAt(at);
    this.stage.light({ room: found?.room.name ?? null, seq: null });
    this.answers.choose(at, found?.room.name ?? null, adds);
    if (this.pointer) this.point(this.pointer); // a card may have taken the tip's place
    if (!found) return;
    const { floor, room } = found;
    const drawn = drawnOn(this.picture).filter((one) => one.floorId === floor.floorId && one.room === room.name);
    const { seq, runId } = drawn[drawn.length - 1]?.origin ?? {};
    this.bus.emit("select", { source: "map", room: room.name, ...(seq !== undefined && { seq }), ...(runId && { runId }) });
  }

  /** Something was pointed at elsewhere: light up what it drew. @param {Selection} selection */
  light({ source, room, seq }) {
    if (source === "map") return;
    this.stage.light({ room: room ?? null, seq: seq ?? null });
    const { points } = this.picture;
    const drawn = drawnOn(this.picture).filter((one) => seq !== undefined && one.origin.seq === seq);
    const here = !this.picture.onEarth && drawn.some(({ floorId }) => floorId === this.picture.floorId);
    if (points?.kind === "earth" && seq !== undefined && points.origin.seq === seq) this.become(showEarth(this.picture));
    else if (drawn[0]?.floorId && !here) this.become(showFloor(this.picture, drawn[0].floorId));
  }

  /** The server empties the map for every page of the chat; here it happens at once. */
  clearArrows() {
    this.bus.emit("send", { type: "clear_arrows" });
    this.become(reduceMap(this.picture, { type: "clear_arrows" }));
  }
}
