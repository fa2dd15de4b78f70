// @ts-check
/** The images of a chat as a plain value: `addImage(images, message)` returns the next list. Pure. */

import { sourceOf } from "../core/image-source.js";

/** @import { Chart, Image, Message } from "../types.js" */
/**
 * @typedef {object} Picture
 * @property {"image" | "chart"} kind
 * @property {string} key the same for the same image, however often it is told
 * @property {string} src a path on this server, or a data: URL
 * @property {string} name file name, may be empty
 * @property {string} fileName to download it as
 * @property {string} step label of the step that made it, may be empty
 * @property {number | null} width pixels
 * @property {number | null} height pixels
 * @property {number | undefined} seq
 * @property {string | undefined} runId
 * @property {string | undefined} timestamp
 */
/** `step` is the label told last, by the code that came before the image.
 * @typedef {{pictures: Picture[], step: string, runId: string | undefined}} Gallery */

/** @type {Gallery} */
export const emptyGallery = Object.freeze({ pictures: [], step: "", runId: undefined });

/**
 * The gallery after one server message, oldest image first; the same object when nothing changed.
 * @param {Gallery} gallery
 * @param {Message} message
 * @param {string} [agent] the managed agent that made it, in the place of a step's label
 * @returns {Gallery}
 */
export function addImage(gallery, message, agent) {
  if (message.type === "user_message") return { ...gallery, step: "" };
  if (message.type === "code" && message.step) {
    return { ...gallery, step: message.step, runId: message.runId };
  }
  const picture =
    message.type === "image"
      ? readPicture(message, gallery, "image", agent)
      : message.type === "chart"
        ? readPicture(pictureOf(message), gallery, "chart", agent)
        : null;
  if (!picture || gallery.pictures.some(({ key }) => key === picture.key)) return gallery;
  return { ...gallery, pictures: [...gallery.pictures, picture] };
}

/** The picture of a chart, as an image by itself. @param {Chart} message @returns {Image} */
function pictureOf({ content, imageUrl, seq, runId, timestamp }) {
  const { imageId, width, height, name } = content;
  return {
    type: "image",
    content: "",
    format: "png",
    path: `${name}.png`,
    fileId: imageId,
    width,
    height,
    url: imageUrl,
    seq,
    runId,
    timestamp,
  };
}

/**
 * @param {Image} message
 * @param {Gallery} gallery
 * @param {Picture["kind"]} kind
 * @param {string | undefined} agent
 * @returns {Picture | null} null when there is nothing to show
 */
function readPicture(message, gallery, kind, agent) {
  const src = sourceOf(message);
  if (!src) return null;
  const { seq, runId, timestamp } = message;
  const name = message.path?.split(/[\\/]/).pop() ?? "";
  return {
    kind,
    key: seq !== undefined ? `seq ${seq}` : `src ${message.fileId || src}`,
    src,
    name,
    fileName: name || `image.${message.format}`,
    step: agent ?? (runId === gallery.runId ? gallery.step : ""),
    width: message.width ?? null,
    height: message.height ?? null,
    seq,
    runId,
    timestamp,
  };
}
