// @ts-check
/**
 * Drawings of answers on the plan, and their controls: routes, the legend, playback, the card of a room's value, and
 * the selected rooms. The pane passes each picture and the pointer; overlays are in `nodes`, and the legend is placed
 * with the pane's notes.
 *
 * For tests and scripts the pane's `dom` carries data-routes and data-chosen, and during a playback data-frames,
 * data-frame (index of the shown one), data-painted (frames painted since the first) and data-playing.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { unitOf, formatValue } from "./answer-words.js";
import { roomBox, toScreen } from "./geometry.js";
import { MapLasso } from "./lasso.js";
import { LegendCard } from "./legend-card.js";
import { placeOf } from "./live.js";
import { highlightsOf, floorOf, legendOf } from "./picture.js";
import { PlaybackBar } from "./playback-bar.js";
import { Player } from "./playback.js";
import { equalRooms } from "../core/room-refs.js";
import { roomOf } from "./drawings.js";
import { MapRoute } from "./route.js";
import { clicked, lassoed, roomsWithin } from "./selection.js";
import { planOf } from "./plan.js";
import { detailOf, roomsInSight } from "./rooms.js";
import { ValueCard } from "./value-card.js";
import { floorTitle } from "./words.js";

/** @import { DeskBus, RoomRef, Source, Translate, XY } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { Box } from "./geometry.js" */
/** @import { Origin } from "../core/routes.js" */
/** @import { MapStage } from "./renderer.js" */

/** Size of the legend at the bottom right of the pane, in CSS pixels. */
const LEGEND = { width: 248, height: 112 };
const NO_LEGEND = { width: 0, height: 0 };

export class MapAnswers {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {MapStage} needs.stage
   * @param {(floorId: string) => void} needs.floor shows a floor
   * @param {(at: number) => void} needs.frame paints a frame of the playback at once
   * @param {() => void} needs.changed called when the pane has to update
   */
  constructor({ bus, t, stage, floor, frame, changed }) {
    this.bus = bus;
    this.t = t;
    this.stage = stage;
    this.picture = stage.picture;
    /** Rooms of the next question. @type {RoomRef[]} */
    this.chosen = [];
    /** Room with the open card, and the clicked place in plan pixels. @type {(RoomRef & {at: XY}) | null} */
    this.open = null;
    /** @type {Origin | null} */
    this.played = null;
    const lead = (/** @type {Origin & {source: Source}} */ origin) => this.showCode(origin);
    this.route = new MapRoute({ bus, t, touch: () => stage.surface.touch(), floor });
    this.legend = new LegendCard(t, lead);
    this.card = new ValueCard(t, { lead, closed: () => this.close() });
    this.player = new Player({ show: frame, changed });
    this.bar = new PlaybackBar(t, this.player);
    this.lasso = new MapLasso(stage.dom, {
      onLoop: (loop, adds) => this.selectLoop(loop, adds),
      clicked: (at) => this.choose(at, this.stage.roomAt(at)?.room.name ?? null, true),
    });
    this.tool = el(
      "button",
      {
        type: "button",
        class: "map-tool map-lasso-button",
        "aria-pressed": "false",
        on: { click: () => this.setLasso(!this.lasso.active) },
      },
      icon("lasso"),
    );
    this.nodes = [this.route.badges.dom, this.lasso.dom, this.card.dom, this.bar.dom];
    const key = (/** @type {KeyboardEvent} */ event) => this.key(event);
    stage.dom.addEventListener("keydown", key);
    this.undo = [
      bus.on("state", ({ selection }) => this.chose(selection)),
      () => stage.dom.removeEventListener("keydown", key),
    ];
  }

  /** Show a picture. @param {MapPicture} picture @param {HTMLElement} dom of the pane */
  show(picture, dom) {
    const { playback } = picture;
    this.picture = picture;
    this.dom = dom;
    this.route.show(picture.routes);
    const { live } = picture;
    const isLive = live.painted && live.frames.length > 0;
    const origin = isLive ? live.origin : (playback?.origin ?? null);
    if (origin !== this.played) {
      this.played = origin;
      const plays = !isLive && !matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.player.load(playback?.frames.length ?? 0, plays);
    }
    if (isLive) this.player.follow(live.frames.length, placeOf(live));
    const legend = legendOf(picture);
    this.legend.show(legend, isLive ? undefined : (playback?.origin ?? picture.highlights[0]?.origin));
    this.stage.camera.keepFree(legend ? LEGEND : NO_LEGEND);
    if (isLive) this.bar.showLive(live);
    else this.bar.show(playback);
    this.showCard();
    const label = this.t("point.lasso");
    this.tool.hidden = floorOf(picture) === null || picture.onEarth;
    this.tool.setAttribute("aria-label", label);
    this.tool.title = label;
    if (this.tool.textContent !== this.t("point.lasso_short"))
      this.tool.replaceChildren(
        icon("lasso"),
        el("span", { class: "map-tool-words" }, this.t("point.lasso_short")),
      );
    dom.dataset.routes = String(picture.routes.length);
    dom.dataset.chosen = String(this.chosen.length);
    const shown = isLive ? { frames: live.frames, at: placeOf(live) } : playback;
    const facts = shown && {
      frames: shown.frames.length,
      frame: shown.at,
      playing: this.player.playing,
      painted: this.player.painted,
    };
    for (const name of ["frames", "frame", "playing", "painted"]) {
      if (facts) dom.dataset[name] = String(facts[/** @type {keyof typeof facts} */ (name)]);
      else delete dom.dataset[name];
    }
  }

  /** Handle that a frame was painted. */
  painted() {
    const { playback, live } = this.picture;
    const isLive = live.painted && live.frames.length > 0;
    if (!(isLive || playback) || !this.dom) return;
    this.player.drawn(isLive ? placeOf(live) : (playback?.at ?? 0));
    this.dom.dataset.painted = String(this.player.painted);
  }

  /** Move the card with its room after a change of the view. */
  onViewChange() {
    const { open, stage } = this;
    const floor = floorOf(this.picture);
    const room = open && floor && roomOf(floor, open.name);
    if (!open || !room) return;
    const { view } = stage.camera;
    const at = { x: view.left + open.at.x * view.scale, y: view.top + open.at.y * view.scale };
    const plan = planOf(floor);
    const visible = roomsInSight(plan, { view, sight: { left: 0, top: 0, ...stage.size } });
    const { boxes, shapes } = detailOf(plan, visible, view.scale);
    const rooms = [...boxes, ...shapes].map((index) => toScreen(view, plan.box(index)));
    this.card.place(toScreen(view, roomBox(floor, room)), at, stage.size, {
      rooms,
      overlays: this.overlayBoxes(),
    });
  }

  /** Return the boxes of overlays that the card must not cover: legend, tools, zoom buttons. @returns {Box[]} */
  overlayBoxes() {
    const { left: x, top: y } = this.stage.dom.getBoundingClientRect();
    return [...(this.dom?.querySelectorAll(".map-colours, .map-floors, .map-tools, .map-zoom") ?? [])].map(
      (element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return { left: left - x, top: top - y, width, height };
      },
    );
  }

  /**
   * Handle the pointer.
   *
   * @param {XY | null} at
   * @param {string | null} room under the pointer
   * @param {string | null} shown its name in the language of the page
   * @returns {string | null} the room with its value, for a tooltip
   */
  point(at, room, shown) {
    this.route.point(at);
    const value = room === null ? null : (this.markOf(room)?.value ?? null);
    this.legend.point(value);
    // the open card shows the value already
    if (room !== null && !this.card.dom.hidden && this.open?.name === room) return null;
    return value === null ? shown : `${shown} · ${formatValue(value, unitOf(this.picture), this.t)}`;
  }

  /** @param {string} room @returns the way it is painted on the shown floor */
  markOf(room) {
    return (
      highlightsOf(this.picture).find(
        (highlight) => highlight.room === room && highlight.floorId === this.picture.floorId,
      ) ?? null
    );
  }

  /**
   * Select a clicked room for the next question, and open its card.
   *
   * @param {XY} at
   * @param {string | null} name
   * @param {boolean} adds
   */
  choose(at, name, adds) {
    const { floorId } = this.picture;
    if (floorId === null || this.picture.onEarth) return;
    const before = this.chosen;
    this.emitRooms(clicked(before, name === null ? null : { floorId, name }, adds));
    const again = !adds && before.length === 1 && before[0]?.name === name && before[0]?.floorId === floorId;
    const { scale, left, top } = this.stage.camera.view;
    this.open =
      name === null || adds || (again && this.open)
        ? null
        : { floorId, name, at: { x: (at.x - left) / scale, y: (at.y - top) / scale } };
    this.showCard();
  }

  /** @param {XY[]} loop @param {boolean} adds */
  selectLoop(loop, adds) {
    const floor = this.picture.onEarth ? null : floorOf(this.picture);
    if (floor) this.emitRooms(lassoed(this.chosen, roomsWithin(floor, this.stage.camera.view, loop), adds));
  }

  /** @param {RoomRef[]} rooms */
  emitRooms(rooms) {
    if (!equalRooms(rooms, this.chosen)) this.bus.emit("command", { name: "point", rooms });
  }

  /** Update the selected rooms. @param {RoomRef[]} rooms as the page keeps them now */
  chose(rooms) {
    if (equalRooms(rooms, this.chosen)) return;
    this.chosen = rooms;
    this.stage.choose(rooms);
    if (this.dom) this.dom.dataset.chosen = String(rooms.length);
  }

  showCard() {
    const { open, picture, t } = this;
    const floor = floorOf(picture);
    const mark = open && open.floorId === picture.floorId && !picture.onEarth ? this.markOf(open.name) : null;
    if (!open || !floor || !mark || (mark.value === undefined && !mark.origin.source)) {
      this.card.show(null);
      if (open && open.floorId !== picture.floorId) this.open = null;
      return;
    }
    const { value, origin } = mark;
    const { playback, live } = picture;
    const frame = live.painted ? null : playback?.frames[playback.at];
    this.card.show({
      room: this.stage.roomName(open.name, t.language),
      floor: floorTitle(floor, t, picture.building),
      value: value === undefined ? "" : formatValue(value, unitOf(picture), t),
      title: legendOf(picture)?.title ?? "",
      time: frame?.time ?? "",
      origin,
    });
    this.onViewChange();
  }

  close() {
    this.open = null;
    this.showCard();
    this.stage.dom.focus();
  }

  /** Show the line of code in the chat. @param {Origin & {source: Source}} origin */
  showCode({ runId, seq, source }) {
    if (runId === undefined) return;
    this.bus.emit("command", {
      name: "show-code",
      runId,
      step: source.step,
      ...(source.line !== undefined && { line: source.line }),
    });
    this.bus.emit("select", { source: "map", runId, ...(seq !== undefined && { seq }) });
  }

  /** Turn the lasso on or off. @param {boolean} active whether a drag draws a loop */
  setLasso(active) {
    this.lasso.set(active);
    this.tool.setAttribute("aria-pressed", String(active));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target !== this.stage.dom || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && !this.bar.dom.hidden) this.player.toggle();
    else if (event.key === "Escape" && this.lasso.active) this.setLasso(false);
    else if (event.key === "Escape" && this.open) this.close();
    else if (event.key === "Escape" && this.chosen.length) this.emitRooms([]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Reset for another chat. */
  reset() {
    this.open = null;
    this.setLasso(false);
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.route.destroy();
    this.player.destroy();
    this.lasso.destroy();
  }
}
