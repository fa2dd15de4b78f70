/**
 * Error messages in the language of the page. An error whose code is unknown keeps the server's English message. Pure.
 */

import { Refusal } from "./api.js";

/** @import { Attempt, Text, Translate } from "../types.js" */

const TRANSLATED = new Set(["run_open", "offline", "empty", "too_large", "not_supported", "rows_elsewhere"]);

/**
 * @param {{ code: string, content: string }} fault
 * @param {Attempt["kind"]} kind
 * @param {Translate} t
 */
export function attemptMessage({ code, content }, kind, t) {
  return TRANSLATED.has(code) ? t(`${kind === "code" ? "code" : "turn"}.fault_${code}`) : content;
}

/**
 * Return the message and the hint of a run's error in the language of the page, from `fault.CODE` and
 * `fault.CODE_hint`, with its facts. Without a translated hint the hint is the server's English message and hint.
 *
 * @param {{ code: string, content: string, hint?: string, facts?: Text["facts"] }} fault `content` without the hint
 * @param {Translate} t
 * @returns {{ text: string, hint: string }}
 */
export function runFault({ code, content, hint = "", facts = {} }, t) {
  const key = `fault.${code}`;
  if (t.language === "en" || !t.has(key)) return { text: content, hint }; // the server's English text has more details
  const values = formatFacts(key, facts, t);
  return {
    text: t(key, values),
    hint: t.has(`${key}_hint`) ? t(`${key}_hint`, values) : `${content} ${hint}`.trim(),
  };
}

/**
 * Run `act`, and translate the message of a `Refusal` with `runFault`.
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
    throw new Refusal(`${text} ${hint}`.trim(), fault.status, fault.code, fault.notes);
  }
}

/**
 * Return a notice in the language of the page. Its text is `notice.CODE`; each fact becomes `notice.CODE_FACT_VALUE`,
 * else `notice.CODE_FACT`, else its value. A notice without a translation is returned unchanged.
 *
 * @param {Text} message
 * @param {Translate} t
 * @returns {Text}
 */
export function noticeOf(message, t) {
  const { code, facts = {} } = message;
  const key = `notice.${code}`;
  if (t.language === "en" || !t.has(key)) return message;
  return { ...message, content: t(key, formatFacts(key, facts, t)), html: undefined };
}

/** @param {string} key @param {NonNullable<Text["facts"]>} facts @param {Translate} t */
function formatFacts(key, facts, t) {
  const entries = Object.entries(facts).map(([name, value]) => {
    const factKey = [`${key}_${name}_${value}`, `${key}_${name}`].find(
      (candidate) => value !== "" && t.has(candidate),
    );
    const formatted = typeof value === "number" ? t.number(value) : value;
    return [name, factKey === undefined ? formatted : t(factKey, { value: formatted })];
  });
  return Object.fromEntries(entries);
}
