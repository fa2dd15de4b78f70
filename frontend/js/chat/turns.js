/**
 * Changes of a turn by the messages of its run. Pure: each function returns a new turn. state.js finds the turn of a
 * message; this file changes it.
 */

import { tableName } from "../core/format.js";
import { changedArguments, isClosed } from "../core/runs.js";
import { callerOf, inCall, withStopped } from "./calls.js";
import { grown, textOf } from "./rope.js";
import { blockOf, withBatch, withRepeated } from "./program-output.js";

/** @import { AnswerOf, AskBlock, AskClosedContent, AskClosedMessage, AskContent, AskFault } from "../types.js" */
/** @import { AskMessage, Block, Call, Code, Debug, DeskState, JsonValue, Live, Printed, Run } from "../types.js" */
/** @import { ShownBlock, StepBlock, TableContent, Tool, ToolProgress, Turn, UserMessage } from "../types.js" */

/** @param {Block} block */
export const isAnswer = (block) =>
  block.kind === "shown" && block.message.type === "text" && block.message.tone !== "notice";

/** Check whether the turn shows an answer: a text, code, data, or output of a program. @param {Turn} turn */
export const isAnswered = (turn) =>
  turn.blocks.some(
    (block) =>
      isAnswer(block) ||
      block.kind === "output" ||
      (block.kind === "shown" && ["code", "json"].includes(block.message.type)),
  );

/** Return the turn that is running, or the first one in the queue. @param {DeskState["entries"]} entries */
export function runningTurn(entries) {
  const open = entries.flatMap((entry) => (entry.kind === "turn" && !isClosed(entry) ? [entry] : []));
  return open.find(({ state }) => state !== "queued") ?? open[0] ?? null;
}

/**
 * Return the answer that sets an open choice aside. A terminal program's choice is never set aside.
 *
 * @param {Pick<DeskState, "entries" | "chat">} state
 * @returns {AnswerOf | null}
 */
export function openChoice({ entries, chat }) {
  const turn = chat?.agent === "terminal" ? null : runningTurn(entries);
  const block = turn?.blocks.find(
    (candidate) =>
      candidate.kind === "ask" &&
      candidate.closed === null &&
      !candidate.answered &&
      candidate.ask.kind === "input" &&
      candidate.ask.inputType === "selection",
  );
  return turn && block?.kind === "ask"
    ? { runId: turn.runId, frame: { type: "answer", askId: block.ask.askId, granted: false } }
    : null;
}

/**
 * Return the messages that the server has not confirmed, with a question that continues from an older version.
 *
 * @param {Pick<DeskState, "pending" | "attempt">} state
 * @returns {import("../types.js").Pending[]}
 */
export function unconfirmedMessages({ pending, attempt }) {
  if (attempt?.kind !== "continue" || attempt.fault !== null) return pending;
  return [...pending, { id: attempt.id, content: attempt.text, state: "sent" }];
}

/**
 * Return the name of a table, with a number if earlier tables of the chat have the same one.
 *
 * @param {DeskState["entries"]} entries
 * @param {TableContent} table
 */
export function tableLabel(entries, table) {
  const at = entries
    .flatMap((entry) => (entry.kind === "turn" ? entry.blocks : []))
    .flatMap((block) => (block.kind === "shown" ? [block.message] : []))
    .flatMap((shown) =>
      shown.type === "alternatives"
        ? shown.content.alternatives.flatMap(({ outputs = [] }) => outputs)
        : shown,
    )
    .flatMap((shown) =>
      shown.type === "table" && tableName(shown.content) === tableName(table) ? [shown.content] : [],
    )
    .indexOf(table);
  const name = tableName(table);
  return at > 0 ? `${name} (${at + 1})` : name;
}

/** Most files of a message. */
const MAX_FILES = 20;

/**
 * Return the names of the files that a new message brings: those that came since the last question and are still
 * there, and, if it repeats that question, its files.
 *
 * @param {Pick<DeskState, "entries" | "files" | "pending">} state
 * @param {string} message
 */
export function attachmentsOf({ entries, files, pending }, message) {
  const at = entries.findLastIndex(
    (entry) => entry.kind === "turn" && !entry.isCode && entry.firstRun === entry.runId,
  );
  const last = entries[at];
  const repeated = last?.kind === "turn" && last.question === message ? last.attachments : [];
  const added = entries
    .slice(at + 1)
    .flatMap((entry) =>
      entry.kind === "aside" && entry.message.type === "file" ? [entry.message.content.name] : [],
    )
    .filter((name) => files.some((file) => file.name === name))
    .filter((name) => !pending.some(({ attachments = [] }) => attachments.includes(name)));
  return [...new Set([...repeated, ...added])].slice(-MAX_FILES);
}

/**
 * @param {UserMessage} message
 * @returns {Turn}
 */
export function newTurn(message) {
  return {
    kind: "turn",
    runId: message.runId ?? `seq-${message.seq}`,
    seq: message.seq ?? 0,
    question: message.content,
    isCode: message.isCode ?? false,
    firstRun: message.versionOf ?? message.runId ?? `seq-${message.seq}`,
    conversation: message.conversation ?? null,
    branches: [],
    attachments: message.attachments ?? [],
    timestamp: message.timestamp ?? "",
    ahead: message.ahead ?? 0,
    state: "queued",
    step: null,
    waiting: null,
    notes: [],
    blocks: [],
    closing: "",
    program: false,
    coming: null,
    kept: null,
    evidence: null,
  };
}

/**
 * @param {Turn} turn
 * @param {Run} message
 * @returns {Turn}
 */
export function withRun(turn, { content, timestamp }) {
  if (isClosed(turn)) return turn;
  const added = (content.notes ?? []).map((note, at) => ({ content: note, ...content.noted?.[at] }));
  const notes = added.length ? [...turn.notes, ...added] : turn.notes;
  const next = withWait({ ...turn, state: content.state, notes }, timestamp);
  if (isClosed(next)) {
    const over = { ...next, step: null, closing: content.text ?? "" };
    return over.state === "cancelled" ? withStopped(over, over.closing) : over;
  }
  if (content.step === undefined) return next;
  return withStep({ ...next, step: content.step }, content.step, (block) => ({
    ...block,
    started: block.started ?? timestamp,
  }));
}

/**
 * Store since when a turn waits for a person; when it continues, its step gets the duration of the wait.
 *
 * @param {Turn} turn turn in its new state
 * @param {string | undefined} now
 * @returns {Turn}
 */
function withWait(turn, now = "") {
  const { waiting, step } = turn;
  if (turn.state === "waiting") return { ...turn, waiting: waiting ?? now };
  if (waiting === null) return turn;
  const seconds = (Date.parse(now) - Date.parse(waiting)) / 1000;
  const over = { ...turn, waiting: null };
  return step === null || !(seconds > 0)
    ? over
    : withStep(over, step, (block) => ({ ...block, waited: (block.waited ?? 0) + seconds }));
}

/**
 * Change the step `number`, or add it at the end.
 *
 * @param {Turn} turn
 * @param {number} number
 * @param {(block: StepBlock) => StepBlock} change
 * @returns {Turn}
 */
function withStep(turn, number, change) {
  const at = turn.blocks.findLastIndex((block) => block.kind === "step" && block.step === number);
  if (at >= 0) {
    const next = change(/** @type {StepBlock} */ (turn.blocks[at]));
    return next === turn.blocks[at] ? turn : { ...turn, blocks: turn.blocks.with(at, next) };
  }
  /** @type {StepBlock} */
  const fresh = {
    kind: "step",
    step: number,
    thought: "",
    code: null,
    partial: false,
    calls: [],
    printed: null,
  };
  return { ...turn, blocks: [...turn.blocks, change(fresh)] };
}

/**
 * Move the live text into the turn: prose becomes a thought, code a draft until the final code arrives.
 *
 * @param {Turn} turn
 * @param {Live} live
 * @returns {Turn}
 */
export function withLive(turn, live) {
  return withStep(turn, live.step, (block) => {
    const thought = live.text ? textOf(live.text).trim() : block.thought;
    if (live.code === null || (block.code && !block.partial)) return { ...block, thought };
    return {
      ...block,
      thought,
      partial: true,
      code: { type: "code", content: textOf(live.code), language: "python" },
    };
  });
}

/** @param {string} runId @param {number} step @returns {Live} */
export const newLive = (runId, step) => ({
  runId,
  step,
  text: null,
  code: null,
  reasoning: null,
  prompt: null,
});

/** Return the turn with a step `number`. @param {Turn} turn @param {number} number */
export const withPlace = (turn, number) => withStep(turn, number, (block) => block);

/**
 * @param {Turn} turn
 * @param {Code} message
 * @returns {Turn}
 */
export function withCode(turn, message) {
  if (turn.coming || turn.program) return withOutputBlock(turn, message);
  if (message.step === undefined && turn.blocks.some((block) => block.kind === "step"))
    return withOutputBlock(turn, message);
  const number = Number(/\d+/.exec(message.step ?? "")?.[0] ?? turn.step ?? 1);
  const hasCode = turn.blocks.some(
    (block) => block.kind === "step" && block.step === number && block.code && !block.partial,
  );
  if (hasCode) return withOutputBlock(turn, message);
  return withStep(turn, number, (block) => ({ ...block, code: message, partial: false }));
}

/**
 * Replace the code that the message `seq` showed.
 *
 * @param {Turn} turn
 * @param {number} seq
 * @param {Code} code
 * @returns {Turn} the same turn if it has no such code
 */
export function withChangedCode(turn, seq, code) {
  const at = turn.blocks.findIndex((block) => block.kind === "step" && block.code?.seq === seq);
  const block = turn.blocks[at];
  return block?.kind === "step"
    ? { ...turn, blocks: turn.blocks.with(at, { ...block, code: { ...code, seq } }) }
    : turn;
}

/** Start a step's batch, which carries its duration. @param {Turn} turn @param {Debug} message @returns {Turn} */
export function withDebug(turn, message) {
  const { content, timestamp } = message;
  if (turn.step === null) return withBatch(turn, message);
  return withStep(withBatch(turn, message), turn.step, (block) => {
    const reported = content.agent_response.duration;
    const measured =
      block.started && timestamp ? (Date.parse(timestamp) - Date.parse(block.started)) / 1000 : undefined;
    const duration = typeof reported === "number" ? reported : measured;
    return {
      ...block,
      duration: duration === undefined ? undefined : Math.max(0, duration - (block.waited ?? 0)),
    };
  });
}

/**
 * @param {Turn} turn
 * @param {Printed} message
 * @returns {Turn}
 */
export function withPrinted(turn, { content, step }) {
  return withStep(turn, step, (block) => ({ ...block, printed: grown(block.printed, content) }));
}

/**
 * @param {Turn} turn
 * @param {Tool} message
 * @returns {Turn}
 */
export function withTool(turn, { content }) {
  return withStep(turn, content.step, (block) => {
    const at = block.calls.findIndex((call) => call.callId === content.callId);
    const before = block.calls[at];
    /** @type {Call} */
    const call = {
      callId: content.callId,
      tool: content.tool,
      state: content.state,
      progress: before?.progress,
      work: before?.work,
      arguments: content.arguments ?? before?.arguments ?? {},
      line: content.line ?? before?.line,
      result: content.result,
      code: content.code,
    };
    return { ...block, calls: at < 0 ? [...block.calls, call] : block.calls.with(at, call) };
  });
}

/**
 * Update the progress of another agent or a query that works for a call. Progress of an unknown call is ignored.
 *
 * @param {Turn} turn
 * @param {ToolProgress} message
 * @returns {Turn}
 */
export function withProgress(turn, { content: { callId, step, agent, state, text, share } }) {
  return withStep(turn, step, (block) => {
    const at = block.calls.findIndex((call) => call.callId === callId);
    const before = block.calls[at];
    if (!before) return block;
    const previous = before.progress?.text ?? null;
    const progress = {
      agent,
      state,
      share: share ?? null,
      text: text === "" ? previous : grown(previous, text),
    };
    return { ...block, calls: block.calls.with(at, { ...before, progress }) };
  });
}

/**
 * @param {Turn} turn
 * @param {AskMessage} message
 * @returns {Turn}
 */
export function withAsk(turn, { content, seq }) {
  return {
    ...turn,
    blocks: [
      ...turn.blocks,
      {
        kind: "ask",
        ask: content,
        agent: callerOf(turn, content.callId),
        seq,
        closed: null,
        answered: false,
        fault: null,
        draft: null,
        invalid: false,
      },
    ],
  };
}

/**
 * @param {Turn} turn
 * @param {AskClosedMessage} message
 * @returns {Turn}
 */
export function withAskClosed(turn, { content }) {
  return withAskChanged(withChangedCall(turn, content), content.askId, (block) => ({
    ...block,
    closed: content,
    fault: isLate(block.fault) ? block.fault : null,
  }));
}

/**
 * Show the arguments that a person changed. The call was announced with its original ones.
 *
 * @param {Turn} turn
 * @param {AskClosedContent} closed
 * @returns {Turn}
 */
function withChangedCall(turn, closed) {
  const block = turn.blocks.find((block) => block.kind === "ask" && block.ask.askId === closed.askId);
  const changed = block?.kind === "ask" ? changedArguments(block.ask, closed) : null;
  const callId = block?.kind === "ask" ? block.ask.callId : undefined;
  return changed === null || callId === undefined
    ? turn
    : inCall(turn, callId, (call) => ({ ...call, arguments: changed }));
}

/**
 * Mark an answer as pending, or as no longer pending after a lost connection or a refusal.
 *
 * @param {Turn} turn
 * @param {string | null} askId null for every ask
 * @param {boolean} answered
 * @returns {Turn}
 */
export function withAnswered(turn, askId, answered) {
  return withAskChanged(turn, askId, (block) =>
    block.answered === answered ? block : { ...block, answered, fault: null },
  );
}

/**
 * Keep changed arguments of an open ask.
 *
 * @param {Turn} turn
 * @param {string} askId
 * @param {AskBlock["draft"]} draft
 * @param {boolean} invalid whether its card shows other ones, which are invalid
 */
export function withDraft(turn, askId, draft, invalid) {
  return withAskChanged(turn, askId, (block) =>
    block.closed ||
    block.answered ||
    (block.invalid === invalid && JSON.stringify(block.draft) === JSON.stringify(draft))
      ? block
      : { ...block, draft, invalid },
  );
}

/**
 * Show that this page's answer did not count. An answer that came too late cannot be repeated; others can.
 *
 * @param {Turn} turn
 * @param {string} askId
 * @param {AskFault} fault
 */
export function withRefused(turn, askId, fault) {
  return withAskChanged(turn, askId, (block) => ({ ...block, fault, answered: isLate(fault) }));
}

/** Check whether an error means that the ask was already closed. @param {AskFault | null} fault */
export const isLate = (fault) => fault?.code === "ask_closed";

/**
 * Change an ask.
 *
 * @param {Turn} turn
 * @param {string | null} askId null for every ask
 * @param {(block: AskBlock) => AskBlock} change
 * @returns {Turn} the same turn if no ask changed
 */
function withAskChanged(turn, askId, change) {
  const blocks = turn.blocks.map((block) =>
    block.kind === "ask" && (askId === null || block.ask.askId === askId) ? change(block) : block,
  );
  return blocks.some((block, at) => block !== turn.blocks[at]) ? { ...turn, blocks } : turn;
}

/**
 * @param {Turn} turn
 * @param {ShownBlock["message"]} message
 * @returns {Turn}
 */
export function withOutputBlock(turn, message) {
  if (message.type === "mcp_app") return withView(turn, message);
  if (turn.coming) return withRepeated(turn, turn.coming, message);
  const blocks =
    message.type === "text" && message.tone !== "notice" ? withoutEcho(turn.blocks) : turn.blocks;
  return {
    ...turn,
    blocks: !turn.program && repeats(turn.blocks, message) ? blocks : [...blocks, blockOf(turn, message)],
  };
}

/**
 * Add or update a view of an MCP server: it is announced when its call starts and when it ends.
 *
 * @param {Turn} turn
 * @param {import("../types.js").McpApp} message
 * @returns {Turn}
 */
function withView(turn, message) {
  const { callId } = message.content;
  const at = turn.blocks.findIndex(
    (block) =>
      block.kind === "shown" && block.message.type === "mcp_app" && block.message.content.callId === callId,
  );
  const block = turn.blocks[at];
  if (block?.kind !== "shown") return { ...turn, blocks: [...turn.blocks, blockOf(turn, message)] };
  return {
    ...turn,
    blocks: turn.blocks.with(at, { ...block, message: { ...message, seq: block.message.seq } }),
  };
}

/**
 * Check whether a message repeats a data answer: data that the answer's text has, too, or, in older chats, a text in
 * Python's syntax beside the data. It is not shown.
 *
 * @param {Block[]} blocks
 * @param {ShownBlock["message"]} message
 */
function repeats(blocks, message) {
  if (message.type === "json" && message.inText) return true;
  if (
    message.type !== "text" ||
    message.tone === "notice" ||
    !/^\s*(\{.*\}|\[.*\])\s*$/s.test(message.content)
  )
    return false;
  return blocks.some((block) => block.kind === "shown" && block.message.type === "json");
}

/** Remove a last step that only streamed the answer, because the final text replaces it. @param {Block[]} blocks */
function withoutEcho(blocks) {
  const last = blocks.at(-1);
  const only = last?.kind === "step" && last.thought && !last.code && !last.calls.length && !last.printed;
  return only ? blocks.with(-1, { ...last, thought: "" }) : blocks;
}

/**
 * Add a branch that leaves before this turn.
 *
 * @param {Turn} turn
 * @param {import("../types.js").Branch} message
 * @returns {Turn}
 */
export const withBranch = (turn, { content }) => ({ ...turn, branches: [...turn.branches, content] });
