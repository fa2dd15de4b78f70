/** Report on other files: each part before and after, and the report as a file. */

import { el } from "../core/dom.js";
import { openSheet, sheetButton } from "../core/sheet.js";
import { readRun, reportPath } from "./api.js";
import { previewOf } from "./preview.js";
import { download } from "../core/session.js";

/** @import { Translate } from "../types.js" */
/** @import { PartAgain } from "./api.js" */

const FORMATS = ["html", "notebook", "markdown"];

/** @param {Translate} t @param {string} chatId @param {number} number */
export async function showRun(t, chatId, number) {
  const list = el("ol", {
    class: "report-parts report-compared",
    "aria-label": t("report.parts"),
    "aria-busy": "true",
  });
  const from = el("p", { class: "sheet-hint" });
  const format = el(
    "select",
    { class: "report-format", "aria-label": t("report.format") },
    FORMATS.map((candidate) => el("option", { value: candidate }, t(`export.${candidate}`))),
  );
  const save = sheetButton(
    t("shared.save"),
    () => void download(`${reportPath(chatId)}/export?format=${format.value}&run=${number}`),
    "strong",
  );
  const sheet = openSheet({
    title: t("report.run_title"),
    body: [from, list],
    buttons: [sheetButton(t("shared.done"), () => sheet.close()), format, save],
  });
  list.closest("dialog")?.classList.add("report-sheet", "report-wide");
  try {
    const { files, parts } = await readRun(chatId, number);
    from.textContent = files.map(({ name, source }) => `${name} ← ${source}`).join(", ");
    list.replaceChildren(...parts.map((part) => line(part, t)));
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    sheet.showError(fault instanceof TypeError ? t("report.no_answer") : fault.message);
  }
  list.setAttribute("aria-busy", "false");
}

/** @param {PartAgain} part @param {Translate} t */
function line(part, t) {
  const { kind, caption, state, preview, after, cells = [] } = part;
  const head = el(
    "div",
    { class: "report-tools" },
    el("h3", { class: "report-kind" }, caption || t(`report.kind_${kind}`)),
    el("span", { class: "report-state", "data-state": state }, t(`report.state_${state}`)),
  );
  const note = noteOf(part, t);
  const both = after
    ? [
        column(t("report.before"), previewOf(preview, t)),
        column(t("report.after"), previewOf(after, t, cells)),
      ]
    : [column("", previewOf(preview, t))];
  return el(
    "li",
    { class: "report-part", "data-single": !after },
    head,
    both,
    note && el("p", { class: "report-note" }, note),
  );
}

/** @param {string} title @param {HTMLElement} content */
const column = (title, content) =>
  el(
    "div",
    { class: "report-side" },
    title && el("h4", { class: "sheet-hint" }, title),
    el(
      "div",
      { class: "report-preview", tabindex: "0", role: "group", "aria-label": title || false },
      content,
    ),
  );

/** Return the note about a part. @param {PartAgain} part @param {Translate} t */
function noteOf({ state, why, gaveNothing, preview, after, cells }, t) {
  if (state === "failed") return gaveNothing ? t("report.gave_nothing") : t("report.failed_why", { why });
  if (state === "kept") return t("report.kept_why");
  if (after?.columns === undefined || cells === undefined) return "";
  const all = (after.rows?.length ?? 0) * after.columns.length;
  const counted = t("report.cells", { n: t.number(cells.length), all: t.number(all) });
  return preview.rowCount === after.rowCount
    ? counted
    : `${counted} ${t("report.rows_then", { n: t.number(after.rowCount ?? 0), then: t.number(preview.rowCount ?? 0) })}`;
}
