// @ts-check
/**
 * The log of messages as it is in the page's state, and the rows the debug pane makes of it, without any DOM. Every message becomes a row, in the order of arrival; only the many small
 * pieces of one step (deltas, prints) are folded into one row that counts them. Rows are appended and never moved, so a
 * list of ten thousand costs nothing to keep.
 */

import { summarise } from "./words.js";

/** @import { Message } from "../types.js" */

/** @typedef {{type: string, content?: unknown, seq?: number, runId?: string, timestamp?: string, [field: string]: unknown}} AnyMessage */
/** What a dot stands for.
 * @typedef {"desk" | "person" | "run" | "step" | "model" | "tool" | "output" | "ask" | "error"} Kind */
/**
 * @typedef {object} Row
 * @property {number} id increasing, never used again
 * @property {Kind} kind
 * @property {string} type of its messages
 * @property {0 | 1 | 2} depth run, step, item
 * @property {string} summary one line
 * @property {string | null} runId
 * @property {number | null} step
 * @property {AnyMessage[]} messages one, or the pieces folded into this row
 * @property {number} from milliseconds since 1970: when what it tells of began
 * @property {number} to when it ended; the same as `from` for a moment
 * @property {number} version goes up when the row changes
 */

/** What came, newest first: appending is O(1), and whoever reads walks back to what it has.
 * @typedef {{before: Logged | null, message: Message, at: number}} Logged `at`: milliseconds since 1970 */

/** @param {Logged | null} before @param {Message} message @param {number} at @returns {Logged} */
export const logged = (before, message, at) => ({ before, message, at });

/**
 * What was logged after `seen`, oldest first; all of it when `seen` is no part of the log.
 * @param {Logged | null} log
 * @param {Logged | null} seen
 * @returns {{ fresh: Logged[], whole: boolean }} whether `fresh` is the whole log
 */
export function since(log, seen) {
  const fresh = [];
  let at = log;
  for (; at !== null && at !== seen; at = at.before) fresh.push(at);
  return { fresh: fresh.reverse(), whole: at !== seen || seen === null };
}

const FOLDED = new Set(["delta", "printed", "tool_progress"]);
const CLOSING = new Set(["finished", "failed", "cancelled"]);
/** @type {Record<string, Kind>} */
const KINDS = {
  user_message: "person",
  run: "run",
  debug: "step",
  delta: "model",
  code: "model",
  text: "model",
  tool: "tool",
  tool_progress: "tool",
  printed: "output",
  ask: "ask",
  ask_closed: "ask",
  error: "error",
  chat: "desk",
  map_definition: "desk",
};
/** Characters of a row that the search looks at. */
const SEARCHED = 50_000;

export class DebugLog {
  constructor() {
    /** @type {Row[]} */
    this.rows = [];
    this.nextId = 1;
    /** @type {Map<string, Row>} pieces of one step by run, step and type */
    this.folds = new Map();
    /** @type {Map<number, Row>} */
    this.bySeq = new Map();
    /** @type {Map<string, number>} when a call, an ask, a step or a run began */
    this.begun = new Map();
    /** @type {Map<string, number>} the step each run is at */
    this.steps = new Map();
    /** @type {Map<string, {from: number, to: number}>} */
    this.runs = new Map();
    /** @type {WeakMap<Row, {version: number, text: string}>} */
    this.texts = new WeakMap();
  }

  /** Nothing of what came so far counts for what comes: another chat. */
  forget() {
    for (const map of [this.folds, this.bySeq, this.begun, this.steps, this.runs]) map.clear();
    this.texts = new WeakMap();
  }

  /** Empty the list; runs under way keep their times. */
  clear() {
    this.rows = [];
    this.folds.clear();
    this.bySeq.clear();
  }

  /**
   * @param {AnyMessage} message
   * @param {number} now milliseconds since 1970, for a message without a timestamp
   * @returns {Row} the new row, or the one it was folded into
   */
  add(message, now) {
    const stamp = Date.parse(String(message.timestamp));
    const at = stamp || now;
    const runId = runOf(message);
    const step = this.stepOf(message, runId);
    if (runId && stamp) this.stretch(runId, stamp); // the clock here is another than the server's
    const fold = FOLDED.has(message.type) ? `${runId} ${step} ${message.type} ${record(message.content).callId ?? ""}` : "";
    const known = this.folds.get(fold);
    if (known) {
      known.messages.push(message);
      known.to = Math.max(known.to, at);
      known.version += 1;
      this.remember(message, known);
      return known;
    }
    /** @type {Row} */
    const row = {
      id: this.nextId,
      kind: kindOf(message),
      type: message.type,
      depth: depthOf(message, runId, step),
      summary: summarise(message),
      runId,
      step,
      messages: [message],
      from: Math.min(at, this.beginning(message, runId, step, at)),
      to: at,
      version: 1,
    };
    this.nextId += 1;
    this.rows.push(row);
    if (fold) this.folds.set(fold, row);
    this.remember(message, row);
    return row;
  }

  /** @param {AnyMessage} message @param {Row} row */
  remember({ seq }, row) {
    if (typeof seq === "number" && !this.bySeq.has(seq)) this.bySeq.set(seq, row);
  }

  /** @param {string} runId @param {number} at */
  stretch(runId, at) {
    const run = this.runs.get(runId);
    if (!run) this.runs.set(runId, { from: at, to: at });
    else run.to = Math.max(run.to, at);
  }

  /**
   * The step a message belongs to: its own word, else where its run is.
   * @param {AnyMessage} message
   * @param {string | null} runId
   */
  stepOf(message, runId) {
    if (!runId) return null;
    const content = record(message.content);
    const label = /\d+/.exec(String(message.step ?? ""));
    const step = typeof content.step === "number" ? content.step : label ? Number(label[0]) : null;
    if (step !== null) this.steps.set(runId, step);
    return step ?? this.steps.get(runId) ?? null;
  }

  /**
   * When began what this message ends? Notes beginnings along the way.
   * @param {AnyMessage} message
   * @param {string | null} runId
   * @param {number | null} step
   * @param {number} at
   */
  beginning(message, runId, step, at) {
    const content = record(message.content);
    const stepKey = `step ${runId} ${step}`;
    if (step !== null && !this.begun.has(stepKey)) this.begun.set(stepKey, at);
    switch (message.type) {
      case "run":
        if (!CLOSING.has(String(content.state))) return this.begin(`run ${runId}`, at), at;
        return this.begun.get(`run ${runId}`) ?? at;
      case "tool":
        if (content.state === "called") return this.begin(`call ${content.callId}`, at), at;
        return this.begun.get(`call ${content.callId}`) ?? at;
      case "ask":
        this.begin(`ask ${content.askId}`, at);
        return at;
      case "ask_closed":
        return this.begun.get(`ask ${content.askId}`) ?? at;
      case "debug":
        return this.begun.get(stepKey) ?? at;
      default:
        return at;
    }
  }

  /** @param {string} key @param {number} at */
  begin(key, at) {
    if (!this.begun.has(key)) this.begun.set(key, at);
  }

  /**
   * Where a row lies within its run, both 0 to 1; null when the run has no length yet.
   * @param {Row} row
   */
  share({ runId, from, to }) {
    const run = runId ? this.runs.get(runId) : undefined;
    const length = run ? run.to - run.from : 0;
    if (!run || length <= 0) return null;
    return { start: Math.max(0, from - run.from) / length, length: (to - from) / length };
  }

  /** @param {Row} row @param {string} query in lower case @returns {boolean} */
  matches(row, query) {
    return query === "" || this.textOf(row).includes(query);
  }

  /** @param {Row} row @returns {string} what the search looks at, in lower case */
  textOf(row) {
    const kept = this.texts.get(row);
    if (kept?.version === row.version) return kept.text;
    const body = FOLDED.has(row.type) ? joined(row) : JSON.stringify(row.messages[0]);
    const text = `${row.type} ${row.summary} ${body}`.slice(0, SEARCHED).toLowerCase();
    this.texts.set(row, { version: row.version, text });
    return text;
  }

  /**
   * The last row that drew something in a room.
   * @param {string} room
   * @returns {Row | null}
   */
  ofRoom(room) {
    for (let index = this.rows.length - 1; index >= 0; index -= 1) {
      const row = this.rows[index];
      if (row && ["map", "map_frames", "arrow", "highlight_room"].includes(row.type) && names(row.messages[0]?.content, room)) return row;
    }
    return null;
  }
}

/** @param {Row} row @returns {string} the pieces put together again */
export function joined(row) {
  return row.messages.map(({ content }) => (typeof content === "string" ? content : String(record(content).text ?? ""))).join("");
}

/** @param {AnyMessage} message @returns {string | null} */
function runOf({ runId, content }) {
  const own = runId ?? record(content).runId;
  return typeof own === "string" ? own : null;
}

/** @param {AnyMessage} message @returns {Kind} */
function kindOf({ type, content }) {
  if (type === "run" && record(content).state === "failed") return "error";
  if (type === "tool" && record(content).state === "failed") return "error";
  return KINDS[type] ?? "output";
}

/** @param {AnyMessage} message @param {string | null} runId @param {number | null} step @returns {0 | 1 | 2} */
function depthOf({ type, content }, runId, step) {
  if (!runId || type === "user_message") return 0;
  if (type === "run") return typeof record(content).step === "number" ? 1 : 0;
  return type === "debug" || step === null ? 1 : 2;
}

/** @param {unknown} value whether it names this room, anywhere @param {string} room @returns {boolean} */
function names(value, room) {
  if (typeof value === "object" && value !== null) return Object.values(value).some((one) => names(one, room));
  return value === room;
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function record(value) {
  return typeof value === "object" && value !== null ? /** @type {Record<string, unknown>} */ (value) : {};
}
