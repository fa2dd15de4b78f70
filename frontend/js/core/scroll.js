/**
 * Scroll position that follows the end of the log, but only while the reader is at the end. A complete answer is read
 * from its top: the view does not scroll past it.
 */

import { el } from "./dom.js";
import { icon } from "./icons.js";

/** @import { Translate } from "../types.js" */

const AT_END = 32;
/** Pixels below the top of the box where a reader probably reads. */
const READ_AT = 40;

export class FollowScroll {
  /**
   * @param {HTMLElement} box the scrolling element
   * @param {HTMLElement} content the growing element inside it
   * @param {Translate} t
   */
  constructor(box, content, t) {
    this.box = box;
    this.following = true;
    /** Scroll position at the last scroll event. */
    this.before = 0;
    /** Whether the log is empty: its first content is read from the top. */
    this.empty = false;
    /** Element that the view must not scroll past. @type {HTMLElement | null} */
    this.top = null;
    this.button = el(
      "button",
      { class: "latest", type: "button", hidden: true, on: { click: () => this.jump() } },
      icon("arrow-down"),
      t("chat.latest"),
    );
    this.scrolled = () => {
      const distance = this.distance();
      const grew = distance > 0 && box.scrollTop >= this.before; // content was added; the reader did not scroll up
      this.following =
        this.empty ||
        Math.abs(distance) <= AT_END ||
        this.end() - box.scrollTop <= AT_END ||
        (this.following && grew);
      this.before = box.scrollTop;
      box.toggleAttribute("data-read-back", !this.following); // the layout must not change meanwhile (page/holding.js)
      this.label(this.following ? 0 : distance);
    };
    box.addEventListener("scroll", this.scrolled, { passive: true });
    this.sizes = new ResizeObserver(() => this.settle());
    this.sizes.observe(content);
    this.sizes.observe(box);
  }

  end() {
    return this.box.scrollHeight - this.box.clientHeight;
  }

  /** Return the scroll position of a reader who follows. */
  goal() {
    if (this.top === null) return this.end();
    return Math.min(
      this.end(),
      this.box.scrollTop + this.top.getBoundingClientRect().top - this.box.getBoundingClientRect().top,
    );
  }

  /** Return the distance to the goal in pixels, downwards. */
  distance() {
    return this.goal() - this.box.scrollTop;
  }

  /** Scroll to the goal after a change if the reader follows. Never scrolls upwards. */
  settle() {
    if (!this.following || this.empty) return;
    const goal = this.goal();
    if (goal > this.box.scrollTop) this.box.scrollTop = goal;
  }

  /** Set the element that is read from its top. @param {HTMLElement | null} top null: the end is followed */
  readFrom(top) {
    if (top === this.top) return;
    this.top = top;
    if (this.following && !this.empty) this.box.scrollTop = this.goal();
    else this.label(this.distance());
  }

  /** Show the button to the latest answer unless the reader is there. @param {number} distance */
  label(distance) {
    const hidden = this.empty || distance <= AT_END;
    if (this.button.hidden !== hidden) this.button.hidden = hidden;
  }

  /** Run a change and keep the element that is being read at its place on the screen. @param {() => void} change */
  hold(change) {
    if (this.following) return change();
    const { left, top, width } = this.box.getBoundingClientRect();
    const read = document
      .elementFromPoint(left + width / 2, top + READ_AT)
      ?.closest(".result > *, .blocks > *, .turn, .aside");
    const before = read?.getBoundingClientRect().top;
    change();
    if (read && before !== undefined) this.box.scrollTop += read.getBoundingClientRect().top - before;
    return undefined;
  }

  jump() {
    this.following = true;
    this.button.hidden = true;
    this.box.scrollTop = this.goal();
  }

  destroy() {
    this.sizes.disconnect();
    this.box.removeEventListener("scroll", this.scrolled);
  }
}
