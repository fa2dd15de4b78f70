// @ts-check
/**
 * A canvas that always has as many device pixels as it covers, and paints at most once per frame, only when something
 * changed.
 */

/** @import { Size } from "./map-geometry.js" */

export class MapSurface {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{resized: (size: Size) => void, paint: (ctx: CanvasRenderingContext2D, dpr: number) => void}} hooks
   *   `paint` gets a canvas of `size` times `dpr` pixels
   */
  constructor(canvas, { resized, paint }) {
    this.canvas = canvas;
    this.paint = paint;
    this.dpr = 1;
    /** @type {Size} */
    this.size = { width: 0, height: 0 };
    this.frame = 0;
    this.context = canvas.getContext("2d", { alpha: false });
    this.observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      this.dpr = window.devicePixelRatio || 1;
      const exact = entry.devicePixelContentBoxSize?.[0];
      canvas.width = pixels(width * this.dpr, exact?.inlineSize);
      canvas.height = pixels(height * this.dpr, exact?.blockSize);
      this.size = { width, height };
      if (!width || !height) return;
      resized(this.size);
      this.draw(); // a resized canvas is blank: paint before the browser shows it
    });
    try {
      this.observer.observe(canvas, { box: "device-pixel-content-box" });
    } catch {
      this.observer.observe(canvas); // Safari has no exact box; rounding is right but for odd zoom levels
    }
  }

  /** Something changed: paint with the next frame. */
  touch() {
    this.frame ||= requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (this.context && this.size.width && this.size.height) this.paint(this.context, this.dpr);
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
  }
}

/**
 * The exact count where the browser tells a believable one: under an emulated pixel ratio Chromium tells CSS pixels.
 * @param {number} reckoned
 * @param {number | undefined} exact
 */
function pixels(reckoned, exact) {
  return exact !== undefined && Math.abs(exact - reckoned) < 2 ? exact : Math.round(reckoned);
}
