/**
 * Columns of an uploaded table, one dense row each: name, type, bars of the distribution, range and blank values. A
 * wide table shows its first columns; the others are found by a search, or shown on request.
 */

import { el } from "../core/dom.js";

/** @import { CardColumn, CardTable, Translate } from "../types.js" */

const FIRST_COLUMNS = 12;
const SHOWN_VALUES = 3;
const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {{ overrides: { [column: string]: string }, onChange: (types: { [column: string]: string | null }) => void
 *   }} Types
 */
/** @typedef {{ search: string, all: boolean }} ColumnsView which columns are shown; outlives the list */

const TYPES = ["number", "date", "day_first", "month_first", "text", "bool"];

/**
 * Create the list of columns, and the search of a wide table. With `types` the type of each can be set.
 *
 * @param {CardTable} table
 * @param {Translate} t
 * @param {Types | null} types
 * @param {ColumnsView} view
 */
export function columnList(table, t, types, view) {
  const { columns, width } = table;
  const isWide = columns.length > FIRST_COLUMNS;
  const body = el("tbody");
  const box = el(
    "div",
    {
      class: "card-columns-box",
      ...(isWide && { tabindex: 0, role: "group", "aria-label": t("shared.columns") }),
    },
    el("table", { class: "card-columns", "aria-label": t("shared.columns") }, head(t), body),
  );
  const undescribed = width - columns.length;
  const note =
    undescribed > 0
      ? el("p", { class: "card-note" }, t("card.more_columns", { n: t.number(undescribed) }))
      : null;
  const status = el("span", { class: "card-note", role: "status" });
  const update = () => {
    const matches = matching(columns, view.search);
    const shown = view.all ? matches : matches.slice(0, FIRST_COLUMNS);
    body.replaceChildren(...shown.map((column) => columnRow(column, table, t, types)));
    status.textContent = t("card.columns_shown", {
      shown: t.number(shown.length),
      n: t.number(matches.length),
    });
  };
  update();
  return isWide ? [columnsBar(columns.length, t, view, update, status), box, note] : [box, note];
}

/** @param {CardColumn[]} columns @param {string} search words that a name must contain */
function matching(columns, search) {
  const words = search.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return columns;
  return columns.filter(({ name }) => {
    const text = name.normalize("NFKC").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/**
 * @param {number} count
 * @param {Translate} t
 * @param {ColumnsView} view
 * @param {() => void} update
 * @param {HTMLElement} status
 */
function columnsBar(count, t, view, update, status) {
  const search = el("input", {
    class: "card-search",
    type: "search",
    name: "columns",
    value: view.search,
    placeholder: t("card.search_columns", { n: t.number(count) }),
    "aria-label": t("card.search_columns", { n: t.number(count) }),
    on: {
      input: () => {
        view.search = search.value;
        update();
      },
    },
  });
  const label = () => t(view.all ? "card.fewer_columns" : "card.all_columns", { n: t.number(count) });
  const more = el(
    "button",
    {
      class: "quiet-button card-all-columns",
      type: "button",
      on: {
        click: () => {
          view.all = !view.all;
          more.textContent = label();
          update();
        },
      },
    },
    label(),
  );
  return el("div", { class: "card-columns-bar" }, search, more, status);
}

/** @param {Translate} t */
function head(t) {
  const names = ["name", "kind", "bars", "range", "blank"];
  return el(
    "thead",
    {},
    el(
      "tr",
      {},
      names.map((name) => el("th", { scope: "col", class: `card-of-${name}` }, t(`card.of_${name}`))),
    ),
  );
}

/** @param {CardColumn} column @param {CardTable} table @param {Translate} t @param {Types | null} types */
function columnRow(column, table, t, types) {
  const { name, kind, blank } = column;
  const text = rangeText(column, t);
  const share = table.rowCount > 0 ? blank / table.rowCount : 0;
  return el(
    "tr",
    { class: "card-column", "data-kind": kind },
    el("th", { scope: "row" }, el("span", { class: "card-column-name", dir: "auto", title: name }, name)),
    el(
      "td",
      {},
      types ? typeField(column, t, types) : el("span", { class: "card-kind" }, t(`column.kind_${kind}`)),
    ),
    el("td", {}, bars(column, t)),
    el("td", {}, el("span", { class: "card-range", title: text }, text)),
    el(
      "td",
      { class: "card-blank" },
      blank > 0 && !table.sampled
        ? el(
            "span",
            { title: t("card.blank", { n: t.number(blank), share: percent(share, t) }) },
            t.number(blank),
          )
        : null,
    ),
  );
}

/** @param {number} share @param {Translate} t */
const percent = (share, t) =>
  new Intl.NumberFormat(t.language, {
    style: "percent",
    maximumFractionDigits: share < 0.01 ? 2 : 0,
  }).format(share);

/** @param {CardColumn} column @param {Translate} t @param {Types} types */
function typeField({ name, kind }, t, { overrides, onChange }) {
  const now = overrides[name] ?? "";
  const guess = now ? t("shared.automatic") : t(`column.kind_${kind}`);
  const alternatives = TYPES.filter((type) => now || type !== kind);
  const select = el(
    "select",
    {
      class: "card-kind",
      name: `type:${name}`,
      "aria-label": t("card.type_of", { name }),
      on: { change: () => onChange({ [name]: select.value || null }) },
    },
    [["", guess], ...alternatives.map((type) => [type, t(`column.kind_${type}`)])].map(([value, label]) =>
      el("option", { value, selected: value === now }, label),
    ),
  );
  return select;
}

/** Draw the counts as bars; none if each value occurs once. @param {CardColumn} column @param {Translate} t */
function bars(column, t) {
  const { counts, edges } = column;
  const most = Math.max(0, ...counts);
  if (counts.length === 0 || (edges.length === 0 && most <= 1)) return null;
  const text = barsText(column, t);
  const svg = document.createElementNS(SVG, "svg");
  const step = Math.min(12, 60 / counts.length);
  const path = document.createElementNS(SVG, "path");
  const d = counts.map((count, at) => {
    const height = count === 0 ? 0 : Math.max(1, (count / most) * 20);
    return `M${at * step} 20v${-height}h${step - 1}V20z`;
  });
  path.setAttribute("d", d.join(""));
  const title = document.createElementNS(SVG, "title");
  title.textContent = text;
  for (const [name, value] of Object.entries({
    class: "card-bars",
    viewBox: "0 0 60 20",
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": text,
  }))
    svg.setAttribute(name, value);
  svg.append(title, path);
  return svg;
}

/** @param {CardColumn} column @param {Translate} t */
function barsText({ edges, values, counts, kind }, t) {
  if (edges.length === 0)
    return values.map((value, at) => `${value}: ${t.number(counts[at] ?? 0)}`).join(", ");
  const top = counts.indexOf(Math.max(...counts));
  const [low, high, from, to] = [edges[0], edges.at(-1), edges[top], edges[top + 1]].map((edge) =>
    edgeText(edge, kind, t),
  );
  return low === high
    ? t("card.one_value", { value: low ?? "" })
    : t("card.spread", { low: low ?? "", high: high ?? "", from: from ?? "", to: to ?? "" });
}

/** Return the range of numbers and dates, else the most frequent values. @param {CardColumn} column @param {Translate} t */
function rangeText({ edges, values, counts, distinct, kind }, t) {
  if (edges.length > 0) {
    const [low, high] = [edgeText(edges[0], kind, t), edgeText(edges.at(-1), kind, t)];
    return low === high ? t("card.one_value", { value: low }) : t("card.range", { low, high });
  }
  const others = (distinct ?? 0) - values.length;
  if (values.length === 0) return "";
  if (Math.max(...counts) <= 1 && others > 0)
    return t("card.different", { n: t.number(distinct ?? 0), first: isolated(values[0] ?? "") });
  const listed = values
    .slice(0, SHOWN_VALUES)
    .map((value, at) => `${isolated(value)} ${t.number(counts[at] ?? 0)}`);
  const hidden = others + Math.max(0, values.length - SHOWN_VALUES);
  return [...listed, ...(hidden > 0 ? [t("card.more_values", { n: t.number(hidden) })] : [])].join(" · ");
}

/** Isolate a text of any direction from the counts around it. @param {string} text */
const isolated = (text) => `\u2068${text}\u2069`;

/** @param {string | undefined} edge @param {string} kind @param {Translate} t */
function edgeText(edge = "", kind, t) {
  const value = Number(edge);
  return kind === "number" && Math.abs(value) >= 10_000 && edge.length < 16 ? t.number(value) : edge;
}

/** Create a small table of the first rows. @param {CardTable} table @param {Translate} t @param {boolean} open */
export function firstRows({ name, columns, rows, rowCount, width }, t, open) {
  const [first] = rows;
  if (first === undefined) return null;
  const caption = t("table.first", { shown: t.number(rows.length), n: t.number(rowCount) });
  const names = columns
    .slice(0, first.length)
    .map((column) =>
      el("th", { scope: "col" }, el("span", { dir: "auto", title: column.name }, column.name)),
    );
  return el(
    "details",
    { class: "card-rows", open },
    el("summary", {}, caption),
    el(
      "div",
      { class: "card-scroll", tabindex: "0", role: "group", "aria-label": t.pair(name, caption) },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, names, width > first.length ? el("td", {}, "…") : null)),
        el(
          "tbody",
          {},
          rows.map((row) =>
            el(
              "tr",
              {},
              row.map((cell, at) => el("td", { "data-kind": columns[at]?.kind ?? null, dir: "auto" }, cell)),
            ),
          ),
        ),
      ),
    ),
  );
}
