/**
 * Window of a long chat: only turns near the visible part have their content. The others are shells of the same height
 * with the question, which are filled as they come near and emptied when the log has too many nodes.
 */

import { el } from "../core/dom.js";

/** @import { Turn } from "../types.js" */

/** Turns of a chat that get their content at once. */
const FIRST_TURNS = 6;
/** Distance from the visible part at which a turn is filled. */
const NEAR = "1200px 0px";
/** Milliseconds between two fillings: while a long chat loads, most turns only pass by. */
const PAUSE = 150;
/** Nodes of the log above which far turns are emptied, and how many are left then. */
const MOST_NODES = 5000;
const FEW_NODES = 3000;
/** Height of a turn that was never filled; chat.css has the same. */
const ESTIMATE = 320;

export class TurnWindow {
  /**
   * @param {HTMLElement} box the scrolling element
   * @param {{ fill: (runs: string[]) => void, empty: (run: string) => void, trim: () => void }}
   *   acts
   */
  constructor(box, acts) {
    this.box = box;
    this.acts = acts;
    /** Elements of turns near the visible part. @type {Set<Element>} */
    this.near = new Set();
    /** Heights of emptied turns, by run. @type {Map<string, number>} */
    this.heights = new Map();
    this.timer = 0;
    this.frame = 0;
    this.filledAt = 0;
    this.observer = new IntersectionObserver((changes) => this.onChange(changes), {
      root: box,
      rootMargin: NEAR,
    });
  }

  /** Check whether a new turn gets its content at once. @param {Turn} turn @param {number} count turns before it */
  static isOpen({ state }, count) {
    return count < FIRST_TURNS || !["finished", "failed", "cancelled"].includes(state);
  }

  /**
   * Make an element the shell of a turn. It is the same element as that of the filled turn: the browser keeps the place
   * of what is read by it.
   *
   * @param {Turn} turn
   * @param {HTMLElement} dom
   */
  shell({ runId, seq, state, question }, dom) {
    dom.replaceChildren(el("p", { class: "question", "data-seq": seq }, question));
    dom.dataset.run = runId;
    dom.dataset.state = state;
    dom.dataset.shell = "";
    dom.style.setProperty("block-size", `${this.heights.get(runId) ?? ESTIMATE}px`);
    return dom;
  }

  /** @param {Element} turn */
  watch(turn) {
    this.observer.observe(turn);
  }

  /** @param {HTMLElement} turn */
  forget(turn) {
    this.observer.unobserve(turn);
    this.near.delete(turn);
  }

  /** @param {IntersectionObserverEntry[]} changes */
  onChange(changes) {
    for (const { target, isIntersecting } of changes)
      if (isIntersecting) this.near.add(target);
      else this.near.delete(target);
    this.schedule();
  }

  /** Fill what is near and empty what is far, in a moment. */
  schedule() {
    if (this.timer !== 0) return;
    const pause = Math.max(0, this.filledAt + PAUSE - performance.now());
    this.timer = window.setTimeout(() => {
      this.frame = requestAnimationFrame(() => this.fillNear());
    }, pause);
  }

  fillNear() {
    this.timer = 0;
    if (this.box.clientHeight === 0) return; // hidden: nothing is near, and heights are 0
    const shells = [...this.near].filter((turn) => turn.hasAttribute("data-shell"));
    if (shells.length > 0) this.acts.fill(shells.map((turn) => turn.getAttribute("data-run") ?? ""));
    this.filledAt = performance.now();
    this.acts.trim();
  }

  /**
   * Empty turns outside the window, farthest first, until the log has few enough nodes. A turn in use stays.
   *
   * @param {HTMLElement[]} turns all turns, in order
   */
  trim(turns) {
    const filled = turns.filter((turn) => !turn.hasAttribute("data-shell"));
    const sizes = filled.map((turn) => turn.getElementsByTagName("*").length);
    let nodes = sizes.reduce((sum, size) => sum + size, 0);
    if (nodes <= MOST_NODES) return;
    const middle = turns.findIndex((turn) => this.near.has(turn));
    const far = filled
      .map((turn, at) => ({ turn, size: sizes[at] ?? 0, distance: Math.abs(turns.indexOf(turn) - middle) }))
      .filter(({ turn }) => !this.near.has(turn) && turn !== turns.at(-1) && !isInUse(turn))
      .sort((a, b) => b.distance - a.distance);
    const emptied = far.filter(({ size }) => nodes > FEW_NODES && (nodes -= size) >= 0);
    // all heights first: one after each change would lay the log out again
    for (const { turn } of emptied) this.heights.set(turn.dataset.run ?? "", turn.offsetHeight);
    for (const { turn } of emptied) this.acts.empty(turn.dataset.run ?? "");
  }

  destroy() {
    window.clearTimeout(this.timer);
    window.cancelAnimationFrame(this.frame);
    this.observer.disconnect();
  }
}

/** Check whether a person or a run is busy in a turn. @param {HTMLElement} turn */
const isInUse = (turn) =>
  turn.contains(document.activeElement) ||
  turn.querySelector("form.edit, iframe") !== null ||
  !["finished", "failed", "cancelled"].includes(turn.dataset.state ?? "");
