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
