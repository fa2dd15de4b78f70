/** Why a turn could not be asked otherwise, or code not be run, and what the desk has to say: in the language of the page where it knows the reason. Pure. */

import { Refusal } from "./api.js";

/** @import { Attempt, Text, Translate } from "../types.js" */

const KNOWN = new Set(["run_open", "offline", "empty", "too_large", "not_supported"]);

/**
 * @param {{ code: string, content: string }} fault
 * @param {Attempt["kind"]} kind
 * @param {Translate} t
 */
export function attemptMessage({ code, content }, kind, t) {
  return KNOWN.has(code) ? t(`${kind === "code" ? "code" : "turn"}.fault_${code}`) : content;
}

/**
 * What a fault of a run is called in the language of the page, and what the server says of it, which is in English: where the
 * strings have `fault.CODE`. With `fault.CODE_hint` the page says that, too, for the server knows nothing more.
 *
 * @param {{ code: string, content: string, hint?: string }} fault `content` without the hint
 * @param {Translate} t
 * @returns {{ text: string, hint: string }}
 */
export function runFault({ code, content, hint = "" }, t) {
  const key = `fault.${code}`;
  if (t.language === "en" || !t.has(key)) return { text: content, hint }; // the server says more than the code
  return { text: t(key), hint: t.has(`${key}_hint`) ? t(`${key}_hint`) : `${content} ${hint}`.trim() };
}

/**
 * Do what the server may refuse; what it says then comes as `runFault` words it.
 *
 * @template T
 * @param {Translate} t
 * @param {() => Promise<T>} act
 */
export async function translateRefusal(t, act) {
  try {
    return await act();
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
    const { text, hint } = runFault({ code: fault.code, content: fault.message }, t);
    throw new Refusal(`${text} ${hint}`.trim(), fault.status, fault.code);
  }
}

/**
 * A notice of the desk in the language of the page: `notice.CODE`, into which its facts go, each by what is said of its value
 * (`notice.CODE_FACT_VALUE`), of the fact (`notice.CODE_FACT`), or as it is. One that the page has no words for is as it came.
 *
 * @param {Text} message
 * @param {Translate} t
 * @returns {Text}
 */
export function noticeOf(message, t) {
  const { code, facts = {} } = message;
  const key = `notice.${code}`;
  if (t.language === "en" || !t.has(key)) return message;
  const translateRefusal = Object.entries(facts).map(([name, value]) => {
    const factKey = [`${key}_${name}_${value}`, `${key}_${name}`].find(
      (candidate) => value !== "" && t.has(candidate),
    );
    const formatted = typeof value === "number" ? t.number(value) : value;
    return [name, factKey === undefined ? formatted : t(factKey, { value: formatted })];
  });
  return { ...message, content: t(key, Object.fromEntries(translateRefusal)), html: undefined };
}
