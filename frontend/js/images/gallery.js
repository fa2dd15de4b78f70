// @ts-check
/** Images of a chat as a plain value: `addImage(images, message)` returns the next list. Pure. */

import { deskAddress, sourceOf } from "../core/message-address.js";
import { shownEntries } from "../core/versions.js";

/** @import { Chart, ChartChanged, DeskState, Image, Message } from "../types.js" */
/**
 * @typedef {object} Picture
 * @property {"image" | "chart"} kind
 * @property {string} key identity of the image, the same for repeated messages
 * @property {string} src a path on this server, or a data: URL
 * @property {string} name file name, may be empty
 * @property {string} fileName to download it as
 * @property {string} step label of its step, may be empty
 * @property {number | null} width pixels
 * @property {number | null} height pixels
 * @property {number | undefined} seq
 * @property {string | undefined} runId
 * @property {string | undefined} timestamp
 * @property {string} [specId] of a chart as it was first shown
 */
/**
 * `step` is the latest step label, from the code before the image.
 *
 * @typedef {{pictures: Picture[], step: string, runId: string | undefined}} Gallery
 */

/** @type {Gallery} */
export const emptyGallery = Object.freeze({ pictures: [], step: "", runId: undefined });

/**
 * Return the gallery after a server message, oldest image first; the same object if nothing changed.
 *
 * @param {Gallery} gallery
 * @param {Message} message
 * @param {string} [agent] managed agent that made the image, shown in place of the step
 * @returns {Gallery}
 */
export function addImage(gallery, message, agent) {
  if (message.type === "user_message") return { ...gallery, step: "" };
  if (message.type === "code" && message.step) {
    return { ...gallery, step: message.step, runId: message.runId };
  }
  if (message.type === "chart_changed") return withChart(gallery, message);
  const picture =
    message.type === "image"
      ? readPicture(message, gallery, "image", agent)
      : message.type === "chart"
        ? readPicture(pictureOf(message), gallery, "chart", agent, message.content.specId)
        : null;
  if (!picture || gallery.pictures.some(({ key }) => key === picture.key)) return gallery;
  return { ...gallery, pictures: [...gallery.pictures, picture] };
}

/**
 * Return the pictures that the chat does not show: all but those of the last turn, whose plots stand in its answer, and
 * of versions that another one has replaced.
 *
 * @param {Pick<DeskState, "gallery" | "entries" | "shownVersions">} state
 * @returns {Picture[]}
 */
export function unseenInChat(state) {
  const { pictures } = state.gallery;
  const shown = shownEntries(state).entries.filter((entry) => entry.kind === "turn");
  const last = shown.at(-1)?.runId;
  const all = state.entries.filter((entry) => entry.kind === "turn");
  const replaced = new Set(all.map(({ runId }) => runId));
  for (const { runId } of shown) replaced.delete(runId);
  return pictures.filter(({ runId }) => runId === undefined || !(runId === last || replaced.has(runId)));
}

/** Replace the picture of a chart that a person changed. @param {Gallery} gallery @param {ChartChanged} message */
function withChart(gallery, { content: { specId, chart }, imageUrl }) {
  const src = deskAddress(imageUrl);
  const at = gallery.pictures.findIndex((picture) => picture.specId === specId);
  const picture = gallery.pictures[at];
  if (!picture || src === undefined) return gallery;
  const { width, height } = chart;
  return { ...gallery, pictures: gallery.pictures.with(at, { ...picture, src, width, height }) };
}

/** Return the picture of a chart as an image. @param {Chart} message @returns {Image} */
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
 * Read a picture.
 *
 * @param {Image} message
 * @param {Gallery} gallery
 * @param {Picture["kind"]} kind
 * @param {string | undefined} agent
 * @param {string} [specId] of a chart
 * @returns {Picture | null} null if there is nothing to show
 */
function readPicture(message, gallery, kind, agent, specId) {
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
    specId,
  };
}
