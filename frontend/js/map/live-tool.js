// @ts-check
/**
 * Button of the live layers, marked when the shown layer is old or gone, or its source does not answer. It opens a card with
 * a switch for each layer (live-card.js, loaded then).
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";
import { isGone, isStale, statusOf } from "./live.js";
import { emptyMap } from "./picture.js";

/** @import { ClientFrame, Translate } from "../types.js" */
/** @import { LiveCard } from "./live-card.js" */
/** @import { MapPicture } from "./picture.js" */

/** Milliseconds between two looks at the clock. */
const LOOK = 1000;

export class MapLive {
  /** @param {{ t: Translate, send: (frame: ClientFrame) => void }} needs */
  constructor({ t, send }) {
    this.t = t;
    this.send = send;
    this.picture = emptyMap;
    this.active = false;
    /** @type {LiveCard | null} */
    this.card = null;
    this.label = el("span", { class: "map-tool-words" });
    this.tool = el(
      "button",
      {
        type: "button",
        class: "map-tool map-live-button",
        "aria-pressed": "false",
        hidden: true,
        on: { click: () => void this.set(!this.active) },
      },
      icon("live"),
      this.label,
    );
    this.place = el("div", { class: "map-closing" });
    this.timer = 0;
  }

  /** @param {MapPicture} picture @param {boolean} isPreview */
  show(picture, isPreview) {
    this.picture = picture;
    const { layers, painted } = picture.live;
    this.tool.hidden = (layers.length === 0 && !isGone(picture.live)) || picture.onEarth || isPreview;
    if (this.active && this.tool.hidden) void this.set(false);
    if (painted && this.timer === 0) this.timer = window.setInterval(() => this.mark(), LOOK);
    if (!painted && this.timer !== 0) this.stop();
    this.mark();
  }

  /** Mark what is old by now. */
  mark() {
    const { t, picture } = this;
    const { live } = picture;
    const layer = live.painted ? statusOf(live) : null;
    const isLayerGone = isGone(live);
    const isOld = isLayerGone || (layer !== null && (layer.state !== "live" || isStale(layer, Date.now())));
    const text = t(isOld ? "live.tool_old" : "live.tool");
    if (this.label.textContent !== text) this.label.textContent = text;
    this.tool.title = text;
    this.tool.toggleAttribute("data-shown", layer !== null || isLayerGone);
    this.tool.toggleAttribute("data-old", isOld);
    if (this.active) this.card?.show(live);
  }

  /** @param {boolean} active */
  async set(active) {
    this.active = active;
    this.tool.setAttribute("aria-pressed", String(active));
    if (!active) {
      this.place.replaceChildren();
      return;
    }
    const module = await loadLatePart(() => import("./live-card.js"), this.t);
    if (module === null || !this.active) return;
    this.card ??= new module.LiveCard(this.t, {
      show: (layer) => this.send({ type: "show_layer", layer }),
      close: () => {
        void this.set(false);
        this.tool.focus();
      },
    });
    this.card.show(this.picture.live);
    this.place.replaceChildren(this.card.dom);
    this.card.focus();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  destroy() {
    this.stop();
  }
}
