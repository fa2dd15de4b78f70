/** Forms for a new model and a new key. The server tests it before it stores it; the page does not keep the key. */

import { translateRefusal } from "../core/fault-words.js";
import { el } from "../core/dom.js";
import { attempt, openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { addModel, setKey } from "./api.js";

/** @import { Translate } from "../types.js" */
/** @import { ModelFacts } from "./api.js" */

/** @param {Translate} t @param {(model: ModelFacts) => void} added */
export function askForModel(t, added) {
  const name = field("text", 40, "big");
  const model = field("text", 300, "openai:gpt-5");
  const url = field("text", 2000, "http://127.0.0.1:11434/v1");
  const key = field("password", 2000);
  const context = field("text", 9, "32768");
  context.inputMode = "numeric";
  const status = el("p", { class: "model-said", role: "status" });
  const go = submitButton(t("models.add_it"));
  const sheet = openSheet({
    title: t("models.add"),
    body: [
      labelled(t("models.name"), name),
      labelled(t("models.model"), model),
      el("p", { class: "sheet-hint" }, t("models.model_hint")),
      labelled(t("models.url"), url),
      labelled(t("models.key_field"), key),
      el("p", { class: "sheet-hint" }, t("models.key_hint")),
      labelled(t("models.context_field"), context),
      status,
    ],
    buttons: [sheetButton(t("models.cancel"), () => sheet.close()), go],
    focus: name,
    submit: () =>
      attempt(go, sheet.showError, t("models.no_answer"), async () => {
        const missing = [name, model].find(({ value }) => value.trim() === "");
        for (const input of [name, model]) input.setAttribute("aria-invalid", String(input === missing));
        missing?.focus();
        if (missing) return sheet.showError(t("models.needed"));
        await withTestStatus(status, t, async () => {
          const written = model.value.trim();
          const candidate = await addModel({
            name: name.value.trim(),
            model: written.includes(":") && !url.value.trim() ? written : asId(written),
            baseUrl: url.value.trim(),
            key: key.value || null,
            context: Number(context.value) || null,
          });
          sheet.close();
          added(candidate);
        });
      }),
  });
}

/** @param {Translate} t @param {string} name @param {() => void} onSaved */
export function askForKey(t, name, onSaved) {
  const key = field("password", 2000);
  const status = el("p", { class: "model-said", role: "status" });
  const go = submitButton(t("models.key_it"));
  const sheet = openSheet({
    title: t("models.key_title", { name }),
    body: [
      labelled(t("models.key_field"), key),
      el("p", { class: "sheet-hint" }, t("models.key_hint")),
      status,
    ],
    buttons: [sheetButton(t("models.cancel"), () => sheet.close()), go],
    focus: key,
    submit: () =>
      attempt(go, sheet.showError, t("models.no_answer"), async () => {
        if (key.value === "") return sheet.showError(t("models.key_needed"));
        await withTestStatus(status, t, async () => {
          await setKey(name, key.value);
          sheet.close();
          onSaved();
        });
      }),
  });
}

/**
 * Return the id of a model. A plain name is a model of an OpenAI-compatible server; names like `llama3.2:3b` contain a
 * colon of their own.
 *
 * @param {string} written
 */
const asId = (written) => (/^(openai|litellm|transformers):/.test(written) ? written : `openai:${written}`);

/** @param {HTMLElement} status @param {Translate} t @param {() => Promise<void>} act */
async function withTestStatus(status, t, act) {
  status.textContent = t("models.trying");
  try {
    await translateRefusal(t, act);
  } finally {
    status.textContent = "";
  }
}

/** @param {string} type @param {number} maxlength @param {string} [placeholder] */
const field = (type, maxlength, placeholder = "") =>
  el("input", {
    class: "sheet-field",
    type,
    maxlength,
    placeholder: placeholder || null,
    autocomplete: type === "password" ? "new-password" : "off",
    spellcheck: "false",
    autocapitalize: "off",
  });

/** @param {string} label @param {HTMLElement} input */
const labelled = (label, input) => el("label", { class: "sheet-label" }, label, input);
