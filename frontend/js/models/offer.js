/**
 * Offer in an empty chat to use a model that was detected on this machine. It is shown until it is accepted or
 * dismissed once.
 */

import { el } from "../core/dom.js";
import { loadLateStrings } from "../core/i18n.js";
import { keep } from "../core/storage.js";
import { chooseModel } from "./api.js";
import { factsOf, nameOf } from "./facts.js";

/** @import { ChatContent, Translate } from "../types.js" */
/** @import { ModelFacts } from "./api.js" */

/** Create the offer. @param {Translate} t @param {ChatContent} chat @param {ModelFacts} model */
export async function offerModel(t, chat, model) {
  await loadLateStrings();
  const dismiss = (/** @type {string} */ answer) => {
    keep("models-offer", answer);
    dom.remove();
  };
  const fault = el("span", { role: "alert" });
  const use = el(
    "button",
    {
      class: "quiet-button",
      type: "button",
      on: {
        click: async () => {
          try {
            await chooseModel(chat.chatId, model.id);
            dismiss("used");
          } catch (refused) {
            if (!(refused instanceof Error)) throw refused;
            fault.textContent = refused instanceof TypeError ? t("shared.no_answer") : refused.message;
          }
        },
      },
    },
    t("models.offer_use"),
  );
  const later = el(
    "button",
    { class: "quiet-button", type: "button", on: { click: () => dismiss("dismissed") } },
    t("models.offer_not"),
  );
  const dom = el(
    "p",
    { class: "model-offer" },
    el("span", {}, t("models.offer", { name: nameOf(model, t), facts: factsOf(model, t) })),
    use,
    later,
    fault,
  );
  return dom;
}
