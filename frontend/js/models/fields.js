/** Fields of the forms for models. */

import { el } from "../core/dom.js";

/** @param {string} type @param {number} maxlength @param {string} [placeholder] */
export const field = (type, maxlength, placeholder = "") =>
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
export const labelled = (label, input) => el("label", { class: "sheet-label" }, label, input);
