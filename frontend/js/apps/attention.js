/**
 * Protection of the person's input from views, whose scripts may take the focus and change their size at any time.
 *
 * While a person types, a view is inert until the pointer moves over it or Tab is pressed: the page takes the focus
 * back, and closes a view that takes it repeatedly. A press that was meant for a view which moved away hits nothing on
 * the page. Otherwise a person could agree to something that was never under the pointer before.
 */

const MAX_TAKEOVERS = 3;
const GUARD_MS = 600;
let moved = -Infinity;
let isForView = false;
window.addEventListener(
  "pointerdown",
  () => {
    isForView = performance.now() - moved < GUARD_MS;
    moved = -Infinity; // one press only; then the person uses the page again
  },
  true,
);
window.addEventListener(
  "click",
  (event) => {
    if (!isForView || event.detail === 0) return; // detail 0: a click by the keyboard
    isForView = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

/** Record that a view is about to move. Call it before: the person may be pressing in it. */
export function moving() {
  if (document.activeElement?.matches(".app-frame")) moved = performance.now();
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
const written = (target) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"))
    ? target
    : null;

export class FocusGuard {
  /** @param {HTMLIFrameElement} frame @param {() => void} tooOften */
  constructor(frame, tooOften) {
    this.frame = frame;
    this.tooOften = tooOften;
    this.takeovers = 0;
    /** Field in which the person types. @type {HTMLElement | null} */
    this.field = null;
    this.listening = new AbortController();
    const options = { capture: true, signal: this.listening.signal };
    document.addEventListener("focusin", ({ target }) => this.keep(written(target)), options);
    document.addEventListener(
      "keydown",
      ({ key, target }) => this.keep(key === "Tab" ? null : written(target)),
      options,
    );
    for (const type of ["pointermove", "pointerdown"]) {
      document.addEventListener(
        type,
        ({ target }) => {
          if (target === frame.parentElement) this.keep(null);
        },
        options,
      );
    }
    window.addEventListener("blur", () => this.takeBack(), options);
    this.keep(written(document.activeElement));
  }

  /** @param {HTMLElement | null} field */
  keep(field) {
    this.field = field;
    this.frame.inert = field !== null;
  }

  takeBack() {
    const { field } = this;
    if (document.activeElement !== this.frame || !field?.isConnected) return;
    // focus() has no effect on keys during the event itself
    window.setTimeout(() => field.focus({ preventScroll: true }));
    this.takeovers += 1;
    if (this.takeovers > MAX_TAKEOVERS) this.tooOften();
  }

  destroy() {
    this.listening.abort();
  }
}
