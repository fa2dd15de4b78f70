/**
 * Brings the card of an ask into sight when a link led to it. The card may come later than the link, and what comes after
 * it may push it away while the chat is still filling: it is held in sight until it has stayed there, or the reader moves.
 */

/** @import { FollowScroll } from "../chat/scroll.js" */

const HELD_FOR = 1500;
const MOVES = ["wheel", "pointerdown", "keydown", "touchstart"];

export class AskInSight {
  /**
   * @param {HTMLElement} log what scrolls
   * @param {FollowScroll} follow
   */
  constructor(log, follow) {
    this.log = log;
    this.follow = follow;
    /** @type {string | null} */
    this.wanted = null;
    /** @type {HTMLElement | null} the card, once it is there */
    this.card = null;
    this.until = 0;
    this.release = () => { this.forget(); };
    for (const move of MOVES) log.addEventListener(move, this.release, { passive: true });
  }

  /** @param {string} askId */
  show(askId) {
    this.wanted = askId;
    this.card = null;
    this.settle();
  }

  /** After the log changed. */
  settle() {
    if (this.wanted === null) return;
    const found = [...this.log.querySelectorAll("[data-ask]")].find((card) => card instanceof HTMLElement && card.dataset.ask === this.wanted);
    if (!(found instanceof HTMLElement)) return;
    if (found !== this.card) {
      this.card = found;
      this.until = performance.now() + HELD_FOR;
      found.focus({ preventScroll: true });
    } else if (performance.now() > this.until) {
      this.forget();
      return;
    }
    this.follow.following = false;
    found.scrollIntoView({ block: "center" });
  }

  forget() {
    this.wanted = null;
    this.card = null;
  }

  destroy() {
    for (const move of MOVES) this.log.removeEventListener(move, this.release);
  }
}
