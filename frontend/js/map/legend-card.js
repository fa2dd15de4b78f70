// @ts-check
/**
 * Legend at the bottom right: the meaning of the colours, a gradient with numbers, the number of rooms without a value,
 * the code.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { gradientOf, placeOn, ticksOf } from "./legend.js";

/** @import { LegendOverlay, Source, Translate } from "../types.js" */
/** @import { Origin } from "../core/routes.js" */

export class LegendCard {
  /** @param {Translate} t @param {(origin: Origin & {source: Source}) => void} lead shows the code */
  constructor(t, lead) {
    this.t = t;
    this.lead = lead;
    this.dom = el("section", { class: "map-colours", hidden: true });
    this.mark = el("i", { class: "map-colours-mark", hidden: true });
    this.drawnFor = "";
    /** @type {LegendOverlay | null} */
    this.legend = null;
  }

  /** @param {LegendOverlay | null} legend @param {Origin | undefined} origin */
  show(legend, origin) {
    const key = legend ? JSON.stringify([this.t.language, legend, origin]) : "";
    this.dom.hidden = legend === null;
    if (key === this.drawnFor) return;
    this.drawnFor = key;
    this.legend = legend;
    this.mark.hidden = true;
    this.dom.replaceChildren(...(legend ? this.parts(legend, origin) : []));
    if (legend)
      this.dom.setAttribute(
        "aria-label",
        legend.title ? this.t.pair(this.t("colours.label"), legend.title) : this.t("colours.label"),
      );
  }

  /** @param {LegendOverlay} legend @param {Origin | undefined} origin */
  parts(legend, origin) {
    const { t } = this;
    const bar = el("div", { class: "map-colours-bar", "aria-hidden": "true" }, this.mark);
    bar.style.setProperty("background", gradientOf(legend));
    const ticks = ticksOf(legend).map(({ value, at }) => {
      const tick = el("span", {}, t.number(value));
      tick.style.setProperty("left", `${at * 100}%`);
      tick.style.setProperty("--back", `${-at * 100}%`);
      return tick;
    });
    const source = origin?.source;
    const code = source && t("code.show", { step: source.step });
    return [
      el(
        "p",
        { class: "map-colours-title" },
        el("b", {}, legend.title),
        legend.unit ? el("span", {}, legend.unit) : null,
        source && origin
          ? el(
              "button",
              {
                type: "button",
                "aria-label": code,
                title: code,
                on: { click: () => this.lead({ ...origin, source }) },
              },
              icon("debug"),
            )
          : null,
      ),
      bar,
      el("div", { class: "map-colours-ticks" }, ticks),
      ...(legend.missing > 0
        ? [
            el(
              "p",
              { class: "map-colours-missing" },
              el("i"),
              t("colours.missing", { n: t.number(legend.missing) }),
            ),
          ]
        : []),
    ];
  }

  /** Mark a value on the gradient. @param {number | null} value */
  point(value) {
    this.mark.hidden = value === null || this.legend === null;
    if (value !== null && this.legend)
      this.mark.style.setProperty("left", `${placeOn(this.legend, value) * 100}%`);
  }
}
