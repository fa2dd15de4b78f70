/** Why a turn could not be asked otherwise, or code not be run: in the language of the page where it knows the reason. Pure. */

/** @import { Attempt, Translate } from "../types.js" */

const KNOWN = new Set(["run_open", "offline", "empty", "too_large", "not_supported"]);

/**
 * @param {{ code: string, content: string }} fault
 * @param {Attempt["what"]} what
 * @param {Translate} t
 */
export function faultWords({ code, content }, what, t) {
  return KNOWN.has(code) ? t(`${what === "code" ? "code" : "turn"}.fault_${code}`) : content;
}

/**
 * What a fault of a run is called in the language of the page, and what the server says of it, which is in English: where the
 * strings have `fault.CODE`. With `fault.CODE_hint` the page says that, too, for the server knows nothing more.
 *
 * @param {{ code: string, content: string, hint?: string }} fault `content` without the hint
 * @param {Translate} t
 * @returns {{ what: string, hint: string }}
 */
export function runFault({ code, content, hint = "" }, t) {
  const key = `fault.${code}`;
  if (t.language === "en" || !t.has(key)) return { what: content, hint }; // the server says more than the code
  return { what: t(key), hint: t.has(`${key}_hint`) ? t(`${key}_hint`) : `${content} ${hint}`.trim() };
}
