/** Keeps the newest line in sight, but only for someone who is at the end already: a reader is never pulled away. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { Translate } from "../types.js" */

const AT_END = 32;

export class FollowScroll {
  /**
   * @param {HTMLElement} box what scrolls
   * @param {HTMLElement} content what grows in it
   * @param {Translate} t
   */
  constructor(box, content, t) {
    this.box = box;
    this.following = true;
    /** Nothing was said yet: what is there is read from its top. */
    this.empty = false;
    this.button = el("button", { class: "latest", type: "button", hidden: true, on: { click: () => this.jump() } }, icon("arrow-down"), t("chat.latest"));
    this.scrolled = () => {
      this.following = this.empty || this.distance() <= AT_END;
      if (this.button.hidden !== this.following) this.button.hidden = this.following;
    };
    box.addEventListener("scroll", this.scrolled, { passive: true });
    this.sizes = new ResizeObserver(() => this.settle());
    this.sizes.observe(content);
    this.sizes.observe(box);
  }

  distance() {
    return this.box.scrollHeight - this.box.clientHeight - this.box.scrollTop;
  }

  /** After something changed: to the end, for whoever was there. */
  settle() {
    if (this.following && !this.empty) this.box.scrollTop = this.box.scrollHeight;
  }

  jump() {
    this.following = true;
    this.button.hidden = true;
    this.settle();
  }

  destroy() {
    this.sizes.disconnect();
    this.box.removeEventListener("scroll", this.scrolled);
  }
}
