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

const OF_MODELS = new Set(["auth", "no_credit", "rate_limited", "timeout", "unavailable", "unknown", "unreachable", "too_long", "refused", "error", "empty"].map((one) => `model_${one}`));

/**
 * What a model's fault is called in the language of the page, where it has a word for it, and what the server says of it: it
 * speaks English.
 *
 * @param {{ code: string, content: string, hint?: string }} fault `content` without the hint
 * @param {Translate} t
 * @returns {{ what: string, hint: string }}
 */
export function modelFault({ code, content, hint = "" }, t) {
  if (t.language === "en" || !OF_MODELS.has(code)) return { what: content, hint }; // the server says more than the code
  return { what: t(`fault.${code}`), hint: `${content} ${hint}`.trim() };
}
