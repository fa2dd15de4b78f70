// @ts-check
/**
 * Controls over the map: floor tabs, Clear, zoom buttons, notes, suggested questions, the tooltip, and the description
 * for screen readers. It draws what it gets and reports presses.
 */

import { shownName } from "../core/building-names.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { askableRooms, goalOf } from "./askable.js";
import { adjacentFloor, floorsInOrder } from "./floors.js";
import { describeMap, floorTitle, describePoints } from "./words.js";
import { RowFit } from "./row-fit.js";
import { ScaleBar } from "./scale-bar.js";
import { drawnOn, floorOf, isDrawnOn } from "./state.js";
import { MapTools } from "./tools.js";

/** @import { Translate, XY } from "../types.js" */
/** @import { MapPicture } from "./state.js" */
/** @import { Note } from "./drawings.js" */
/**
 * @typedef {object} Presses
 * @property {(floorId: string) => void} floor
 * @property {() => void} earth the points by latitude and longitude
 * @property {() => void} clear
 * @property {(visible: boolean) => void} ghost the floor below, faint
 * @property {(kind: "png" | "svg") => void} save
 * @property {() => void} pin
 * @property {() => void} share
 * @property {(factor: number) => void} zoom
 * @property {() => void} fit
 * @property {(message: string) => void} ask
 */

/** Tab of points by latitude and longitude. No floor has this id. */
const EARTH = " ";
const MAX_QUESTIONS = 3;

export class MapControls {
  /** @param {Translate} t @param {Presses} actions */
  constructor(t, actions) {
    this.t = t;
    this.presses = actions;
    this.tabs = el("div", {
      class: "map-floors",
      role: "tablist",
      on: { keydown: (event) => this.moveTab(event) },
    });
    this.clear = el("button", { type: "button", class: "map-clear", on: { click: actions.clear } });
    this.closer = el("button", { type: "button", on: { click: () => actions.zoom(1.5) } }, icon("plus"));
    this.wider = el("button", { type: "button", on: { click: () => actions.zoom(1 / 1.5) } }, icon("minus"));
    this.fitButton = el("button", { type: "button", on: { click: actions.fit } }, icon("fit"));
    this.zoom = el("div", { class: "map-zoom", role: "group" }, this.closer, this.wider, this.fitButton);
    this.legend = el("p", { class: "map-legend", hidden: true });
    this.notes = el("ul", { class: "map-notes", hidden: true });
    this.asks = el("div", { class: "map-asks", hidden: true });
    this.tip = el("div", { class: "map-tip", "aria-hidden": "true", hidden: true });
    this.twin = el("p", { class: "map-twin", "aria-live": "polite" });
    this.foot = el("div", { class: "map-foot" }, this.legend, this.notes, this.asks);
    this.scale = new ScaleBar();
    this.tools = new MapTools(t, actions, this.clear);
    /** Row over the plan: the building's button and the floors. */
    this.place = el("div", { class: "map-place" }, this.tabs);
    this.nodes = [this.place, this.tools.dom, this.zoom, this.scale.dom, this.foot, this.tip, this.twin];
    this.row = new RowFit(this.place, this.tabs, this.tools.dom);
    /** Inputs of the drawn tabs. They are rebuilt only when it changes, so that they keep the focus. */
    this.tabsOf = "";
    /** Suggested questions about the chat's data; without any, the plan's rooms are suggested. @type {string[]} */
    this.offers = [];
  }

  /**
   * Draw the controls.
   *
   * @param {MapPicture} picture
   * @param {Note[]} notes
   * @param {boolean} hasAsks whether to suggest questions
   */
  show(picture, notes, hasAsks) {
    const { t } = this;
    this.showTabs(picture);
    this.clear.replaceChildren(icon("clear"), el("span", {}, t("map.clear")));
    this.clear.setAttribute("aria-label", t("map.clear_all"));
    this.clear.title = t("map.clear_all");
    const below = picture.onEarth ? null : adjacentFloor(picture.building, picture.floorId, -1);
    this.tools.show({
      below: below && floorTitle(below, t, picture.building),
      floor: floorOf(picture) !== null || picture.onEarth,
    });
    this.clear.disabled = !isDrawnOn(picture);
    this.zoom.setAttribute("aria-label", t("map.zoom"));
    for (const [button, key] of /** @type {[HTMLElement, string][]} */ ([
      [this.closer, "shared.zoom_in"],
      [this.wider, "shared.zoom_out"],
      [this.fitButton, "map.fit"],
    ])) {
      button.setAttribute("aria-label", t(key));
      button.title = t(key);
    }
    this.notes.replaceChildren(...notes.map(({ key, values }) => el("li", {}, icon("info"), t(key, values))));
    this.notes.hidden = notes.length === 0;
    this.legend.textContent = describePoints(picture, t);
    this.legend.hidden = this.legend.textContent === "";
    this.showAsks(picture, hasAsks);
    const text = describeMap({ ...picture, notes }, t);
    // screen readers repeat an aria-live text on every assignment
    if (this.twin.textContent !== text) this.twin.textContent = text;
  }

  /** @param {MapPicture} picture */
  showTabs(picture) {
    const floors = floorsInOrder(picture.building);
    const drawn = new Set(drawnOn(picture).map(({ floorId }) => floorId));
    const facts = floors.map((floor) => {
      const chosen = floor.floorId === picture.floorId && !picture.onEarth;
      return {
        id: floor.floorId,
        title: floorTitle(floor, this.t, picture.building),
        name: floorTitle(floor, this.t, picture.building),
        chosen,
        marked: !chosen && drawn.has(floor.floorId),
      };
    });
    if (picture.points?.kind === "earth") {
      facts.push({
        id: EARTH,
        title: this.t("map.points_tab"),
        name: this.t("map.points_label"),
        chosen: picture.onEarth,
        marked: !picture.onEarth,
      });
    }
    const built = JSON.stringify([this.t.language, facts.map(({ id, title }) => [id, title])]);
    const isNew = built !== this.tabsOf || facts.some(({ chosen }, index) => chosen !== this.isChosen(index));
    if (built !== this.tabsOf) {
      this.tabsOf = built;
      this.tabs.replaceChildren(
        ...facts.map(({ id, title }) =>
          el(
            "button",
            {
              type: "button",
              role: "tab",
              "data-floor": id,
              "data-short": id.length < title.length ? id : title,
              on: { click: () => (id === EARTH ? this.presses.earth() : this.presses.floor(id)) },
            },
            title,
          ),
        ),
      );
    }
    this.tabs.hidden = facts.length < 2;
    this.tabs.setAttribute("aria-label", this.t("map.floors"));
    for (const [index, tab] of [...this.tabs.children].entries()) {
      const fact = facts[index];
      if (!fact) continue;
      tab.setAttribute("aria-selected", String(fact.chosen));
      tab.setAttribute("tabindex", fact.chosen ? "0" : "-1");
      tab.toggleAttribute("data-marked", fact.marked);
      tab.setAttribute("title", fact.name);
      tab.setAttribute(
        "aria-label",
        fact.marked ? this.t("map.floor_marked", { floor: fact.title }) : fact.title,
      );
    }
    if (isNew) requestAnimationFrame(() => this.row.fit());
  }

  /** @param {number} index of a tab */
  isChosen(index) {
    return this.tabs.children[index]?.getAttribute("aria-selected") === "true";
  }

  /** @param {MapPicture} picture @param {boolean} hasAsks */
  showAsks(picture, hasAsks) {
    const rooms = floorOf(picture) ? askableRooms(picture) : [];
    const [first] = rooms;
    this.asks.hidden = !hasAsks || !first;
    if (!hasAsks || !first) return this.asks.replaceChildren();
    const other = rooms[3] ?? rooms[1] ?? first;
    const goal = goalOf(picture, first, other);
    const questions =
      this.offers.length > 0
        ? this.offers.slice(0, MAX_QUESTIONS)
        : [
            this.t("map.ask_1", { room: this.roomName(first) }),
            this.t("map.ask_2", { room: this.roomName(other) }),
            ...(goal ? [this.t("map.ask_3", { room: this.roomName(first), goal: this.roomName(goal) })] : []),
          ];
    return this.asks.replaceChildren(
      ...questions.map((question) =>
        el("button", { type: "button", on: { click: () => this.presses.ask(question) } }, question),
      ),
    );
  }

  /** @param {import("../types.js").Rectangle} room */
  roomName(room) {
    return shownName(room, room.name, this.t.language);
  }

  /**
   * Show the tooltip.
   *
   * @param {string | null} name of the room under the pointer
   * @param {XY} at
   * @param {number} width of the pane, so that the tooltip stays inside
   */
  point(name, at, width) {
    this.tip.hidden = name === null;
    if (name === null) return;
    if (this.tip.textContent !== name) this.tip.textContent = name;
    const left = Math.min(at.x + 12, Math.max(4, width - this.tip.offsetWidth - 4));
    this.tip.style.setProperty("transform", `translate(${Math.round(left)}px, ${Math.round(at.y + 16)}px)`);
  }

  /** Move between tabs with arrow keys. @param {KeyboardEvent} event */
  moveTab(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const tabs = /** @type {HTMLElement[]} */ ([...this.tabs.children]);
    const now = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const next = tabs[(now + step + tabs.length) % tabs.length];
    next?.click();
    next?.focus();
  }
}
