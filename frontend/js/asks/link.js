/**
 * Scrolling to the card of an ask, or to a turn, that a link points at. It may load later than the link, and later
 * content may push it away, so it is kept in view until it has stayed there or the reader scrolls.
 */

/** @import { FollowScroll } from "../core/scroll.js" */

const HOLD_MS = 1500;
/** Milliseconds after which a missing target is reported. */
const SEARCH_MS = 2500;
const SCROLL_EVENTS = ["wheel", "pointerdown", "keydown", "touchstart"];

export class InSight {
  /**
   * @param {HTMLElement} log the scrolling element
   * @param {FollowScroll} follow
   * @param {"ask" | "run"} kind data attribute with its name
   * @param {() => boolean} [missed] called when the target is missing; returns false to keep waiting
   */
  constructor(log, follow, kind, missed) {
    this.missed = missed;
    this.timer = 0;
    this.log = log;
    this.kind = kind;
    this.follow = follow;
    /** @type {string | null} */
    this.target = null;
    /** @type {HTMLElement | null} the target, once it is found */
    this.card = null;
    this.until = 0;
    this.release = () => {
      this.forget();
    };
    for (const move of SCROLL_EVENTS) log.addEventListener(move, this.release, { passive: true });
  }

  /** @param {string} name */
  show(name) {
    this.target = name;
    this.card = null;
    this.startTimeout();
    this.settle();
  }

  /** Report a missing target after a while. */
  startTimeout() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (this.target === null || this.card !== null || this.missed === undefined) return;
      if (this.missed()) this.forget();
      else this.startTimeout();
    }, SEARCH_MS);
  }

  /** Look for the target after the log changed. */
  settle() {
    if (this.target === null) return;
    const card = [...this.log.querySelectorAll(`[data-${this.kind}]`)].find(
      (card) => card instanceof HTMLElement && card.dataset[this.kind] === this.target,
    );
    if (!(card instanceof HTMLElement)) return;
    if (card !== this.card) {
      this.card = card;
      this.until = performance.now() + HOLD_MS;
      if (this.kind === "run") this.mark(card);
      card.focus({ preventScroll: true });
    } else if (performance.now() > this.until) {
      this.forget();
      return;
    }
    this.follow.following = false;
    card.scrollIntoView({ block: this.kind === "run" ? "start" : "center" });
  }

  /** Mark the linked turn until another one is linked. @param {HTMLElement} turn */
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
    for (const move of SCROLL_EVENTS) this.log.removeEventListener(move, this.release);
  }
}
