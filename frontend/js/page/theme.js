/**
 * Light or dark: what the person chose, else what the system wears, followed while it changes. The choice stands on
 * the root element as data-theme, which is what tokens.css and the canvases read.
 */

import { keep, recall } from "../core/storage.js";

/** @import { DeskBus, Theme } from "../types.js" */

const SYSTEM = "(prefers-color-scheme: dark)";

/** What the page wears: what was chosen, else what the system wears. @returns {Theme} */
export function wornTheme() {
  const chosen = recall("theme");
  if (chosen === "light" || chosen === "dark") return chosen;
  return window.matchMedia(SYSTEM).matches ? "dark" : "light";
}

export class ThemeChoice {
  /** @param {DeskBus} bus */
  constructor(bus) {
    this.bus = bus;
    this.system = window.matchMedia(SYSTEM);
    this.follow = () => this.apply();
    this.system.addEventListener("change", this.follow);
    this.apply();
  }

  /** @returns {Theme} */
  get theme() {
    return wornTheme();
  }

  toggle() {
    keep("theme", this.theme === "dark" ? "light" : "dark");
    this.apply();
  }

  apply() {
    document.documentElement.dataset.theme = this.theme;
    this.bus.emit("theme", this.theme);
  }

  destroy() {
    this.system.removeEventListener("change", this.follow);
  }
}
