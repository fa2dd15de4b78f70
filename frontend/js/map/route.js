// @ts-check
/**
 * Animated routes of the picture: drawn from their start when they arrive, and lit leg by leg while the pointer is on
 * them, here or at their steps in the chat. map/layer-route.js paints them.
 */

import { MapBadges } from "./badges.js";
import { layoutRoutes, legNear } from "./route-layout.js";

/** @import { DeskBus, Floor, Translate, XY } from "../types.js" */
/** @import { View } from "./geometry.js" */
/** @import { Measure } from "./layout.js" */
/** @import { PlacedRoute } from "../core/routes.js" */
/** @import { LegRef, RouteLayout } from "./route-layout.js" */
/** @import { RouteScene } from "./layer-route.js" */

/** Milliseconds of drawing a route. */
const DRAWING = 1400;
/** Distance in CSS pixels within which the pointer hits a leg. */
const NEAR = 9;
/** @type {RouteLayout} */
const EMPTY_LAYOUT = { lines: [], ends: [], badges: [] };

export class MapRoute {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {() => void} needs.touch called when another leg is lit
   * @param {(floorId: string) => void} needs.floor shows a floor
   */
  constructor({ bus, t, touch, floor }) {
    this.bus = bus;
    this.t = t;
    this.touch = touch;
    this.floor = floor;
    /** @type {PlacedRoute[]} */
    this.routes = [];
    this.layout = EMPTY_LAYOUT;
    /** Inputs of the layout. @type {unknown[]} */
    this.inputs = [];
    /** Time at which drawing started; null once it is drawn, Infinity before the first frame. @type {number | null} */
    this.startedAt = null;
    /** @type {LegRef | null} */
    this.lit = null;
    this.badges = new MapBadges(t, ({ floorId }) => floor(floorId));
    this.undo = bus.on("leg", (pointed) => pointed.source === "chat" && this.light(pointed));
  }

  /** Set the routes. @param {PlacedRoute[]} routes of the picture */
  show(routes) {
    if (routes === this.routes) return;
    const fresh = routes.length > 0 && routes[0]?.origin !== this.routes[0]?.origin;
    this.routes = routes;
    this.lit = null;
    if (fresh) this.startedAt = matchMedia("(prefers-reduced-motion: reduce)").matches ? null : Infinity;
  }

  /**
   * Return the scene to paint.
   *
   * @param {Floor | null} floor the shown one
   * @param {View} view
   * @param {Measure} measure
   * @returns {RouteScene}
   */
  scene(floor, view, measure) {
    const now = performance.now();
    if (this.startedAt === Infinity) this.startedAt = now; // the animation starts with the first painted frame
    const share = this.startedAt === null ? 1 : Math.min(1, (now - this.startedAt) / DRAWING);
    if (share >= 1) this.startedAt = null;
    const inputs = [this.routes, floor, view.scale, view.left, view.top, measure, this.t.language];
    if (inputs.some((input, at) => input !== this.inputs[at])) {
      this.inputs = inputs;
      this.layout =
        floor && this.routes.length
          ? layoutRoutes(this.routes, floor, view, measure, this.t.floor)
          : EMPTY_LAYOUT;
      this.badges.show(this.layout.badges);
    }
    return { layout: this.layout, progress: 1 - (1 - share) ** 2, lit: this.lit };
  }

  /** Light the leg under the pointer, and its steps in the chat. @param {XY | null} at */
  point(at) {
    const leg = at && legNear(this.layout.lines, at, NEAR);
    const isUnchanged = leg?.route === this.lit?.route && leg?.leg === this.lit?.leg;
    if (isUnchanged || (!leg && this.lit === null)) return;
    const route = this.routes[leg?.route ?? this.lit?.route ?? 0];
    this.lit = leg;
    this.touch();
    this.bus.emit("leg", {
      seq: route?.origin.seq,
      route: route?.index ?? 0,
      leg: leg?.leg ?? null,
      source: "map",
    });
  }

  /**
   * Light the leg of a step that is pointed at in the chat, and show its floor.
   *
   * @param {{seq?: number, route: number, leg: number | null}} pointed
   */
  light({ seq, route: index, leg }) {
    const route = this.routes.findIndex(
      (candidate) => candidate.index === index && candidate.origin.seq === seq,
    );
    const target = leg === null ? undefined : this.routes[route]?.legs[leg];
    this.lit = target && leg !== null ? { route, leg } : null;
    if (target) this.floor(target.floorId);
    this.touch();
  }

  destroy() {
    this.undo();
  }
}
