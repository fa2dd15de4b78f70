// @ts-check
/** Widths of texts, measured once and cached: the same names are placed again at every zoom. */

import { fontOf } from "./palette.js";

/** @import { Measure } from "./layout.js" */

/** Maximum number of cached widths; above it the cache is cleared. */
const MAX_WIDTHS = 50_000;

/**
 * Create a measuring function.
 *
 * @param {CanvasRenderingContext2D} ctx any context; its font is changed
 * @param {string} family
 * @returns {Measure}
 */
export function rulerOf(ctx, family) {
  /** @type {Map<string, Map<string, number>>} */
  const fonts = new Map();
  let count = 0;
  return (text, size, bold) => {
    const font = fontOf(size, bold, family);
    let widths = fonts.get(font);
    if (!widths) fonts.set(font, (widths = new Map()));
    const cached = widths.get(text);
    if (cached !== undefined) return cached;
    if ((count += 1) > MAX_WIDTHS) {
      fonts.clear();
      fonts.set(font, (widths = new Map()));
      count = 1;
    }
    ctx.font = font;
    const { width } = ctx.measureText(text);
    widths.set(text, width);
    return width;
  };
}
