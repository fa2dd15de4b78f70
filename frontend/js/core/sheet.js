/**
 * Small modal dialog with a title, a body and buttons. Esc closes it; the focus stays inside and returns afterwards;
 * shortcuts of the page are off meanwhile. It is created on opening and removed on closing.
 */

import { el } from "./dom.js";
import { translateRefusal } from "./fault-words.js";

/** @import { Child } from "./dom.js" */
/** @import { Translate } from "../types.js" */

let sheetCount = 0;

/**
 * Open a sheet.
 *
 * @param {object} what
 * @param {string} what.title
 * @param {Child[]} what.body
 * @param {HTMLElement[]} what.buttons the last one is the primary button
 * @param {() => unknown} [what.submit] called for Enter in a field and for a submit button
 * @param {() => void} [what.closed]
 * @param {HTMLElement} [what.focus] element with the initial focus; the browser's choice by default
 * @returns {{ close(): void, showError(problem: string): void }} `showError` shows an error text
 */
export function openSheet({ title, body, buttons, submit, closed, focus }) {
  const opener = document.activeElement;
  const id = `sheet-${sheetCount++}`;
  const fault = el("p", { class: "sheet-fault", role: "alert", hidden: true });
  const form = el(
    "form",
    {
      class: "sheet-form",
      novalidate: true,
      on: {
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          submit?.();
        },
      },
    },
    el("h2", { class: "sheet-title", id }, title),
    body,
    fault,
    el("div", { class: "sheet-buttons" }, buttons),
  );
  const dialog = el(
    "dialog",
    {
      class: "sheet",
      "aria-labelledby": id,
      on: {
        keydown: (/** @type {KeyboardEvent} */ event) => event.stopPropagation(),
        close: () => {
          dialog.remove();
          if (opener instanceof HTMLElement) opener.focus();
          closed?.();
        },
      },
    },
    form,
  );
  document.body.append(dialog);
  dialog.showModal();
  focus?.focus();
  return {
    close: () => dialog.close(),
    showError: (problem) => {
      fault.textContent = problem;
      fault.hidden = problem === "";
    },
  };
}

/**
 * @param {string} label
 * @param {() => void} press
 * @param {"" | "strong" | "danger"} [variant]
 */
export function sheetButton(label, press, variant = "") {
  return el(
    "button",
    { class: "text-button", type: "button", "data-look": variant || null, on: { click: press } },
    label,
  );
}

/** Create the button that submits a form. @param {string} label */
export function submitButton(label) {
  return el("button", { class: "text-button", type: "submit", "data-look": "strong" }, label);
}

/**
 * Run a request that the server may refuse, and disable the button meanwhile.
 *
 * @param {HTMLButtonElement} button
 * @param {(problem: string) => void} showError
 * @param {string} noAnswer text for an unreachable server
 * @param {() => Promise<void>} act
 */
export async function attempt(button, showError, noAnswer, act) {
  if (button.disabled) return;
  button.disabled = true;
  showError("");
  try {
    await act();
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    showError(fault instanceof TypeError ? noAnswer : fault.message);
  } finally {
    button.disabled = false;
  }
}

/**
 * Return a function that creates buttons whose requests' refusals an open sheet shows, in the language of the page.
 *
 * @param {Translate} t
 * @param {() => { showError(problem: string): void }} sheet
 */
export function requestButtons(t, sheet) {
  /** @param {string} label @param {() => Promise<unknown>} act @param {"" | "strong" | "danger"} [variant] */
  return (label, act, variant = "") => {
    const run = () => translateRefusal(t, async () => void (await act()));
    const press = () => attempt(button, sheet().showError, t("shared.no_answer"), run);
    const button = sheetButton(label, press, variant);
    return button;
  };
}

/** Make a field of a sheet's form. @param {string} type @param {number} maxlength @param {string} [placeholder] */
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

/** Put a label above a field. @param {string} label @param {HTMLElement} input */
export const labelled = (label, input) => el("label", { class: "sheet-label" }, label, input);
