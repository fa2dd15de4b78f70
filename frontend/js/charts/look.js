/** Colours of charts in both themes: the page's neutrals, and a palette for colour-blind readers. Pure. */

/** @import { Theme } from "../types.js" */

const CYCLE = {
  light: ["#3b6fe0", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#7a5c00", "#5b6472"],
  dark: ["#7aa2ff", "#f0b43c", "#2cc295", "#ff8a4c", "#e39bc4", "#7cc9f5", "#c9a44a", "#a5adba"],
};
const NARROW = 480;
const NEUTRALS = {
  light: { ink: "#1f2430", quiet: "#464d59", line: "#c9cfd8", grid: "#e8ebf0" },
  dark: { ink: "#e6e9ef", quiet: "#b4bcc9", line: "#434b59", grid: "#2a303b" },
};

/**
 * Return the Vega-Lite configuration, which a chart's own settings override. backend/smoldesk/charts/look.py is the one
 * for pictures.
 *
 * @param {Theme} theme
 * @param {string} font
 * @param {number} [room] pixels of the column: in a narrow one the legend is below the chart, whose width it would take
 */
export function themeConfig(theme, font, room = Infinity) {
  const { ink, quiet, line, grid } = NEUTRALS[theme];
  const [first] = CYCLE[theme];
  const textColors = {
    labelColor: quiet,
    titleColor: quiet,
    titleFontWeight: "normal",
    labelFontSize: 12,
    titleFontSize: 12,
  };
  return {
    background: "transparent",
    font,
    padding: 8,
    tooltipFormat: { numberFormat: ",.12~r" },
    scale: { zero: false, barBandPaddingInner: 0.25 },
    title: { color: ink, fontSize: 14, anchor: "start", offset: 10, subtitleColor: quiet },
    axis: {
      ...textColors,
      labelOverlap: true,
      labelSeparation: 4,
      gridColor: grid,
      domainColor: line,
      tickColor: line,
    },
    axisXDiscrete: { labelAngle: 0 },
    legend: room < NARROW ? { ...textColors, orient: "bottom", direction: "vertical" } : textColors,
    header: textColors,
    view: { stroke: null, continuousHeight: 260 },
    range: { category: CYCLE[theme] },
    mark: { color: first, tooltip: { content: "encoding" } },
    text: { color: ink },
    rule: { color: quiet },
    selection: { interval: { mark: { fill: first, fillOpacity: 0.15, stroke: first, strokeOpacity: 0.8 } } },
  };
}
