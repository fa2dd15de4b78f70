/** Fields of an input ask: one of several options, a text, or a password; no field for a yes or no. */

import { meanings } from "./program.js";
import { el } from "../core/dom.js";
import { visible } from "../core/escaping.js";

/** @import { AskContent, JsonValue, Translate } from "../types.js" */
/**
 * `read` returns null while the entry is incomplete, undefined if no value is needed. `clear` empties it; `choose`
 * selects the option of a key and returns whether there is one.
 *
 * @typedef {{ dom: HTMLElement | null, read(): JsonValue | undefined | null, clear?(): void, choose?(key: string):
 *   boolean }} Entry
 */

/**
 * Create the fields.
 *
 * @param {string} id unique in the page
 * @param {AskContent} ask
 * @param {Translate} t
 * @returns {Entry}
 */
export function entry(id, ask, t) {
  switch (ask.inputType) {
    case "selection":
      return choices(id, ask, t);
    case "text":
      return line(id, ask, t);
    case "password":
      return secret(id, t);
    case "confirmation":
      return { dom: null, read: () => undefined };
  }
}

const PLAIN = { autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false" };

/**
 * Create a text field. It may be empty: a program then takes its default or just continues.
 *
 * @param {string} id
 * @param {AskContent} ask
 * @param {Translate} t
 * @returns {Entry}
 */
function line(id, ask, t) {
  const field = el("input", {
    ...PLAIN,
    class: "ask-field",
    type: "text",
    "aria-label": t("ask.text"),
    "aria-describedby": id,
    value: ask.default,
  });
  return { dom: field, read: () => field.value };
}

/**
 * Create a password field, emptied as soon as its value is sent.
 *
 * @param {string} id
 * @param {Translate} t
 * @returns {Entry}
 */
function secret(id, t) {
  const field = el("input", {
    ...PLAIN,
    class: "ask-field",
    type: "password",
    "aria-label": t("shared.password"),
    "aria-describedby": id,
    required: true,
  });
  return {
    dom: field,
    read: () => field.value,
    clear: () => {
      field.value = "";
    },
  };
}

/**
 * @param {string} id
 * @param {AskContent} ask
 * @param {Translate} t
 * @returns {Entry}
 */
function choices(id, ask, t) {
  const meaningOf = meanings(ask);
  const counted =
    ask.options.length < 10 && meaningOf.size === 0 && !ask.options.some((option) => /^\d/.test(option));
  const radios = ask.options.map((option) =>
    el("input", {
      type: "radio",
      name: `${id}-choice`,
      value: option,
      required: true,
      checked: option === ask.default,
    }),
  );
  const labels = radios.map((radio, at) =>
    el(
      "label",
      { class: "ask-choice" },
      radio,
      counted ? el("kbd", { class: "ask-key", "aria-hidden": "true" }, at + 1) : null,
      optionLabel(radio.value, meaningOf.get(radio.value)),
      radio.value === ask.default ? el("span", { class: "ask-default" }, t("shared.default")) : null,
    ),
  );
  const box = el(
    "div",
    { class: "ask-choices", role: "radiogroup", "aria-label": t("ask.choice"), "aria-describedby": id },
    labels,
  );
  const chosen = radios.findIndex(({ checked }) => checked);
  // Scroll the list, not the chat, to a default far down. The list has its height in the next frame only.
  if (chosen > 0)
    requestAnimationFrame(() => {
      box.scrollTop = (radios[chosen]?.parentElement?.offsetTop ?? 0) - box.offsetTop - box.clientHeight / 2;
    });
  return {
    dom: box,
    read: () => radios.find(({ checked }) => checked)?.value ?? null,
    choose: (key) => {
      const radio =
        radios.find(({ value }) => value === key) ??
        (counted && /^[1-9]$/.test(key) ? radios[Number(key) - 1] : undefined);
      if (radio) radio.checked = true;
      radio?.focus();
      return radio !== undefined;
    },
  };
}

/** @param {string} option @param {string} [meaning] */
function optionLabel(option, meaning) {
  return el(
    "span",
    { class: "ask-option" },
    meaning ? el("code", {}, option) : null,
    visible(meaning ?? option),
  );
}
