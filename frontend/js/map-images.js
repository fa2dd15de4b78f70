// @ts-check
/**
 * Images the map draws: asked for once, kept, and told of when they arrive. One that fails stays missing until it is
 * asked for again after `forget`.
 */

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
    const known = this.entries.get(url);
    if (known) return known;
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
    image.src = url;
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
 * Where a file of the building is served: a bare name in the folder given, or a path of an imported building.
 * @param {string} folder
 * @param {string} name
 * @returns {string}
 */
export function fileUrl(folder, name) {
  return name.startsWith("/api/buildings/") ? name : `${folder}${encodeURIComponent(name)}`;
}
