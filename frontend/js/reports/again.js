/**
 * Sheet that runs a report on other files: a replacement from this machine or the chat for each file that its cells
 * read.
 */

import { Refusal } from "../core/api.js";
import { el } from "../core/dom.js";
import { openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { filesOf, runAgain } from "./api.js";
import { showRun } from "./run.js";

/** @import { Translate } from "../types.js" */

const CONFLICT = 409;

/**
 * @param {Translate} t
 * @param {string} chatId
 * @param {string[]} inputs
 * @param {() => void} done
 */
export function openAgain(t, chatId, inputs, done) {
  const lines = inputs.map((name) => choice(t, name));
  const controller = new AbortController();
  const go = submitButton(t("shared.run"));
  const anyway = sheetButton(t("report.run_anyway"), () => void run(true), "danger");
  const status = el("p", { class: "source-said", role: "status" });
  anyway.hidden = true;
  const hint = el("p", { class: "sheet-hint" }, t(inputs.length ? "report.again_what" : "report.no_inputs"));
  const sheet = openSheet({
    title: t("report.again_title"),
    body: [hint, ...lines.map(({ dom }) => dom), status],
    buttons: [sheetButton(t("shared.cancel"), () => sheet.close()), anyway, go],
    submit: () => void run(false),
    closed: () => controller.abort(),
  });
  go.hidden = inputs.length === 0;
  void offer();

  async function offer() {
    const names = await filesOf(chatId).catch(() => []);
    for (const { input, files } of lines)
      files.append(
        ...names.filter((name) => name !== input).map((name) => el("option", { value: name }, name)),
      );
  }

  /** @param {boolean} confirmed */
  async function run(confirmed) {
    const files = new Map(
      lines.flatMap(({ input, chosen }) => {
        const file = chosen();
        return file ? [[input, file]] : [];
      }),
    );
    if (go.disabled) return;
    if (files.size === 0) return sheet.showError(t("report.choose"));
    sheet.showError("");
    anyway.hidden = true;
    go.disabled = true;
    status.textContent = t("report.running");
    try {
      const number = await runAgain(chatId, files, confirmed, t.language, controller.signal);
      sheet.close();
      done();
      await showRun(t, chatId, number);
    } catch (fault) {
      if (!(fault instanceof Error) || controller.signal.aborted) return;
      anyway.hidden = !(fault instanceof Refusal && fault.status === CONFLICT);
      sheet.showError(fault instanceof TypeError ? t("report.no_answer") : fault.message);
    } finally {
      go.disabled = false;
      status.textContent = "";
    }
  }
}

/** Create the choice of a replacement for one input. @param {Translate} t @param {string} input */
function choice(t, input) {
  const upload = el("input", {
    type: "file",
    class: "report-upload",
    "aria-label": t("report.upload_for", { name: input }),
  });
  const files = el(
    "select",
    { class: "report-format", "aria-label": t("report.file_for", { name: input }) },
    el("option", { value: "" }, t("report.as_it_was")),
  );
  const dom = el("fieldset", { class: "report-input" }, el("legend", {}, input), upload, files);
  return { input, files, dom, chosen: () => upload.files?.[0] ?? files.value };
}
