// @ts-check
/**
 * Images of the map: each is requested once and kept, and its arrival is reported. A failed image stays missing until
 * `forget`.
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
    /** Number of images that arrived or failed so far. */
    this.arrivals = 0;
  }

  /**
   * Request an image; the same URL is fetched once.
   *
   * @param {string} url
   * @returns {{image: HTMLImageElement, arrival: Arrival, at: number}} `at`: time of arrival by performance.now()
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

  /** Drop failed images, so that a new building requests them again. */
  forget() {
    for (const [url, { arrival }] of this.entries) if (arrival === "missing") this.entries.delete(url);
  }

  /** Stop reporting arrivals. */
  destroy() {
    this.entries.clear();
  }
}

/**
 * Return the URL of a floor's image. Imported buildings store their own.
 *
 * @param {string | undefined} buildingId of an imported building
 * @param {string} name a file name, a path of an imported building, or the address of a file of this page
 * @returns {string}
 */
export function floorUrl(buildingId, name) {
  if (/^(?:\/api\/buildings\/|blob:)/.test(name)) return name;
  const folder = buildingId ? `/api/buildings/${encodeURIComponent(buildingId)}/files/` : FLOORS;
  return `${folder}${encodeURIComponent(name)}`;
}

/** Return the URL of a bitmap. @param {string} name @returns {string} */
export function bitmapUrl(name) {
  return `${BITMAPS}${encodeURIComponent(name)}`;
}
