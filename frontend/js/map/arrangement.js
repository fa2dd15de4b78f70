// @ts-check
/** Arrangement of icons, texts, dots and names of a floor at one zoom, kept while the plan is panned. Pure. */

import { partSigns, signBox } from "./closure-signs.js";
import { boxAround } from "./geometry.js";
import { floorToScreen, layoutItems } from "./layout.js";
import { RoomNames } from "./names.js";
import { layoutDots } from "./points.js";
import { boxesOf, layoutRoutes } from "./route-layout.js";

/** @import { Language } from "../types.js" */
/** @import { Size, View } from "./geometry.js" */
/** @import { IconShape, Measure, TextShape } from "./layout.js" */
/** @import { Dots } from "./points.js" */
/** @import { FloorScene } from "./scene.js" */

/**
 * `dots` have screen coordinates; all else is in CSS pixels from the plan's own corner.
 *
 * @typedef {{of: FloorScene, scale: number, fit: number, left: number, top: number, measure: Measure, language: Language, icons:
 *   IconShape[], texts: TextShape[], dots: Dots | null, names: RoomNames}} Arrangement
 */

/**
 * Arrange a floor.
 *
 * @param {FloorScene} scene
 * @param {{view: View, fit: View, size: Size, measure: Measure, language?: Language}} stage
 * @param {Arrangement | null} before
 * @returns {Arrangement} the previous arrangement if it still holds
 */
export function arrange(scene, { view, fit, size, measure, language = "en" }, before) {
  const { scale, left, top } = view;
  const reusable =
    before?.of === scene &&
    before.scale === scale &&
    before.fit === fit.scale &&
    before.measure === measure &&
    before.language === language;
  // Dots outside the pane are left out, so they depend on the view.
  if (reusable && (!scene.points || (before.left === left && before.top === top))) return before;
  const { icons, texts } = layoutItems(scene, scale, fit.scale, measure);
  const dots =
    scene.points && layoutDots(scene.points.points, floorToScreen(scene.floor, view), size, measure);
  const marks = dots
    ? [
        ...dots.names.map(({ box }) => box),
        ...dots.at.map((at) => boxAround(at, 2 * dots.radius, 2 * dots.radius)),
      ]
    : [];
  const routeBoxes = boxesOf(
    layoutRoutes(scene.picture.routes, scene.floor, { scale, left: 0, top: 0 }, measure, (floorId) =>
      longestName(scene, floorId),
    ),
  );
  const obstacles = [
    ...icons,
    ...texts,
    ...routeBoxes.map((box) => ({ box })),
    ...partSigns(scene, scale).map((at) => ({ box: signBox(at) })),
    ...marks.map((box) => ({ box: { ...box, left: box.left - left, top: box.top - top } })),
  ];
  const { plan, marks: highlights, closed } = scene;
  const names = new RoomNames({ plan, marks: highlights, scale, obstacles, measure, closed, language });
  return { of: scene, scale, fit: fit.scale, left, top, measure, language, icons, texts, dots, names };
}

/**
 * Return the longest name of a floor in all languages, so that room names keep clear of a badge in each.
 *
 * @param {FloorScene} scene
 * @param {string} floorId
 */
function longestName({ picture }, floorId) {
  const name = picture.building?.floors.find((floor) => floor.floorId === floorId)?.floorName ?? "";
  return name.length >= floorId.length ? name : floorId;
}
