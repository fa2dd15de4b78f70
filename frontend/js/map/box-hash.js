// @ts-check
/** Spatial hash of occupied boxes. Pure. */

import { overlaps } from "./geometry.js";

/** @import { Box } from "./geometry.js" */

const CELL = 64;
/** Number of cells above which a box is kept in a separate list. */
const WIDE = 400;

export class BoxHash {
  constructor() {
    /** @type {Map<number, Box[]>} */
    this.cells = new Map();
    /** @type {Box[]} */
    this.wide = [];
  }

  /** @param {Box} box */
  add(box) {
    if ((box.width / CELL + 2) * (box.height / CELL + 2) > WIDE) {
      this.wide.push(box);
      return;
    }
    for (let row = cell(box.top); row <= cell(box.top + box.height); row += 1) {
      for (let column = cell(box.left); column <= cell(box.left + box.width); column += 1) {
        const key = keyOf(column, row);
        const list = this.cells.get(key);
        if (list) list.push(box);
        else this.cells.set(key, [box]);
      }
    }
  }

  /** Check whether a box overlaps an added one. @param {Box} box as small as a name @returns {boolean} */
  hits(box) {
    for (let row = cell(box.top); row <= cell(box.top + box.height); row += 1) {
      for (let column = cell(box.left); column <= cell(box.left + box.width); column += 1) {
        const list = this.cells.get(keyOf(column, row));
        if (list) for (const other of list) if (overlaps(box, other)) return true;
      }
    }
    for (const other of this.wide) if (overlaps(box, other)) return true;
    return false;
  }
}

/** @param {number} at */
function cell(at) {
  return Math.floor(at / CELL);
}

/** @param {number} column @param {number} row */
function keyOf(column, row) {
  return (column + 0x8000) * 0x10000 + row + 0x8000;
}
