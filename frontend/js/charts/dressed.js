/**
 * Spec of a chart as the page draws it: as wide as its column, with interaction (zoom, legend, brush) unless the spec
 * has its own. Pure: the original spec is not changed.
 */

/** @typedef {{ [key: string]: any }} Spec */
/** @typedef {"move" | "select"} Mode effect of a drag */

/** Names of the page's own parameters. */
export const ZOOM = "desk_zoom";
export const BRUSH = "desk_brush";
const LEGEND = "desk_legend";
const VIEWS = ["layer", "concat", "hconcat", "vconcat", "spec"];
const DIM = 0.12;
/** Pixels of the axis next to a pane, and of the gap to the next pane. */
const PANE_AXIS = 70;
/** Composite marks, which get no interaction. */
const COMPOSED = ["boxplot", "errorbar", "errorband"];
/** Ctrl or Cmd with the wheel zooms; the wheel alone scrolls the page. */
const WHEEL = "wheel![event.ctrlKey || event.metaKey]";

/**
 * Return the spec to draw. A title that the block shows above the chart is left out.
 *
 * @param {Spec} spec
 * @param {Mode} mode
 * @param {string} description for screen readers, and the name above the chart
 * @param {number} [room] available width in pixels
 * @returns {Spec}
 */
export function preparedSpec(spec, mode, description, room = Infinity) {
  /** @type {Spec} */
  const described = { ...spec, description };
  delete described.$schema; // any version: the bundled one draws it
  if (titleOf(spec) === description.trim()) delete described.title;
  if (!isSingle(spec)) return fitted(described, room);
  const body = spec.layer ? { ...spec.layer[0] } : described;
  const encoding = { ...spec.encoding, ...body.encoding };
  const definesSelection =
    COMPOSED.includes(markOf(body)) ||
    [...(spec.params ?? []), ...(body.params ?? [])].some((parameter) => parameter.select);
  const params = definesSelection ? [] : interactionParams(encoding, mode, markOf(body));
  const named = params.find(({ name }) => name === LEGEND);
  const wide = {
    ...described,
    width: spec.width ?? "container",
    autosize: {
      type: "fit-x",
      contains: "padding",
      ...(typeof spec.autosize === "object" ? spec.autosize : {}),
    },
  };
  if (typeof spec.width === "number" || spec.width?.step) delete wide.autosize;
  if (params.length === 0) return wide;
  const changed = { ...body, params: [...(body.params ?? []), ...params] };
  if (named && !encoding.opacity)
    changed.encoding = {
      ...body.encoding,
      opacity: { condition: { param: LEGEND, value: body.mark?.opacity ?? 1 }, value: DIM },
    };
  if (spec.layer) return { ...wide, layer: [changed, ...spec.layer.slice(1)] };
  return { ...wide, params: changed.params, encoding: changed.encoding ?? spec.encoding };
}

/** Return the title of a spec that has no other properties. @param {Spec} spec */
const titleOf = ({ title }) => {
  const text =
    typeof title === "string" ? title : Object.keys(title ?? {}).join() === "text" ? title.text : "";
  return typeof text === "string" ? text.trim() : "";
};

/** Reduce the columns of panes to the available width. @param {Spec} spec @param {number} room @returns {Spec} */
function fitted(spec, room) {
  const { facet, ...encoding } = spec.encoding ?? {};
  if (typeof facet?.columns !== "number" || typeof spec.width !== "number") return spec;
  const columns = Math.max(1, Math.min(facet.columns, Math.floor(room / (spec.width + PANE_AXIS))));
  return { ...spec, encoding: { ...encoding, facet: { ...facet, columns } } };
}

/** Check whether rows of a chart can be brushed. @param {Spec} spec */
export function canBrush(spec) {
  const { params = [], layer = [] } = preparedSpec(spec, "select", "");
  return [...params, ...(layer[0]?.params ?? [])].some((/** @type {Spec} */ { name }) => name === BRUSH);
}

/** Check whether the spec is a single view, whose width can follow its column. @param {Spec} spec */
function isSingle(spec) {
  if (VIEWS.some((key) => key !== "layer" && spec[key])) return false;
  const { row, column, facet } = spec.encoding ?? {};
  if (row || column || facet) return false;
  return spec.layer
    ? spec.layer.length > 0 && spec.layer.every((/** @type {Spec} */ layer) => layer.mark)
    : Boolean(spec.mark);
}

/** @param {Spec} view */
const markOf = ({ mark }) => (typeof mark === "string" ? mark : mark?.type);

/**
 * @param {Spec} encoding
 * @param {Mode} mode
 * @param {string} mark
 * @returns {Spec[]}
 */
function interactionParams(encoding, mode, mark) {
  const places = ["x", "y"].filter((place) => hasField(encoding[place]));
  const free = places.filter((place) => isContinuous(encoding[place]));
  /** @type {Spec[]} */
  const params = [];
  if (mode === "select" && places.length > 0 && mark !== "arc")
    params.push({
      name: BRUSH,
      select: { type: "interval", encodings: places.filter((place) => isOfRows(encoding[place])) },
    });
  else if (free.length > 0 && free.length === places.length)
    params.push({ name: ZOOM, select: { type: "interval", encodings: free, zoom: WHEEL }, bind: "scales" });
  const shade = ["color", "fill", "stroke", "shape"].find((place) => isNamed(encoding[place]));
  if (shade)
    params.push({ name: LEGEND, select: { type: "point", fields: [encoding[shade].field] }, bind: "legend" });
  return params.filter(({ select }) => !("encodings" in select) || select.encodings.length > 0);
}

/** @param {Spec | undefined} channel */
const hasField = (channel) => typeof channel?.field === "string" || channel?.aggregate === "count";

/** Check whether a range of the channel selects rows: not for aggregates. @param {Spec} channel */
const isOfRows = (channel) => !channel.aggregate;

/** @param {Spec} channel */
const isContinuous = (channel) =>
  ["quantitative", "temporal"].includes(channel.type) &&
  !channel.bin &&
  !["band", "point", "ordinal"].includes(channel.scale?.type);

/** @param {Spec | undefined} channel */
const isNamed = (channel) =>
  typeof channel?.field === "string" &&
  ["nominal", "ordinal"].includes(channel.type) &&
  channel.legend !== null &&
  !channel.aggregate;

/**
 * Return the ranges of a brush from Vega's signal: from and to, or names.
 *
 * @param {{ [field: string]: unknown }} brushed
 * @param {Spec[]} fields names and types of the fields, from Vega
 * @param {{ [field: string]: string }} [times] time columns by Vega's names
 * @returns {import("../types.js").ChartRange[]}
 */
export function rangesOf(brushed, fields, times = {}) {
  return Object.entries(brushed).flatMap(
    /** @returns {import("../types.js").ChartRange[]} */ ([name, values]) => {
      if (!Array.isArray(values) || values.length === 0) return [];
      const kind = fields.find((candidate) => candidate.field === name)?.type;
      const field = times[name] ?? plain(name);
      const ends = values.map((value) => (value instanceof Date ? value.getTime() : value));
      const isTime = values[0] instanceof Date || name in times;
      if (kind === "E" || typeof ends[0] === "string")
        return [{ field, values: ends.slice(0, 500).map(String) }];
      const numbers = ends.filter((end) => typeof end === "number");
      const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
      return numbers.length === 2
        ? [{ field, from: isTime ? localMoment(from) : from, to: isTime ? localMoment(to) : to }]
        : [];
    },
  );
}

/** Return a time as it is drawn: without a time zone. @param {number} moment in ms */
function localMoment(moment) {
  const date = new Date(moment);
  return new Date(moment - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** Return the name of a column without Vega-Lite's backslashes, which escape path characters. @param {string} field */
const plain = (field) => field.replace(/\\(.)/g, "$1");

/** Return the time columns of a brush by Vega's names. @param {Spec} spec @returns {{ [field: string]: string }} */
export function timesOf(spec) {
  const views = [spec, ...(spec.layer ?? [])];
  const times = views
    .flatMap((view) => Object.values(view.encoding ?? {}))
    .filter((channel) => channel?.field && (channel.type === "temporal" || channel.timeUnit));
  return Object.fromEntries(
    times.map(({ field, timeUnit }) => [timeUnit ? `${timeUnit}_${field}` : field, plain(field)]),
  );
}
