// @ts-check
/**
 * Trace of a chat as a tree: run, step, and the events in it. Messages about one thing (a call and its result, an ask
 * and its answer, the pieces of a text) share a row. Messages may have any shape and age: without `model_call`s a
 * step's deltas make the row of its model. Pure.
 */

import {
  CLOSING,
  count,
  figuresOf,
  hasScreen,
  joined,
  kindOf,
  levelOf,
  record,
  rowOf,
  runOf,
  searchedText,
  stepOf,
  unwrapNested,
} from "./rows.js";
import { summarise } from "./words.js";

/** @import { AnyMessage } from "./words.js" */
/** @import { Figures, Kind, Level, Row } from "./rows.js" */

/**
 * Filter of the tree.
 *
 * @typedef {{kinds: Set<Kind>, level: Level, step: number | null, text: string}} Filter
 */

const SEVERITY = { info: 0, warning: 1, error: 2 };
const DRAWS = new Set(["map", "map_frames", "arrow", "highlight_room"]);

export class Trace {
  constructor() {
    this.nextId = 1;
    /** @type {Row[]} */
    this.roots = [];
    /** All rows in the order of arrival. @type {Row[]} */
    this.rows = [];
    this.messages = 0;
    /** Version of the tree; grows with new rows. */
    this.shape = 0;
    /** Errors in the order of their rows. @type {Row[]} */
    this.errors = [];
    /** @type {Set<Row>} */
    this.failed = new Set();
    /** @type {Figures} */
    this.figures = { calls: 0 };
    /** Rows by key. @type {Map<string, Row>} */
    this.rowsByKey = new Map();
    /** @type {Map<number, Row>} */
    this.bySeq = new Map();
    /** Current step of each run, and of each managed agent's work. @type {Map<string, number>} */
    this.steps = new Map();
    /** @type {WeakMap<Row, {version: number, text: string}>} */
    this.texts = new WeakMap();
    this.indexed = 0;
  }

  /** Clear the tree, for another chat or an emptied list. */
  clear() {
    const { nextId, shape } = this;
    Object.assign(this, new Trace(), { nextId, shape: shape + 1 });
  }

  /**
   * Add a message.
   *
   * @param {AnyMessage} sent
   * @param {number} now milliseconds since 1970, for a message without a timestamp
   */
  add(sent, now) {
    const message = unwrapNested(sent);
    const at = Date.parse(String(message.timestamp)) || now;
    this.messages += 1;
    const row = this.place(message, at);
    const level = levelOf(message);
    if (SEVERITY[level] > SEVERITY[row.level]) row.level = level;
    if (level === "error") this.fail(row);
    if (typeof message.seq === "number" && !this.bySeq.has(message.seq)) this.bySeq.set(message.seq, row);
    for (let up = row.parent; up; up = up.parent) {
      up.to = Math.max(up.to, at);
      up.version += 1;
    }
  }

  /** @param {Row} row */
  fail(row) {
    if (this.failed.has(row)) return;
    this.failed.add(row);
    const place = this.errors.findLastIndex(({ id }) => id < row.id) + 1; // an old row may fail late, as a run does
    this.errors.splice(place, 0, row);
  }

  /** Mark calls that ended with their run as stopped, not failed. @param {string} runId @param {unknown} reason */
  stopped(runId, reason) {
    const ended = this.errors.filter((row) => {
      const { state, result, code } = record(row.messages.at(-1)?.content);
      return (
        row.runId === runId &&
        row.type === "tool" &&
        state === "failed" &&
        (code === "run_ended" || result === reason)
      );
    });
    this.errors = this.errors.filter((row) => !ended.includes(row));
    for (const row of ended) {
      row.level = "warning";
      row.version += 1;
      row.summary = row.summary.replace("→ failed", "→ stopped");
    }
  }

  /** Place a message. @param {AnyMessage} message @param {number} at @returns {Row} its new or existing row */
  place(message, at) {
    const runId = runOf(message);
    if (runId === null) return this.insertRow(rowOf(this.nextId, message, at), null);
    const scope = scopeOf(message) ?? runId;
    const messageStep = stepOf(message);
    if (messageStep !== null) this.steps.set(scope, messageStep);
    const step = messageStep ?? this.steps.get(scope) ?? null;
    const kind = kindOf(message);
    const { type } = message;
    const begins = type === "run" && messageStep !== null;
    if (kind === "run" && !begins) return this.run(runId, message, at);
    const ofStep = step !== null && (begins || (type === "debug" && !hasScreen(message.content)));
    const container = scope === runId ? this.run(runId, null, at) : this.agent(runId, message, at);
    if (begins && scope === runId) container.state = String(record(message.content).state);
    const parent = step === null ? container : this.step(container, step, ofStep ? message : null, at);
    if (ofStep) return parent;
    return this.item(message, at, parent, kind);
  }

  /** Return the row of a run. @param {string} runId @param {AnyMessage | null} message @param {number} at */
  run(runId, message, at) {
    const existing = this.rowsByKey.get(`run ${runId}`);
    if (existing) return message ? this.join(existing, message, at) : existing;
    const row = this.insertRow(
      rowOf(this.nextId, message ?? { type: "run", runId, content: {} }, at),
      null,
      `run ${runId}`,
    );
    if (!message) row.messages = [];
    return Object.assign(row, { kind: "run", type: "run", runId });
  }

  /**
   * Return the row of a managed agent's work, below its call.
   *
   * @param {string} runId
   * @param {AnyMessage} message
   * @param {number} at
   */
  agent(runId, { within, agent }, at) {
    const key = `agent ${within}`;
    const existing = this.rowsByKey.get(key);
    if (existing) return existing;
    const row = rowOf(this.nextId, { type: "run", runId, content: {} }, at);
    const call = this.rowsByKey.get(`call ${within}`);
    return this.insertRow(
      Object.assign(row, { kind: "run", type: String(agent), summary: "", messages: [], within }),
      call ?? this.run(runId, null, at),
      key,
    );
  }

  /**
   * Return the row of a step.
   *
   * @param {Row} container row of its run, or of the managed agent's work
   * @param {number} step
   * @param {AnyMessage | null} message
   * @param {number} at
   */
  step(container, step, message, at) {
    const { runId, within } = container;
    const key = `step ${within ?? runId} ${step}`;
    const existing = this.rowsByKey.get(key);
    if (existing) return message ? this.join(existing, message, at) : existing;
    const row = rowOf(this.nextId, message ?? { type: "run", content: {} }, at);
    if (!message) row.messages = [];
    return this.insertRow(
      Object.assign(row, {
        kind: "step",
        type: "step",
        runId,
        step,
        within,
        summary: message?.type === "debug" ? row.summary : "",
      }),
      container,
      key,
    );
  }

  /**
   * Place an event in a step, or in a run outside its steps.
   *
   * @param {AnyMessage} message
   * @param {number} at
   * @param {Row} parent
   * @param {Kind} kind
   */
  item(message, at, parent, kind) {
    const content = record(message.content);
    const { type } = message;
    const inRun = `${parent.within ?? parent.runId} ${parent.step}`;
    switch (kind) {
      case "model": {
        const row = this.pieces(`model ${inRun}`, message, at, parent);
        if (type === "model_call") this.called(row, content, at, `model ${inRun}`);
        return row;
      }
      case "tool": {
        const call = this.pieces(
          `call ${content.callId}`,
          message,
          at,
          parent,
          type === "tool_progress" ? { type: "tool", content: { ...content, state: "called" } } : null,
        );
        if (type === "tool_progress") return this.progress(call, message, at);
        const last = call.children.findLast(({ kind: other }) => other === "tool");
        if (last && content.state !== "called") last.to = at;
        return call;
      }
      case "ask": {
        const call = content.callId ? this.rowsByKey.get(`call ${content.callId}`) : undefined;
        return this.pieces(`ask ${content.askId}`, message, at, call ?? parent);
      }
      case "code": {
        const row = this.insertRow(rowOf(this.nextId, message, at), parent);
        const model = this.rowsByKey.get(`last model ${inRun}`);
        if (!message.step || !model) return row;
        row.from = Math.min(at, model.to); // it ran from the end of the call that wrote it
        const { children } = parent;
        const place = children.indexOf(model) + 1;
        if (children[place]?.kind === "code") return row;
        // its message arrives at the end of the step, but its row belongs before the calls
        children.splice(place, 0, /** @type {Row} */ (children.pop()));
        row.id = model.id + 0.5;
        return row;
      }
      default:
        return type === "printed" || type === "delta"
          ? this.pieces(`${type} ${inRun}`, message, at, parent)
          : this.insertRow(
              Object.assign(rowOf(this.nextId, message, at), kind === "step" && { kind: "output" }),
              parent,
            ); // a batch without a step
    }
  }

  /**
   * Return the row of all messages with a key.
   *
   * @param {string} key
   * @param {AnyMessage} message
   * @param {number} at
   * @param {Row} parent
   * @param {AnyMessage | null} [stand] replaces the message in the row
   */
  pieces(key, message, at, parent, stand = null) {
    const existing = this.rowsByKey.get(key);
    if (existing && stand) return existing;
    if (existing) return this.join(existing, message, at);
    const row = this.insertRow(rowOf(this.nextId, stand ?? message, at), parent, key);
    if (stand) row.messages = [];
    return row;
  }

  /**
   * Add the figures of a finished model call to all rows above it.
   *
   * @param {Row} row
   * @param {Record<string, unknown>} content
   * @param {number} at
   * @param {string} key
   */
  called(row, content, at, key) {
    const figures = figuresOf(content);
    row.type = "model_call";
    if (typeof content.duration === "number") row.from = Math.min(row.from, at - content.duration * 1000);
    row.to = at;
    for (let up = /** @type {Row | null} */ (row); up; up = up.parent) count(up, figures);
    count(/** @type {Row} */ ({ figures: this.figures }), figures);
    this.rowsByKey.delete(key); // the next call of the step gets its own row
    this.rowsByKey.set(`last ${key}`, row);
  }

  /**
   * Add the progress of an agent elsewhere or a query: each state is a row below the call.
   *
   * @param {Row} call
   * @param {AnyMessage} message
   * @param {number} at
   */
  progress(call, message, at) {
    const { agent, state, share } = record(message.content);
    const last = call.children.findLast(({ kind }) => kind === "tool"); // an ask of the call may be between
    if (last?.type === `${agent} ${state}`) {
      if (share !== undefined) last.summary = summarise(message); // update the progress in the summary
      return this.join(last, message, at);
    }
    if (last) last.to = at;
    const row = rowOf(this.nextId, message, at);
    return this.insertRow(Object.assign(row, { type: `${agent} ${state}` }), call);
  }

  /** @param {Row} row @param {Row | null} parent @param {string} [key] @returns {Row} */
  insertRow(row, parent, key) {
    this.nextId += 1;
    this.shape += 1;
    row.parent = parent;
    row.step ??= parent?.step ?? null;
    (parent?.children ?? this.roots).push(row);
    this.rows.push(row);
    if (key) this.rowsByKey.set(key, row);
    return row;
  }

  /** @param {Row} row @param {AnyMessage} message @param {number} at @returns {Row} */
  join(row, message, at) {
    row.messages.push(message);
    row.version += 1;
    row.from = Math.min(row.from, at);
    row.to = Math.max(row.to, at);
    const { type, content } = message;
    const { state } = record(content);
    if (type === "debug" || type === "model_call" || (type === "tool" && state !== "called"))
      row.summary = joinTexts(row, summarise(message));
    else if (type === "ask_closed") row.summary = `${row.summary} · ${summarise(message)}`;
    else if (row.summary.length < 60 && (type === "delta" || type === "printed"))
      row.summary = summarise({ type: "", content: joined(row) });
    if (type === "run" && row.kind === "run") row.state = String(state);
    if (type === "run" && state === "cancelled" && row.runId !== null)
      this.stopped(row.runId, record(content).text);
    if (type === "run" && CLOSING.has(String(state)) && state !== "finished")
      row.summary = `${row.summary} · ${summarise(message)}`;
    return row;
  }

  /** Return the position of a row within its run, both 0 to 1; null while the run has no duration. @param {Row} row */
  share({ runId, from, to }) {
    const run = runId === null ? undefined : this.rowsByKey.get(`run ${runId}`);
    const length = run ? run.to - run.from : 0;
    if (!run || length <= 0) return null;
    return { start: Math.max(0, from - run.from) / length, length: (to - from) / length };
  }

  /**
   * Return the visible rows in order: those that match the filter, and their ancestors.
   *
   * @param {Filter | null} filter
   * @returns {{rows: Row[], matches: number}}
   */
  filtered(filter) {
    /** @type {Row[]} */
    const rows = [];
    let matches = 0;
    const walk = (/** @type {Row[]} */ some) => {
      for (const row of some) {
        const at = rows.push(row);
        const hit = filter === null || this.matchesFilter(row, filter);
        const before = matches;
        if (hit) matches += 1;
        if (filter !== null || row.open) walk(row.children);
        if (filter !== null && !hit && matches === before) rows.length = at - 1;
      }
    };
    walk(this.roots);
    return { rows, matches };
  }

  /** @param {Row} row @param {Filter} filter */
  matchesFilter(row, { kinds, level, step, text }) {
    if (kinds.size > 0 && !kinds.has(row.kind)) return false;
    if (SEVERITY[row.level] < SEVERITY[level]) return false;
    if (step !== null && row.step !== step) return false;
    return text === "" || this.textOf(row).includes(text);
  }

  /** @param {Row} row @returns {string} */
  textOf(row) {
    const cached = this.texts.get(row);
    if (cached?.version === row.version) return cached.text;
    const text = searchedText(row);
    this.texts.set(row, { version: row.version, text });
    return text;
  }

  /**
   * Prepare the search index for a limited time.
   *
   * @param {() => boolean} mayGoOn
   * @returns {boolean} whether there is more to do
   */
  index(mayGoOn) {
    for (; this.indexed < this.rows.length; this.indexed += 1) {
      if (this.indexed % 64 === 0 && !mayGoOn()) return true;
      this.textOf(/** @type {Row} */ (this.rows[this.indexed]));
    }
    return false;
  }

  /** Return the last row that drew in a room. @param {string} room @returns {Row | null} */
  ofRoom(room) {
    return (
      this.rows.findLast(({ type, messages }) => DRAWS.has(type) && names(messages[0]?.content, room)) ?? null
    );
  }

  /** Return the row of a run's question. @param {string} runId */
  ofRun(runId) {
    return this.rowsByKey.get(`run ${runId}`) ?? null;
  }
}

/** Return the call that a managed agent's message belongs to. @param {AnyMessage} message */
const scopeOf = ({ within }) => (typeof within === "string" ? within : null);

/** Combine the texts of a call and its end. @param {Row} row @param {string} end */
function joinTexts({ kind, summary }, end) {
  if (kind !== "tool") return end;
  return `${summary} → ${end.replace(/^\S+ (returned · )?/, "")}`;
}

/**
 * Check whether a value names this room, at any depth.
 *
 * @param {unknown} value
 * @param {string} room
 * @returns {boolean}
 */
function names(value, room) {
  if (typeof value === "object" && value !== null)
    return Object.values(value).some((item) => names(item, room));
  return value === room;
}
