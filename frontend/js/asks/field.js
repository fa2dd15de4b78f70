/**
 * Field of one argument, of the kind that its type needs. An untouched field returns the original value unchanged, so
 * that opening the form changes nothing: no rounding, no spacing, no value for an omitted argument.
 */

import { el } from "../core/dom.js";

/** @import { JsonValue, ParameterContent, Translate } from "../types.js" */
/** @typedef {{ value?: JsonValue, problem?: string }} Reading neither: it is left out */

const MULTILINE_LENGTH = 60;

export class ArgumentField {
  /**
   * @param {string} id unique in the page
   * @param {string} name
   * @param {ParameterContent} parameter
   * @param {JsonValue | undefined} original
   * @param {Translate} t
   */
  constructor(id, name, parameter, original, t) {
    this.name = name;
    this.parameter = parameter;
    this.original = original;
    this.t = t;
    this.touched = false;
    this.input = this.field(id);
    this.input.addEventListener("input", () => {
      this.touched = true;
      this.showError("");
    });
    this.problem = el("p", { class: "ask-problem", id: `${id}-problem`, hidden: true });
    const help = parameter.description
      ? el("p", { class: "ask-help", id: `${id}-help` }, parameter.description)
      : null;
    this.input.setAttribute("aria-describedby", `${help ? `${id}-help ` : ""}${id}-problem`);
    const mark = parameter.required
      ? el("span", { class: "ask-required", title: t("ask.required"), "aria-hidden": "true" }, "*")
      : null;
    this.dom = el(
      "div",
      { class: "ask-edit", "data-type": parameter.type },
      el("label", { class: "ask-name", for: id }, name, mark),
      el("div", { class: "ask-cell" }, this.input, help, this.problem),
    );
  }

  /** @param {string} id */
  field(id) {
    const {
      parameter: { type, required },
      original,
      t,
    } = this;
    const shared = {
      id,
      class: "ask-field",
      autocomplete: "off",
      spellcheck: "false",
      "aria-required": String(required),
    };
    const placeholder = original === undefined || original === null ? t("ask.left_out") : null;
    if (type === "boolean") {
      const box = el("input", { ...shared, class: "ask-check", type: "checkbox" });
      box.checked = original === true;
      return box;
    }
    if (type === "number" || type === "integer") {
      const step = type === "integer" ? "1" : "any";
      return el("input", {
        ...shared,
        type: "number",
        step,
        placeholder,
        value: original === undefined || original === null ? "" : String(original),
      });
    }
    const plain = type === "string" || type === "image" || type === "audio";
    const text =
      original === undefined || original === null
        ? ""
        : plain && typeof original === "string"
          ? original
          : JSON.stringify(original, null, 2);
    if (plain && text.length <= MULTILINE_LENGTH && !text.includes("\n"))
      return el("input", { ...shared, type: "text", placeholder, value: text });
    const rows = Math.min(8, text.split("\n").length + 1);
    const area = el("textarea", {
      ...shared,
      class: plain ? "ask-field" : "ask-field ask-json",
      rows,
      placeholder,
    });
    area.value = text;
    return area;
  }

  /** Show a value that was set elsewhere. @param {JsonValue | undefined} value */
  set(value) {
    const { input, parameter } = this;
    const current = this.read();
    if (current.problem === undefined && JSON.stringify(current.value) === JSON.stringify(value)) return;
    this.touched = true;
    this.showError("");
    const isPlain = typeof value === "string" && parameter.type !== "object" && parameter.type !== "array";
    if (input.type === "checkbox") /** @type {HTMLInputElement} */ (input).checked = value === true;
    else input.value = value === undefined || value === null ? "" : isPlain ? value : JSON.stringify(value);
  }

  /** Return the value of the field, or the problem with it. @returns {Reading} */
  read() {
    const {
      input,
      parameter: { type, required },
      t,
    } = this;
    if (!this.touched) return this.original === undefined ? {} : { value: this.original };
    if (input.type === "checkbox") return { value: /** @type {HTMLInputElement} */ (input).checked };
    if (input.validity.badInput) return { problem: t("ask.bad_number") };
    const text = input.value;
    if (text.trim() === "") return required ? { problem: t("ask.missing") } : {};
    if (type === "number" || type === "integer") return readNumber(text, type, t);
    return type === "string" || type === "image" || type === "audio"
      ? { value: text }
      : readJson(text, type, t);
  }

  /** Show an error. @param {string} problem "" hides it */
  showError(problem) {
    this.problem.textContent = problem;
    this.problem.hidden = problem === "";
    this.input.setAttribute("aria-invalid", String(problem !== ""));
  }
}

/**
 * @param {string} text
 * @param {string} type
 * @param {Translate} t
 * @returns {Reading}
 */
function readNumber(text, type, t) {
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: t("ask.bad_number") };
  return type === "integer" && !Number.isInteger(value) ? { problem: t("ask.bad_integer") } : { value };
}

/**
 * Parse JSON of a type.
 *
 * @param {string} text
 * @param {string} type array, object, or any JSON
 * @param {Translate} t
 * @returns {Reading}
 */
function readJson(text, type, t) {
  let value;
  try {
    value = /** @type {JsonValue} */ (JSON.parse(text));
  } catch {
    return {
      problem: t(type === "array" ? "ask.bad_array" : type === "object" ? "ask.bad_object" : "ask.bad_json"),
    };
  }
  if (type === "array" && !Array.isArray(value)) return { problem: t("ask.bad_array") };
  if (type === "object" && (typeof value !== "object" || value === null || Array.isArray(value)))
    return { problem: t("ask.bad_object") };
  return { value };
}
