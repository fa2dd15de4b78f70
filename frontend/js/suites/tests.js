/** Sheet of saved tests: run all or one, by recorded replies or live, and what differs. Jobs run on the server. */

import { linkToTurn } from "../core/address.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { download } from "../core/session.js";
import { field, labelled, openSheet, requestButtons, sheetButton } from "../core/sheet.js";
import { deleteTest, EXPORT_PATH, listTests, playVersion, startJob, stopJob } from "./api.js";
import { resultOf } from "./result.js";
import { contentOf, editTest } from "./saved.js";

export { saveAnswer } from "./saved.js"; // one late part instead of two that share modules

/** @import { JsonValue, Translate } from "../types.js" */
/** @import { SavedTest, TestJob, TestResult } from "./api.js" */
/** @typedef {{ chatId: string, name: string }} NewFile a file of a chat that is tried in place of the saved one */

const POLL_MS = 500;
const ICONS = { right: "check", wrong: "warning", failed: "error", unanswered: "warning" };

/** @param {Translate} t @param {NewFile} [file] */
export function openTests(t, file) {
  const list = el("ul", { class: "tests-list", "aria-label": t("tests.title") });
  const status = el("p", { class: "tests-status", role: "status" });
  const live = liveFields(t);
  const actions = el("span", { class: "tests-actions" });
  const action = requestButtons(t, () => sheet);
  let isOpen = true;
  const close = sheetButton(t("shared.close"), () => sheet.close());
  const sheet = openSheet({
    title: file ? t("tests.of_file", { name: file.name }) : t("tests.title"),
    body: [
      el("p", { class: "sheet-hint" }, t(file ? "tests.of_file_about" : "tests.about")),
      status,
      list,
      live.dom,
    ],
    buttons: [close, el("span", { class: "stretch" }), actions],
    closed: () => (isOpen = false),
    focus: close,
  });
  list.closest("dialog")?.classList.add("tests-sheet");
  void draw();

  /** Draw the tests, again and again while a job runs. */
  async function draw() {
    try {
      for (let state = "running"; state === "running" && isOpen;) {
        const { tests, job, mayAsk } = await listTests(file?.name);
        if (!isOpen) return;
        live.dom.hidden = !mayAsk || tests.length === 0 || file !== undefined;
        state = job?.state ?? "";
        status.textContent = statusOf(tests, job);
        list.replaceChildren(...differingFirst(tests, job).map((test) => row(test, job)));
        actions.replaceChildren(...buttons(tests, job));
        if (state === "running") await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      sheet.showError(fault instanceof TypeError ? t("shared.no_answer") : fault.message);
    }
  }

  /** @param {SavedTest[]} tests @param {TestJob | null} job */
  function statusOf(tests, job) {
    if (tests.length === 0) return t(file ? "tests.none_of_file" : "tests.none");
    if (job === null || (file ? !isOfFile(job) : job.files.length > 0)) return "";
    const right = job.results.filter(({ verdict }) => verdict === "right").length;
    const counts = { n: job.results.length, all: job.total, right, differ: job.results.length - right };
    const text = t(`tests.job_${job.state}`, counts);
    return job.reason && job.state !== "running" ? `${text} ${job.reason}` : text;
  }

  /** @param {TestJob} job */
  const isOfFile = (job) => file !== undefined && job.files.includes(file.name);

  /** @param {SavedTest[]} tests @param {TestJob | null} job */
  function buttons(tests, job) {
    if (job?.state === "running") return [action(t("shared.stop"), stopJob, "danger")];
    if (tests.length === 0) return [];
    const save = file ? [] : [sheetButton(t("tests.export"), () => void download(EXPORT_PATH, "suite.zip"))];
    const ids = file ? tests.map(({ id }) => id) : null;
    return [...save, action(t(file ? "tests.try_file" : "tests.run_all"), () => run(ids), "strong")];
  }

  /** @param {string[] | null} ids null: all */
  async function run(ids) {
    /** @type {{ [key: string]: JsonValue }} */
    const body = live.values();
    if (ids) body.tests = ids;
    if (file) Object.assign(body, { chatId: file.chatId, file: file.name });
    await startJob(body);
    void draw();
  }

  /** Return the result that counts here: of the newest job, else the last one. @param {SavedTest} test @param {TestJob | null} job */
  function resultNow(test, job) {
    const inJob = job?.results.find(({ id }) => id === test.id) ?? null;
    if (file) return job && isOfFile(job) ? inJob : null;
    return job?.files.length ? test.result : (inJob ?? test.result);
  }

  /** @param {SavedTest[]} tests @param {TestJob | null} job */
  const differingFirst = (tests, job) => {
    const differs = (/** @type {SavedTest} */ test) => (resultNow(test, job)?.verdict ?? "right") !== "right";
    return [...tests.filter(differs), ...tests.filter((test) => !differs(test))];
  };

  /** @param {SavedTest} test @param {TestJob | null} job */
  function row(test, job) {
    const result = resultNow(test, job);
    return el(
      "li",
      { class: "tests-item", "data-verdict": result?.verdict ?? "none" },
      el(
        "div",
        { class: "tests-head" },
        icon(result ? ICONS[result.verdict] : "minus"),
        el("strong", { dir: "auto" }, test.name),
        el("span", { class: "tests-verdict" }, result ? t(`tests.${result.verdict}`) : t("tests.not_run")),
      ),
      el("p", { class: "sheet-hint" }, contentOf(test, t)),
      result ? resultOf(result, t) : null,
      el("div", { class: "tests-tools" }, tools(test, result)),
    );
  }

  /** @param {SavedTest} test @param {TestResult | null} result */
  function tools(test, result) {
    const { chatId, runId } = test;
    const answer =
      chatId && runId
        ? el(
            "a",
            { class: "quiet-button", href: linkToTurn(chatId, runId), on: { click: () => sheet.close() } },
            t("tests.open_answer"),
          )
        : null;
    if (file) return [answer];
    const compare = async () => {
      const played = await playVersion(test.id);
      sheet.close();
      window.location.hash = linkToTurn(played.chatId, played.runId);
    };
    return [
      action(t("shared.run"), () => run([test.id])),
      answer,
      answer && result && result.verdict !== "right" ? action(t("tests.compare"), compare) : null,
      sheetButton(t("shared.edit"), () => editTest(t, test, t("tests.edit"), { changed: () => void draw() })),
      action(t("shared.delete"), async () => {
        await deleteTest(test.id);
        void draw();
      }),
    ].map((button) => {
      button?.classList.replace("text-button", "quiet-button");
      return button;
    });
  }
}

/** Create the fields for asking a model live. @param {Translate} t */
function liveFields(t) {
  const isLive = el("input", { type: "checkbox" });
  const model = field("text", 300, "openai:gpt-5");
  const agent = field("text", 40, "code");
  const budget = field("number", 8);
  Object.assign(budget, { min: "0", step: "any", value: "1" });
  const unknown = el("input", { type: "checkbox" });
  const choice = (/** @type {HTMLInputElement} */ box, /** @type {string} */ text) =>
    el("label", { class: "sheet-choice" }, box, el("span", {}, text));
  const dom = el(
    "details",
    { class: "tests-live" },
    el("summary", {}, t("tests.live")),
    choice(isLive, t("tests.ask_live")),
    labelled(t("tests.model"), model),
    labelled(t("tests.agent"), agent),
    labelled(t("tests.budget"), budget),
    choice(unknown, t("exams.consent")),
  );
  /** @returns {{ [key: string]: JsonValue }} */
  const values = () =>
    isLive.checked
      ? {
          isLive: true,
          model: model.value.trim() || null,
          agent: agent.value.trim() || null,
          budgetUsd: Number(budget.value) || 0,
          acceptUnknownPrice: unknown.checked,
        }
      : {};
  return { dom, values };
}
