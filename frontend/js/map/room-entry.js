// @ts-check
/**
 * Way from a room of the plan to its menu (room-menu.js, loaded when it first opens): right click, long press, or Enter
 * for the selected room, else for the room in the middle. While a route waits for its other end, a click gives it.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";
import { centre, roomBox, toScreen } from "./geometry.js";
import { floorOf } from "./picture.js";

/** @import { ClientFrame, Floor, Rectangle, Translate, XY } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { MapStage } from "./renderer.js" */
/** @import { End } from "./room-menu.js" */
/** @typedef {{ floor: Floor, room: Rectangle }} Target */
/**
 * @typedef {object} RoomActions
 * @property {(message: string) => void} ask
 * @property {(frame: ClientFrame) => void} send
 * @property {(floorId: string, room: string) => void} names shows the names of a room; only for imported buildings
 * @property {() => void} closures shows the card of closures
 * @property {() => string | null} chatId
 */

export class RoomEntry {
  /** @param {Translate} t @param {MapStage} stage @param {RoomActions} actions */
  constructor(t, stage, actions) {
    this.t = t;
    this.stage = stage;
    this.actions = actions;
    this.picture = stage.picture;
    this.enabled = false;
    /** Route whose other end is looked for. @type {End | null} */
    this.end = null;
    this.words = el("span", { role: "status" });
    this.cancel = el(
      "button",
      { type: "button", class: "map-card-close", on: { click: () => this.wait(null) } },
      icon("close"),
    );
    this.dom = el("div", { class: "map-route-end", hidden: true }, icon("route"), this.words, this.cancel);
    stage.dom.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.end === null) return;
      event.stopImmediatePropagation();
      this.wait(null);
    });
  }

  /** @param {MapPicture} picture @param {boolean} isPreview */
  show(picture, isPreview) {
    if (picture.building !== this.picture.building || isPreview) this.end = null;
    this.picture = picture;
    this.enabled = floorOf(picture) !== null && !picture.onEarth && !isPreview;
    const { end, t } = this;
    this.dom.hidden = end === null;
    if (!end) return;
    this.words.textContent = t(end.isStart ? "map.route_to" : "map.route_from", { room: end.label });
    this.cancel.setAttribute("aria-label", t("shared.cancel"));
  }

  /**
   * Open the menu of a room.
   *
   * @param {XY | null} at in the pane; null: a key was pressed
   * @param {string | null} selected
   */
  async open(at, selected) {
    const { stage, picture } = this;
    const target = !this.enabled ? null : at ? stage.roomAt(at) : this.current(selected);
    if (!target || !picture.building) return;
    if (this.take(target)) return;
    const module = await loadLatePart(() => import("./room-menu.js"), this.t);
    if (module === null || !this.enabled) return;
    const { left, top } = stage.dom.getBoundingClientRect();
    const place = at ?? centre(toScreen(stage.camera.view, roomBox(target.floor, target.room)));
    module.openRoomMenu(
      this.t,
      { ...target, picture },
      {
        ...this.actions,
        owner: stage.dom,
        wait: (end) => this.wait(end),
      },
      { x: left + place.x, y: top + place.y },
    );
  }

  /** Return the room that keys mean. @param {string | null} selected @returns {Target | null} */
  current(selected) {
    const floor = floorOf(this.picture);
    const room = floor?.rectangles.find(({ name }) => name === selected);
    if (floor && room) return { floor, room };
    const { width, height } = this.stage.size;
    return this.stage.roomAt({ x: width / 2, y: height / 2 });
  }

  /**
   * Give a route its other end.
   *
   * @param {Target | null} target
   * @returns {boolean} whether a route waited for it
   */
  take(target) {
    const { end } = this;
    if (!end || !target) return false;
    if (target.room === end.room) return true;
    this.wait(null);
    this.actions.ask(end.question(target));
    return true;
  }

  /** @param {End | null} end */
  wait(end) {
    if (this.dom.contains(document.activeElement)) this.stage.dom.focus({ preventScroll: true });
    this.end = end;
    this.show(this.picture, !this.enabled);
  }
}
