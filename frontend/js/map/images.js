// @ts-check
/**
 * Images the map draws: asked for once, kept, and told of when they arrive. One that fails stays missing until it is
 * asked for again after `forget`.
 */

import { showPicture } from "../core/session.js";

const FLOORS = "/backend/data/floors/";
const BITMAPS = "/backend/bitmaps/";

/** @typedef {"loading" | "ready" | "missing"} Arrival */

export class MapImages {
  /** @param {() => void} changed called when one arrived or failed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Map<string, {image: HTMLImageElement, arrival: Arrival, at: number}>} */
    this.entries = new Map();
    /** How many have come or failed so far. */
    this.arrivals = 0;
  }

  /**
   * Ask for an image; the same one is fetched once.
   * @param {string} url
   * @returns {{image: HTMLImageElement, arrival: Arrival, at: number}} `at`: when it arrived, as performance.now() tells
   */
  get(url) {
    const existing = this.entries.get(url);
    if (existing) return existing;
    const image = new Image();
    /** @type {{image: HTMLImageElement, arrival: Arrival, at: number}} */
    const entry = { image, arrival: "loading", at: 0 };
    this.entries.set(url, entry);
    const settle = (/** @type {Arrival} */ arrival) => {
      entry.arrival = arrival;
      entry.at = performance.now();
      this.arrivals += 1;
      if (this.entries.get(url) === entry) this.changed();
    };
    image.addEventListener("load", () => settle(image.naturalWidth > 0 ? "ready" : "missing"));
    image.addEventListener("error", () => settle("missing"));
    image.decoding = "async";
    void showPicture(image, url);
    return entry;
  }

  /** Drop what failed, so that a new building gets a new try. */
  forget() {
    for (const [url, { arrival }] of this.entries) if (arrival === "missing") this.entries.delete(url);
  }

  /** Nobody hears of arrivals after this. */
  destroy() {
    this.entries.clear();
  }
}

/**
 * Where the image of a floor is served: an imported building keeps its own.
 * @param {string | undefined} buildingId of an imported building
 * @param {string} name a file name, or a path of an imported building
 * @returns {string}
 */
export function floorUrl(buildingId, name) {
  if (name.startsWith("/api/buildings/")) return name;
  const folder = buildingId ? `/api/buildings/${encodeURIComponent(buildingId)}/files/` : FLOORS;
  return `${folder}${encodeURIComponent(name)}`;
}

/** @param {string} name @returns {string} where a bitmap is served */
export function bitmapUrl(name) {
  return `${BITMAPS}${encodeURIComponent(name)}`;
}
