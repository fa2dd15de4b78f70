// @ts-check
/**
 * Large image in a modal dialog (Esc closes it, the focus stays inside and returns afterwards); arrow keys show the
 * neighbours. It is outside the pane, because the pane may be hidden.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { showPicture } from "../core/session.js";

/** @import { Translate } from "../types.js" */
/** @import { Picture } from "./gallery.js" */

export class ImageDialog {
  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    /** @type {(Picture & {title: string})[]} newest first, as in the gallery */
    this.pictures = [];
    this.index = 0;
    /** @type {HTMLElement | null} */
    this.opener = null;
    this.broken = el("p", { class: "images-dialog-broken", hidden: true });
    this.image = el("img", {
      alt: "",
      on: { error: () => this.onImage(false), load: () => this.onImage(true) },
    });
    this.title = el("span", { class: "images-dialog-name" });
    this.position = el("span", { class: "images-dialog-position" });
    this.link = el("a", { class: "images-dialog-button" }, icon("download"));
    this.previous = this.button("chevron-left", () => this.step(-1));
    this.next = this.button("chevron-right", () => this.step(1));
    this.shut = this.button("close", () => this.dom.close());
    this.dom = el(
      "dialog",
      {
        class: "images-dialog",
        on: {
          keydown: (event) => this.key(event),
          click: (event) => event.target === this.dom && this.dom.close(),
          close: () => {
            this.dom.remove();
            this.opener?.focus();
          },
        },
      },
      el("div", { class: "images-dialog-sheet" }, this.image, this.broken),
      el(
        "div",
        { class: "images-dialog-bar" },
        this.title,
        this.position,
        this.previous,
        this.next,
        this.link,
        this.shut,
      ),
    );
    this.rewrite();
  }

  destroy() {
    this.opener = null;
    if (this.dom.open) this.dom.close();
    this.dom.remove();
  }

  /**
   * @param {(Picture & {title: string})[]} pictures
   * @param {number} index
   * @param {HTMLElement} opener
   */
  open(pictures, index, opener) {
    this.pictures = pictures;
    this.index = Math.max(0, index);
    this.opener = opener;
    this.show();
    document.body.append(this.dom);
    this.dom.showModal();
    this.shut.focus();
  }

  rewrite() {
    for (const [node, key] of /** @type {[HTMLElement, string][]} */ ([
      [this.previous, "images.previous"],
      [this.next, "images.next"],
      [this.shut, "shared.close"],
      [this.link, "shared.download"],
    ])) {
      node.setAttribute("aria-label", this.t(key));
      node.title = this.t(key);
    }
    if (this.dom.open) this.show();
  }

  show() {
    const picture = this.pictures[this.index];
    if (!picture) return;
    const count = this.pictures.length;
    this.onImage(true);
    this.broken.textContent = this.t("images.broken");
    void showPicture(this.image, picture.src);
    this.image.alt = picture.title;
    this.title.textContent = [picture.title, picture.step].filter(Boolean).join(" · ");
    this.position.textContent = count > 1 ? this.t("shared.position", { n: this.index + 1, count }) : "";
    this.link.href = picture.src;
    this.link.download = picture.fileName;
    this.previous.hidden = this.next.hidden = count < 2;
    this.previous.disabled = this.index === 0;
    this.next.disabled = this.index === count - 1;
    this.dom.setAttribute("aria-label", picture.title);
    this.dom.dataset.key = picture.key;
  }

  /** Show the image, or a text if it did not load. @param {boolean} well */
  onImage(well) {
    this.image.hidden = !well;
    this.broken.hidden = well;
  }

  /** @param {number} by */
  step(by) {
    const next = this.index + by;
    if (!this.pictures[next]) return;
    this.index = next;
    this.show();
    // A button that becomes disabled loses the focus; it must stay in the dialog.
    if (!this.dom.contains(document.activeElement) || document.activeElement === this.dom) this.shut.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    event.stopPropagation(); // no shortcuts of the page while the dialog is open
    if (!step) return;
    event.preventDefault();
    this.step(step);
  }

  /** @param {string} name @param {() => void} press */
  button(name, press) {
    return el("button", { type: "button", class: "images-dialog-button", on: { click: press } }, icon(name));
  }
}
