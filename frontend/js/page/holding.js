/**
 * Check whether a person is using the page: a pointer is down, text is selected, a field is being edited, or the log is
 * scrolled up. The layout does not change by itself meanwhile.
 */

import { selectedRange } from "../core/dom.js";

const RELEASE_EVENTS = ["pointerup", "pointercancel", "selectionchange", "input", "focusout", "scroll"];

export class Holding {
  /** @param {() => void} freed called in a frame after such an activity may have ended */
  constructor(freed) {
    this.pointers = new Set();
    /** Field that was edited last. @type {HTMLInputElement | HTMLTextAreaElement | null} */
    this.field = null;
    this.frame = 0;
    this.begin = (/** @type {PointerEvent} */ { pointerId }) => this.pointers.add(pointerId);
    this.watch = (/** @type {Event} */ event) => {
      if (event.type === "input") this.field = isField(event.target) ? event.target : null;
      else if (event instanceof PointerEvent) this.pointers.delete(event.pointerId);
      this.frame ||= requestAnimationFrame(() => {
        this.frame = 0;
        freed();
      });
    };
    document.addEventListener("pointerdown", this.begin, true);
    for (const type of RELEASE_EVENTS)
      document.addEventListener(type, this.watch, { capture: true, passive: true });
  }

  get isBusy() {
    return (
      this.pointers.size > 0 ||
      this.writing ||
      isSelected() ||
      document.querySelector("[data-read-back]") !== null
    );
  }

  /** Whether a field is being edited. A draft from an earlier visit does not count. */
  get writing() {
    return this.field !== null && this.field === document.activeElement && this.field.value !== "";
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    document.removeEventListener("pointerdown", this.begin, true);
    for (const type of RELEASE_EVENTS) document.removeEventListener(type, this.watch, { capture: true });
  }
}

/** Check whether text of the page or of the focused field is selected. */
function isSelected() {
  const field = document.activeElement;
  return (
    selectedRange() !== null ||
    (field instanceof HTMLTextAreaElement && field.selectionStart !== field.selectionEnd)
  );
}

/** @param {EventTarget | null} target @returns {target is HTMLInputElement | HTMLTextAreaElement} */
const isField = (target) => target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
