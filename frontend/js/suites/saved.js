/** Sheet that says that an answer was saved as a test: its name, its tolerance, and what is compared. */

import { el } from "../core/dom.js";
import { translateRefusal } from "../core/fault-words.js";
import { attempt, field, labelled, openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { changeTest, saveTest } from "./api.js";

/** @import { Translate } from "../types.js" */
/** @import { SavedTest } from "./api.js" */

/** Save the answer of a run. @param {Translate} t @param {string} chatId @param {string} runId @param {() => void} showAll */
export async function saveAnswer(t, chatId, runId, showAll) {
  try {
    const test = await translateRefusal(t, () => saveTest(chatId, runId));
    editTest(t, test, t("tests.saved"), { showAll });
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    const close = sheetButton(t("shared.close"), () => sheet.close());
    const sheet = openSheet({ title: t("tests.not_saved"), body: [], buttons: [close], focus: close });
    sheet.showError(fault instanceof TypeError ? t("shared.no_answer") : fault.message);
  }
}

/**
 * Edit the name and the tolerance of a test.
 *
 * @param {Translate} t
 * @param {SavedTest} test
 * @param {string} title
 * @param {{ showAll?: () => void, changed?: () => void }} acts
 */
export function editTest(t, test, title, { showAll, changed }) {
  const name = field("text", 200);
  name.value = test.name;
  const tolerance = field("number", 8);
  Object.assign(tolerance, { min: "0", max: "100", step: "any", value: String(test.tolerancePercent) });
  const done = submitButton(t("shared.save"));
  const all = showAll
    ? [
        sheetButton(t("tests.show_all"), () => {
          sheet.close();
          showAll();
        }),
      ]
    : [sheetButton(t("shared.cancel"), () => sheet.close())];
  const sheet = openSheet({
    title,
    body: [
      el("p", { class: "sheet-hint" }, t(showAll ? "tests.saved_about" : "tests.tolerance_about")),
      labelled(t("shared.name"), name),
      labelled(t("tests.tolerance"), tolerance),
      el("p", { class: "sheet-hint" }, contentOf(test, t)),
    ],
    buttons: [...all, el("span", { class: "stretch" }), done],
    focus: name,
    submit: () =>
      attempt(done, sheet.showError, t("shared.no_answer"), async () => {
        const change = {
          name: name.value.trim() || test.name,
          tolerancePercent: Number(tolerance.value) || 0,
        };
        await translateRefusal(t, () => changeTest(test.id, change));
        sheet.close();
        changed?.();
      }),
  });
}

/** Return what a test compares and uses. @param {SavedTest} test @param {Translate} t */
export function contentOf(test, t) {
  const counts = /** @type {const} */ (["figures", "tables", "drawings"])
    .filter((part) => test[part] > 0)
    .map((part) => t(test[part] === 1 ? `tests.${part}_one` : `tests.${part}`, { n: t.number(test[part]) }));
  const parts = [
    t.list(counts.length ? counts : [t("tests.words")]),
    test.files.length ? t.list(test.files) : "",
    test.earlier ? t("tests.earlier", { n: test.earlier }) : "",
    test.tolerancePercent ? t("tests.within", { n: test.tolerancePercent }) : "",
  ];
  return parts.filter(Boolean).join(" · ");
}
