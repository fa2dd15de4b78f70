/**
 * Report of a chat: ordered parts with captions, saved on each change, and exported as a file. A change in another tab
 * is loaded when this tab becomes visible, and never overwritten.
 */

import { Refusal } from "../core/api.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { openSheet, sheetButton } from "../core/sheet.js";
import { openAgain } from "./again.js";
import { failure, putReport, readReport, reportPath } from "./api.js";
import { Parts } from "./parts.js";
import { pinPart } from "./pinned.js";
import { showRun } from "./run.js";
import { download } from "../core/session.js";

export { openSharedViews } from "./shared-views.js"; // one late part instead of two that share modules

/** @import { ReportPin, Translate } from "../types.js" */
/** @import { RunSummary } from "./api.js" */

const FORMATS = ["html", "notebook", "markdown"];
const SAVE_DELAY = 500;
const CONFLICT = 409;
const MOST_TITLE = 200;

/**
 * Open the report of a chat, or pin a part to it.
 *
 * @param {Translate} t
 * @param {string | null} chatId
 * @param {ReportPin} [pin]
 */
export function report(t, chatId, pin) {
  if (chatId === null) return;
  if (pin) void pinPart(t, chatId, pin, () => void new ReportSheet(t, chatId));
  else new ReportSheet(t, chatId);
}

class ReportSheet {
  /** @param {Translate} t @param {string} chatId */
  constructor(t, chatId) {
    this.t = t;
    this.chatId = chatId;
    this.version = 0;
    this.timer = 0;
    /** Queue of save requests. @type {Promise<void>} */
    this.saving = Promise.resolve();
    this.parts = new Parts(t, () => this.change());
    this.name = el("input", {
      class: "report-name",
      type: "text",
      maxlength: MOST_TITLE,
      "aria-label": t("report.name"),
      placeholder: t("report.name"),
      on: { input: () => this.change() },
    });
    this.write = sheetButton(t("report.add_text"), () => this.parts.addText());
    this.empty = el(
      "div",
      { class: "report-empty", hidden: true },
      el("p", {}, t("report.empty")),
      el("p", { class: "sheet-hint" }, t("report.empty_what")),
    );
    this.status = el("p", { class: "source-said", role: "status" });
    this.format = el(
      "select",
      { class: "report-format", "aria-label": t("report.format") },
      FORMATS.map((format) => el("option", { value: format }, t(`export.${format}`))),
    );
    this.save = sheetButton(t("shared.save"), () => void this.export(), "strong");
    this.again = sheetButton(t("report.again"), () => void this.runAgain());
    this.list = el("ul", { class: "report-runs", "aria-label": t("report.runs") });
    this.runs = el(
      "section",
      { hidden: true },
      el("h3", { class: "report-kind" }, t("report.runs")),
      this.list,
    );
    /** @type {string[]} */
    this.inputs = [];
    this.buttons = [this.again, this.format, this.save];
    const onVisibility = () => {
      if (document.visibilityState === "visible") void this.read();
    };
    this.sheet = openSheet({
      title: t("report.title"),
      body: [this.name, this.empty, this.parts.dom, el("div", {}, this.write), this.runs, this.status],
      buttons: [sheetButton(t("shared.done"), () => this.sheet.close()), ...this.buttons],
      closed: () => {
        window.removeEventListener("focus", onVisibility);
        document.removeEventListener("visibilitychange", onVisibility);
        void this.flush();
      },
    });
    this.parts.dom.closest("dialog")?.classList.add("report-sheet");
    window.addEventListener("focus", onVisibility);
    document.addEventListener("visibilitychange", onVisibility);
    void this.read();
  }

  /** Load the report, unless this page has unsaved changes. */
  async read() {
    if (this.timer) return;
    try {
      const { version, title, pins, inputs, runs } = await readReport(this.chatId);
      this.inputs = inputs;
      this.listRuns(runs);
      if (this.timer || (version === this.version && version > 0)) return;
      this.version = version;
      this.name.value = title;
      this.parts.show(pins);
      this.sheet.showError("");
      this.updateButtons();
    } catch (fault) {
      this.fail(fault);
    }
  }

  updateButtons() {
    const none = this.parts.lines.length === 0;
    this.empty.hidden = !none;
    for (const button of this.buttons) button.disabled = none;
  }

  /** List the runs on other files. @param {RunSummary[]} runs */
  listRuns(runs) {
    this.runs.hidden = runs.length === 0;
    this.list.replaceChildren(
      ...runs.map(({ number, madeAt, files }) => {
        const sources = files.map(({ name, source }) => `${name} ← ${source}`).join(", ");
        return el(
          "li",
          {},
          el(
            "button",
            {
              class: "report-run",
              type: "button",
              on: { click: () => void showRun(this.t, this.chatId, number) },
            },
            icon("retry"),
            el("span", {}, sources),
            el(
              "time",
              {},
              new Date(madeAt * 1000).toLocaleString(this.t.language, {
                dateStyle: "medium",
                timeStyle: "short",
              }),
            ),
          ),
        );
      }),
    );
  }

  async runAgain() {
    await this.flush();
    this.version = 0; // the input data may have changed
    await this.read();
    openAgain(this.t, this.chatId, this.inputs, () => {
      this.version = 0;
      void this.read();
    });
  }

  change() {
    this.updateButtons();
    this.status.textContent = "";
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.flush(), SAVE_DELAY);
  }

  /** Save unsaved changes. */
  async flush() {
    if (this.timer) {
      window.clearTimeout(this.timer);
      this.timer = 0;
      this.saving = this.saving.then(() => this.saveParts());
    }
    await this.saving;
  }

  async saveParts() {
    try {
      this.version = await putReport(this.chatId, this.version, this.parts.parts(), this.name.value.trim());
      this.status.textContent = this.t("report.saved");
      this.sheet.showError("");
    } catch (fault) {
      if (!(fault instanceof Refusal) || fault.status !== CONFLICT) return this.fail(fault);
      this.version = 0;
      await this.read();
      this.sheet.showError(this.t("report.changed"));
    }
  }

  /** @param {unknown} fault */
  fail(fault) {
    this.sheet.showError(failure(this.t, fault));
  }

  async export() {
    await this.flush();
    try {
      await readReport(this.chatId); // a browser would save the error of a deleted chat as a file
      await download(`${reportPath(this.chatId)}/export?format=${this.format.value}`);
    } catch (fault) {
      this.fail(fault);
    }
  }
}
