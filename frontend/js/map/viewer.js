// @ts-check
/**
 * Map pane: a floor plan with the agent's drawings. This class passes the picture of the page's state to its parts:
 * map/renderer.js paints it, map/controls.js lies over it, map/gestures.js handles input. Hovers and selections go over
 * the bus.
 *
 * For tests and scripts `dom` carries data-floor, data-closures, data-arrows, data-highlights, data-overlays, data-image, data-view
 * ("scale left top": plan pixels to CSS pixels), data-points, and data-earth while points by latitude and longitude are
 * shown.
 */

import { el } from "../core/dom.js";
import { shownName } from "../core/building-names.js";
import { startersOf } from "../core/api.js";
import { loadLatePart, loadPart } from "../core/late.js";
import { saveAs } from "../core/save.js";
import { MapAnswers } from "./answers.js";
import { MapControls } from "./controls.js";
import { BuildingEntry } from "./building-entry.js";
import { MapClosing } from "./closing.js";
import { MapLive } from "./live-tool.js";
import { adjacentFloor } from "./floors.js";
import { listenToGestures } from "./gestures.js";
import { Minimap } from "./minimap.js";
import { pointAt } from "./pointing.js";
import { note } from "./drawings.js";
import { MapStage } from "./renderer.js";
import { RoomEntry } from "./room-entry.js";
import { drawnOn, emptyMap, floorOf, highlightsOf, reduceMap, showFloor } from "./state.js";

/** @import { DeskState, Hover, MapDefinitionContent, PaneNeeds, Selection, XY } from "../types.js" */
/** @import { View } from "./geometry.js" */
/** @import { MapPicture } from "./state.js" */

/** Maximum number of notes. */
const NOTES = 3;

export class MapViewer {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    /** @type {MapPicture} */
    this.picture = emptyMap;
    /** Building that is shown before it is taken, in the place of the chat's. @type {MapPicture | null} */
    this.previewed = null;
    /** Whether the chat has turns: then no questions are suggested. */
    this.hasTurns = false;
    this.frame = 0;
    /** @type {XY | null} */
    this.pointer = null;
    this.stage = new MapStage({
      onViewChange: (view) => this.onViewChange(view),
      arrived: () => this.scheduleUpdate(),
      route: (floor, { view, measure }) => this.answers.route.scene(floor, view, measure),
      painted: () => this.answers.painted(),
      language: () => t.language,
    });
    /** @type {MapAnswers} */
    this.answers = new MapAnswers({
      bus,
      t,
      stage: this.stage,
      floor: (floorId) => this.showFloor(floorId),
      frame: (at) => this.bus.emit("fact", { type: "@frame", at }),
      changed: () => this.update(),
    });
    this.closing = new MapClosing({
      t,
      stage: this.stage,
      send: (frame) => bus.emit("send", frame),
      chatId: () => this.building.chatId,
    });
    this.live = new MapLive({ t, send: (frame) => bus.emit("send", frame) });
    this.rooms = new RoomEntry(t, this.stage, {
      ask: (message) => bus.emit("command", { name: "submit", message }),
      send: (frame) => bus.emit("send", frame),
      names: (floorId, room) => this.building.showNames(floorId, room),
      closures: () => void this.closing.set(true),
      chatId: () => this.building.chatId,
    });
    this.waitingText = el("p", { class: "map-waiting" });
    this.controls = new MapControls(t, {
      floor: (floorId) => this.showFloor(floorId),
      earth: () => this.bus.emit("fact", { type: "@earth" }),
      clear: () => this.clearDrawings(),
      ghost: (visible) => this.stage.showGhost(visible),
      save: (kind) => this.save(kind),
      pin: () => this.pin(),
      share: () => this.share(),
      zoom: (factor) => this.stage.camera.zoom(factor, null),
      fit: () => this.stage.camera.fitSheet(),
      ask: (message) => bus.emit("command", { name: "submit", message }),
    });
    this.minimap = new Minimap(t, this.stage.camera);
    this.plan = el(
      "div",
      { class: "map-main" },
      this.stage.dom,
      this.waitingText,
      this.minimap.dom,
      ...this.controls.nodes,
      ...this.answers.nodes,
      this.closing.place,
      this.live.place,
      this.rooms.dom,
    );
    this.dom = el("div", { class: "map-viewer" }, this.plan);
    this.building = new BuildingEntry({
      t,
      pane: this.dom,
      building: () => this.state?.map.building ?? null,
      preview: (definition) => this.preview(definition),
      renamed: (building) => bus.emit("fact", { type: "@building", building }),
      attach: (files) => bus.emit("command", { name: "attach", files }),
    });
    this.controls.place.prepend(this.building.button);
    this.dom.append(this.building.aside, this.building.status);
    this.controls.foot.prepend(this.answers.legend.dom);
    this.controls.tools.dom.prepend(this.answers.tool, this.closing.tool, this.live.tool);
    /** @type {import("./agents-card.js").AgentsCard | null} */
    this.agents = null;
    /** @type {import("./ghost-layer.js").GhostLayer | null} */
    this.ghosts = null;
    /** @type {DeskState | null} */
    this.state = null;
    /** Last selection, here or in another pane. @type {{room: string | null, seq: number | null}} */
    this.lit = { room: null, seq: null };
    /** Seqs of the last emitted hover. */
    this.sentSeqs = "";
    /** Inputs of the suggested questions: chat, language, tables. */
    this.offered = "";
    this.undo = [
      listenToGestures(this.stage.dom, {
        pan: (by) => this.stage.camera.pan(by),
        zoom: (factor, at) => this.stage.camera.zoom(factor, at),
        fit: () => this.stage.camera.fitSheet(),
        hover: (at) => this.point(at),
        click: (at, adds) => this.choose(at, adds),
        menu: (at) => void this.rooms.open(at, this.lit.room),
        floor: (step) => this.stepFloor(step),
      }),
      bus.on("state", (state) => this.follow(state)),
      bus.on("select", (selection) => this.light(selection)),
      bus.on("hover", (hover) => this.near(hover)),
      bus.on("command", (command) => command.name === "reset" && this.reset()),
      bus.on("language", () => {
        this.update();
        this.building.relabel();
        if (!this.hasTurns) void this.offer();
      }),
      bus.on("theme", () => {
        this.stage.recolour();
        this.updateAids();
      }),
    ];
    this.update();
  }

  destroy() {
    for (const undo of this.undo) undo();
    cancelAnimationFrame(this.frame);
    this.building.destroy();
    this.answers.destroy();
    this.live.destroy();
    this.stage.destroy();
    this.dom.remove();
  }

  /** @param {DeskState} state */
  follow(state) {
    const { map, chat, entries } = state;
    const picture = this.previewed ?? map;
    const before = this.picture;
    const hasTurns = entries.some(({ kind }) => kind === "turn");
    const files = state.buildingFiles;
    if (files !== this.state?.buildingFiles) this.building.showFiles(files, true);
    this.state = state;
    if (!hasTurns) void this.offer();
    this.building.chatId = chat?.chatId ?? null;
    if (chat) this.setCalm(chat.protocol === "2.0");
    void this.showGhosts();
    if (picture === before && hasTurns === this.hasTurns) return;
    if (picture.building !== before.building) this.stage.images.forget();
    this.picture = picture;
    this.hasTurns = hasTurns;
    const isSmall =
      isLiveChange(before, picture) || (this.answers.player.playing && isFrameChange(before, picture));
    if (isSmall) this.updateFrame();
    else this.update();
    this.stage.draw();
  }

  /** Show a building before it is taken. @param {MapDefinitionContent | null} definition null: the chat's building again */
  preview(definition) {
    if (definition === null && this.previewed === null) return;
    const before = this.previewed;
    this.previewed = definition && reduceMap(emptyMap, { type: "map_definition", content: definition });
    if (this.previewed && before?.floorId) this.previewed = showFloor(this.previewed, before.floorId);
    this.dom.toggleAttribute("data-preview", definition !== null);
    this.picture = this.previewed ?? this.state?.map ?? emptyMap;
    this.stage.images.forget();
    this.update();
    this.stage.draw();
  }

  /** @param {string} floorId */
  showFloor(floorId) {
    if (this.previewed === null) return this.bus.emit("fact", { type: "@floor", floorId });
    this.previewed = this.picture = showFloor(this.previewed, floorId);
    this.update();
    return this.stage.draw();
  }

  /** Suggest questions about the chat's own tables, if it has any. */
  async offer() {
    const { chat, files } = this.state ?? { chat: null, files: [] };
    const tables = files
      .filter(({ tables: inside = [] }) => inside.length > 0)
      .map(({ fileId, name }) => `${fileId} ${name}`);
    const about = chat && tables.length > 0 ? JSON.stringify([chat.chatId, this.t.language, tables]) : "";
    if (about === this.offered) return;
    this.offered = about;
    /** @type {string[]} */
    let offers = [];
    try {
      if (chat && about)
        offers = (await startersOf(chat.chatId, this.t.language))
          .filter(({ kind }) => kind === "map" || kind === "way")
          .map(({ text }) => text);
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault; // the questions about the plan's rooms stay
    }
    if (this.offered !== about) return;
    this.controls.offers = offers;
    this.update();
  }

  /** Set the look of ordinary rooms by the chat's protocol. @param {boolean} calm */
  setCalm(calm) {
    this.stage.setCalm(calm);
    this.dom.toggleAttribute("data-calm", calm);
  }

  /** Update in the next frame: a replay brings many messages between two frames. */
  scheduleUpdate() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.update();
      this.stage.draw();
    });
  }

  /** Reset for another chat. */
  reset() {
    this.answers.reset();
    void this.closing.set(false);
    void this.live.set(false);
    this.rooms.wait(null);
    this.stage.light({ room: null, seq: null });
  }

  /** Update everything that depends on the picture, the images and the language. */
  update() {
    const { picture, dom, t } = this;
    const floor = floorOf(picture);
    this.stage.show(picture);
    if (this.hasTurns) this.stage.fetchBitmaps(); // not before the first turn, to keep the first load short
    dom.dataset.floor = picture.floorId ?? "";
    dom.dataset.arrows = String(picture.arrows.length);
    dom.dataset.highlights = String(highlightsOf(picture).length);
    dom.dataset.points = String(picture.points?.points.length ?? 0);
    dom.toggleAttribute("data-earth", picture.onEarth);
    dom.dataset.closures = String(picture.closures.length);
    dom.dataset.overlays = String(picture.overlays.length);
    dom.dataset.image = this.stage.plan()?.arrival ?? "none";
    this.stage.dom.setAttribute(
      "aria-label",
      t("map.described", {
        label: t(picture.onEarth ? "map.points_label" : "map.label"),
        keys: t("map.keys"),
      }),
    );
    this.waitingText.hidden = floor !== null || picture.onEarth;
    this.waitingText.textContent = floor ? "" : t(picture.building ? "map.no_floors" : "map.waiting");
    const drawn = picture.points !== null || drawnOn(picture).length > 0;
    this.answers.show(picture, dom);
    this.closing.show(picture, this.previewed !== null);
    this.live.show(picture, this.previewed !== null);
    this.rooms.show(picture, this.previewed !== null);
    this.controls.show(picture, this.notes(), !drawn && !this.hasTurns && this.previewed === null);
    this.building.show();
    void this.layers();
    void this.showGhosts();
    this.updateAids();
  }

  /** Show what a waiting call would draw; its layer is loaded when a run waits first. */
  async showGhosts() {
    const { state } = this;
    const waits = state?.entries.some((entry) => entry.kind === "turn" && entry.state === "waiting");
    if (!this.ghosts && !waits) return;
    const module = this.ghosts ? null : await loadLatePart(() => import("./ghost-layer.js"), this.t);
    if (!this.ghosts && module) {
      this.ghosts = new module.GhostLayer(this.t, this.bus, this.stage, (floorId) => this.showFloor(floorId));
      this.plan.append(this.ghosts.dom, this.ghosts.bar.dom);
    }
    if (this.state) this.ghosts?.show(this.state, this.previewed ? emptyMap : this.picture);
  }

  /** Load the card of layers, which is needed only if several agents drew. */
  async layers() {
    this.dom.dataset.layers = String(this.picture.layers.length);
    if (this.picture.layers.length > 1 && !this.agents) {
      const module = await loadPart(() => import("./agents-card.js"), this.t);
      if (module === null) return;
      this.agents ??= new module.AgentsCard(this.t, (agent, visible) =>
        this.bus.emit("fact", { type: "@layer", agent, visible }),
      );
      this.controls.foot.prepend(this.agents.dom);
    }
    this.agents?.update(this.picture);
  }

  /** Update what follows the view: the minimap and the scale bar. */
  updateAids() {
    const { picture, stage, t } = this;
    this.minimap.show(picture, stage.palette);
    this.controls.scale.show(picture.onEarth ? null : floorOf(picture), stage.camera.view.scale, t.number);
  }

  /** Save the map as a file. @param {"png" | "svg"} kind */
  async save(kind) {
    const module = await loadPart(() => import("./export.js"), this.t);
    if (module === null) return;
    const { fileName, pngOf, svgOf } = module;
    const { building, floorId, onEarth } = this.picture;
    const floor = onEarth ? "points" : floorId;
    const title = [building?.buildingName, floor].filter(Boolean).join(" · ");
    this.stage.point(null);
    const file =
      kind === "png"
        ? await pngOf(this.stage)
        : new Blob([svgOf(this.stage, title)], { type: "image/svg+xml" });
    saveAs(file, fileName([building?.buildingName ?? "map", floor], kind));
  }

  /** Pin the map to the report. */
  pin() {
    const { chat, lastSeq } = this.state ?? {};
    const { floorId, onEarth } = this.picture;
    const view = onEarth ? undefined : this.stage.camera.visibleBox();
    this.bus.emit("command", {
      name: "report",
      chatId: chat?.chatId ?? null,
      pin: { kind: "map", seq: lastSeq ?? 0, ...(floorId && { floorId }), ...(view && { view }) },
    });
  }

  /** Share the map at an address of its own; it shows the floor that is drawn on. */
  share() {
    const chatId = this.state?.chat?.chatId ?? null;
    this.bus.emit("command", { name: "share", chatId, object: { kind: "map" } });
  }

  /** Show another frame of the playback. Only parts that depend on the frame are updated, to keep the pace. */
  updateFrame() {
    this.stage.show(this.picture);
    this.answers.show(this.picture, this.dom);
    this.live.show(this.picture, this.previewed !== null);
    this.dom.dataset.highlights = String(highlightsOf(this.picture).length);
  }

  /** Return the notes: missing rooms and bitmaps of the last command, and images that failed. */
  notes() {
    const missing = [
      ...new Set(this.picture.overlays.map((overlay) => (overlay.type === "bitmap" ? overlay.bitmapId : ""))),
    ]
      .filter((id) => id && this.stage.bitmap(id)?.arrival === "missing")
      .map((bitmap) => note("map.no_bitmap", { bitmap }));
    const plan = this.dom.dataset.image === "missing" && !this.picture.onEarth ? [note("map.no_plan")] : [];
    return [...this.picture.notes, ...missing, ...plan].slice(0, NOTES);
  }

  /** @param {View} view */
  onViewChange(view) {
    this.dom.dataset.view = [view.scale, view.left, view.top].map((value) => value.toFixed(4)).join(" ");
    this.answers.onViewChange();
    this.ghosts?.place();
    if (this.pointer) this.point(this.pointer);
    this.updateAids();
  }

  /** Show the next floor. @param {1 | -1} step one floor up or down */
  stepFloor(step) {
    const next = adjacentFloor(this.picture.building, this.picture.floorId, step);
    if (next) this.showFloor(next.floorId);
  }

  /** @param {XY | null} at */
  point(at) {
    this.pointer = at;
    const { stage } = this;
    const target = at && stage.roomAt(at);
    const name = target?.room.name ?? null;
    const dot = at && pointAt(this.picture, stage.earth(), stage.camera.view, at);
    const shown = target && shownName(target.room, target.room.name, this.t.language);
    const tip = at && (dot ?? this.answers.point(at, name, shown));
    this.controls.point(tip, at ?? { x: 0, y: 0 }, stage.size.width);
    if (!at) this.answers.point(null, null, null);
    stage.point(name);
    this.emitHover(target ? { floorId: target.floor.floorId, name } : null, dot !== null);
  }

  /**
   * Select a clicked room in all panes, or clear the selection here.
   *
   * @param {XY} at
   * @param {boolean} adds it to the selected rooms
   */
  choose(at, adds) {
    const target = this.stage.roomAt(at);
    if (this.previewed || this.rooms.take(target) || this.closing.take(at)) return;
    if (target) this.building.panel?.choose(target.floor.floorId, target.room.name);
    this.lit = { room: target?.room.name ?? null, seq: null };
    this.stage.light(this.lit);
    this.answers.choose(at, target?.room.name ?? null, adds);
    if (this.pointer) this.point(this.pointer); // a card may have opened under the pointer
    if (!target) return;
    const { floor, room } = target;
    const drawn = drawnOn(this.picture).filter(
      (drawing) => drawing.floorId === floor.floorId && drawing.room === room.name,
    );
    const { seq, runId } = drawn[drawn.length - 1]?.origin ?? {};
    this.bus.emit("select", {
      source: "map",
      room: room.name,
      ...(seq !== undefined && { seq }),
      ...(runId && { runId }),
    });
  }

  /** Light the drawing of something selected in another pane. @param {Selection} selection */
  light({ source, room, seq, seqs }) {
    if (source === "map") return;
    const drawn = this.drawnBy(seqs) ?? seq;
    this.lit = { room: room ?? null, seq: drawn ?? null };
    this.stage.light(this.lit);
    if (drawn !== undefined) this.bus.emit("fact", { type: "@drawing", seq: drawn });
  }

  /** Return the first of some messages that drew something here. @param {readonly number[]} [seqs] */
  drawnBy(seqs = []) {
    const drawn = new Set([...drawnOn(this.picture), ...this.picture.routes].map(({ origin }) => origin.seq));
    return seqs.find((seq) => drawn.has(seq));
  }

  /** Light the drawing of something under the pointer in another pane. @param {Hover | null} hover */
  near(hover) {
    if (hover?.source === "map") return;
    const seq = hover ? this.drawnBy(hover.seqs) : undefined;
    this.stage.light(seq === undefined ? this.lit : { room: null, seq });
  }

  /**
   * Emit the messages that drew in the room under the pointer, or the point there.
   *
   * @param {{floorId: string, name: string | null} | null} room
   * @param {boolean} onPoint
   */
  emitHover(room, onPoint) {
    const inRoom =
      room === null
        ? []
        : drawnOn(this.picture).filter(
            (drawing) => drawing.room === room.name && drawing.floorId === room.floorId,
          );
    const point = (onPoint && this.picture.points) || null;
    const seqs = [
      ...new Set([...(point ? [point] : []), ...inRoom].flatMap(({ origin }) => origin.seq ?? [])),
    ];
    if (String(seqs) === this.sentSeqs) return;
    this.sentSeqs = String(seqs);
    this.bus.emit("hover", seqs.length ? { source: "map", seqs } : null);
  }

  /** Clear the drawings. The server clears them for every page of the chat; here it happens at once. */
  clearDrawings() {
    this.bus.emit("send", { type: "clear_arrows" });
    this.bus.emit("fact", { type: "@map_cleared" });
  }
}

/** Check whether only values of live layers differ. @param {MapPicture} before @param {MapPicture} now */
function isLiveChange(before, now) {
  const keys = /** @type {(keyof MapPicture)[]} */ (Object.keys(now));
  return (
    before.live !== now.live &&
    before.live.painted === now.live.painted &&
    keys.every((key) => key === "live" || before[key] === now[key])
  );
}

/** Check whether only the frame of a playback differs. @param {MapPicture} before @param {MapPicture} now */
function isFrameChange(before, now) {
  const keys = /** @type {(keyof MapPicture)[]} */ (Object.keys(now));
  return (
    before.playback?.frames === now.playback?.frames &&
    keys.every((key) => key === "playback" || before[key] === now[key])
  );
}
