// @ts-check
/**
 * Where the names of rooms stand. Centred where that is free; no name covers another, an icon, or a room that lies
 * within its own. A name that finds no place is shortened, at last left out: the tooltip still says it. Pure.
 */

import { area, boxAround, centre, encloses, overlaps } from "./map-geometry.js";

/** @import { XY } from "./types.js" */
/** @import { Box } from "./map-geometry.js" */
/** @import { Measure, RoomShape } from "./map-layout.js" */

/** @typedef {{text: string, at: XY, size: number, bold: boolean, box: Box}} Label */

const SIZES = { plain: [13, 12, 11], bold: [15, 14, 13, 12] };
const LINE = 1.3;
/** Kept between a name and an icon, CSS pixels. */
const CLEAR = 3;
/** Points tried for a name along each side of its room. */
const GRID = 13;

/**
 * Names, the highlighted rooms' first, then larger rooms before smaller ones.
 * @param {RoomShape[]} rooms their `label` is filled in
 * @param {{box: Box}[]} taken
 * @param {Measure} measure
 */
export function placeNames(rooms, taken, measure) {
  const blocked = taken.map(({ box }) => boxAround(centre(box), box.width + 2 * CLEAR, box.height + 2 * CLEAR));
  const order = [...rooms].sort(
    (a, b) => Number(b.highlight !== null) - Number(a.highlight !== null) || area(a.box) - area(b.box),
  );
  for (const room of order) {
    if (room.highlight && !room.highlight.showName) continue;
    const within = rooms.filter((one) => one !== room && encloses(room.box, one.box) && area(one.box) < area(room.box));
    room.label = findPlace(room, [...blocked, ...within.map(({ box }) => box)], measure);
    if (room.label) blocked.push(room.label.box);
  }
}

/**
 * @param {RoomShape} room
 * @param {Box[]} blocked
 * @param {Measure} measure
 * @returns {Label | null}
 */
function findPlace(room, blocked, measure) {
  const bold = room.highlight !== null;
  const sizes = bold ? SIZES.bold : SIZES.plain;
  for (const size of sizes) {
    const label = tryPlaces(room, room.name, size, bold, blocked, measure);
    if (label) return label;
  }
  const size = sizes[sizes.length - 1] ?? 11;
  const short = shorten(room.name, room.box.width - 8, size, bold, measure);
  return short ? tryPlaces(room, short, size, bold, blocked, measure) : null;
}

/**
 * @param {RoomShape} room
 * @param {string} text
 * @param {number} size
 * @param {boolean} bold
 * @param {Box[]} blocked
 * @param {Measure} measure
 * @returns {Label | null}
 */
function tryPlaces(room, text, size, bold, blocked, measure) {
  const width = measure(text, size, bold) + 4;
  const height = size * LINE;
  const slack = { x: room.box.width - width - 4, y: room.box.height - height - 4 };
  if (slack.x < 0 || slack.y < 0) return null;
  const middle = centre(room.box);
  for (const { x, y } of outwards()) {
    const at = { x: middle.x + (x * slack.x) / 2, y: middle.y + (y * slack.y) / 2 };
    const box = boxAround(at, width, height);
    if (!blocked.some((other) => overlaps(box, other))) return { text, at, size, bold, box };
  }
  return null;
}

/** @type {XY[] | null} */
let places = null;

/** @returns {XY[]} points of the square from (-1, -1) to (1, 1), nearest to its middle first, the middle line before others */
function outwards() {
  if (places) return places;
  const steps = Array.from({ length: GRID }, (_, index) => (2 * index - (GRID - 1)) / (GRID - 1));
  const far = (/** @type {XY} */ { x, y }) => Math.hypot(x * 2, y);
  places = steps.flatMap((x) => steps.map((y) => ({ x, y }))).sort((a, b) => far(a) - far(b) || a.y - b.y);
  return places;
}

/** @param {string} text @param {number} width @param {number} size @param {boolean} bold @param {Measure} measure */
function shorten(text, width, size, bold, measure) {
  const letters = [...text];
  for (let keep = letters.length - 1; keep >= 2; keep -= 1) {
    const short = `${letters.slice(0, keep).join("").trimEnd()}…`;
    if (measure(short, size, bold) <= width) return short;
  }
  return "";
}
