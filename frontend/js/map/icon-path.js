// @ts-check
/**
 * The lines of an icon, drawn step by step: what writes an SVG in place of a canvas cannot read a Path2D. Knows the straight
 * commands (M L H V Z, both cases), which the icons of stairs and lifts are made of.
 */

/** @typedef {{moveTo: (x: number, y: number) => void, lineTo: (x: number, y: number) => void, closePath: () => void}} Pen */

const PARTS = /([MLHVZ])([^MLHVZ]*)/gi;
const NUMBER = /-?\d*\.?\d+/g;

/** @param {Pen} pen @param {string} path */
export function tracePath(pen, path) {
  let [x, y] = [0, 0];
  let begun = [0, 0];
  for (const [, letter = "", rest = ""] of path.matchAll(PARTS)) {
    const command = letter.toUpperCase();
    const relative = letter !== command;
    const values = (rest.match(NUMBER) ?? []).map(Number);
    if (command === "Z") {
      pen.closePath();
      [x, y] = /** @type {[number, number]} */ (begun);
    }
    while (values.length) {
      if (command !== "V") x = (relative ? x : 0) + (values.shift() ?? 0);
      if (command !== "H") y = (relative ? y : 0) + (values.shift() ?? 0);
      if (command === "M") pen.moveTo(x, y);
      else pen.lineTo(x, y);
      if (command === "M") begun = [x, y];
    }
  }
}
