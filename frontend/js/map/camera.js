// @ts-check
/**
 * View of the plan, and its automatic changes. The plan is fitted to the pane until a person moves it; then resizing
 * keeps their place. Another floor is always fitted.
 */

import { centre, fitView, panView, zoomView } from "./geometry.js";

/** @import { XY } from "../types.js" */
/** @import { Box, Size, View } from "./geometry.js" */

/** @type {View} */
const INITIAL_VIEW = { scale: 1, left: 0, top: 0 };

export class MapCamera {
  /** @param {(view: View) => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.view = INITIAL_VIEW;
    this.fit = INITIAL_VIEW;
    this.moved = false;
    /** @type {string | null} */
    this.floorId = null;
    /** @type {Box} */
    this.sheet = { left: 0, top: 0, width: 1, height: 1 };
    /** @type {Size} */
    this.size = { width: 0, height: 0 };
    /** Corner at the bottom right that a fitted plan leaves free if possible, in CSS pixels. @type {Size} */
    this.corner = { width: 0, height: 0 };
  }

  /** Set the corner to keep free. @param {Size} corner in CSS pixels, at the bottom right */
  keepFree(corner) {
    if (corner.width === this.corner.width && corner.height === this.corner.height) return;
    this.corner = corner;
    this.fit = fitView(this.sheet, this.size, corner);
    if (!this.moved && this.size.width && this.size.height) this.fitSheet();
  }

  /**
   * Update the view for the floor, its sheet and the pane.
   *
   * @param {string} floorId
   * @param {Box} sheet
   * @param {Size} size
   */
  aim(floorId, sheet, size) {
    const other = floorId !== this.floorId;
    const same = JSON.stringify([sheet, size]) === JSON.stringify([this.sheet, this.size]);
    if ((!other && same) || !size.width || !size.height) return;
    const before = this.fit;
    Object.assign(this, { floorId, sheet, size });
    this.fit = fitView(sheet, size, this.corner);
    if (other || !this.moved) return this.fitSheet();
    const scaled = zoomView(this.view, this.fit.scale / before.scale, this.middle(), this.fit);
    return this.setView(panView(scaled, { x: 0, y: 0 }, sheet, size));
  }

  /** Fit the whole sheet. */
  fitSheet() {
    this.moved = false;
    this.setView(this.fit);
  }

  /**
   * Return left, top, width and height of the visible part, in plan pixels; undefined if the plan was not moved.
   *
   * @returns {[number, number, number, number] | undefined}
   */
  visibleBox() {
    const { scale, left, top } = this.view;
    const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;
    return this.moved
      ? [
          round(-left / scale),
          round(-top / scale),
          round(this.size.width / scale),
          round(this.size.height / scale),
        ]
      : undefined;
  }

  /** Zoom. @param {number} factor @param {XY | null} at null: around the middle */
  zoom(factor, at) {
    const zoomed = zoomView(this.view, factor, at ?? this.middle(), this.fit);
    this.moved = true;
    this.setView(panView(zoomed, { x: 0, y: 0 }, this.sheet, this.size));
  }

  /** @param {XY} by */
  pan(by) {
    this.moved = true;
    this.setView(panView(this.view, by, this.sheet, this.size));
  }

  /** Center a place without zooming. @param {XY} at in plan pixels */
  centreOn({ x, y }) {
    const { scale, left, top } = this.view;
    const { x: midX, y: midY } = this.middle();
    this.pan({ x: midX - (x * scale + left), y: midY - (y * scale + top) });
  }

  middle() {
    return centre({ left: 0, top: 0, ...this.size });
  }

  /** @param {View} view */
  setView(view) {
    this.view = view;
    this.changed(view);
  }
}
