/** An image in the chat, as wide as the column at most; a click enlarges it. Its place is kept free before it comes. */

import { el } from "../core/dom.js";
import { sourceOf } from "../images/gallery.js";

/** @import { Image } from "../types.js" */
/** @import { Needs } from "./shown.js" */

/** Pixels: a plot is never so tall that nothing else is in sight. */
const TALLEST = 480;

/**
 * @param {Image} message
 * @param {Needs} needs
 * @returns {HTMLElement | null} null when the message holds nothing that can be shown
 */
export function plotView(message, { bus, t }) {
  const src = sourceOf(message);
  if (src === null) return null;
  const { seq, runId, width, height } = message;
  const name = message.path?.split("/").at(-1) ?? t("chat.plot");
  const image = el("img", { alt: name, decoding: "async" });
  const lost = el("span", { class: "plot-lost" }, t("images.broken"));
  const dom = el("button", { class: "plot", type: "button", "aria-label": t("images.open", { name }), title: t("images.open", { name }), "data-arrival": "loading",
    on: { click: () => bus.emit("command", { name: "show-image", seq, runId }) } }, image, lost);
  if (width && height) {
    dom.style.setProperty("aspect-ratio", `${width} / ${height}`);
    dom.style.setProperty("inline-size", `${Math.min(width, Math.round((TALLEST * width) / height))}px`);
  }
  image.addEventListener("load", () => { dom.dataset.arrival = "ready"; });
  image.addEventListener("error", () => { dom.dataset.arrival = "missing"; });
  image.src = src;
  return dom;
}
