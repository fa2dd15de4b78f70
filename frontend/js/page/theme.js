/**
 * Theme: the person's choice, else the system's preference, followed as it changes. The root element carries it as
 * data-theme for tokens.css and the canvases.
 */

import { keep, recall } from "../core/storage.js";

/** @import { DeskBus, Theme } from "../types.js" */

const SYSTEM = "(prefers-color-scheme: dark)";

/** Return the current theme: the person's choice, else the system's. @returns {Theme} */
export function currentTheme() {
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
    return currentTheme();
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
