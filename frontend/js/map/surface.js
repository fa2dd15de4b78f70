// @ts-check
/**
 * Canvases whose resolution matches the device pixels they cover, painted at most once per frame and only after a
 * change.
 */

/** @import { Size } from "./geometry.js" */

export class MapSurface {
  /**
   * @param {HTMLCanvasElement} box one of the canvases, always shown
   * @param {{resized: (pixels: Size) => void, paint: () => void}} hooks `pixels`: device pixels that a canvas needs
   */
  constructor(box, { resized, paint }) {
    this.paint = paint;
    this.dpr = 1;
    /** @type {Size} */
    this.size = { width: 0, height: 0 };
    this.frame = 0;
    this.observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      this.dpr = window.devicePixelRatio || 1;
      const exact = entry.devicePixelContentBoxSize?.[0];
      this.size = { width, height };
      resized({
        width: pixels(width * this.dpr, exact?.inlineSize),
        height: pixels(height * this.dpr, exact?.blockSize),
      });
      this.draw(); // resizing clears the canvas: paint before the browser shows it
    });
    try {
      this.observer.observe(box, { box: "device-pixel-content-box" });
    } catch {
      this.observer.observe(box); // Safari lacks devicePixelContentBoxSize; rounding fails only at odd zoom levels
    }
  }

  /** Request painting in the next frame. */
  touch() {
    this.frame ||= requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (this.size.width && this.size.height) this.paint();
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
  }
}

/**
 * Return the exact size in device pixels if it is plausible: with an emulated pixel ratio Chromium reports CSS pixels.
 *
 * @param {number} reckoned
 * @param {number | undefined} exact
 */
function pixels(reckoned, exact) {
  return exact !== undefined && Math.abs(exact - reckoned) < 2 ? exact : Math.round(reckoned);
}
