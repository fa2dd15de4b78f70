// @ts-check
/** Description of the map for screen readers: the shown floor and everything drawn on it. Pure. */

import { floorNames } from "../core/floor-names.js";
import { answerSentences } from "./answer-words.js";
import { partName } from "./closures.js";
import { highlightsOf, floorOf } from "./state.js";

/** @import { Floor, MapDefinitionContent, Translate } from "../types.js" */
/** @import { MapPicture } from "./state.js" */
/** @import { PlacedOverlay } from "./drawings.js" */

/**
 * @param {MapPicture} picture
 * @param {Translate} t
 * @returns {string}
 */
export function describeMap(picture, t) {
  const floor = floorOf(picture);
  if (picture.onEarth)
    return [
      t("map.twin_scatter"),
      pointsSentence(picture, t),
      ...picture.notes.map(({ key, values }) => t(key, values)),
    ].join(" ");
  if (!floor) return t(picture.building ? "map.no_floors" : "map.waiting");
  const here = (/** @type {{floorId: string}} */ mark) => mark.floorId === floor.floorId;
  const comma = t.language === "ja" ? "、" : ", ";
  const rooms = highlightsOf(picture)
    .filter((highlight) => here(highlight) && highlight.value === undefined)
    .map(({ room }) => room);
  const items = picture.overlays.filter(here).map((overlay) => describeItem(overlay, picture, t));
  const arrows = picture.arrows
    .filter(here)
    .map(({ room, direction }) => t("map.twin_arrow", { room, direction: t(`direction.${direction}`) }));
  const sentences = [t("map.twin_floor", { floor: floorTitle(floor, t, picture.building) })];
  if (rooms.length) sentences.push(t("map.twin_highlights", { rooms: rooms.join(comma) }));
  if (items.length) sentences.push(t("map.twin_overlays", { items: items.join(comma) }));
  if (arrows.length) sentences.push(t("map.twin_arrows", { arrows: arrows.join(comma) }));
  if (picture.points?.kind === "plan" && picture.points.floorId === floor.floorId)
    sentences.push(pointsSentence(picture, t));
  sentences.push(...answerSentences(picture, t));
  const { building, closures } = picture;
  if (building && closures.length)
    sentences.push(
      t("map.twin_closed", { parts: closures.map((part) => partName(part, building, t, true)).join(comma) }),
    );
  if (sentences.length === 1) sentences.push(t("map.twin_plain"));
  sentences.push(...picture.notes.map(({ key, values }) => t(key, values)));
  return sentences.join(" ");
}

/** @param {MapPicture} picture @param {Translate} t @returns {string} */
function pointsSentence({ points }, t) {
  const count = pointCount(points?.points.length ?? 0, t);
  return points?.description
    ? t("map.twin_points", { description: points.description, points: count })
    : t("map.twin_points_plain", { points: count });
}

/** @param {number} n @param {Translate} t */
function pointCount(n, t) {
  return n === 1 ? t("map.point") : t("map.points", { n: t.number(n) });
}

/**
 * Describe the visible points.
 *
 * @param {MapPicture} picture
 * @param {Translate} t
 * @returns {string} "" if there are none
 */
export function describePoints({ points, onEarth, floorId }, t) {
  if (!points || onEarth !== (points.kind === "earth") || (!onEarth && points.floorId !== floorId)) return "";
  const count = pointCount(points.points.length, t);
  return points.description ? `${points.description} · ${count}` : count;
}

/**
 * Return the title of a floor in the language of the page.
 *
 * @param {Floor} floor
 * @param {Translate} t
 * @param {MapDefinitionContent | null} building
 */
export function floorTitle(floor, t, building) {
  return floorNames(floor, building?.groundFloor)[t.language];
}

/** @param {PlacedOverlay} overlay @param {MapPicture} picture @param {Translate} t */
function describeItem(overlay, picture, t) {
  const name = picture.building?.bitmaps.find(
    (candidate) => overlay.type === "bitmap" && candidate.bitmapId === overlay.bitmapId,
  );
  const item = overlay.type === "text" ? overlay.text : (name?.bitmapName ?? overlay.bitmapId);
  return overlay.position.type === "rectangle"
    ? t("map.twin_at", { item, room: overlay.position.name })
    : item;
}
