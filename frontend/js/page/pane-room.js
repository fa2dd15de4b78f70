/**
 * Pane that gets the room, as a plain value, and the resulting sizes. Pure: `Layout` applies them. Sizes are per cent:
 * the left column's share of the page, and the first pane's share of each column.
 */

import { deskAddress } from "../core/message-address.js";
import { unseenInChat } from "../images/gallery.js";

/** @import { DeskState, LayoutName, Message, PaneName, PaneRoom, PlacedData } from "../types.js" */
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

/** @typedef {"nothing" | "images" | "map" | "data" | "few"} Leaning `few`: data of so few rows that the chat gets the room */
/**
 * Sizes of the "lean" layout, by what an answer filled last: without images, and beside images of earlier answers.
 *
 * @type {Record<Leaning, { alone: PaneSizes, beside: PaneSizes }>}
 */
const LEANING = {
  nothing: leaning(55, 65, 74),
  images: leaning(45, 50, 78),
  map: leaning(58, 72, 70),
  data: leaning(55, 68, 76),
  few: leaning(38, 45, 78),
};
/** Rows and columns up to which a table fills little of its place. */
const FEW_ROWS = 8;
const FEW_COLUMNS = 6;

/** Messages that draw on the map. @type {ReadonlySet<string>} */
const ON_THE_MAP = new Set(["map", "map_frames", "highlight_room", "arrow"]);
/** In one run a drawing on the map counts more than a table, a table more than a plot. */
const RANKS = { images: 1, data: 2, map: 3 };

/** @type {PaneRoom} */
export const initialRoom = Object.freeze({
  layout: "lean",
  filled: null,
  runId: undefined,
  data: null,
  front: "map",
  opened: 0,
  uploads: /** @type {string[]} */ ([]),
});

/** @param {PaneRoom} room @param {LayoutName} layout @returns {PaneRoom} */
export const chooseLayout = (room, layout) => (room.layout === layout ? room : { ...room, layout });

/**
 * Put data in the place of the plan because a person opened it; null removes it.
 *
 * @param {PaneRoom} room
 * @param {PlacedData | null} data
 * @returns {PaneRoom}
 */
export const openData = (room, data) => ({
  ...room,
  data,
  filled: data === null && room.filled === "data" ? null : room.filled,
  front: data === null ? "map" : "data",
  opened: room.opened + 1,
});

/** Note that this page uploads a file. @param {PaneRoom} room @param {string} name */
export const noteUpload = (room, name) => ({ ...room, uploads: [...room.uploads, name] });

/** Show the plan or the data, as a person chose. @param {PaneRoom} room @param {PaneRoom["front"]} front */
export const showFront = (room, front) => ({ ...room, front, opened: room.opened + 1 });

/**
 * Return the room after a message: what it filled, and the data that it brought.
 *
 * @param {PaneRoom} room
 * @param {Message} message
 * @param {Pick<DeskState, "gallery" | "map">} before
 * @param {Pick<DeskState, "gallery" | "map">} after
 * @returns {PaneRoom}
 */
export function reduceRoom(room, message, before, after) {
  const { type, runId } = /** @type {{ type: string, runId?: string }} */ (message);
  const data = dataOf(message);
  if (data !== null) return withData(room, data, runId);
  if (after.gallery.pictures.length > before.gallery.pictures.length) return fill(room, "images", runId);
  return after.map !== before.map && ON_THE_MAP.has(type) ? fill(room, "map", runId) : room;
}

/**
 * Return the data of a message: a table that the server keeps, or an uploaded file with tables.
 *
 * @param {Message} message
 * @returns {PlacedData | null}
 */
function dataOf(message) {
  if (message.type === "table")
    return deskAddress(message.url) === undefined ? null : { kind: "table", message };
  if (message.type !== "file" || message.runId !== undefined || message.content.fileId === "") return null;
  return (message.content.tables ?? []).length > 0 ? { kind: "file", content: message.content } : null;
}

/** @param {PaneRoom} room @param {PlacedData} data @param {string | undefined} runId */
function withData(room, data, runId) {
  if (data.kind === "file" && room.data?.kind === "file" && room.data.content.fileId === data.content.fileId)
    return { ...room, data }; // a new name or new settings
  if (room.layout !== "lean") return room;
  if (isFew(data) && room.data !== null && !isFew(room.data)) return room; // the chat shows all of a small table
  const own = data.kind === "file" ? room.uploads.indexOf(data.content.name) : -1;
  const opened = own < 0 ? {} : { opened: room.opened + 1, uploads: room.uploads.toSpliced(own, 1) };
  return fill({ ...room, ...opened, data }, "data", runId);
}

/**
 * @param {PaneRoom} room
 * @param {keyof typeof RANKS} filled
 * @param {string | undefined} runId
 * @returns {PaneRoom}
 */
function fill(room, filled, runId) {
  const same = runId !== undefined && runId === room.runId;
  if (same && room.filled !== null && RANKS[room.filled] > RANKS[filled]) return room;
  const front = filled === "images" || room.layout !== "lean" ? room.front : filled;
  if (room.filled === filled && room.front === front && same && filled !== "data") return room;
  return { ...room, filled, front, runId };
}

/**
 * Return the sizes of the panes, or null for sizes set by hand. The same sizes are the same object.
 *
 * @param {Pick<DeskState, "room" | "gallery" | "entries" | "shownVersions">} state
 * @returns {PaneSizes | null}
 */
export function sizesOf(state) {
  const { layout } = state.room;
  if (layout === "own") return null;
  if (layout !== "lean") return PRESETS[layout];
  return LEANING[leaningOf(state.room)][unseenInChat(state).length > 0 ? "beside" : "alone"];
}

/** @param {PaneRoom} room @returns {Leaning} */
function leaningOf({ filled, data, front }) {
  if (filled === "map" || data === null || front !== "data")
    return filled === "data" ? "nothing" : (filled ?? "nothing");
  return isFew(data) ? "few" : "data";
}

/** Check whether data is a table so small that it fills little of its place. @param {PlacedData} data */
function isFew(data) {
  if (data.kind === "file") return false;
  const { rowCount, columns } = data.message.content;
  return rowCount <= FEW_ROWS && columns.length <= FEW_COLUMNS;
}

/**
 * @param {number} columns
 * @param {number} left
 * @param {number} right
 * @returns {{ alone: PaneSizes, beside: PaneSizes }}
 */
function leaning(columns, left, right) {
  return {
    alone: { columns, left, right, folded: ["images"] },
    beside: { columns, left, right, folded: [] },
  };
}
