// @ts-check
/** The map in words, for those who do not see it: the shown floor and everything drawn on it. Pure. */

import { floorOf } from "./map-state.js";

/** @import { Floor, Translate } from "./types.js" */
/** @import { MapPicture } from "./map-state.js" */
/** @import { PlacedOverlay } from "./map-reading.js" */

/**
 * @param {MapPicture} picture
 * @param {Translate} t
 * @returns {string}
 */
export function describeMap(picture, t) {
  const floor = floorOf(picture);
  if (!floor) return t(picture.building ? "map.no_floors" : "map.waiting");
  const here = (/** @type {{floorId: string}} */ one) => one.floorId === floor.floorId;
  const comma = t.language === "ja" ? "、" : ", ";
  const rooms = picture.highlights.filter(here).map(({ room }) => room);
  const items = picture.overlays.filter(here).map((one) => itemWords(one, picture, t));
  const arrows = picture.arrows
    .filter(here)
    .map(({ room, direction }) => t("map.twin_arrow", { room, direction: t(`map.${direction}`) }));
  const said = [t("map.twin_floor", { floor: floorTitle(floor, t) })];
  if (rooms.length) said.push(t("map.twin_highlights", { rooms: rooms.join(comma) }));
  if (items.length) said.push(t("map.twin_overlays", { items: items.join(comma) }));
  if (arrows.length) said.push(t("map.twin_arrows", { arrows: arrows.join(comma) }));
  if (said.length === 1) said.push(t("map.twin_plain"));
  said.push(...picture.notes.map(({ key, values }) => t(key, values)));
  return said.join(" ");
}

/**
 * Floors carry a Japanese name; elsewhere their id says the same.
 * @param {Floor} floor
 * @param {Translate} t
 */
export function floorTitle(floor, t) {
  return t.language === "ja" ? floor.floorName : floor.floorId;
}

/** @param {PlacedOverlay} overlay @param {MapPicture} picture @param {Translate} t */
function itemWords(overlay, picture, t) {
  const name = picture.building?.bitmaps.find((one) => overlay.type === "bitmap" && one.bitmapId === overlay.bitmapId);
  const item = overlay.type === "text" ? overlay.text : (name?.bitmapName ?? overlay.bitmapId);
  return overlay.position.type === "rectangle" ? t("map.twin_at", { item, room: overlay.position.name }) : item;
}
