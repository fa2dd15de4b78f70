// @ts-check
/**
 * Closing and reopening on the map: a button with the number of closures. While it is pressed, a click closes or reopens
 * the door, lift or room under it, and a card (closures-card.js, loaded then) does the same by keyboard.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";
import { isSamePart, partAt } from "./closures.js";
import { floorOf } from "./picture.js";

/** @import { ClientFrame, Closure, Translate, XY } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { MapStage } from "./renderer.js" */
/** @import { ClosuresCard } from "./closures-card.js" */

export class MapClosing {
  /** @param {{ t: Translate, stage: MapStage, send: (frame: ClientFrame) => void, chatId: () => string | null }} needs */
  constructor({ t, stage, send, chatId }) {
    this.t = t;
    this.chatId = chatId;
    this.stage = stage;
    this.send = send;
    this.picture = stage.picture;
    this.active = false;
    /** @type {ClosuresCard | null} */
    this.card = null;
    this.label = el("span", { class: "map-tool-words" });
    this.tool = el(
      "button",
      {
        type: "button",
        class: "map-tool map-closing-button",
        "aria-pressed": "false",
        on: { click: () => void this.set(!this.active) },
      },
      icon("closed"),
      this.label,
    );
    this.place = el("div", { class: "map-closing" });
  }

  /**
   * Update for a picture. Closures change the chat's own building only: there are none in a preview of another one.
   *
   * @param {MapPicture} picture
   * @param {boolean} isPreview
   */
  show(picture, isPreview) {
    const { t } = this;
    this.picture = picture;
    const n = picture.closures.length;
    this.tool.hidden = floorOf(picture) === null || picture.onEarth || isPreview;
    this.label.textContent = n > 0 ? t("map.closing_count", { n }) : t("closing.title");
    const text = t("map.closing", { n });
    this.tool.setAttribute("aria-label", text);
    this.tool.title = text;
    this.tool.toggleAttribute("data-closed", n > 0);
    if (this.active && isPreview) void this.set(false);
    if (this.active) this.card?.show(picture);
  }

  /** @param {boolean} active */
  async set(active) {
    this.active = active;
    this.tool.setAttribute("aria-pressed", String(active));
    if (!active) {
      this.place.replaceChildren();
      this.card?.scenarios.reset();
      return;
    }
    const module = await loadLatePart(() => import("./closures-card.js"), this.t);
    if (module === null || !this.active) return;
    this.card ??= new module.ClosuresCard(
      this.t,
      {
        toggle: (part) => this.toggle(part),
        reopen: (parts) => this.send({ type: "closures", reopen: parts }),
        close: () => {
          void this.set(false);
          this.tool.focus();
        },
      },
      this.chatId,
    );
    this.card.show(this.picture);
    this.place.replaceChildren(this.card.dom);
    this.card.focus();
  }

  /**
   * Close or reopen what is under a click.
   *
   * @param {XY} at
   * @returns {boolean} false if clicks are not for closing now
   */
  take(at) {
    const { picture, stage } = this;
    const floor = floorOf(picture);
    if (!this.active || !floor || !picture.building) return false;
    const room = stage.roomAt(at)?.room.name ?? null;
    const part = partAt(picture.building, floor, stage.camera.view, at, room);
    if (part) this.toggle(part);
    return true;
  }

  /** @param {Closure} part */
  toggle(part) {
    const isClosed = this.picture.closures.some((closed) => isSamePart(closed, part));
    this.send({ type: "closures", [isClosed ? "reopen" : "close"]: [part] });
  }
}
