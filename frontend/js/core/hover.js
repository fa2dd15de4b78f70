/**
 * Hover links between panes: the part under the pointer in one pane is marked in the others, by the seq of its message.
 */

/** @import { DeskBus, Hover, PaneName } from "../types.js" */

const MARK = "data-near";

/**
 * Emit and show hovers for a pane whose parts have `data-seq`.
 *
 * @param {DeskBus} bus
 * @param {PaneName} source
 * @param {HTMLElement} dom
 * @returns {() => void} removes the listener
 */
export function hoverLinks(bus, source, dom) {
  let last = "";
  const emitHover = (/** @type {string} */ seq) => {
    if (seq === last) return;
    last = seq;
    bus.emit("hover", seq === "" ? null : { source, seqs: [Number(seq)] });
  };
  // pointermove: content that scrolls under a resting pointer must not count
  dom.addEventListener("pointermove", ({ target }) => {
    const part = target instanceof Element ? target.closest("[data-seq]") : null;
    emitHover(part instanceof HTMLElement ? (part.dataset.seq ?? "") : "");
  });
  dom.addEventListener("pointerleave", () => emitHover(""));
  /** @type {Hover | null} */
  let latest = null;
  let frame = 0;
  const mark = () => {
    frame = 0;
    for (const part of dom.querySelectorAll(`[${MARK}]`)) part.removeAttribute(MARK);
    if (latest && latest.source !== source)
      for (const part of partsOf(dom, latest.seqs)) part.setAttribute(MARK, "");
  };
  return bus.on("hover", (hover) => {
    latest = hover;
    frame ||= requestAnimationFrame(mark);
  });
}

/**
 * Return the elements of some messages. A closed <details> represents the elements inside it.
 *
 * @param {HTMLElement} dom
 * @param {readonly number[]} seqs
 * @returns {Set<Element>}
 */
export function partsOf(dom, seqs) {
  const elements = seqs.map((seq) => dom.querySelector(`[data-seq="${Number(seq)}"]`));
  return new Set(elements.flatMap((part) => part?.closest("details:not([open])") ?? part ?? []));
}
