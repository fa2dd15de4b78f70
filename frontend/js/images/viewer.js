// @ts-check
/**
 * Image pane: a gallery of the chat's images, newest first. images/gallery.js selects them; images/dialog.js enlarges
 * them.
 */

import { el } from "../core/dom.js";
import { hoverLinks } from "../core/hover.js";
import { icon } from "../core/icons.js";
import { loadPart } from "../core/late.js";
import { pinButton } from "../core/pin-button.js";
import { shareButton } from "../core/share-button.js";
import { emptyGallery, unseenInChat } from "./gallery.js";
import { showPicture } from "../core/session.js";

/** @import { DeskState, PaneNeeds, Selection, Translate } from "../types.js" */
/** @import { ImageDialog } from "./dialog.js" */
/** @import { Gallery, Picture } from "./gallery.js" */

export class ImageViewer {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    /** @type {string | null} */
    this.chatId = null;
    /** @type {Gallery} */
    this.gallery = emptyGallery;
    /** Inputs of the last marks. @type {unknown[]} */
    this.marked = [];
    /** @type {Map<string, HTMLElement>} */
    this.cards = new Map();
    /** Pictures of the cards. @type {WeakMap<HTMLElement, Picture>} */
    this.drawn = new WeakMap();
    this.empty = el("p", { class: "images-empty" }, icon("image"), el("span"));
    this.list = el("ol", { class: "images-list" });
    /** Dialog, loaded when the first image is enlarged. @type {ImageDialog | null} */
    this.dialog = null;
    this.dom = el("div", { class: "images-viewer", "data-count": 0 }, this.empty, this.list);
    this.undo = [
      bus.on("state", (state) => {
        this.chatId = state.chat?.chatId ?? null;
        this.update(state);
      }),
      bus.on("select", (selection) => this.light(selection)),
      hoverLinks(bus, "images", this.dom),
      bus.on("command", (command) => {
        if (command.name === "show-image") this.show(command);
      }),
      bus.on("language", () => this.rewrite()),
    ];
    this.rewrite();
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.dialog?.destroy();
    this.dom.remove();
  }

  /** @param {DeskState} state */
  update(state) {
    const { gallery, entries, shownVersions } = state;
    if (gallery !== this.gallery) {
      this.gallery = gallery;
      this.draw();
    }
    const marked = [entries.at(-1), shownVersions, gallery];
    if (marked.every((input, at) => input === this.marked[at])) return;
    this.marked = marked;
    const unseen = new Set(unseenInChat(state));
    for (const picture of gallery.pictures)
      this.cards.get(picture.key)?.toggleAttribute("data-in-chat", !unseen.has(picture));
  }

  draw() {
    const { pictures } = this.gallery;
    const keys = new Set(pictures.map(({ key }) => key));
    for (const [key, card] of this.cards) {
      if (keys.has(key)) continue;
      card.remove();
      this.cards.delete(key);
    }
    /** @type {HTMLElement[]} */
    const fresh = [];
    for (const [index, picture] of pictures.entries()) {
      const before = this.cards.get(picture.key);
      if (before && this.drawn.get(before) === picture) continue;
      const card = this.card(picture, index);
      this.cards.set(picture.key, card);
      this.drawn.set(card, picture);
      if (before) before.replaceWith(card);
      else fresh.unshift(card);
    }
    if (fresh.length > 0) this.list.prepend(...fresh);
    this.empty.hidden = pictures.length > 0;
    this.dom.dataset.count = String(pictures.length);
  }

  /** Set all texts in the current language, without reloading images. */
  rewrite() {
    this.list.setAttribute("aria-label", this.t("images.label"));
    const label = this.empty.lastElementChild;
    if (label) label.textContent = this.t("images.empty");
    for (const [index, picture] of this.gallery.pictures.entries()) {
      const card = this.cards.get(picture.key);
      const button = card?.querySelector("button");
      const link = card?.querySelector("a");
      const name = this.nameOf(picture, index);
      button?.setAttribute("aria-label", this.t("images.open", { name }));
      link?.setAttribute("aria-label", `${this.t("shared.download")} ${picture.fileName}`);
      if (link) link.title = this.t("shared.download");
      const caption = card?.querySelector(".images-name");
      if (caption) caption.textContent = name;
      card?.querySelector(".images-step")?.replaceChildren(stepText(picture, this.t));
      const broken = card?.querySelector(".images-broken");
      if (broken) broken.textContent = this.t("images.broken");
      card?.querySelector("img")?.setAttribute("alt", name);
    }
    this.dialog?.rewrite();
  }

  /** @param {Picture} picture @param {number} index @returns {string} */
  nameOf(picture, index) {
    return picture.name || this.t("images.untitled", { n: index + 1 });
  }

  /** Create the card of an image. @param {Picture} picture @param {number} index from the oldest */
  card(picture, index) {
    const name = this.nameOf(picture, index);
    const image = el("img", { alt: name, decoding: "async" });
    const sheet = el(
      "button",
      {
        type: "button",
        class: "images-sheet",
        "aria-label": this.t("images.open", { name }),
        on: { click: () => this.enlarge(picture, sheet) },
      },
      image,
    );
    const card = el(
      "li",
      { class: "images-card", "data-arrival": "loading", "data-key": picture.key, "data-seq": picture.seq },
      sheet,
      el(
        "div",
        { class: "images-caption" },
        el("span", { class: "images-name", title: name }, name),
        picture.step && el("span", { class: "images-step" }, stepText(picture, this.t)),
        el(
          "a",
          {
            href: picture.src,
            download: picture.fileName,
            title: this.t("shared.download"),
            "aria-label": `${this.t("shared.download")} ${picture.fileName}`,
          },
          icon("download"),
        ),
        pinButton(picture.kind, picture.seq, { bus: this.bus, t: this.t, chatId: () => this.chatId }),
        shareButton(picture.kind, picture.seq, { bus: this.bus, t: this.t, chatId: () => this.chatId }, name),
      ),
    );
    if (picture.width && picture.height) {
      sheet.style.aspectRatio = `${picture.width} / ${picture.height}`;
      // the card is at most as wide as its image
      card.style.maxWidth = `calc(var(--tall) * ${(picture.width / picture.height).toFixed(4)})`;
    }
    image.addEventListener("load", () => card.setAttribute("data-arrival", "ready"));
    image.addEventListener("error", () => this.fail(card, sheet, image, picture));
    void showPicture(image, picture.src);
    return card;
  }

  /**
   * Show that the image did not load, with a retry button.
   *
   * @param {HTMLElement} card
   * @param {HTMLElement} sheet
   * @param {HTMLImageElement} image
   * @param {Picture} picture
   */
  fail(card, sheet, image, picture) {
    card.setAttribute("data-arrival", "missing");
    const retry = el(
      "button",
      { type: "button", class: "images-retry" },
      icon("retry"),
      this.t("images.retry"),
    );
    const notice = el(
      "div",
      { class: "images-notice" },
      el("p", { class: "images-broken" }, this.t("images.broken")),
      retry,
    );
    retry.addEventListener("click", () => {
      notice.replaceWith(sheet);
      card.setAttribute("data-arrival", "loading");
      image.removeAttribute("src");
      void showPicture(image, picture.src);
      sheet.focus();
    });
    sheet.replaceWith(notice);
  }

  /** Enlarge an image. @param {Picture} picture @param {HTMLElement} opener gets the focus back */
  async enlarge(picture, opener) {
    const dialog = await this.large();
    if (dialog === null) return;
    const pictures = this.gallery.pictures
      .map((candidate, index) => ({
        ...candidate,
        title: this.nameOf(candidate, index),
        step: stepText(candidate, this.t),
      }))
      .reverse();
    dialog.open(
      pictures,
      pictures.findIndex(({ key }) => key === picture.key),
      opener,
    );
    const { seq, runId } = picture;
    this.bus.emit("select", {
      source: "images",
      ...(seq !== undefined && { seq }),
      ...(runId !== undefined && { runId }),
    });
    this.mark((candidate) => candidate.key === picture.key);
  }

  /** Enlarge the image of a message in the chat. @param {{ seq?: number, runId?: string }} message it came with */
  show({ seq, runId }) {
    const picture = this.gallery.pictures.find(
      (candidate) => candidate.seq === seq && candidate.runId === runId,
    );
    const { activeElement } = document;
    if (picture && activeElement instanceof HTMLElement) this.enlarge(picture, activeElement);
  }

  /** @returns {Promise<ImageDialog | null>} */
  async large() {
    const module = await loadPart(() => import("./dialog.js"), this.t);
    if (this.dialog === null && module !== null) {
      this.dialog = new module.ImageDialog(this.t);
    }
    return this.dialog;
  }

  /** Light the selected image, or the images of the selected run. @param {Selection} selection */
  light({ source, seq, seqs = seq === undefined ? [] : [seq], runId }) {
    if (source === "images") return;
    const exact = this.gallery.pictures.some(
      (picture) => picture.seq !== undefined && seqs.includes(picture.seq),
    );
    this.mark((picture) =>
      exact
        ? picture.seq !== undefined && seqs.includes(picture.seq)
        : seqs.length === 0 && runId !== undefined && picture.runId === runId,
    );
    const card = this.list.querySelector("[data-lit]");
    if (card) card.scrollIntoView({ block: "nearest" });
  }

  /** @param {(picture: Picture) => boolean} belongs */
  mark(belongs) {
    for (const picture of this.gallery.pictures) {
      this.cards.get(picture.key)?.toggleAttribute("data-lit", belongs(picture));
    }
  }
}

/** Return the label of a picture's step: the server's is in English. @param {Picture} picture @param {Translate} t */
function stepText({ step }, t) {
  const [, n] = /^Step (\d+)$/.exec(step) ?? [];
  return n === undefined ? step : t("chat.step", { n });
}
