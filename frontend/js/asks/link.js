/**
 * Brings the card of an ask, or a turn, into sight when a link led to it. It may come later than the link, and what comes
 * after it may push it away while the chat is still filling: it is held in sight until it has stayed there, or the reader
 * moves.
 */

/** @import { FollowScroll } from "../core/scroll.js" */

const HELD_FOR = 1500;
/** Milliseconds after which what has not come is said to be missing. */
const LOOKED_FOR = 2500;
const MOVES = ["wheel", "pointerdown", "keydown", "touchstart"];

export class InSight {
  /**
   * @param {HTMLElement} log what scrolls
   * @param {FollowScroll} follow
   * @param {"ask" | "run"} kind which data attribute has its name
   * @param {() => boolean} [missed] told when it did not come; false: it is still to be waited for
   */
  constructor(log, follow, kind, missed) {
    this.missed = missed;
    this.timer = 0;
    this.log = log;
    this.kind = kind;
    this.follow = follow;
    /** @type {string | null} */
    this.target = null;
    /** @type {HTMLElement | null} what was looked for, once it is there */
    this.card = null;
    this.until = 0;
    this.release = () => {
      this.forget();
    };
    for (const move of MOVES) log.addEventListener(move, this.release, { passive: true });
  }

  /** @param {string} name */
  show(name) {
    this.target = name;
    this.card = null;
    this.startTimeout();
    this.settle();
  }

  /** Say that it is missing, unless it comes. */
  startTimeout() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (this.target === null || this.card !== null || this.missed === undefined) return;
      if (this.missed()) this.forget();
      else this.startTimeout();
    }, LOOKED_FOR);
  }

  /** After the log changed. */
  settle() {
    if (this.target === null) return;
    const card = [...this.log.querySelectorAll(`[data-${this.kind}]`)].find(
      (card) => card instanceof HTMLElement && card.dataset[this.kind] === this.target,
    );
    if (!(card instanceof HTMLElement)) return;
    if (card !== this.card) {
      this.card = card;
      this.until = performance.now() + HELD_FOR;
      if (this.kind === "run") this.mark(card);
      card.focus({ preventScroll: true });
    } else if (performance.now() > this.until) {
      this.forget();
      return;
    }
    this.follow.following = false;
    card.scrollIntoView({ block: this.kind === "run" ? "start" : "center" });
  }

  /** A turn that was linked to is told from the others until another one is. @param {HTMLElement} turn */
  mark(turn) {
    for (const before of this.log.querySelectorAll("[data-linked]")) before.removeAttribute("data-linked");
    turn.dataset.linked = "";
    turn.tabIndex = -1;
  }

  forget() {
    this.target = null;
    this.card = null;
  }

  destroy() {
    window.clearTimeout(this.timer);
    for (const move of MOVES) this.log.removeEventListener(move, this.release);
  }
}
