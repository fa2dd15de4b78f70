/** Forms for a new model and a new key. The server tests it before it stores it; the page does not keep the key. */

import { el } from "../core/dom.js";
import { translateRefusal } from "../core/fault-words.js";
import { attempt, field, labelled, openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { addModel, listProviders, setKey } from "./api.js";
import { OptionFields, atFields } from "./options.js";
import { ProviderFields } from "./provider.js";

/** @import { Translate } from "../types.js" */
/** @import { ModelFacts } from "./api.js" */

/** @param {Translate} t @param {(model: ModelFacts) => void} added */
export async function askForModel(t, added) {
  const fields = new ProviderFields(t, await listProviders().catch(() => []));
  const options = new OptionFields(t, null);
  const name = field("text", 40, "big");
  const context = field("text", 9, "32768");
  context.inputMode = "numeric";
  let suggested = "";
  fields.model.addEventListener("input", () => {
    if (name.value === suggested) name.value = suggested = nameFor(fields.model.value);
  });
  const status = el("p", { class: "model-said", role: "status" });
  const go = submitButton(t("models.add_it"));
  const sheet = openSheet({
    title: t("models.add"),
    body: [
      ...fields.dom,
      labelled(t("shared.name"), name),
      el(
        "details",
        { class: "model-details" },
        el("summary", {}, t("models.options")),
        labelled(t("models.context_field"), context),
        options.dom,
      ),
      status,
    ],
    buttons: [sheetButton(t("shared.cancel"), () => sheet.close()), go],
    focus: fields.select,
    submit: () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        const missing = fields.missing() ?? (name.value.trim() === "" ? name : null);
        name.setAttribute("aria-invalid", String(missing === name));
        missing?.setAttribute("aria-invalid", "true");
        missing?.focus();
        if (missing) return sheet.showError(t(fields.provider ? "models.needed_all" : "models.needed"));
        await atFields(options, status, t, async (entered) => {
          const candidate = await addModel({
            ...fields.values(),
            name: name.value.trim(),
            context: Number(context.value) || null,
            options: { ...entered },
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
      el("p", { class: "sheet-hint" }, t("shared.stored_encrypted")),
      status,
    ],
    buttons: [sheetButton(t("shared.cancel"), () => sheet.close()), go],
    focus: key,
    submit: () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        if (key.value === "") return sheet.showError(t("models.key_needed"));
        status.textContent = t("models.trying");
        try {
          await translateRefusal(t, () => setKey(name, key.value));
          sheet.close();
          onSaved();
        } finally {
          status.textContent = "";
        }
      }),
  });
}

/** Suggest a name for a model: the last part of its id, in the form of names. @param {string} model */
const nameFor = (model) =>
  (model.split("/").at(-1) ?? "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+/, "")
    .slice(0, 40);
