// @ts-check
/** A floor image on the colour of the paper, made once: its white ground becomes the sheet, at any zoom for the price of one copy. */

/** Images with more pixels are used as they are: a second copy would take too much memory. */
const MOST = 24_000_000;

/** @type {WeakMap<HTMLImageElement, {paper: string, canvas: OffscreenCanvas}>} */
const tints = new WeakMap();

/** @param {HTMLImageElement} image that has arrived @param {string} paper @returns {CanvasImageSource} */
export function tinted(image, paper) {
  const cached = tints.get(image);
  if (cached?.paper === paper) return cached.canvas;
  const { naturalWidth: width, naturalHeight: height } = image;
  if (width * height > MOST) return image;
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
