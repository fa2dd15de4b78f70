/**
 * Sheet of models: those of the desk, named ones, and those that servers offer now. The chosen one becomes the chat's;
 * after an error the message is sent again with it.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { attempt, openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { askForKey, askForModel } from "./add.js";
import { chooseModel, listExams, listModels, removeModel } from "./api.js";
import { examFact, openExam } from "./exam.js";
import { factsOf, isTooSmall, limitsOf, nameOf, optionsOf } from "./facts.js";
import { askForOptions } from "./options.js";

export { offerModel } from "./offer.js";

/** @import { ChatContent, Translate } from "../types.js" */
/** @import { ExamSummary, ModelFacts } from "./api.js" */

/** Number of models from which the search field is shown. */
const SEARCH_FROM = 12;

/**
 * Open the sheet.
 *
 * @param {Translate} t
 * @param {ChatContent} chat
 * @param {(() => void) | null} again sends a message once more, if the sheet was opened for that
 */
export function openModels(t, chat, again = null) {
  const list = el(
    "div",
    { class: "model-list", role: "radiogroup", "aria-label": t("models.title"), "aria-busy": "true" },
    el("p", { class: "sheet-hint" }, t("models.looking")),
  );
  const find = el("input", {
    class: "sheet-field",
    type: "search",
    hidden: true,
    placeholder: t("models.find"),
    "aria-label": t("models.find"),
    spellcheck: "false",
    on: {
      input: () => narrow(),
      keydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" || event.key === "ArrowDown") takeFirst(event);
      },
    },
  });
  const status = el("p", { class: "model-said", role: "status" });
  const closed = el("p", { class: "sheet-hint", hidden: true }, t("models.not_allowed"));
  const add = sheetButton(
    t("models.add"),
    () =>
      void askForModel(t, (model) => {
        status.textContent = t("models.added", { name: model.id });
        void draw(model.id);
      }),
  );
  const go = submitButton(t(again ? "models.use_again" : "models.use"));
  add.hidden = true;
  const sheet = openSheet({
    title: t("models.title"),
    body: [
      el("p", { class: "sheet-hint" }, t(again ? "models.about_again" : "shared.next_message")),
      find,
      list,
      status,
      closed,
    ],
    buttons: [
      add,
      el("span", { class: "stretch" }),
      sheetButton(t("shared.cancel"), () => sheet.close()),
      go,
    ],
    submit: () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        const chosen = list.querySelector("input:checked");
        if (!(chosen instanceof HTMLInputElement)) return sheet.showError(t("models.none_chosen"));
        if (chosen.value !== chat.model) await chooseModel(chat.chatId, chosen.value);
        sheet.close();
        again?.();
      }),
  });
  list.closest("dialog")?.classList.add("model-sheet");
  void draw(chat.model);

  /** Filter the list; the chosen model stays visible. */
  function narrow() {
    const query = find.value.trim().toLowerCase();
    for (const candidate of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll(".model-line")))
      candidate.hidden =
        !candidate.textContent?.toLowerCase().includes(query) && !candidate.querySelector("input:checked");
  }

  /** Move from the field to the first match, because Enter would submit the form. @param {KeyboardEvent} event */
  function takeFirst(event) {
    event.preventDefault();
    const query = find.value.trim().toLowerCase();
    const first = [...list.querySelectorAll(".model-line")]
      .find(
        (candidate) =>
          candidate.textContent?.toLowerCase().includes(query) && candidate.querySelector("input:enabled"),
      )
      ?.querySelector("input");
    if (!first) return;
    first.checked = true;
    first.focus();
    narrow();
  }

  /** Draw the list. @param {string} current the marked model */
  async function draw(current) {
    try {
      const [{ models, mayAdd, promptTokens }, { exams, mayRun }] = await Promise.all([
        listModels(chat.chatId),
        listExams(),
      ]);
      const examOf = new Map(exams.map((exam) => [exam.model, exam]));
      list.replaceChildren(
        ...models.map((model) =>
          line(model, model.id === current, mayAdd, promptTokens, examOf.get(model.id), mayRun),
        ),
      );
      find.hidden = models.length < SEARCH_FROM;
      narrow();
      add.hidden = !mayAdd;
      closed.hidden = mayAdd;
      /** @type {HTMLElement | null} */ (
        list.querySelector("input:checked") ?? list.querySelector("input:enabled")
      )?.focus();
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      list.replaceChildren();
      sheet.showError(fault instanceof TypeError ? t("shared.no_answer") : fault.message);
    }
    list.setAttribute("aria-busy", "false");
  }

  /**
   * @param {ModelFacts} model
   * @param {boolean} isCurrent
   * @param {boolean} mayChange
   * @param {number | null} promptTokens
   * @param {ExamSummary | undefined} exam
   * @param {boolean} mayExamine
   */
  function line(model, isCurrent, mayChange, promptTokens, exam, mayExamine) {
    const { id, state, problem, ofPage } = model;
    const name = nameOf(model, t);
    const input = el("input", {
      type: "radio",
      name: "model",
      value: id,
      disabled: state === "needs_key",
      "aria-describedby": `model-${id}`,
    });
    input.checked = isCurrent && state !== "needs_key";
    const key = smallButton(t("models.key"), t("models.key_of", { name }), () =>
      askForKey(t, id, () => {
        status.textContent = t("models.key_kept", { name });
        void draw(id);
      }),
    );
    const options = smallButton(t("models.options_short"), t("models.options_of", { name }), () =>
      askForOptions(t, model, () => {
        status.textContent = t("models.options_kept", { name });
        void draw(id);
      }),
    );
    const remove = smallButton(t("shared.remove"), t("shared.remove_one", { name }), () =>
      confirmRemoval(t, id, () => void draw(chat.model)),
    );
    const examine = smallButton(t("exams.examine"), t("exams.examine_one", { name }), () =>
      openExam(t, { id, name }, exam, mayExamine, () => void draw(chat.model)),
    );
    const acts = [
      ...(mayExamine || exam ? [examine] : []),
      ...(ofPage && mayChange ? [options, key, remove] : []),
    ];
    return el(
      "div",
      {
        class: "model-line",
        "data-state": state,
        "data-model": id,
        "data-fits": isTooSmall(model, promptTokens) ? "no" : null,
      },
      el(
        "label",
        { class: "sheet-choice" },
        input,
        el(
          "span",
          {},
          el("span", { class: "model-name" }, name, id === chat.model ? icon("check") : null),
          el(
            "span",
            { class: "model-facts", id: `model-${id}` },
            el("span", { class: "model-state" }, t(`models.state_${state}`)),
            ` · ${factsOf(model, t)}`.replace(/ · $/, ""),
            exam ? ` · ${examFact(exam, t)}` : null,
            el("span", { class: "model-set" }, optionsOf(model, t)),
            problem ? el("span", { class: "model-problem" }, problem) : null,
            limitsOf(model, promptTokens, t).map((text) => el("span", { class: "model-limit" }, text)),
          ),
        ),
      ),
      acts.length > 0 ? el("span", { class: "model-acts" }, acts) : null,
    );
  }
}

/**
 * Create a small button.
 *
 * @param {string} label
 * @param {string} fullLabel label for screen readers
 * @param {() => void} press
 */
function smallButton(label, fullLabel, press) {
  const button = sheetButton(label, press);
  button.classList.add("small");
  button.setAttribute("aria-label", fullLabel);
  return button;
}

/** @param {Translate} t @param {string} name @param {() => void} gone */
function confirmRemoval(t, name, gone) {
  const keep = sheetButton(t("shared.cancel"), () => sheet.close());
  const go = sheetButton(
    t("shared.remove"),
    () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        await removeModel(name);
        sheet.close();
        gone();
      }),
    "danger",
  );
  const sheet = openSheet({
    title: t("shared.remove_title", { name }),
    body: [el("p", {}, t("models.remove_what"))],
    buttons: [keep, go],
    focus: keep,
  });
}
