// @ts-check
/** Rows of the debug pane, and the properties of a message that decide its place: kind, level, text, pieces. Pure. */

import { inner } from "../core/nested.js";
import { summarise } from "./words.js";

/** @import { AnyMessage } from "./words.js" */

/** Kind of a row. @typedef {"run" | "step" | "model" | "code" | "tool" | "ask" | "output" | "desk"} Kind */
/** @typedef {"info" | "warning" | "error"} Level */
/**
 * Figures of model calls, for a row and all rows below it; unknown figures are missing.
 *
 * @typedef {{calls: number, first?: number, input?: number, output?: number, cached?: number, cost?: number, omitted?:
 *   number, structured?: true}} Figures
 */
/**
 * @typedef {object} Row
 * @property {number} id increasing, never reused
 * @property {Kind} kind
 * @property {string} type of its first message, or of the thing it represents
 * @property {Level} level
 * @property {string} summary one line
 * @property {string | null} runId
 * @property {number | null} step
 * @property {string} [within] the call that a managed agent works for, of its row and its steps
 * @property {Row | null} parent
 * @property {Row[]} children
 * @property {boolean} open whether its children are shown
 * @property {string} [state] latest state of a run
 * @property {AnyMessage[]} messages its messages in the order of arrival
 * @property {number} from milliseconds since 1970: start
 * @property {number} to end; equal to `from` for an instant
 * @property {number} version grows with each change of the row
 * @property {Figures} figures
 */

/** Original wire messages by the nested message that rows use. @type {WeakMap<AnyMessage, AnyMessage>} */
const WIRE_MESSAGES = new WeakMap();

/** Return the message as it came over the wire. @param {AnyMessage} message */
export const wireMessage = (message) => WIRE_MESSAGES.get(message) ?? message;

/**
 * Unwrap a message of a managed agent, with its call and its name; any other is returned as it is.
 *
 * @param {AnyMessage} message
 * @returns {AnyMessage}
 */
export function unwrapNested(message) {
  const { within, agent, message: inside } = record(message.content);
  if (message.type !== "nested" || typeof record(inside).type !== "string") return message;
  const context = {
    .../** @type {AnyMessage} */ (inner(/** @type {never} */ (message))),
    within: String(within),
    agent: String(agent),
  };
  WIRE_MESSAGES.set(context, message);
  return context;
}

export const KINDS = /** @type {const} */ (["run", "step", "model", "code", "tool", "ask", "output", "desk"]);
export const LEVELS = /** @type {const} */ (["info", "warning", "error"]);

/** Final states of a run. */
export const CLOSING = new Set(["finished", "failed", "cancelled"]);
/** Streamed pieces of one text, joined for reading and searching. */
const PIECES = new Set(["delta", "printed", "tool_progress"]);
/** Maximum characters of a row that the search covers. */
const MAX_SEARCHED = 50_000;

/** @type {Record<string, Kind>} */
const KIND_OF_TYPE = {
  user_message: "run",
  run: "run",
  debug: "step",
  delta: "model",
  prompt_progress: "model",
  model_call: "model",
  code: "code",
  tool: "tool",
  tool_progress: "tool",
  ask: "ask",
  ask_closed: "ask",
  chat: "desk",
  map_definition: "desk",
  policy: "desk",
  branch: "desk",
};

/** @param {AnyMessage} message @returns {Kind} */
export function kindOf({ type, kind, content }) {
  if (type === "debug" && hasScreen(content)) return "output";
  return type === "delta" && kind === "output" ? "output" : (KIND_OF_TYPE[type] ?? "output");
}

/**
 * Check whether a message belongs to a batch of a terminal program, of which a step has many.
 *
 * @param {unknown} content of a debug message
 */
export const hasScreen = (content) => Array.isArray(record(record(content).agent_response).screen);

/** @param {AnyMessage} message @returns {Level} */
export function levelOf({ type, content, tone }) {
  const { state, error, granted } = record(content);
  if (
    type === "error" ||
    state === "failed" ||
    (type === "model_call" && error !== undefined && error !== "stopped")
  )
    return "error";
  const isDenied = type === "ask_closed" && granted === false;
  return isDenied || state === "cancelled" || tone === "notice" || error === "stopped" ? "warning" : "info";
}

/** @param {AnyMessage} message @returns {string | null} */
export function runOf({ runId, content }) {
  const value = runId ?? record(content).runId;
  return typeof value === "string" ? value : null;
}

/** Return the step that a message names; null for most. @param {AnyMessage} message */
export function stepOf(message) {
  const { step } = record(message.content);
  const label = /\d+/.exec(String(message.step ?? ""));
  return typeof step === "number" ? step : label ? Number(label[0]) : null;
}

/**
 * Create a row for a message, without a place in the tree.
 *
 * @param {number} id
 * @param {AnyMessage} message
 * @param {number} at
 * @returns {Row}
 */
export function rowOf(id, message, at) {
  return {
    id,
    kind: kindOf(message),
    type: message.type,
    level: levelOf(message),
    summary: summarise(message),
    runId: runOf(message),
    step: null,
    parent: null,
    children: [],
    open: true,
    messages: [message],
    from: at,
    to: at,
    version: 1,
    figures: { calls: 0 },
  };
}

/** Add the figures of a finished call. @param {Row} row @param {Figures} more figures of the call */
export function count({ figures }, more) {
  figures.calls += more.calls;
  figures.first ??= more.first;
  if (more.structured) figures.structured = true;
  if (more.omitted !== undefined) figures.omitted = Math.max(figures.omitted ?? 0, more.omitted);
  for (const name of /** @type {const} */ (["input", "output", "cached", "cost"])) {
    const value = more[name];
    if (value !== undefined) figures[name] = (figures[name] ?? 0) + value;
  }
}

/** Return the figures of a model call. @param {unknown} content of a model_call @returns {Figures} */
export function figuresOf(content) {
  const { firstToken, inputTokens, outputTokens, cachedTokens, cost, leftOut, structured } = record(content);
  /** @type {Figures} */
  const figures = { calls: 1 };
  const take = (
    /** @type {"first" | "input" | "output" | "cached" | "cost" | "omitted"} */ name,
    /** @type {unknown} */ value,
  ) => {
    if (typeof value === "number") figures[name] = value;
  };
  take("first", firstToken);
  take("input", inputTokens);
  take("output", outputTokens);
  take("cached", cachedTokens);
  take("cost", cost);
  take("omitted", leftOut);
  if (structured) figures.structured = true;
  return figures;
}

/** Join the streamed pieces of a row. @param {Row} row @returns {string} "" for a row without any */
export function joined({ messages }) {
  return messages
    .filter(({ type }) => PIECES.has(type))
    .map(({ content }) => (typeof content === "string" ? content : String(record(content).text ?? "")))
    .join("");
}

/** Return the searchable text. @param {Row} row @returns {string} in lower case */
export function searchedText(row) {
  const text = row.messages
    .filter(({ type }) => !PIECES.has(type))
    .map((message) => JSON.stringify(message))
    .join(" ");
  return `${row.type} ${row.summary} ${text} ${joined(row)}`.slice(0, MAX_SEARCHED).toLowerCase();
}

/**
 * Return all seqs of a row and the rows below it; of streamed pieces only the first, which identifies their block.
 *
 * @param {Row} row
 * @param {number[]} [seqs]
 * @returns {number[]}
 */
export function seqsOf(row, seqs = []) {
  const first = row.messages.find(({ type }) => PIECES.has(type));
  for (const message of row.messages)
    if (typeof message.seq === "number" && (message === first || !PIECES.has(message.type)))
      seqs.push(message.seq);
  for (const child of row.children) seqsOf(child, seqs);
  return seqs;
}

/** @param {unknown} value @returns {Record<string, unknown>} */
export function record(value) {
  return typeof value === "object" && value !== null ? /** @type {Record<string, unknown>} */ (value) : {};
}
