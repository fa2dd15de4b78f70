/**
 * Sheet of data sources: the desk's databases with their schemas, tables and columns, and actions to add and remove
 * one.
 */

import { el } from "../core/dom.js";
import { attempt, openSheet, sheetButton } from "../core/sheet.js";
import { askForSource } from "./add.js";
import { columnsOf, listSources, removeSource, schemasOf, tablesOf, testSource } from "./api.js";
import { branch, errorText, leaf, smallButton } from "./branch.js";
import { openPreview } from "./preview.js";

export { openServers } from "./mcp.js";

/** @import { Translate } from "../types.js" */
/** @import { Source } from "./api.js" */
/** @import { ShowStatus } from "./preview.js" */

/** @param {Translate} t */
export function openSources(t) {
  const list = el("ul", { class: "source-list source-roots", "aria-busy": "true" });
  const status = el("p", { class: "source-said", role: "status" });
  const add = sheetButton(
    t("sources.add"),
    () =>
      askForSource(t, (source) => {
        status.textContent = t("sources.added", { name: source.name });
        void draw();
      }),
    "strong",
  );
  const closed = el("p", { class: "sheet-hint", hidden: true }, t("sources.not_allowed"));
  const done = sheetButton(t("shared.done"), () => sheet.close());
  add.hidden = true;
  const sheet = openSheet({
    title: t("sources.title"),
    body: [el("p", { class: "sheet-hint" }, t("sources.about")), list, status, closed],
    buttons: [add, done],
  });
  list.closest("dialog")?.classList.add("source-sheet");
  void draw();

  async function draw() {
    try {
      const { sources, mayAdd } = await listSources();
      list.replaceChildren(...sources.map((source) => line(source, mayAdd)));
      if (sources.length === 0) list.replaceChildren(leaf(t("sources.none")));
      add.hidden = !mayAdd;
      closed.hidden = mayAdd;
    } catch (fault) {
      sheet.showError(errorText(fault, t));
    }
    list.setAttribute("aria-busy", "false");
    if (document.activeElement === document.body && list.isConnected) (add.hidden ? done : add).focus();
  }

  /** @param {string} text @param {string} [fault] */
  function showStatus(text, fault = "") {
    status.textContent = text;
    sheet.showError(fault);
  }

  /** @param {Source} source @param {boolean} mayChange */
  function line(source, mayChange) {
    const { name } = source;
    const test = smallButton(
      t("sources.test"),
      t("sources.test_one", { name }),
      () =>
        void attempt(test, sheet.showError, t("shared.no_answer"), async () => {
          status.textContent = "";
          await testSource(name);
          status.textContent = t("sources.answers", { name });
        }),
    );
    const remove = smallButton(t("shared.remove"), t("shared.remove_one", { name }), () =>
      confirmRemoval(t, name, () => void draw()),
    );
    return branch({
      name,
      detail: source.problem || source.address || t("sources.operators"),
      sign: "braces",
      t,
      acts: [...(source.problem ? [] : [test]), ...(source.removable && mayChange ? [remove] : [])],
      load: () => schemas(t, name, showStatus),
    });
  }
}

/**
 * List the schemas of a database, or its tables if it has one schema.
 *
 * @param {Translate} t
 * @param {string} source
 * @param {ShowStatus} showStatus
 */
async function schemas(t, source, showStatus) {
  const { names, count } = await schemasOf(source);
  const [first] = names;
  if (count === 1 && first !== undefined) return tables(t, source, first, showStatus);
  return [
    ...names.map((schema) =>
      branch({ name: schema, sign: "folder", t, load: () => tables(t, source, schema, showStatus) }),
    ),
    ...moreLine(t, count - names.length),
  ];
}

/** @param {Translate} t @param {string} source @param {string} schema @param {ShowStatus} showStatus */
async function tables(t, source, schema, showStatus) {
  const { names, count } = await tablesOf(source, schema);
  const lines = names.map((table) => {
    const place = { source, schema, table };
    const preview = smallButton(
      t("sources.preview"),
      t("sources.preview_one", { table }),
      () => void openPreview(place, t, showStatus),
    );
    return branch({
      name: table,
      sign: "table",
      t,
      acts: [preview],
      load: async () => (await columnsOf(place)).columns.map(({ name, type }) => leaf(name, type ?? "")),
    });
  });
  return [...lines, ...moreLine(t, count - names.length)];
}

/** @param {Translate} t @param {number} n */
const moreLine = (t, n) => (n > 0 ? [leaf(t("shared.and_more", { n: t.number(n) }))] : []);

/** @param {Translate} t @param {string} name @param {() => void} gone */
function confirmRemoval(t, name, gone) {
  const keep = sheetButton(t("shared.cancel"), () => sheet.close());
  const go = sheetButton(
    t("shared.remove"),
    () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        await removeSource(name);
        sheet.close();
        gone();
      }),
    "danger",
  );
  const sheet = openSheet({
    title: t("shared.remove_title", { name }),
    body: [el("p", {}, t("sources.remove_what"))],
    buttons: [keep, go],
    focus: keep,
  });
}
