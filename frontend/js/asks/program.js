/**
 * Asks of terminal programs: the prompt as on the program's screen, and the answers that it names. An ask without a
 * tool comes from a program. Pure, except `programPrompt`.
 */

import { el } from "../core/dom.js";
import { visible } from "../core/escaping.js";

/** @import { AskContent, Translate } from "../types.js" */

const NO = /^(n|no|いいえ)$/i;
/** Line of a numbered list: "2) blue", "[2] blue", "2. blue". */
const NUMBERED = /^[^\p{L}\p{N}]*?(\d{1,2})[\]).:]\s+(\S.*)$/u;

/** @param {AskContent} ask */
export const isProgramAsk = ({ kind, tool }) => kind === "input" && tool === undefined;

/** Create the complete prompt: a menu has lines above its question. @param {string} id @param {string} prompt */
export function programPrompt(id, prompt) {
  const text = visible(prompt.replace(/^\s*\n/, "").trimEnd());
  return el("pre", { class: "ask-prompt ask-screen", id, tabindex: text.includes("\n") ? "0" : null }, text);
}

/** Return the last line of a prompt, for places with room for one line. @param {string} prompt */
export const lastLine = (prompt) => prompt.trimEnd().split("\n").at(-1)?.trim() ?? "";

/**
 * Return the program's words for yes and no, and its default.
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

/** Check whether an ask only waits for Enter. @param {AskContent} ask */
export const isEnterPrompt = ({ inputType, options, default: defaultOption }) =>
  inputType === "confirmation" && options.length === 0 && defaultOption === "";

/**
 * Return the meaning of each option if the prompt lists it: "2" is "blue".
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
