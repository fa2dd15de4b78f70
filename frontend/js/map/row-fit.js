// @ts-check
/**
 * Fits the row over the plan into the pane: floors stay visible, and tools lose their words first, then floors their long
 * names and the building its own. What still does not fit scrolls, with the shown floor in sight.
 */

/** Densities, the widest first. */
const DENSITIES = ["", "icons", "short"];
const GAP = 6;

export class RowFit {
  /** @param {HTMLElement} place building and floors @param {HTMLElement} tabs @param {HTMLElement} tools */
  constructor(place, tabs, tools) {
    this.place = place;
    this.tabs = tabs;
    this.tools = tools;
    /** @type {ResizeObserver | null} */
    this.observer = null;
  }

  /** Choose the widest density in which all floors fit. */
  fit() {
    const pane = this.place.parentElement;
    if (!pane || typeof ResizeObserver === "undefined") return;
    if (!this.observer) {
      this.observer = new ResizeObserver(() => this.fit());
      this.observer.observe(pane);
      this.observer.observe(this.tools);
    }
    if (this.tools.offsetWidth === 0) {
      // A sheet stands over the tools: the style sheet's own width holds.
      this.place.style.removeProperty("max-width");
      return;
    }
    for (const density of DENSITIES) {
      for (const part of [this.place, this.tools]) part.dataset.density = density;
      const width = this.tools.getBoundingClientRect().left - this.place.getBoundingClientRect().left - GAP;
      this.place.style.setProperty("max-width", `${Math.max(0, Math.floor(width))}px`);
      if (this.tabs.scrollWidth <= this.tabs.clientWidth) break;
    }
    const shown = this.tabs.querySelector('[aria-selected="true"]');
    if (shown instanceof HTMLElement) {
      this.tabs.scrollLeft = shown.offsetLeft - (this.tabs.clientWidth - shown.offsetWidth) / 2;
    }
  }
}
