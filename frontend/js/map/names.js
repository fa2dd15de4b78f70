// @ts-check
/**
 * Placement of the rooms' names, for one zoom: centred if possible; no name covers another, an icon, or a room inside
 * its own. A name without space is shortened, then left out; the tooltip still shows it. Names are placed when their
 * rooms become visible and then stay, so that nothing jumps while the plan is panned. Pure.
 *
 * Boxes are in CSS pixels from the plan's own corner, so panning keeps them.
 */

import { BoxHash } from "./box-hash.js";
import { roomSign, signBox } from "./closure-signs.js";
import { boxAround, centre } from "./geometry.js";

/** @import { Language, XY } from "../types.js" */
/** @import { Box } from "./geometry.js" */
/** @import { Measure } from "./layout.js" */
/** @import { Plan } from "./plan.js" */
/** @import { Highlight } from "./drawings.js" */

/** @typedef {{room: number, text: string, at: XY, size: number, bold: boolean, box: Box}} Label */

const SIZES = { plain: [13, 12, 11], bold: [15, 14, 13, 12] };
const LINE = 1.3;
/** CSS pixels between a name and an icon. */
const CLEAR = 3;
/** Number of candidate points along each side of a room. */
const GRID = 13;
/** Width below which a room has no name. */
const NARROW = 18;
/** Width in ems below which a shortened name says too little to be shown. */
const SHORTEST = 3.5;

export class RoomNames {
  /**
   * @param {object} needs
   * @param {Plan} needs.plan
   * @param {Map<number, Highlight>} needs.marks highlighted rooms: of the rooms that come into sight, their names are placed first
   * @param {number} needs.scale
   * @param {{box: Box}[]} needs.obstacles icons and texts that names avoid
   * @param {Measure} needs.measure
   * @param {Uint8Array} [needs.closed] 1 for rooms with a sign, which names avoid
   * @param {Language} [needs.language] of the shown names
   */
  constructor({ plan, marks, scale, obstacles, measure, closed, language = "en" }) {
    this.closed = closed;
    this.language = language;
    this.plan = plan;
    this.marks = marks;
    this.scale = scale;
    this.measure = measure;
    this.blocked = new BoxHash();
    for (const { box } of obstacles) this.block(box);
    /** Label of each room: null for none, undefined until the room was visible. @type {(Label | null | undefined)[]} */
    this.labels = new Array(plan.count);
    /** @type {number[]} */
    this.scratch = [];
  }

  /** Keep names clear of a box. @param {Box} box */
  block(box) {
    this.blocked.add(boxAround(centre(box), box.width + 2 * CLEAR, box.height + 2 * CLEAR));
  }

  /**
   * Place the names of new rooms: highlighted rooms first, then rooms inside other rooms, which are smaller.
   *
   * @param {number[]} rooms
   */
  place(rooms) {
    /** @type {number[]} */
    const waiting = [];
    for (const room of rooms) {
      if (this.labels[room] !== undefined) continue;
      const sign = this.closed?.[room] ? roomSign(this.plan, room, this.scale) : null;
      if (sign) this.block(signBox(sign));
      if (this.hasSpace(room)) waiting.push(room);
      else this.labels[room] = null;
    }
    if (waiting.length === 0) return;
    const { area } = this.plan;
    waiting.sort(
      (a, b) =>
        Number(this.marks.has(b)) - Number(this.marks.has(a)) || (area[a] ?? 0) - (area[b] ?? 0) || a - b,
    );
    for (const room of waiting) {
      const label = this.findPlace(room);
      this.labels[room] = label;
      if (label) this.blocked.add(label.box);
    }
  }

  /** @param {number} room */
  hasSpace(room) {
    const { left, right, top, bottom } = this.plan;
    const wide = ((right[room] ?? 0) - (left[room] ?? 0)) * this.scale;
    const high = ((bottom[room] ?? 0) - (top[room] ?? 0)) * this.scale;
    const mark = this.marks.get(room);
    return (!mark || mark.showName) && wide >= NARROW && high >= 11 * LINE + 4;
  }

  /** @param {number} room @returns {Label | null} */
  findPlace(room) {
    const bold = this.marks.has(room);
    const sizes = bold ? SIZES.bold : SIZES.plain;
    const name = this.plan.shownName(room, this.language);
    const box = this.boxOf(room);
    for (const size of sizes) {
      const label = this.tryPlaces(room, box, name, size, bold);
      if (label) return label;
    }
    const size = sizes[sizes.length - 1] ?? 11;
    const short = shorten(name, box.width - 8, size, bold, this.measure);
    return short ? this.tryPlaces(room, box, short, size, bold) : null;
  }

  /** @param {number} room @returns {Box} */
  boxOf(room) {
    const { left, top, width, height } = this.plan.box(room);
    return {
      left: left * this.scale,
      top: top * this.scale,
      width: width * this.scale,
      height: height * this.scale,
    };
  }

  /**
   * @param {number} room
   * @param {Box} within
   * @param {string} text
   * @param {number} size
   * @param {boolean} bold
   * @returns {Label | null}
   */
  tryPlaces(room, within, text, size, bold) {
    const height = size * LINE;
    const free = within.height - height - 4;
    if (free < 0) return null;
    const width = this.measure(text, size, bold) + 4;
    const slack = within.width - width - 4;
    if (slack < 0) return null;
    const middle = centre(within);
    for (const { x, y } of outwards()) {
      const at = { x: middle.x + (x * slack) / 2, y: middle.y + (y * free) / 2 };
      const box = boxAround(at, width, height);
      if (!this.blocked.hits(box) && this.isInside(room, box) && !this.coversInner(room, box))
        return { room, text, at, size, bold, box };
    }
    return null;
  }

  /** Check whether a box is inside a polygonal room. @param {number} room @param {Box} box */
  isInside(room, { left, top, width, height }) {
    if (!this.plan.outlines[room]) return true;
    const { scale, plan } = this;
    for (const x of [left, left + width / 2, left + width]) {
      for (const y of [top, top + height]) if (!plan.contains(room, x / scale, y / scale)) return false;
    }
    return true;
  }

  /** @param {number} room @param {Box} box */
  coversInner(room, { left, top, width, height }) {
    const { plan, scale } = this;
    const matches = plan.grid.search(
      left / scale,
      top / scale,
      (left + width) / scale,
      (top + height) / scale,
      this.scratch,
    );
    return matches.some((other) => plan.encloses(room, other));
  }
}

/** @type {XY[] | null} */
let places = null;

/**
 * Return candidate points.
 *
 * @returns {XY[]} points of the square from (-1, -1) to (1, 1), nearest to its middle first, the middle line before
 *   others
 */
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
  const dots = measure("…", size, bold);
  let used = dots;
  let keep = 0;
  while (keep < letters.length && (used += measure(letters[keep] ?? "", size, bold)) <= width) keep += 1;
  for (keep = Math.min(keep + 1, letters.length - 1); keep >= 2; keep -= 1) {
    const short = `${letters.slice(0, keep).join("").trimEnd()}…`;
    const wide = measure(short, size, bold);
    if (wide < SHORTEST * size) return "";
    if (wide <= width) return short;
  }
  return "";
}
