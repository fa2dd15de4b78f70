/**
 * What a terminal program asks: its prompt as it stands on its screen, and the answers it named itself. Whatever is asked
 * without a tool is asked by a program. Pure but for `programPrompt`.
 */

import { el } from "../core/dom.js";
import { visible } from "../core/escaping.js";

/** @import { AskContent, Translate } from "../types.js" */

const NO = /^(n|no|いいえ)$/i;
/** A line of a numbered list: "2) blue", "[2] blue", "2. blue". */
const NUMBERED = /^[^\p{L}\p{N}]*?(\d{1,2})[\]).:]\s+(\S.*)$/u;

/** @param {AskContent} ask */
export const isProgramAsk = ({ kind, tool }) => kind === "input" && tool === undefined;

/**
 * The prompt, all of it: a menu has lines above the one that asks.
 *
 * @param {string} id
 * @param {string} prompt
 */
export function programPrompt(id, prompt) {
  const text = visible(prompt.replace(/^\s*\n/, "").trimEnd());
  return el("pre", { class: "ask-prompt ask-screen", id, tabindex: text.includes("\n") ? "0" : null }, text);
}

/** The line of a prompt that asks, for where one line is all there is room for. @param {string} prompt */
export const lastLine = (prompt) => prompt.trimEnd().split("\n").at(-1)?.trim() ?? "";

/**
 * What a program calls yes and no, and which of the two it takes for an empty answer.
 *
 * @param {AskContent} ask
 * @returns {{ yes: string, no: string, byDefault: "yes" | "no" | null }}
 */
export function namedAnswers({ options, default: defaultOption }) {
  const no = options.find((option) => NO.test(option)) ?? options[1] ?? "";
  const yes = options.find((option) => option !== no) ?? "";
  const same = (/** @type {string} */ option) =>
    defaultOption !== undefined && option !== "" && option.toLowerCase() === defaultOption.toLowerCase();
  return { yes, no, byDefault: same(yes) ? "yes" : same(no) ? "no" : null };
}

/** Whether all it waits for is Enter. @param {AskContent} ask */
export const isEnterPrompt = ({ inputType, options, default: defaultOption }) =>
  inputType === "confirmation" && options.length === 0 && defaultOption === "";

/**
 * What each option means, where the prompt's own list says it: "2" is "blue".
 *
 * @param {AskContent} ask
 * @returns {Map<string, string>}
 */
export function meanings({ prompt, options }) {
  const labels = prompt.split("\n").flatMap((line) => {
    const [, number = "", label = ""] = NUMBERED.exec(line) ?? [];
    return options.includes(number) ? [/** @type {const} */ ([number, label.trim()])] : [];
  });
  return new Map(labels);
}
