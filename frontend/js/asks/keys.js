/** Shortcuts of an ask's card while it has the focus: a letter, a number or Enter answers, but not in a field. */

import { isProgramAsk, namedAnswers, isEnterPrompt } from "./program.js";

/** @import { AskCard } from "./card.js" */

/**
 * Handle a key. While arguments are edited, only Escape and Ctrl+Enter work.
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
    else if (event.key !== "Enter" || !isInField(event, card.form)) return;
    else if (event.ctrlKey || event.metaKey) card.submit();
    event.preventDefault(); // Enter in a field must not submit while arguments are edited
    return;
  }
  const typed =
    event.target instanceof Element && event.target.closest('input:not([type="radio"]), textarea, select');
  if (typed || event.ctrlKey || event.metaKey) return;
  if (handleKey(card, event)) event.preventDefault();
}

/** Handle a single key. @param {AskCard} card @param {KeyboardEvent} event @returns {boolean} whether it was handled */
function handleKey(card, { key, target }) {
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
 * Answer with the program's default, as Enter does in a terminal. Without a default, Enter does nothing.
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
 * Check whether Enter was pressed in a field, not on a button and not for a new line; Ctrl+Enter counts anywhere.
 *
 * @param {KeyboardEvent} event
 * @param {HTMLFormElement} form
 */
function isInField(event, form) {
  if (event.ctrlKey || event.metaKey) return form.contains(/** @type {Node} */ (event.target));
  return event.target instanceof HTMLInputElement;
}
