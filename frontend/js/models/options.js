/** Options of a model's answers: their fields, in the form of a new model and in a form of their own. */

import { Refusal } from "../core/api.js";
import { translateRefusal } from "../core/fault-words.js";
import { el } from "../core/dom.js";
import { attempt, field, openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { setOptions } from "./api.js";

/** @import { Translate } from "../types.js" */
/** @import { ModelFacts, ModelOptions } from "./api.js" */

/** Example of an extra body. */
const EXAMPLE = '{"top_k": 40}';
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Fields of all options. An error of one, from the form or the server, stands under its field. */
export class OptionFields {
  /** @param {Translate} t @param {ModelOptions | null} options */
  constructor(t, options) {
    this.t = t;
    const { temperature = null, maxTokens = null, reasoningEffort = null, extraBody = {} } = options ?? {};
    this.temperature = field("text", 6, "0.2");
    this.temperature.inputMode = "decimal";
    this.temperature.value = temperature === null ? "" : String(temperature);
    this.maxTokens = field("text", 7, "4096");
    this.maxTokens.inputMode = "numeric";
    this.maxTokens.value = maxTokens === null ? "" : String(maxTokens);
    this.effort = el(
      "select",
      { class: "sheet-field" },
      el("option", { value: "" }, t("models.effort_default")),
      EFFORTS.map((effort) => el("option", { value: effort }, effort)),
    );
    this.effort.value = reasoningEffort ?? "";
    this.body = el("textarea", {
      class: "sheet-field model-body",
      rows: 3,
      maxlength: 20_000,
      placeholder: EXAMPLE,
      spellcheck: "false",
    });
    this.body.value = Object.keys(extraBody).length ? JSON.stringify(extraBody, null, 2) : "";
    this.faults = new Map([
      ["bad_temperature", fault(this.temperature)],
      ["bad_max_tokens", fault(this.maxTokens)],
      ["bad_reasoning_effort", fault(this.effort)],
      ["bad_extra_body", fault(this.body)],
    ]);
    const below = (/** @type {string} */ code) => this.faults.get(code)?.text ?? null;
    this.dom = el(
      "div",
      { class: "model-options-form" },
      option(t("models.temperature"), this.temperature, below("bad_temperature")),
      option(t("models.max_tokens"), this.maxTokens, below("bad_max_tokens")),
      option(t("models.effort"), this.effort, below("bad_reasoning_effort")),
      option(t("models.body"), this.body, below("bad_extra_body")),
      el("p", { class: "sheet-hint" }, t("models.body_hint")),
    );
  }

  /** Return the entered options. Throws `Refusal` for what is no number or no JSON object. @returns {ModelOptions} */
  read() {
    this.show(null);
    return {
      temperature: this.number(this.temperature, "bad_temperature"),
      maxTokens: this.number(this.maxTokens, "bad_max_tokens"),
      reasoningEffort: this.effort.value || null,
      extraBody: this.object(),
    };
  }

  /** Show an error under its field; return whether it belongs to one. @param {Error | null} problem */
  show(problem) {
    const code = problem instanceof Refusal ? problem.code : "";
    for (const [own, { input, text }] of this.faults) {
      text.textContent = own === code ? (problem?.message ?? "") : "";
      input.setAttribute("aria-invalid", String(own === code));
    }
    const input = this.faults.get(code)?.input;
    if (!input) return false;
    this.dom.closest("details")?.setAttribute("open", "");
    input.focus();
    return true;
  }

  /** @param {HTMLInputElement} input @param {string} code */
  number(input, code) {
    const text = input.value.trim();
    if (text !== "" && !Number.isFinite(Number(text)))
      throw new Refusal(this.t(`fault.${code}_hint`), 0, code);
    return text === "" ? null : Number(text);
  }

  object() {
    const text = this.body.value.trim() || "{}";
    try {
      const value = JSON.parse(text);
      if (value !== null && typeof value === "object" && !Array.isArray(value)) return value;
    } catch {
      // no JSON: the same error
    }
    throw new Refusal(this.t("models.body_not_json", { example: EXAMPLE }), 0, "bad_extra_body");
  }
}

/** @param {Translate} t @param {ModelFacts} model @param {() => void} onSaved */
export function askForOptions(t, { id, options }, onSaved) {
  const fields = new OptionFields(t, options);
  const status = el("p", { class: "model-said", role: "status" });
  const go = submitButton(t("models.key_it"));
  const sheet = openSheet({
    title: t("models.options_of", { name: id }),
    body: [fields.dom, status],
    buttons: [sheetButton(t("shared.cancel"), () => sheet.close()), go],
    focus: fields.temperature,
    submit: () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        await atFields(fields, status, t, async (entered) => {
          await setOptions(id, entered);
          sheet.close();
          onSaved();
        });
      }),
  });
}

/**
 * Run a request that tests a model; errors of options go to their fields.
 *
 * @param {OptionFields} fields
 * @param {HTMLElement} status
 * @param {Translate} t
 * @param {(options: ModelOptions) => Promise<void>} act
 */
export async function atFields(fields, status, t, act) {
  status.textContent = t("models.trying");
  try {
    const options = fields.read();
    await translateRefusal(t, () => act(options));
  } catch (problem) {
    if (!(problem instanceof Refusal) || !fields.show(problem)) throw problem;
  } finally {
    status.textContent = "";
  }
}

/** @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} input */
const fault = (input) => ({ input, text: el("span", { class: "model-field-fault", role: "alert" }) });

/** @param {string} label @param {HTMLElement} input @param {HTMLElement | null} below */
const option = (label, input, below) =>
  el("div", { class: "model-option" }, el("label", { class: "sheet-label" }, label, input), below);
