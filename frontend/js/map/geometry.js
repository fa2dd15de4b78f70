// @ts-check
/**
 * Coordinate spaces of the map and their conversions. Pure.
 *
 * - virtual: coordinates of a floor's rooms and of map commands; either axis may be reversed
 * - plan: pixels of the floor image
 * - screen: CSS pixels of the pane; a view converts plan to screen
 */

/** @import { Floor, Rectangle, XY } from "../types.js" */

/** @typedef {{left: number, top: number, width: number, height: number}} Box */
/** screen = plan * scale + (left, top)
 * @typedef {{scale: number, left: number, top: number}} View */
/** @typedef {{width: number, height: number}} Size */

/** Space around the plan; the floor tabs are above it. */
const PADDING = { top: 52, right: 16, bottom: 16, left: 16 };
/** Corner at the bottom left with the zoom buttons. */
const CORNER = { width: 56, height: 116 };
const NO_CORNER = { width: 0, height: 0 };
/** Minimum size of a plan next to the free corner, as a share of its size without. */
const MIN_SHRINK = 0.7;
const ZOOM_OUT = 0.5;
const ZOOM_IN = 16;
/** CSS pixels of the plan that stay visible however far it is dragged. */
const KEEP = 48;

/**
 * Convert virtual coordinates.
 *
 * @param {Floor} floor
 * @param {XY} at in virtual coordinates
 * @returns {XY} in plan pixels
 */
export function toPlan({ coordinateSystem: { topLeft, bottomRight } }, at) {
  return {
    x: topLeft.px + (at.x - topLeft.x) * slope(bottomRight.px - topLeft.px, bottomRight.x - topLeft.x),
    y: topLeft.py + (at.y - topLeft.y) * slope(bottomRight.py - topLeft.py, bottomRight.y - topLeft.y),
  };
}

/**
 * Convert plan pixels back.
 *
 * @param {Floor} floor
 * @param {XY} at in plan pixels
 * @returns {XY} in virtual coordinates
 */
export function fromPlan({ coordinateSystem: { topLeft, bottomRight } }, at) {
  return {
    x: topLeft.x + (at.x - topLeft.px) * slope(bottomRight.x - topLeft.x, bottomRight.px - topLeft.px),
    y: topLeft.y + (at.y - topLeft.py) * slope(bottomRight.y - topLeft.y, bottomRight.py - topLeft.py),
  };
}

/**
 * Return the slope of an axis.
 *
 * @param {number} rise
 * @param {number} run
 * @returns {number} 0 for a degenerate axis, so that nothing becomes NaN
 */
function slope(rise, run) {
  return run === 0 ? 0 : rise / run;
}

/**
 * @param {Floor} floor
 * @param {Rectangle} room
 * @returns {Box} in plan pixels
 */
export function roomBox(floor, room) {
  const a = toPlan(floor, room.topLeft);
  const b = toPlan(floor, room.bottomRight);
  return {
    left: Math.min(a.x, b.x),
    top: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  };
}

/**
 * Return the sheet of a plan before its image is known. The margins right and below are taken to equal those left of
 * and above the coordinate system.
 *
 * @param {Floor} floor
 * @returns {Box} in plan pixels
 */
export function sheetBox({ coordinateSystem: { topLeft, bottomRight } }) {
  const right = Math.max(topLeft.px, bottomRight.px) + Math.max(0, Math.min(topLeft.px, bottomRight.px));
  const bottom = Math.max(topLeft.py, bottomRight.py) + Math.max(0, Math.min(topLeft.py, bottomRight.py));
  return { left: 0, top: 0, width: Math.max(1, right), height: Math.max(1, bottom) };
}

/**
 * Return the view that shows the whole sheet, centred, and moved away from the zoom buttons. A corner at the bottom
 * right is left free by moving the sheet up, else left, unless the plan would become much smaller.
 *
 * @param {Box} sheet
 * @param {Size} size of the pane
 * @param {Size} [corner] CSS pixels
 * @returns {View}
 */
export function fitView(sheet, size, corner = NO_CORNER) {
  const view = fitClearOfButtons(sheet, size);
  const { top, height } = toScreen(view, sheet);
  const over = top + height - (size.height - corner.height);
  if (corner.height === 0 || over <= 0) return view;
  if (over <= top - PADDING.top) return { ...view, top: view.top - over };
  const shifted = fitWithin(sheet, size, CORNER.width, corner.width);
  return shifted.scale < view.scale * MIN_SHRINK ? { ...view, top: view.top - (top - PADDING.top) } : shifted;
}

/** Fit the sheet clear of the zoom buttons. @param {Box} sheet @param {Size} size @returns {View} */
function fitClearOfButtons(sheet, size) {
  const view = fitWithin(sheet, size, PADDING.left);
  const { left, top, height } = toScreen(view, sheet);
  const over = top + height - (size.height - CORNER.height);
  if (left >= CORNER.width || over <= 0) return view;
  if (over <= top - PADDING.top) return { ...view, top: view.top - over };
  return fitWithin(sheet, size, CORNER.width);
}

/**
 * @param {Box} sheet
 * @param {Size} size
 * @param {number} margin on the left
 * @param {number} [right] margin on the right
 * @returns {View}
 */
function fitWithin(sheet, size, margin, right = PADDING.right) {
  const width = Math.max(1, size.width - margin - right);
  const height = Math.max(1, size.height - PADDING.top - PADDING.bottom);
  const scale = Math.min(width / sheet.width, height / sheet.height);
  return {
    scale,
    left: margin + (width - sheet.width * scale) / 2 - sheet.left * scale,
    top: PADDING.top + (height - sheet.height * scale) / 2 - sheet.top * scale,
  };
}

/**
 * Zoom by a factor around a point.
 *
 * @param {View} view
 * @param {number} factor
 * @param {XY} at on the screen, stays in place
 * @param {View} fit limits of the zoom are relative to this view
 * @returns {View}
 */
export function zoomView(view, factor, at, fit) {
  const scale = Math.min(fit.scale * ZOOM_IN, Math.max(fit.scale * ZOOM_OUT, view.scale * factor));
  const ratio = scale / view.scale;
  return { scale, left: at.x - (at.x - view.left) * ratio, top: at.y - (at.y - view.top) * ratio };
}

/**
 * Pan by (x, y), but keep a part of the sheet visible.
 *
 * @param {View} view
 * @param {XY} by
 * @param {Box} sheet
 * @param {Size} size
 * @returns {View}
 */
export function panView(view, by, sheet, size) {
  const at = toScreen({ ...view, left: view.left + by.x, top: view.top + by.y }, sheet);
  const left = Math.min(size.width - KEEP, Math.max(KEEP - at.width, at.left));
  const top = Math.min(size.height - KEEP, Math.max(KEEP - at.height, at.top));
  return { scale: view.scale, left: left - sheet.left * view.scale, top: top - sheet.top * view.scale };
}

/** Convert a box. @param {View} view @param {Box} box in plan pixels @returns {Box} on the screen */
export function toScreen({ scale, left, top }, box) {
  return {
    left: left + box.left * scale,
    top: top + box.top * scale,
    width: box.width * scale,
    height: box.height * scale,
  };
}

/** @param {Box} box @param {XY} at @returns {boolean} */
export function contains(box, { x, y }) {
  return x >= box.left && x <= box.left + box.width && y >= box.top && y <= box.top + box.height;
}

/** @param {Box} a @param {Box} b @returns {boolean} */
export function overlaps(a, b) {
  return (
    a.left < b.left + b.width &&
    b.left < a.left + a.width &&
    a.top < b.top + b.height &&
    b.top < a.top + a.height
  );
}

/** @param {Box} outer @param {Box} inner @returns {boolean} */
export function encloses(outer, inner) {
  return (
    inner.left >= outer.left &&
    inner.top >= outer.top &&
    inner.left + inner.width <= outer.left + outer.width &&
    inner.top + inner.height <= outer.top + outer.height
  );
}

/** @param {Box} box @returns {XY} */
export function centre({ left, top, width, height }) {
  return { x: left + width / 2, y: top + height / 2 };
}

/** @param {XY} at @param {number} width @param {number} height @returns {Box} */
export function boxAround({ x, y }, width, height) {
  return { left: x - width / 2, top: y - height / 2, width, height };
}

/** @param {Box} box @returns {number} */
export function area({ width, height }) {
  return width * height;
}
