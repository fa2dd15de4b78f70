/** What is filled in before an input ask is answered: one of several options, a text, a password; nothing for a yes or no. */

import { el } from "./dom.js";

/** @import { AskContent, JsonValue, Translate } from "./types.js" */
/** @typedef {{ dom: HTMLElement | null, read(): JsonValue | undefined | null }} Entry null: nothing can be sent yet; undefined: no value is needed */

/**
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
    case "password":
      return line(id, ask, t);
    case "confirmation":
      return { dom: null, read: () => undefined };
  }
}

/**
 * @param {string} id
 * @param {AskContent} ask
 * @param {Translate} t
 */
function line(id, ask, t) {
  const secret = ask.inputType === "password";
  const field = el("input", {
    class: "ask-field", type: ask.inputType, "aria-label": t(secret ? "ask.password" : "ask.text"), "aria-describedby": id,
    autocomplete: "off", spellcheck: "false", required: true, value: ask.default,
  });
  return { dom: field, read: () => field.value };
}

/**
 * @param {string} id
 * @param {AskContent} ask
 * @param {Translate} t
 */
function choices(id, ask, t) {
  const radios = ask.options.map((option) => el("input", { type: "radio", name: `${id}-choice`, value: option, required: true, checked: option === ask.default }));
  const box = el("div", { class: "ask-choices", role: "radiogroup", "aria-label": t("ask.choice"), "aria-describedby": id },
    radios.map((radio) => el("label", { class: "ask-choice" }, radio, el("span", {}, radio.value))));
  const chosen = radios.findIndex(({ checked }) => checked);
  // A default far down the list is to be seen; only the list scrolls, never the chat. It has its height with the next frame.
  if (chosen > 0) requestAnimationFrame(() => { box.scrollTop = (radios[chosen]?.parentElement?.offsetTop ?? 0) - box.offsetTop - box.clientHeight / 2; });
  return { dom: box, read: () => radios.find(({ checked }) => checked)?.value ?? null };
}
