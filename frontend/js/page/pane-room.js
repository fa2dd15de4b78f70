/**
 * Pane that gets the room, as a plain value, and the resulting sizes. Pure: `Layout` applies them. Sizes are per cent:
 * the left column's share of the page, and the first pane's share of each column.
 */

/** @import { DeskState, LayoutName, Message, PaneName, PaneRoom } from "../types.js" */
/** @typedef {{ columns: number, left: number, right: number, folded: readonly PaneName[] }} PaneSizes */

/** Layouts in the order of the menu; "own" is offered only after a person set sizes. @type {readonly LayoutName[]} */
export const LAYOUTS = ["lean", "analyst", "map", "debug", "all", "own"];

/** @type {Record<Exclude<LayoutName, "lean" | "own">, PaneSizes>} */
const PRESETS = {
  analyst: { columns: 42, left: 40, right: 80, folded: ["debug"] },
  map: { columns: 66, left: 65, right: 65, folded: ["images", "debug"] },
  debug: { columns: 38, left: 65, right: 42, folded: ["images"] },
  all: { columns: 55, left: 65, right: 65, folded: [] },
};

/**
 * Sizes of the "lean" layout, by the pane that an answer filled last and whether there is an image.
 *
 * @type {Record<"nothing" | "images" | "map" | "map alone", PaneSizes>}
 */
const LEANING = {
  nothing: { columns: 55, left: 65, right: 74, folded: ["images"] },
  images: { columns: 55, left: 41, right: 76, folded: [] },
  map: { columns: 58, left: 72, right: 70, folded: [] },
  "map alone": { columns: 58, left: 65, right: 70, folded: ["images"] },
};

/** Messages that draw on the map. @type {ReadonlySet<string>} */
const ON_THE_MAP = new Set(["map", "map_frames", "highlight_room", "arrow"]);

/** @type {PaneRoom} */
export const initialRoom = Object.freeze({ layout: "lean", filled: null });

/** @param {PaneRoom} room @param {LayoutName} layout @returns {PaneRoom} */
export const chooseLayout = (room, layout) => (room.layout === layout ? room : { ...room, layout });

/**
 * Return the room after a message: the pane that it filled, if it changed what that pane shows.
 *
 * @param {PaneRoom} room
 * @param {Message} message
 * @param {Pick<DeskState, "gallery" | "map">} before
 * @param {Pick<DeskState, "gallery" | "map">} after
 * @returns {PaneRoom}
 */
export function reduceRoom(room, { type }, before, after) {
  if (after.gallery.pictures !== before.gallery.pictures) return fill(room, "images");
  return after.map !== before.map && ON_THE_MAP.has(type) ? fill(room, "map") : room;
}

/** @param {PaneRoom} room @param {PaneRoom["filled"]} filled @returns {PaneRoom} */
const fill = (room, filled) => (room.filled === filled ? room : { ...room, filled });

/**
 * Return the sizes of the panes, or null for sizes set by hand. The same sizes are the same object.
 *
 * @param {Pick<DeskState, "room" | "gallery">} state
 * @returns {PaneSizes | null}
 */
export function sizesOf({ room: { layout, filled }, gallery }) {
  if (layout === "own") return null;
  if (layout !== "lean") return PRESETS[layout];
  const empty = gallery.pictures.length === 0;
  if (filled === "map") return LEANING[empty ? "map alone" : "map"];
  return LEANING[empty ? "nothing" : "images"];
}
