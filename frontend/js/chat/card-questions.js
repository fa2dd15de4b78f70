/** Uncertain points of how a file was read, each with its possible answers, and the lines left out of its tables. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { CardChoice, CardQuestion, CardReading, Translate } from "../types.js" */
/** @typedef {(override: CardChoice["told"]) => void} OnReading */

/**
 * @param {CardReading} reading
 * @param {Translate} t
 * @param {OnReading} onReading
 */
export function readingQuestions(reading, t, onReading) {
  if (reading.questions.length === 0) return null;
  return el(
    "div",
    { class: "card-asked", role: "group", "aria-label": t("card.asked") },
    reading.questions.map((question) =>
      el(
        "div",
        { class: "card-ask", role: "group", "aria-label": t(`card.ask_${question.about}`) },
        el(
          "p",
          {},
          icon("question"),
          t(`card.ask_${question.about}`),
          question.about === "header" ? null : el("b", {}, question.value),
        ),
        el(
          "div",
          { class: "card-answers" },
          question.choices.map((choice) =>
            el(
              "button",
              {
                class: "text-button",
                type: "button",
                "aria-pressed": String(isGuess(question, choice)),
                on: { click: () => onReading(choice.told) },
              },
              answerText(question, choice, t),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {CardQuestion} question @param {CardChoice} choice */
const isGuess = ({ about, value }, { told: override }) =>
  about === "header" && String(override.header) === value;

/** @param {CardQuestion} question @param {CardChoice} choice @param {Translate} t */
function answerText({ about }, { shows }, t) {
  if (about === "header") return shows ? t("card.answer_line", { line: shows }) : t("shared.none");
  if (about === "day")
    return new Intl.DateTimeFormat(t.language, { dateStyle: "long", timeZone: "UTC" }).format(
      new Date(shows),
    );
  return t(`card.answer_${about}_${shows}`);
}

/**
 * Create the folded list of lines that are not rows. Lines inside a table can be restored.
 *
 * @param {CardReading} reading
 * @param {Translate} t
 * @param {OnReading} onReading
 */
export function skippedLines({ leftOut, leftOutCount }, t, onReading) {
  if (leftOut.length === 0) return null;
  return el(
    "details",
    { class: "card-left" },
    el("summary", {}, t("card.left_out", { n: leftOutCount })),
    el(
      "ul",
      {},
      leftOut.map(({ line, why, text }) =>
        el(
          "li",
          {},
          el("span", { class: "card-note" }, t("card.left_line", { line, why: t(`card.why_${why}`) })),
          el("span", { class: "card-left-text" }, text),
          ["before", "units", "ragged"].includes(why)
            ? null
            : el(
                "button",
                {
                  class: "quiet-button",
                  type: "button",
                  "aria-label": t("card.bring_back_line", { line }),
                  on: { click: () => onReading({ lines: { [line]: why === "told" ? null : true } }) },
                },
                t("shared.restore"),
              ),
        ),
      ),
    ),
  );
}
