/**
 * Light or dark: what the person chose, else what the system wears, followed while it changes. The choice stands on
 * the root element as data-theme, which is what tokens.css and the canvases read.
 */

import { keep, recall } from "./storage.js";

/** @import { DeskBus, Theme } from "../types.js" */

export class ThemeChoice {
  /** @param {DeskBus} bus */
  constructor(bus) {
    this.bus = bus;
    this.system = window.matchMedia("(prefers-color-scheme: dark)");
    this.follow = () => this.apply();
    this.system.addEventListener("change", this.follow);
    this.apply();
  }

  /** @returns {Theme} */
  get theme() {
    const chosen = recall("theme");
    if (chosen === "light" || chosen === "dark") return chosen;
    return this.system.matches ? "dark" : "light";
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
