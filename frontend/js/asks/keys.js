/** The keys of an ask's card, while the focus is in it: a letter, a number or Enter answers, but never while something is typed. */

import { isProgramAsk, namedAnswers, isEnterPrompt } from "./program.js";

/** @import { AskCard } from "./card.js" */

/**
 * While the arguments are edited, only Escape and Ctrl+Enter do something.
 *
 * @param {AskCard} card
 * @param {KeyboardEvent} event
 */
export function cardKey(card, event) {
  if (
    event.isComposing ||
    event.keyCode === 229 ||
    event.repeat ||
    event.altKey ||
    event.defaultPrevented ||
    card.closed
  )
    return;
  if (card.editor) {
    if (event.key === "Escape") card.back();
    else if (event.key !== "Enter" || !isOfAField(event, card.form)) return;
    else if (event.ctrlKey || event.metaKey) card.submit();
    event.preventDefault(); // Enter alone in a field grants nothing: one is still editing
    return;
  }
  const typed =
    event.target instanceof Element && event.target.closest('input:not([type="radio"]), textarea, select');
  if (typed || event.ctrlKey || event.metaKey) return;
  if (acts(card, event)) event.preventDefault();
}

/**
 * Do what a single key does.
 *
 * @param {AskCard} card
 * @param {KeyboardEvent} event
 * @returns {boolean} whether it does anything
 */
function acts(card, { key, target }) {
  const { ask } = card;
  const yesOrNo = ask.inputType === "confirmation" && !isEnterPrompt(ask);
  if (key === "y" && yesOrNo) card.allow("call");
  else if (key === "n" && yesOrNo) card.deny("call", "");
  else if (key === "e" && card.buttons) card.edit();
  else if (/^\d$/.test(key)) return card.entry.choose?.(key) ?? false;
  else if (key === "Enter" && target === card.dom && isProgramAsk(ask)) return answerByDefault(card, yesOrNo);
  else return false;
  return true;
}

/**
 * Enter on the card is what it is in a terminal: the program's default. Where yes and no have none, it answers nothing.
 *
 * @param {AskCard} card
 * @param {boolean} yesOrNo
 */
function answerByDefault(card, yesOrNo) {
  const byDefault = yesOrNo ? namedAnswers(card.ask).byDefault : "yes";
  if (byDefault === "yes") card.form.requestSubmit();
  else if (byDefault === "no") card.deny("call", "");
  return byDefault !== null;
}

/**
 * Whether an Enter is one of a field, not of a button and not a new line of a text; with Ctrl it is one anywhere.
 *
 * @param {KeyboardEvent} event
 * @param {HTMLFormElement} form
 */
function isOfAField(event, form) {
  if (event.ctrlKey || event.metaKey) return form.contains(/** @type {Node} */ (event.target));
  return event.target instanceof HTMLInputElement;
}
