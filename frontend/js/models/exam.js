/**
 * Sheet of a model's exam: estimate, progress, results. The exam runs on the server; closing the sheet or reloading the
 * page does not end it.
 */

import { el } from "../core/dom.js";
import { openSheet, requestButtons, sheetButton } from "../core/sheet.js";
import { estimateExam, getExam, startExam, stopExam } from "./api.js";

/** @import { Translate } from "../types.js" */
/** @import { ExamDetail, ExamEstimate, ExamSummary, ExamTotal } from "./api.js" */

const POLL_MS = 1000;
const VERDICTS = /** @type {const} */ (["right", "wrong", "failed", "unanswered"]);
/** Decimal places of a cost in US dollars. */
const CENTS = 2;

/**
 * Return a model's last exam in a few words.
 *
 * @param {ExamSummary} exam
 * @param {Translate} t
 */
export function examFact({ state, total, questions }, t) {
  const counts = { n: total.questions, all: questions, right: total.right };
  return state === "finished" ? t("exams.score", counts) : t(`exams.${state}`, counts);
}

/**
 * Open the sheet.
 *
 * @param {Translate} t
 * @param {{ id: string, name: string }} model
 * @param {ExamSummary | undefined} last
 * @param {boolean} mayRun
 * @param {() => void} changed called when the sheet closes
 */
export function openExam(t, model, last, mayRun, changed) {
  const content = el("div", { class: "exam-content" });
  const actions = el("span", { class: "exam-actions" });
  const action = requestButtons(t, () => sheet);
  let isOpen = true;
  const close = sheetButton(t("shared.close"), () => sheet.close());
  const sheet = openSheet({
    title: t("exams.title", { name: model.name }),
    body: [content],
    buttons: [close, el("span", { class: "stretch" }), actions],
    closed: () => {
      isOpen = false;
      changed();
    },
    focus: close,
  });
  content.closest("dialog")?.classList.add("exam-sheet");
  if (last) void follow(last.id);
  else void drawEstimate(false);

  /** @param {boolean} resume */
  async function drawEstimate(resume) {
    const consent = el("input", { type: "checkbox" });
    try {
      const estimate = await estimateExam(model.id);
      const isUnknown = estimate.cost === null;
      const start = action(
        t(resume ? "exams.continue" : "exams.start"),
        async () => {
          if (isUnknown && !consent.checked) return sheet.showError(t("exams.consent_needed"));
          const exam = await startExam(model.id, consent.checked, resume);
          void follow(exam.id);
        },
        "strong",
      );
      content.replaceChildren(
        el("p", {}, t("exams.about", { n: estimate.questions })),
        figures(estimateFigures(estimate, t)),
        el("p", { class: "sheet-hint" }, t("exams.limits", limitsOf(estimate))),
        isUnknown ? el("label", { class: "exam-consent" }, consent, t("exams.consent")) : "",
      );
      actions.replaceChildren(start);
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      sheet.showError(fault instanceof TypeError ? t("shared.no_answer") : fault.message);
    }
  }

  /** Draw an exam, again and again while it runs. @param {string} id */
  async function follow(id) {
    try {
      for (let state = "running"; state === "running" && isOpen;) {
        const exam = await getExam(id);
        if (!isOpen) return;
        state = exam.state;
        if (state === "running") drawProgress(exam);
        else drawResults(exam);
        if (state === "running") await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      sheet.showError(fault instanceof TypeError ? t("shared.no_answer") : fault.message);
    }
  }

  /** @param {ExamDetail} exam */
  function drawProgress(exam) {
    const { questions, total } = exam;
    content.replaceChildren(
      el("p", { role: "status" }, examFact(exam, t)),
      el("progress", {
        class: "exam-progress",
        max: questions,
        value: total.questions,
        "aria-label": t("exams.progress"),
      }),
      figures([[t("exams.right"), String(total.right)], ...costFigures(total, t)]),
      el("p", { class: "sheet-hint" }, t("exams.background")),
    );
    if (mayRun && !actions.querySelector("[data-look=danger]"))
      actions.replaceChildren(action(t("shared.stop"), () => stopExam(exam.id), "danger"));
    if (!mayRun) actions.replaceChildren();
  }

  /** @param {ExamDetail} exam */
  function drawResults(exam) {
    content.replaceChildren(
      el("p", { class: "exam-score" }, examFact(exam, t)),
      exam.reason ? el("p", { class: "sheet-hint" }, reasonOf(exam, t)) : "",
      figures([[t("exams.agent"), exam.agent], ...costFigures(exam.total, t)]),
      totalsTable(exam, t),
      el(
        "details",
        { class: "exam-questions" },
        el("summary", {}, t("exams.questions")),
        el(
          "ol",
          {},
          exam.results.map(({ id, verdict, reason, compared }) =>
            el(
              "li",
              { "data-verdict": verdict },
              el("strong", {}, `${id}: ${t(`exams.${verdict}`)}`),
              el("span", {}, [reason, compared].filter(Boolean).join("; ")),
            ),
          ),
        ),
      ),
    );
    const again = action(t("exams.again"), () => drawEstimate(false));
    const more = action(t("exams.continue"), () => drawEstimate(true), "strong");
    actions.replaceChildren(...(mayRun ? [again, ...(exam.state === "interrupted" ? [more] : [])] : []));
  }
}

/** @param {ExamDetail} exam @param {Translate} t */
const reasonOf = ({ code, reason }, t) =>
  t.language !== "en" && t.has(`fault.${code}`) ? t(`fault.${code}`) : reason;

/** @param {ExamEstimate} estimate @param {Translate} t @returns {[string, string][]} */
const estimateFigures = ({ calls, inputTokens, outputTokens, cost }, t) => [
  [t("exams.calls"), t("exams.about_n", { n: calls.toLocaleString(t.language) })],
  [
    t("exams.tokens"),
    t("exams.in_out", {
      in: inputTokens.toLocaleString(t.language),
      out: outputTokens.toLocaleString(t.language),
    }),
  ],
  [t("shared.cost"), cost === null ? t("exams.price_unknown") : `$${cost.toFixed(CENTS)}`],
];

/** @param {ExamEstimate} estimate */
const limitsOf = ({ budgetUsd, maxCalls }) => ({ usd: `$${budgetUsd.toFixed(CENTS)}`, calls: maxCalls });

/** @param {ExamTotal} total @param {Translate} t @returns {[string, string][]} */
const costFigures = ({ calls, inputTokens, outputTokens, cost, seconds }, t) => [
  [t("exams.calls"), calls.toLocaleString(t.language)],
  [
    t("exams.tokens"),
    t("exams.in_out", {
      in: inputTokens.toLocaleString(t.language),
      out: outputTokens.toLocaleString(t.language),
    }),
  ],
  [t("shared.cost"), cost === null ? t("exams.price_unknown") : `$${cost.toFixed(CENTS)}`],
  [t("exams.time"), t("shared.seconds", { n: seconds.toFixed(1) })],
];

/** @param {[string, string][]} rows */
const figures = (rows) =>
  el(
    "dl",
    { class: "exam-figures" },
    rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );

/** @param {ExamDetail} exam @param {Translate} t */
function totalsTable({ totals }, t) {
  const heads = [t("exams.group"), t("exams.asked"), ...VERDICTS.map((verdict) => t(`exams.${verdict}`))];
  return el(
    "div",
    { class: "exam-scroll" },
    el(
      "table",
      { class: "exam-table" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heads.map((head) => el("th", { scope: "col" }, head)),
        ),
      ),
      el(
        "tbody",
        {},
        Object.entries(totals).map(([name, total]) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, t.has(`exams.group_${name}`) ? t(`exams.group_${name}`) : name),
            [total.questions, ...VERDICTS.map((verdict) => total[verdict])].map((n) => el("td", {}, n)),
          ),
        ),
      ),
    ),
  );
}
