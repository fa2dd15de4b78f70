/** Image in the chat, at most as wide as the column; a click enlarges it. Its space is reserved before it loads. */

import { el } from "../core/dom.js";
import { sourceOf } from "../core/message-address.js";
import { showPicture } from "../core/session.js";

/** @import { Image } from "../types.js" */
/** @import { Needs } from "./shown.js" */

/** Maximum height of a plot: pixels, and per cent of the page's height. */
const TALLEST = 480;
const TALLEST_SHARE = 48;
/** Minimum scale of a figure, at which labels of 11 points are over 10 pixels tall. A wider figure scrolls. */
const MIN_SCALE = 0.48;
const LEAST_AT_MOST = 1200;
/** Width in pixels that every column has: narrower figures never scroll. */
const COLUMN = 360;

/**
 * Create the view of an image.
 *
 * @param {Image} message
 * @param {Needs} needs
 * @returns {HTMLElement | null} null if the message has no source that may be shown
 */
export function plotView(message, { bus, t }) {
  const src = sourceOf(message);
  if (src === null) return null;
  const { seq, runId, width, height } = message;
  const name = message.path?.split("/").at(-1) ?? t("chat.plot");
  const image = el("img", { alt: name, decoding: "async" });
  const lost = el("span", { class: "plot-lost" }, t("images.broken"));
  const dom = el(
    "button",
    {
      class: "plot",
      type: "button",
      "aria-label": t("images.open", { name }),
      title: t("images.open", { name }),
      "data-arrival": "loading",
      on: { click: () => bus.emit("command", { name: "show-image", seq, runId }) },
    },
    image,
    lost,
  );
  if (width && height) {
    dom.style.setProperty("aspect-ratio", `${width} / ${height}`);
    const least = Math.min(Math.round(width * MIN_SCALE), LEAST_AT_MOST);
    const most = Math.min(width, Math.round((TALLEST * width) / height));
    dom.style.setProperty(
      "inline-size",
      `max(${least}px, min(${most}px, ${((TALLEST_SHARE * width) / height).toFixed(2)}vh))`,
    );
    if (least > COLUMN * 1.1) dom.style.setProperty("min-inline-size", `${least}px`);
  }
  image.addEventListener("load", () => {
    dom.dataset.arrival = "ready";
  });
  image.addEventListener("error", () => {
    dom.dataset.arrival = "missing";
  });
  void showPicture(image, src);
  return dom.style.minInlineSize ? el("div", { class: "plot-wide" }, dom) : dom;
}
