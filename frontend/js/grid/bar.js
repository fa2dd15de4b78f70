/** Bar above a grid: the number of rows, the search, and what can be done with the rows. */

import { el } from "../core/dom.js";
import { tableName } from "../core/format.js";
import { icon } from "../core/icons.js";
import { withMenu } from "../core/menu.js";
import { rowsIn, subjectOf } from "./asking.js";
import { copyAll } from "./copying.js";
import { openGrouping } from "./group-sheet.js";

/** @import { TableGrid } from "./grid.js" */

const SEARCH_PAUSE = 250;

/** Create the bar. @param {TableGrid} grid */
export function gridBar(grid) {
  const { t, source, content, totals, grouped, rows, selected } = grid;
  let timer = 0;
  const search = el("input", {
    class: "sheet-field grid-search",
    type: "search",
    placeholder: t("grid.search"),
    "aria-label": t("grid.search"),
    maxlength: 200,
    on: {
      input: () => {
        clearTimeout(timer);
        timer = window.setTimeout(() => {
          const text = search.value.trim();
          if (text !== rows.view.search) grid.show({ search: text });
        }, SEARCH_PAUSE);
      },
    },
  });
  // a pressed button that hides gives the focus to the cells
  const clear = button(t("grid.clear"), () => {
    grid.show({ sort: [], filters: [], search: "" });
    grid.cells.dom.focus();
  });
  const deselect = button("", () => grid.clearSelection());
  const askText = el("span", {});
  const ask = el(
    "button",
    {
      type: "button",
      class: "text-button grid-ask",
      title: t("grid.ask_key"),
      "aria-keyshortcuts": "Control+Enter",
      on: { click: () => grid.ask() },
    },
    icon("chat"),
    askText,
  );
  const group = button(t("grid.group"), () =>
    openGrouping(content.columns, grouped.grouping, t, (grouping) => void grouped.apply(grouping)),
  );
  const ungroup = button(t("grid.no_groups"), () => {
    grouped.end();
    grid.cells.dom.focus();
  });
  const files = el(
    "button",
    { type: "button", class: "text-button" },
    icon("download"),
    t("shared.download"),
    icon("chevron-down"),
  );
  const filesMenu = withMenu(files, t("shared.download"), () => source.files(grid), "left");
  const close = el(
    "button",
    { type: "button", class: "icon-button grid-close", on: { click: () => grid.close() } },
    icon("close", t("grid.close")),
  );
  const dom = el(
    "div",
    { class: "grid-bar" },
    el("h2", { class: "grid-title" }, icon("table"), el("span", { dir: "auto" }, tableName(content))),
    grid.count,
    search,
    clear,
    source.hasCount && [deselect, ask],
    close,
    el(
      "div",
      { class: "grid-tools" },
      source.hasCount && [group, ungroup, totals.dom],
      button(t("shared.columns"), () => grid.chooseColumns()),
      source.hasCount && button(t("shared.copy"), () => void copyAll(grid, false)),
      filesMenu,
    ),
  );

  return {
    dom,
    update() {
      const { view } = rows;
      const isGrouped = grouped.rows !== null;
      const n = selected?.count ?? 0;
      grid.count.textContent = isGrouped
        ? `${grouped.status()} · ${source.status(grid)}`
        : [source.status(grid), n > 0 && t("grid.selected", { n: t.number(n) })].filter(Boolean).join(" · ");
      clear.hidden = view.sort.length === 0 && view.filters.length === 0 && view.search === "";
      deselect.hidden = n === 0 || isGrouped;
      deselect.textContent = t("grid.deselect");
      group.setAttribute("aria-pressed", String(isGrouped));
      ungroup.hidden = !isGrouped;
      totals.dom.hidden = filesMenu.hidden = isGrouped;
      if (!source.hasCount) return;
      const { kind, ranges } = subjectOf(grid);
      askText.textContent = t(`grid.ask_${kind}`, { n: t.number(rowsIn(ranges)) });
      ask.disabled = !rows.isCounted || rowsIn(ranges) === 0;
    },
    /** Show the search of the view, unless it is the one that is being typed. @param {string} text */
    showSearch(text) {
      if (search.value.trim() !== text) search.value = text;
    },
    destroy: () => clearTimeout(timer),
  };
}

/** @param {string} label @param {() => void} press */
function button(label, press) {
  return el("button", { type: "button", class: "text-button", on: { click: press } }, label);
}
