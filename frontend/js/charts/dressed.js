/**
 * A chart's spec as the page draws it: as wide as its column, with what hands can do (zoom, legend, brush) where the spec has
 * nothing of the kind itself. Pure: the spec is left alone.
 */

/** @typedef {{ [key: string]: any }} Spec */
/** @typedef {"move" | "select"} Mode what a drag does */

/** Names of the page's own parameters. */
export const ZOOM = "desk_zoom";
export const BRUSH = "desk_brush";
const LEGEND = "desk_legend";
const VIEWS = ["layer", "concat", "hconcat", "vconcat", "spec"];
const DIM = 0.12;
/** Pixels of an axis beside a pane, and what parts it from the next. */
const PANE_AXIS = 70;
/** Marks of several marks, which take no hands. */
const COMPOSED = ["boxplot", "errorbar", "errorband"];
/** The wheel scrolls the page; with Ctrl or Cmd it zooms. */
const WHEEL = "wheel![event.ctrlKey || event.metaKey]";

/**
 * @param {Spec} spec
 * @param {Mode} mode
 * @param {string} description for those who do not see it
 * @param {number} [room] pixels that it has from side to side
 * @returns {Spec}
 */
export function dressed(spec, mode, description, room = Infinity) {
  /** @type {Spec} */
  const described = { ...spec, description };
  delete described.$schema; // of whatever version: it is drawn by the one that is here
  if (!isSingle(spec)) return fitted(described, room);
  const body = spec.layer ? { ...spec.layer[0] } : described;
  const encoding = { ...spec.encoding, ...body.encoding };
  const definesSelection =
    COMPOSED.includes(markOf(body)) ||
    [...(spec.params ?? []), ...(body.params ?? [])].some((parameter) => parameter.select);
  const params = definesSelection ? [] : hands(encoding, mode, markOf(body));
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

/** Panes side by side, as many as there is room for. @param {Spec} spec @param {number} room @returns {Spec} */
function fitted(spec, room) {
  const { facet, ...encoding } = spec.encoding ?? {};
  if (typeof facet?.columns !== "number" || typeof spec.width !== "number") return spec;
  const columns = Math.max(1, Math.min(facet.columns, Math.floor(room / (spec.width + PANE_AXIS))));
  return { ...spec, encoding: { ...encoding, facet: { ...facet, columns } } };
}

/** Whether rows of a chart can be brushed. @param {Spec} spec */
export function canBrush(spec) {
  const { params = [], layer = [] } = dressed(spec, "select", "");
  return [...params, ...(layer[0]?.params ?? [])].some((/** @type {Spec} */ { name }) => name === BRUSH);
}

/** @param {Spec} spec whether it is one view, whose width can follow its column */
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
function hands(encoding, mode, mark) {
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

/** Whether a range of the channel is one of rows: not of what is computed over them. @param {Spec} channel */
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
 * Ranges that a brush holds, of what Vega says of it: from and to, or names.
 *
 * @param {{ [field: string]: unknown }} brushed
 * @param {Spec[]} fields what Vega says of them: names and kinds
 * @param {{ [field: string]: string }} [times] columns of moments by what Vega calls them
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

/** A moment as it is drawn: without a zone. @param {number} moment in ms */
function localMoment(moment) {
  const date = new Date(moment);
  return new Date(moment - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** A column's own name: Vega-Lite writes signs of a path with a backslash. @param {string} field */
const plain = (field) => field.replace(/\\(.)/g, "$1");

/** Columns of moments by what Vega calls them, in a brush. @param {Spec} spec @returns {{ [field: string]: string }} */
export function timesOf(spec) {
  const views = [spec, ...(spec.layer ?? [])];
  const times = views
    .flatMap((view) => Object.values(view.encoding ?? {}))
    .filter((channel) => channel?.field && (channel.type === "temporal" || channel.timeUnit));
  return Object.fromEntries(
    times.map(({ field, timeUnit }) => [timeUnit ? `${timeUnit}_${field}` : field, plain(field)]),
  );
}
