/**
 * Keeps the newest line in sight, but only for someone who is at the end already: a reader is never pulled away. The last
 * answer, once it is whole, is read from its top: the view does not go past it.
 */

import { el } from "./dom.js";
import { icon } from "./icons.js";

/** @import { Translate } from "../types.js" */

const AT_END = 32;
/** What a reader looks at: pixels below the top of the box. */
const READ_AT = 40;

export class FollowScroll {
  /**
   * @param {HTMLElement} box what scrolls
   * @param {HTMLElement} content what grows in it
   * @param {Translate} t
   */
  constructor(box, content, t) {
    this.box = box;
    this.following = true;
    /** Where the view was at the last scroll. */
    this.before = 0;
    /** Nothing was said yet: what is there is read from its top. */
    this.empty = false;
    /** What must not be scrolled past. @type {HTMLElement | null} */
    this.top = null;
    this.button = el(
      "button",
      { class: "latest", type: "button", hidden: true, on: { click: () => this.jump() } },
      icon("arrow-down"),
      t("chat.latest"),
    );
    this.scrolled = () => {
      const distance = this.distance();
      const grew = distance > 0 && box.scrollTop >= this.before; // what was added put the goal further down, nobody went up
      this.following =
        this.empty ||
        Math.abs(distance) <= AT_END ||
        this.end() - box.scrollTop <= AT_END ||
        (this.following && grew);
      this.before = box.scrollTop;
      box.toggleAttribute("data-read-back", !this.following); // the layout does not move meanwhile
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

  /** Where the view goes for someone who follows. */
  goal() {
    if (this.top === null) return this.end();
    return Math.min(
      this.end(),
      this.box.scrollTop + this.top.getBoundingClientRect().top - this.box.getBoundingClientRect().top,
    );
  }

  /** How far that is, downwards. */
  distance() {
    return this.goal() - this.box.scrollTop;
  }

  /** After something changed: on to the goal, for whoever was there. Nobody is pulled back up. */
  settle() {
    if (!this.following || this.empty) return;
    const goal = this.goal();
    if (goal > this.box.scrollTop) this.box.scrollTop = goal;
  }

  /** @param {HTMLElement | null} top what is read from its top now; null: the end is followed */
  readFrom(top) {
    if (top === this.top) return;
    this.top = top;
    if (this.following && !this.empty) this.box.scrollTop = this.goal();
    else this.label(this.distance());
  }

  /** The way to the latest is offered to whoever has not seen it. @param {number} distance */
  label(distance) {
    const hidden = this.empty || distance <= AT_END;
    if (this.button.hidden !== hidden) this.button.hidden = hidden;
  }

  /**
   * Change something, and leave what is read now where it is on the screen, also when the change puts it elsewhere.
   *
   * @param {() => void} change
   */
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
