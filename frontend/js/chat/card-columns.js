/** Columns of an uploaded table: name, type, and the distribution of the values, as small bars with a text. */

import { el } from "../core/dom.js";

/** @import { CardColumn, CardTable, Translate } from "../types.js" */

const FIRST_COLUMNS = 12;

/**
 * @typedef {{ overrides: { [column: string]: string }, onChange: (types: { [column: string]: string | null }) => void
 *   }} Types
 */

const TYPES = ["number", "date", "day_first", "month_first", "text", "bool"];

/**
 * Create the list of the first columns, and a button for the others. With `types` the type of each can be set.
 *
 * @param {CardTable} table
 * @param {Translate} t
 * @param {Types | null} types
 */
export function columnList(table, t, types) {
  const items = table.columns.map((column) => columnItem(column, table, t, types));
  const folded = items.slice(FIRST_COLUMNS);
  for (const item of folded) item.hidden = true;
  const list = el("ul", { class: "card-columns", "aria-label": t("card.columns") }, items);
  const unseen = table.width - table.columns.length;
  const note =
    unseen > 0 ? el("p", { class: "card-note" }, t("card.more_columns", { n: t.number(unseen) })) : null;
  if (folded.length === 0) return [list, note];
  const more = el(
    "button",
    {
      class: "quiet-button",
      type: "button",
      on: {
        click: () => {
          for (const item of folded) item.hidden = false;
          more.remove();
        },
      },
    },
    t("card.all_columns", { n: t.number(items.length) }),
  );
  return [list, more, note];
}

/** @param {CardColumn} column @param {CardTable} table @param {Translate} t @param {Types | null} types */
function columnItem(column, table, t, types) {
  const { name, kind, blank } = column;
  return el(
    "li",
    { class: "card-column", "data-kind": kind },
    el(
      "div",
      { class: "card-column-head" },
      el("b", { class: "card-column-name", title: name }, name),
      types ? typeField(column, t, types) : el("span", { class: "card-kind" }, t(`card.kind_${kind}`)),
    ),
    column.edges.length ? histogram(column, t) : topValues(column, t),
    blank > 0 && !table.sampled
      ? el("p", { class: "card-blank" }, t("card.blank", { n: t.number(blank) }))
      : null,
  );
}

/** @param {CardColumn} column @param {Translate} t @param {Types} types */
function typeField({ name, kind }, t, { overrides, onChange }) {
  const now = overrides[name] ?? "";
  const guess = now ? t("card.guess") : t(`card.kind_${kind}`);
  const alternatives = TYPES.filter((type) => now || type !== kind);
  const select = el(
    "select",
    {
      class: "card-kind",
      name: `type:${name}`,
      "aria-label": t("card.type_of", { name }),
      on: { change: () => onChange({ [name]: select.value || null }) },
    },
    [["", guess], ...alternatives.map((type) => [type, t(`card.kind_${type}`)])].map(([value, label]) =>
      el("option", { value, selected: value === now }, label),
    ),
  );
  return select;
}

/** @param {CardColumn} column @param {Translate} t */
function histogram({ edges, counts }, t) {
  const most = Math.max(...counts);
  const top = counts.indexOf(most);
  const [low = "", high = ""] = [edges[0], edges.at(-1)];
  const text =
    low === high
      ? t("card.one_value", { value: low })
      : t("card.spread", { low, high, from: edges[top] ?? "", to: edges[top + 1] ?? "" });
  const bars = counts.map((count) => {
    const bar = el("span", {});
    bar.style.setProperty("--share", String(count / most));
    return bar;
  });
  return el(
    "div",
    { class: "card-spread" },
    el("div", { class: "card-bars", role: "img", "aria-label": text, title: text }, bars),
    el(
      "div",
      { class: "card-ends", "aria-hidden": "true" },
      el("span", {}, low),
      low === high ? null : el("span", {}, high),
    ),
  );
}

/** @param {CardColumn} column @param {Translate} t */
function topValues({ values, counts, distinct }, t) {
  const most = Math.max(1, ...counts);
  const otherValues = (distinct ?? 0) - values.length;
  if (most === 1 && otherValues > 0)
    return el(
      "p",
      { class: "card-blank" },
      t("card.different", { n: t.number(distinct ?? 0), first: values[0] ?? "" }),
    );
  const items = values.slice(0, 3).map((value, at) => {
    const count = counts[at] ?? 0;
    const item = el(
      "li",
      { title: `${value}: ${t.number(count)}` },
      el("span", { class: "card-value" }, value),
      el("span", { class: "card-count" }, t.number(count)),
    );
    item.style.setProperty("--share", String(count / most));
    return item;
  });
  const hiddenValues = otherValues + Math.max(0, values.length - 3);
  return el(
    "div",
    { class: "card-spread" },
    el("ul", { class: "card-values" }, items),
    hiddenValues > 0
      ? el("p", { class: "card-blank" }, t("card.more_values", { n: t.number(hiddenValues) }))
      : null,
  );
}

/** Create a small table of the first rows. @param {CardTable} table @param {Translate} t */
export function firstRows({ name, columns, rows, rowCount, width }, t) {
  if (rows.length === 0) return null;
  const caption = t("card.first_rows", { shown: t.number(rows.length), n: t.number(rowCount) });
  return el(
    "details",
    { class: "card-rows" },
    el("summary", {}, caption),
    el(
      "div",
      { class: "card-scroll", tabindex: "0", role: "region", "aria-label": `${name}: ${caption}` },
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            columns.map((column) => el("th", { scope: "col" }, column.name)),
            width > columns.length ? el("td", {}, "…") : null,
          ),
        ),
        el(
          "tbody",
          {},
          rows.map((row) =>
            el(
              "tr",
              {},
              row.map((cell, at) => el("td", { "data-kind": columns[at]?.kind ?? null }, cell)),
            ),
          ),
        ),
      ),
    ),
  );
}
