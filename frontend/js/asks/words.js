/** Texts of an ask: its title, its number of calls, its outcome. Pure, except `named`. */

import { isEnterPrompt } from "./program.js";
import { el } from "../core/dom.js";
import { changedArguments } from "../core/runs.js";
import { visible } from "../core/escaping.js";

/** @import { AskBlock, AskClosedContent, AskContent, JsonValue, Translate } from "../types.js" */

/** Maximum length of a call or an answer in one line. */
const LONGEST = 2_000;
/** Maximum length of all values together that are read aloud. */
const MAX_READ_ALOUD = 240;
const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });

/**
 * Return the question of an ask. The desk's own approval prompt is translated; any other is unchanged.
 *
 * @param {AskContent} ask
 * @param {Translate} t
 */
export function title({ kind, prompt, tool }, t) {
  const plain = kind === "approval" && tool && (prompt === "" || prompt === `Allow ${tool}?`);
  return plain ? t("ask.allow_tool", { tool }) : prompt || t("ask.prompt");
}

/** Return "3rd call from this line", or "" for the first call. @param {AskContent} ask @param {Translate} t */
export function callCount({ callsFromLine: n }, t) {
  return n === undefined || n < 2 ? "" : t(`ask.calls_${ORDINALS.select(n)}`, { n: t.number(n) });
}

/** Format a value for a table, uncut: the person approves all of it. @param {JsonValue | undefined} value */
export const formatValue = (value) =>
  visible(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/**
 * Return the call in one line with its final arguments: `pay(amount=30)`.
 *
 * @param {AskContent} ask
 * @param {AskClosedContent | null} closed
 */
export function shortCall(ask, closed) {
  const input = changedArguments(ask, closed) ?? ask.arguments;
  const call = `${ask.tool}(${Object.entries(input)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(", ")})`;
  return visible(call.length > LONGEST ? `${call.slice(0, LONGEST)}…` : call);
}

/** Describe the outcome of an ask. @param {AskContent} ask @param {AskClosedContent} closed @param {Translate} t */
export function ending(ask, closed, t) {
  const { by, granted, reason } = closed;
  if (by === "expiry" || by === "stop" || by === "restart") return t(`ask.ended_${by}`);
  if (ask.kind === "input") return describeEntered(ask, closed, t);
  const key = granted ? grantedKey(ask, closed) : deniedKey(closed);
  return !granted && reason ? t("ask.with_reason", { how: t(key), reason }) : t(key);
}

/** @param {AskContent} ask @param {AskClosedContent} closed */
function grantedKey(ask, closed) {
  if (closed.by === "policy") return "ask.granted_policy";
  if (closed.scope !== "call") return `ask.granted_${closed.scope}`;
  return changedArguments(ask, closed) ? "ask.granted_changed" : "ask.granted";
}

/** @param {AskClosedContent} closed */
function deniedKey({ by, scope }) {
  if (by === "policy") return "ask.denied_policy";
  return scope === "step" ? "ask.denied_step" : "ask.denied";
}

/** @param {AskContent} ask @param {AskClosedContent} closed @param {Translate} t */
function describeEntered(ask, { granted, reason, value }, t) {
  const { inputType } = ask;
  const confirmed = inputType === "confirmation";
  if (!granted) {
    const text = t(confirmed && !isEnterPrompt(ask) ? "ask.no" : "ask.declined");
    return reason ? t("ask.with_reason", { how: text, reason }) : text;
  }
  if (confirmed) return t(isEnterPrompt(ask) ? "ask.answered" : "ask.yes");
  return typeof value === "string" && value !== "" && inputType !== "password"
    ? t("ask.with_reason", { how: t("ask.answered"), reason: value.slice(0, LONGEST) })
    : t("ask.answered");
}

/** Explain why this page's answer did not count. @param {AskBlock} block @param {Translate} t */
export function describeLateAnswer({ fault, closed }, t) {
  if (fault?.code !== "ask_closed") return "";
  if (closed === null) return t("ask.already");
  return t(closed.by === "person" || closed.by === "policy" ? "ask.elsewhere" : "ask.too_late");
}

/**
 * Return the text that is read aloud when an ask opens: its question and its values.
 *
 * @param {AskContent} ask
 * @param {Translate} t
 */
export function describeAsk(ask, t) {
  const values = Object.entries(ask.arguments)
    .map(([name, value]) => `${name} ${formatValue(value)}`)
    .join(", ")
    .slice(0, MAX_READ_ALOUD);
  return [title(ask, t), callCount(ask, t), values].filter(Boolean).join(" ");
}

/**
 * Return a sentence with a tool's name as code.
 *
 * @param {Translate} t
 * @param {string} key
 * @param {string} tool
 * @returns {(Node | string)[]}
 */
export function named(t, key, tool) {
  const [before = "", after = ""] = t(key, { tool: "\u0000" }).split("\u0000");
  return [before, el("code", {}, tool), after];
}

/**
 * Return attributes for a button's shortcut: the tooltip, and `aria-keyshortcuts`.
 *
 * @param {Translate} t
 * @param {string} name
 * @param {string} key
 */
export const shortcutAttributes = (t, name, key) => ({
  title: t("ask.key", { name, key }),
  "aria-keyshortcuts": key,
});
