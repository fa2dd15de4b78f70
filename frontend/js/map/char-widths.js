// @ts-check
/**
 * Widths of texts where no browser measures them. They are those of DejaVu Sans, the widest of the usual fonts, so that
 * a name placed by them has space in any reader's font. Pure.
 */

import { fontOf } from "./palette.js";

/** @import { Measure } from "./layout.js" */

/** Hundredths of the font size, of the characters from the space to the tilde. */
const PLAIN =
  "32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 53 100 68 69 70 77 63 58 77 75 30 30 66 56 86 75 79 60 79 69 63 61 73 68 99 68 61 68 39 34 39 84 50 50 61 63 55 63 62 35 63 63 28 28 58 28 97 63 61 63 63 41 52 39 63 59 82 59 59 52 64 34 64 84";
const BOLD =
  "35 46 52 84 70 100 87 31 46 46 52 84 38 42 38 37 70 70 70 70 70 70 70 70 70 70 40 40 84 84 84 58 100 77 76 73 83 68 68 82 84 37 37 77 64 100 84 85 73 85 77 72 68 81 77 110 77 72 73 46 37 46 84 50 50 67 72 59 72 68 44 72 71 34 34 66 34 104 71 69 72 72 49 60 48 71 65 92 64 65 58 71 37 71 84";
const [plain, bold] = [PLAIN, BOLD].map((list) => list.split(" ").map(Number));
const FIRST = " ".charCodeAt(0);
/** Other letters, and those as wide as they are high: East Asian ones and pictures. */
const OTHER = 68;
const SQUARE = 100;
const IS_SQUARE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f000}-\u{3ffff}]/u;
/** Ascent and descent of "Hx国", as shares of the font size. */
const LINE = { ascent: 0.86, descent: 0.1 };

/** @type {Measure} */
export const measureText = (text, size, isBold) => {
  const widths = (isBold ? bold : plain) ?? [];
  let sum = 0;
  for (const sign of text)
    sum += widths[sign.charCodeAt(0) - FIRST] ?? (IS_SQUARE.test(sign) ? SQUARE : OTHER);
  return (sum * size) / 100;
};

/** Context that measures with `measureText`; its font is one of `fontOf`. */
export class CharRuler {
  constructor() {
    this.font = fontOf(10, false, "sans-serif");
  }

  /** @param {string} text */
  measureText(text) {
    const [weight = "", size = ""] = this.font.split(" ");
    const pixels = Number.parseFloat(size);
    return {
      width: measureText(text, pixels, weight === "600"),
      actualBoundingBoxAscent: LINE.ascent * pixels,
      actualBoundingBoxDescent: LINE.descent * pixels,
    };
  }
}
