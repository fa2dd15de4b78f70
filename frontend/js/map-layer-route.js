// @ts-check
/** What the pane lays over the plan and its colours: routes, and what hands draw. It is painted by who owns it (`over`). */

/** @import { Stage } from "./map-layers.js" */
/** @import { Shown } from "./map-stage.js" */

/** @param {Shown} scene */
export function isEmpty({ over }) {
  return over === null;
}

/** Its owner says when it changed by asking for a frame: every frame paints it anew. */
export function inputs() {
  return [{}];
}

/** @param {CanvasRenderingContext2D} ctx @param {Stage} stage @param {Shown} scene */
export function paint(ctx, stage, { floor, over }) {
  over?.(ctx, stage, floor?.floor ?? null, stage.measure);
}
