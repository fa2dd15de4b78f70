// @ts-check
/**
 * Floor image tinted with the colour of the paper, created once: its white ground becomes the sheet at the cost of one
 * copy.
 */

/** Pixels above which an image is used as it is, because a second copy would take too much memory. */
const MAX_PIXELS = 24_000_000;

/** @type {WeakMap<HTMLImageElement, {paper: string, canvas: OffscreenCanvas}>} */
const tints = new WeakMap();

/** Tint an image. @param {HTMLImageElement} image that has loaded @param {string} paper @returns {CanvasImageSource} */
export function tinted(image, paper) {
  const cached = tints.get(image);
  if (cached?.paper === paper) return cached.canvas;
  const { naturalWidth: width, naturalHeight: height } = image;
  if (width * height > MAX_PIXELS) return image;
  const canvas = new OffscreenCanvas(width, height);
  const ctx = canvas.getContext("2d");
  if (!ctx) return image;
  ctx.fillStyle = paper;
  ctx.fillRect(0, 0, width, height);
  ctx.globalCompositeOperation = "multiply";
  ctx.drawImage(image, 0, 0, width, height);
  tints.set(image, { paper, canvas });
  return canvas;
}
