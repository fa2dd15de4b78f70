/**
 * Chart drawn by vega-embed, which the desk serves itself and which loads with the first chart. Expressions are
 * interpreted, not evaluated as code; a chart loads nothing, and its links are disabled.
 */

import { refuseMarkup } from "../core/html.js";
import { keep, recall } from "../core/storage.js";
import { BRUSH, ZOOM, canBrush, preparedSpec, rangesOf, timesOf } from "./dressed.js";
import { themeConfig } from "./look.js";
import { Tooltip } from "./tooltip.js";

/** @import { ChartRange, Theme, Translate } from "../types.js" */
/** @import { Mode, Spec } from "./dressed.js" */

/** Log level of Vega: errors. */
const ERRORS = 1;
const PROGRAM = "/static/charts.js";
/** Effect of one press of a key or a button. */
const ZOOMED = 1.4;
const PANNED = 0.15;
/** Time format for Japanese. Numbers are formatted as in English. */
const JAPANESE_TIME = {
  dateTime: "%Y年%-m月%-d日 %H:%M",
  date: "%Y/%m/%d",
  time: "%H:%M:%S",
  periods: ["午前", "午後"],
  days: ["日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"],
  shortDays: ["日", "月", "火", "水", "木", "金", "土"],
  months: months("月"),
  shortMonths: months("月"),
};
const ENGLISH_TIME = {
  dateTime: "%x, %X",
  date: "%-m/%-d/%Y",
  time: "%-I:%M:%S %p",
  periods: ["AM", "PM"],
  days: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
  shortDays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
  months: [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
  ],
  shortMonths: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
};

/** @param {string} end */
function months(end) {
  return Array.from({ length: 12 }, (_, at) => `${at + 1}${end}`);
}

/**
 * Storage key of the drawing in progress. A drawing that never ended hung its page, and does not start by itself again.
 */
const MARK = "drawing";

/** Check whether a drawing of this chart started in this browser and never ended. @param {string} specId */
export const hasHung = (specId) => recall(MARK) === specId;

/** @type {Promise<any> | null} */
let program = null;

/** Load the module with vegaEmbed. Rejects if the desk has none. */
function load() {
  program ??= import(PROGRAM).catch((fault) => {
    program = null;
    throw fault;
  });
  return program;
}

/** Loader that loads nothing: no data, no image, no link. */
const EMPTY_LOADER = {
  load: () => Promise.reject(new Error("A chart loads nothing.")),
  sanitize: () => Promise.reject(new Error("A chart loads nothing.")),
  http: () => Promise.reject(new Error("A chart loads nothing.")),
  file: () => Promise.reject(new Error("A chart loads nothing.")),
};

/**
 * @typedef {{ specId: string, description: string, theme: Theme, mode: Mode, t: Translate, brushed: (ranges:
 *   ChartRange[]) => void }} DrawOptions
 */

export class Drawing {
  /** @param {HTMLElement} host element that is drawn into */
  constructor(host) {
    this.host = host;
    /** @type {any} the result of vega-embed */
    this.embedded = null;
    this.wide = false;
    this.tip = new Tooltip(host);
    /** Queue of drawings: each waits for the previous one. @type {Promise<void>} */
    this.last = Promise.resolve();
    this.sized = new ResizeObserver(() => this.fit());
    this.sized.observe(host);
    refuseMarkup(host); // vega-embed empties its host by assigning markup
  }

  /**
   * Draw a chart in place of the previous one. Rejects with the reason if that fails.
   *
   * @param {Spec} spec
   * @param {DrawOptions} options
   */
  draw(spec, options) {
    this.last = this.last.catch(() => {}).then(() => this.drawNow(spec, options));
    return this.last;
  }

  /** Resize the chart to its column. */
  fit() {
    const view = this.embedded?.view;
    if (view && this.wide && this.host.clientWidth > 0 && view.width() !== this.host.clientWidth)
      void view.width(this.host.clientWidth).runAsync();
  }

  /** @param {Spec} spec @param {DrawOptions} how */
  async drawNow(spec, { specId, description, theme, mode, t, brushed }) {
    const { vegaEmbed } = await load();
    const font = getComputedStyle(this.host).fontFamily;
    keep(MARK, specId);
    try {
      const config = themeConfig(theme, font, this.host.clientWidth || undefined);
      const prepared = preparedSpec(spec, mode, description, this.host.clientWidth || undefined);
      this.wide = prepared.width === "container";
      this.clear();
      this.embedded = await vegaEmbed(this.host, prepared, {
        mode: "vega-lite",
        config,
        ast: true,
        actions: false,
        defaultStyle: false,
        renderer: "canvas",
        hover: false,
        loader: EMPTY_LOADER,
        logLevel: ERRORS,
        tooltip: this.tip.handle,
        timeFormatLocale: t.language === "ja" ? JAPANESE_TIME : ENGLISH_TIME,
      });
    } finally {
      keep(MARK, null);
    }
    const { view } = this.embedded;
    if (
      !(
        BRUSH in
        view.getState({ signals: (/** @type {string} */ name) => name === BRUSH, data: () => false }).signals
      )
    )
      return;
    let sent = "[]";
    const emitRanges = () => {
      const ranges = rangesOf(view.signal(BRUSH), view.signal(`${BRUSH}_tuple_fields`) ?? [], timesOf(spec));
      const now = JSON.stringify(ranges);
      if (now !== sent) brushed(ranges);
      sent = now;
    };
    this.host.addEventListener("pointerdown", () =>
      window.addEventListener("pointerup", () => view.runAsync().then(emitRanges), { once: true }),
    );
  }

  /** Check whether rows of a chart can be brushed. @param {Spec} spec */
  brushes(spec) {
    return canBrush(spec);
  }

  /** Whether the chart has axes that zoom. */
  get zooms() {
    return this.axes().length > 0;
  }

  /** @returns {{ signal: string, scale: any, place: string }[]} */
  axes() {
    const view = this.embedded?.view;
    if (!view) return [];
    const { signals } = view.getState({
      signals: (/** @type {string} */ name) => name === `${ZOOM}_tuple_fields`,
      data: () => false,
    });
    return (signals[`${ZOOM}_tuple_fields`] ?? []).map(
      (/** @type {{ field: string, channel: string }} */ { field, channel }) => ({
        signal: `${ZOOM}_${field.replace(/\W/g, "_")}`,
        scale: view.scale(channel),
        place: channel,
      }),
    );
  }

  /**
   * Zoom and pan: `by` above 1 zooms in, `x` and `y` are fractions of the visible range.
   *
   * @param {{ by?: number, x?: number, y?: number }} step
   */
  async move({ by = 1, x = 0, y = 0 }) {
    const view = this.embedded?.view;
    for (const { signal, scale, place } of this.axes()) {
      const [from, to] = scale.range();
      const middle = (from + to) / 2 + (to - from) * (place === "x" ? x : y);
      const half = (to - from) / 2 / by;
      view.signal(signal, [scale.invert(middle - half), scale.invert(middle + half)].map(Number));
    }
    await view?.runAsync();
  }

  nearer() {
    return this.move({ by: ZOOMED });
  }

  farther() {
    return this.move({ by: 1 / ZOOMED });
  }

  /** Show the complete ranges again. */
  async reset() {
    const view = this.embedded?.view;
    for (const { signal } of this.axes()) view.signal(signal, null);
    await view?.runAsync();
  }

  /** Return the action of a key. @param {string} key @returns {Promise<void> | null} null if it has none */
  press(key) {
    const steps = {
      ArrowLeft: { x: -PANNED },
      ArrowRight: { x: PANNED },
      ArrowUp: { y: PANNED },
      ArrowDown: { y: -PANNED },
      "+": { by: ZOOMED },
      "-": { by: 1 / ZOOMED },
    };
    if (!this.zooms) return null;
    if (key === "0") return this.reset();
    return key in steps ? this.move(steps[/** @type {keyof typeof steps} */ (key)]) : null;
  }

  clear() {
    this.tip.hide();
    this.embedded?.finalize();
    this.embedded = null;
  }

  destroy() {
    this.clear();
    this.tip.destroy();
    this.sized.disconnect();
  }
}
