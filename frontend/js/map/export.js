// @ts-check
/** Export of the map: a PNG of its pixels, or an SVG of its lines and texts. */

import { paintLayers } from "./layers.js";
import { SvgContext } from "./svg.js";

/** @import { MapStage } from "./renderer.js" */

/** Edges in an SVG are aligned to quarters of a CSS pixel, because its final resolution is unknown. */
const SVG_DPR = 4;

/** Return the map as a PNG. @param {MapStage} stage @returns {Promise<Blob>} with the resolution of the screen */
export async function pngOf(stage) {
  stage.draw();
  const canvas = document.createElement("canvas");
  const { ground, canvases } = stage.layers;
  canvas.width = ground.width;
  canvas.height = ground.height;
  const ctx = canvas.getContext("2d");
  for (const layer of canvases) if (!layer.hidden && layer.width) ctx?.drawImage(layer, 0, 0);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture is too large"))), "image/png"),
  );
}

/** @param {MapStage} stage @param {string} title @returns {string} */
export function svgOf(stage, title) {
  const frame = { ...stage.frame(), dpr: SVG_DPR };
  const measure = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  const ctx = new SvgContext(frame.size, SVG_DPR, { measure, hrefOf });
  paintLayers(/** @type {any} */ (ctx), frame, stage.layerScene(frame));
  return ctx.document(title);
}

/** Return an image as a data URL. @param {any} image @returns {string} */
function hrefOf(image) {
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth ?? image.width;
  canvas.height = image.naturalHeight ?? image.height;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return canvas.toDataURL("image/png");
}

/**
 * Build a file name.
 *
 * @param {(string | null | undefined)[]} parts of a name
 * @param {string} kind png or svg
 * @returns {string} a name that every file system accepts
 */
export function fileName(parts, kind) {
  const name = parts
    .filter(Boolean)
    .join("-")
    .normalize("NFC")
    .replace(/[\\/:*?"<>|\s\p{Cc}]+/gu, "-")
    .replace(/^[.-]+|[.-]+$/g, "");
  return `${name.slice(0, 80) || "map"}.${kind}`;
}
