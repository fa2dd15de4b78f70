/**
 * Chat part of the page's state: turns and the entries between them, files, policies, pending messages. Pure; returns
 * the same state if a message changes nothing.
 */

import { deskAddress } from "../core/message-address.js";
import { isClosed } from "../core/runs.js";
import { withPiece } from "./rope.js";
import { landed, withOutput } from "./program-output.js";
import { withNested } from "./nested.js";
import {
  newLive,
  newTurn,
  withAnswered,
  withAsk,
  withAskClosed,
  withDraft,
  withBranch,
  withChangedCode,
  withCode,
  withDebug,
  withLive,
  withPlace,
  withPrinted,
  withProgress,
  withRefused,
  withRun,
  withOutputBlock,
  withTool,
} from "./turns.js";

/** @import { Aside, ChatFact, DeskState, Entry, Live, Message, Pending, Turn } from "../types.js" */

/**
 * @param {DeskState} state
 * @param {Message} message
 * @returns {DeskState}
 */
export function reduceChat(state, message) {
  switch (message.type) {
    case "chat":
      return {
        ...state,
        selection: message.content.selection,
        chat: message.content,
        files: message.content.files.map((file) => mergedFile(state, file)),
      };
    case "user_message":
      return withQuestion(state, message);
    case "run":
      return withRunMessage(state, message);
    case "delta":
      return withDelta(state, message);
    case "prompt_progress":
      return withPromptProgress(state, message);
    case "debug":
      return inTurn(settled(state, message), message, (turn) => withDebug(turn, message));
    case "code":
      return changed(settled(state, message), message, (turn) => withCode(turn, message));
    case "printed":
      return inTurn(state, message, (turn) => withPrinted(turn, message));
    case "tool":
      return inTurn(state, message, (turn) => withTool(turn, message));
    case "tool_progress":
      return inTurn(state, message, (turn) => withProgress(turn, message));
    case "nested":
      return inTurn(withNestedFile(state, message), message, (turn) => withNested(turn, message));
    case "text":
      return message.runId === undefined
        ? aside(state, message)
        : withOutputMessage(settled(state, message), message);
    case "file":
      return withFile(state, message);
    case "chart":
    case "mcp_app":
    case "table":
    case "json":
    case "reading":
    case "alternatives":
    case "map":
    case "map_frames":
    case "arrow":
    case "highlight_room":
    case "clear_arrows":
    case "clear_map":
      return withOutputMessage(state, message);
    case "evidence":
      return inTurn(state, message, (turn) => ({ ...turn, evidence: message.content }));
    case "ask":
      return inTurn(state, message, (turn) => withAsk(turn, message));
    case "ask_closed":
      return inTurn(state, message, (turn) => withAskClosed(turn, message));
    case "policy":
      return withPolicy(state, message);
    case "image":
      return withOutputMessage(state, message);
    case "error":
      return message.runId === undefined
        ? withRefusal(state, message)
        : withOutputMessage(settled(state, message), message);
    case "reading_kept":
      return changed(state, message.content, (turn) => ({ ...turn, kept: message.content }));
    case "version_shown":
      return withShownVersion(state, message.content);
    case "chart_changed":
      return withChart(state, message);
    case "branch":
      return withBranchMessage(state, message);
    case "map_definition":
    case "closures":
    case "layers":
    case "layer_shown":
    case "layer_values":
    case "model_call":
    case "open_asks":
    case "notices":
      return state;
    default:
      return unchanged(state, message);
  }
}

/**
 * Return the state unchanged, for message types of a newer server. The type checker fails here if one of ours is not
 * handled above.
 *
 * @param {DeskState} state
 * @param {never} _
 */
const unchanged = (state, _) => state;

/**
 * Change the turn of a message and end its wait for a batch.
 *
 * @param {DeskState} state
 * @param {{ runId?: string }} message
 * @param {(turn: Turn) => Turn} change
 */
const inTurn = (state, message, change) => changed(state, message, (turn) => change(landed(turn)));

/**
 * Change the turn of a message. A message of an unknown run changes nothing.
 *
 * @param {DeskState} state
 * @param {{ runId?: string }} message
 * @param {(turn: Turn) => Turn} change
 * @returns {DeskState}
 */
function changed(state, { runId }, change) {
  const at = state.entries.findLastIndex((entry) => entry.kind === "turn" && entry.runId === runId);
  if (at < 0) return state;
  const turn = /** @type {Turn} */ (state.entries[at]);
  const next = change(turn);
  return next === turn ? state : { ...state, entries: state.entries.with(at, next) };
}

/** @param {DeskState} state @param {import("../types.js").ShownBlock["message"]} message */
const withOutputMessage = (state, message) =>
  changed(state, message, (turn) => withOutputBlock(turn, message));

/**
 * Show a chart as a person changed it, and the code of its cell.
 *
 * @param {DeskState} state
 * @param {import("../types.js").ChartChanged} message
 * @returns {DeskState}
 */
function withChart(state, { content, url, imageUrl }) {
  const { specId, chart, code, codeSeq } = content;
  const charts = { ...state.charts, [specId]: { content: chart, url, imageUrl } };
  if (code === undefined || codeSeq === undefined) return { ...state, charts };
  const entries = state.entries.map((entry) =>
    entry.kind === "turn" ? withChangedCode(entry, codeSeq, code) : entry,
  );
  return { ...state, charts, entries };
}

/**
 * Move the live text into its turn, because the messages of the step have arrived.
 *
 * @param {DeskState} state
 * @param {{ runId?: string }} message
 * @returns {DeskState}
 */
function settled(state, { runId }) {
  const { live } = state;
  if (live === null || live.runId !== runId) return state;
  return { ...inTurn(state, live, (turn) => withLive(turn, live)), live: null };
}

/** @param {DeskState} state @param {import("../types.js").UserMessage} message @returns {DeskState} */
function withQuestion(state, message) {
  const echoed = state.pending.findIndex(
    (question) => question.state !== "waiting" && question.content === message.content,
  );
  const pending = echoed < 0 ? state.pending : state.pending.toSpliced(echoed, 1);
  const { attempt } = state;
  const turn = newTurn(message);
  const first = state.entries.find((entry) => entry.kind === "turn" && entry.runId === turn.firstRun);
  // a log from elsewhere may name any run
  const isVersion = first?.kind === "turn" && first.firstRun === first.runId;
  const kind = message.isCode ? "code" : isVersion ? "again" : null;
  const isAccepted = attempt?.kind === kind && attempt?.text === message.content;
  const next = {
    ...state,
    pending,
    attempt: isAccepted ? null : attempt,
    entries: [...state.entries, isVersion ? turn : { ...turn, firstRun: turn.runId }],
  };
  return isVersion ? withShownVersion(next, turn) : next;
}

/**
 * Show a version of its turn. A run that is not in the chat changes nothing.
 *
 * @param {DeskState} state
 * @param {{ runId: string }} run
 * @returns {DeskState}
 */
function withShownVersion(state, { runId }) {
  const turn = state.entries.findLast((entry) => entry.kind === "turn" && entry.runId === runId);
  if (turn?.kind !== "turn" || state.shownVersions[turn.firstRun] === runId) return state;
  return { ...state, shownVersions: { ...state.shownVersions, [turn.firstRun]: runId }, continueFrom: null };
}

/**
 * Add a branch: in the turn where it leaves, or at the start of this chat.
 *
 * @param {DeskState} state
 * @param {import("../types.js").Branch} message
 * @returns {DeskState}
 */
function withBranchMessage(state, message) {
  const { way, clientMessageId } = message.content;
  if (way === "from") return aside(state, message);
  const attempt =
    clientMessageId !== undefined && state.attempt?.id === clientMessageId ? null : state.attempt;
  return changed({ ...state, attempt }, message.content, (turn) => withBranch(turn, message));
}

/** @param {DeskState} state @param {import("../types.js").Run} message @returns {DeskState} */
function withRunMessage(state, message) {
  const { runId, notes = [] } = message.content;
  const next = inTurn(withoutNotices(state, notes), { runId }, (turn) => withRun(turn, message));
  const over = next.entries.findLast((entry) => entry.kind === "turn" && entry.runId === runId);
  return over?.kind === "turn" && isClosed(over) ? settled(next, { runId }) : next;
}

/**
 * Remove notices that the run repeats in its notes; they are shown once, in the turn.
 *
 * @param {DeskState} state
 * @param {string[]} notes
 * @returns {DeskState}
 */
function withoutNotices(state, notes) {
  if (notes.length === 0) return state;
  const noted = (/** @type {Entry} */ entry) =>
    entry.kind === "aside" && entry.message.type === "text" && notes.includes(entry.message.content);
  return { ...state, entries: state.entries.filter((entry) => !noted(entry)) };
}

/** @param {DeskState} state @param {import("../types.js").Delta} message @returns {DeskState} */
function withDelta(state, message) {
  const { kind, step, content, restart } = message;
  if (kind === "output")
    return inTurn(settled(state, { runId: state.live?.runId }), message, (turn) => withOutput(turn, message));
  return withLiveStep(state, message, step, (live) =>
    withPiece({ ...live, prompt: null }, { kind, content, restart }),
  );
}

/** @param {DeskState} state @param {import("../types.js").PromptProgress} message @returns {DeskState} */
const withPromptProgress = (state, message) =>
  withLiveStep(state, message, message.content.step, (live) => ({ ...live, prompt: message.content }));

/**
 * Change the live text of a step, which it starts if another one is live.
 *
 * @param {DeskState} state
 * @param {{ runId?: string }} message
 * @param {number} step
 * @param {(live: Live) => Live} change
 * @returns {DeskState}
 */
function withLiveStep(state, message, step, change) {
  const { runId = "" } = message;
  const continues = state.live?.runId === runId && state.live.step === step;
  const base = continues
    ? state
    : inTurn(settled(state, { runId: state.live?.runId }), message, (turn) => withPlace(turn, step));
  return { ...base, live: change(base.live ?? newLive(runId, step)) };
}

/**
 * Merge a file of the chat's list with the earlier message about it.
 *
 * @param {DeskState} state
 * @param {import("../types.js").FileContent} file
 */
function mergedFile(state, file) {
  return { ...state.files.find(({ fileId }) => fileId === file.fileId), ...file };
}

/** @param {DeskState} state @param {import("../types.js").File} message @returns {DeskState} */
function withFile(state, message) {
  const file = { ...message.content, url: deskAddress(message.url) };
  const remaining = state.files.filter((other) => other.fileId !== file.fileId);
  const files = file.fileId === "" ? remaining : [...remaining, file]; // a file without an id was only mentioned
  const asideIndex =
    message.runId === undefined && file.fileId !== ""
      ? state.entries.findIndex((entry) => showsFile(entry, file.fileId))
      : -1;
  if (asideIndex >= 0) {
    const entry = /** @type {Aside} */ (state.entries[asideIndex]);
    const inPlace = state.files.map((other) => (other.fileId === file.fileId ? file : other));
    return { ...state, files: inPlace, entries: state.entries.with(asideIndex, { ...entry, message }) };
  }
  return {
    ...(message.runId === undefined ? aside(state, message) : withOutputMessage(state, message)),
    files,
  };
}

/**
 * Add a file that a managed agent made to the chat's files.
 *
 * @param {DeskState} state
 * @param {import("../types.js").Nested} message
 * @returns {DeskState}
 */
function withNestedFile(state, { content: { message } }) {
  return message.type === "file" && message.content.fileId !== ""
    ? { ...state, files: [...state.files, { ...message.content, url: deskAddress(message.url) }] }
    : state;
}

/**
 * Check whether an entry shows a file. A file that is announced again has a new name or new settings.
 *
 * @param {Entry} entry
 * @param {string} fileId
 */
const showsFile = (entry, fileId) =>
  entry.kind === "aside" && entry.message.type === "file" && entry.message.content.fileId === fileId;

/** Add an entry between the turns. @param {DeskState} state @param {Aside["message"]} message @returns {DeskState} */
function aside(state, message) {
  const entry = /** @type {Entry} */ ({ kind: "aside", at: state.asides, message });
  return { ...state, asides: state.asides + 1, entries: [...state.entries, entry] };
}

/**
 * Show a policy in the turn that is running, else between the turns.
 *
 * @param {DeskState} state
 * @param {import("../types.js").Policy} message
 * @returns {DeskState}
 */
function withPolicy(state, message) {
  const { tool, policy } = message.content;
  const next = { ...state, policies: { ...state.policies, [tool]: { policy, seq: message.seq ?? 0 } } };
  const runs = state.entries.findLast(
    (entry) => entry.kind === "turn" && !isClosed(entry) && entry.state !== "queued",
  );
  return runs?.kind === "turn"
    ? inTurn(next, runs, (turn) => withOutputBlock(turn, message))
    : aside(next, message);
}

/**
 * Handle a frame that the server refused. An error about an answer goes to its ask; else the error probably belongs to
 * the message that has no echo yet.
 *
 * @param {DeskState} state
 * @param {import("../types.js").Error} message
 * @returns {DeskState}
 */
function withRefusal(state, message) {
  const { attempt } = state;
  if (attempt && attempt.fault === null && isRefusedBy(attempt, message)) {
    return {
      ...state,
      attempt: { ...attempt, fault: { code: message.code ?? "", content: message.content } },
    };
  }
  const target = answerOf(state, message);
  if (target) {
    const fault = { code: message.code ?? "", content: message.content, hint: message.hint ?? "" };
    return inTurn(state, target, (turn) => withRefused(turn, target.askId, fault));
  }
  const at = state.pending.findIndex((question) => question.state === "sent");
  const pending =
    at < 0
      ? state.pending
      : state.pending.with(at, { .../** @type {Pending} */ (state.pending[at]), state: "unconfirmed" });
  const withError = aside(state, message);
  return { ...withError, pending, entries: unanswered(withError.entries) };
}

/**
 * Check whether an error refuses this attempt: by its id, or as the only candidate if the frame was too long to be
 * read.
 *
 * @param {import("../types.js").Attempt} attempt
 * @param {import("../types.js").Error} message
 */
const isRefusedBy = ({ id }, { clientMessageId, code }) =>
  clientMessageId === id || (clientMessageId === undefined && code === "too_large");

/**
 * Return the ask whose answer an error refuses: by id, or the only pending one if the frame could not be read.
 *
 * @param {DeskState} state
 * @param {import("../types.js").Error} message
 * @returns {{ runId: string, askId: string } | null}
 */
function answerOf(state, { askId }) {
  const asks = state.entries.flatMap((entry) =>
    entry.kind !== "turn"
      ? []
      : entry.blocks.flatMap((block) =>
          block.kind === "ask"
            ? [{ runId: entry.runId, askId: block.ask.askId, busy: block.answered && block.closed === null }]
            : [],
        ),
  );
  if (askId !== undefined) return asks.findLast((ask) => ask.askId === askId) ?? null;
  const busy = asks.filter((ask) => ask.busy);
  return busy.length === 1 && state.pending.every((question) => question.state !== "sent")
    ? (busy[0] ?? null)
    : null;
}

/**
 * Reset pending answers, so that they can be given again.
 *
 * @param {Entry[]} entries
 * @returns {Entry[]} the same list if none was pending
 */
function unanswered(entries) {
  const busy = entries.some((entry) => entry.kind === "turn" && entry.state === "waiting");
  return busy
    ? entries.map((entry) => (entry.kind === "turn" ? withAnswered(entry, null, false) : entry))
    : entries;
}

/** Reduce a fact of the page about the chat. @param {DeskState} state @param {ChatFact} fact @returns {DeskState} */
export function reduceFact(state, fact) {
  switch (fact.type) {
    case "@connection": {
      const { connection } = fact;
      const lost = connection !== "open" && state.pending.some((question) => question.state === "sent");
      if (connection === state.connection && !lost) return state;
      const pending = lost ? state.pending.map(unconfirmed) : state.pending;
      return {
        ...state,
        connection,
        pending,
        entries: connection === "open" ? state.entries : unanswered(state.entries),
      };
    }
    case "@submitted": {
      /** @type {Pending} */
      const question = {
        id: fact.id,
        content: fact.content,
        reading: fact.reading,
        about: fact.about,
        attachments: fact.attachments,
        instead: fact.instead,
        state: fact.sent ? "sent" : "waiting",
      };
      return { ...state, about: null, pending: [...state.pending, question] };
    }
    case "@sent":
      return {
        ...state,
        pending: state.pending.map((question) =>
          question.id === fact.id ? { ...question, state: "sent" } : question,
        ),
      };
    case "@withdrawn":
      return { ...state, pending: state.pending.filter((question) => question.id !== fact.id) };
    case "@answered":
      return inTurn(state, fact, (turn) => withAnswered(turn, fact.askId, true));
    case "@draft":
      return inTurn(state, fact, (turn) => withDraft(turn, fact.askId, fact.draft, fact.invalid === true));
    case "@unsent":
      return inTurn(state, fact, (turn) =>
        withRefused(turn, fact.askId, { code: "offline", content: "", hint: "" }),
      );
    case "@kept":
      return changed(state, fact, (turn) => ({ ...turn, kept: { index: fact.index, unsent: !fact.sent } }));
    case "@version":
      return withShownVersion(state, fact);
    case "@continue":
      return { ...state, continueFrom: fact.runId };
    case "@pointed":
      return { ...state, selection: fact.rooms };
    case "@pointed_rows":
      return { ...state, about: fact.about };
    case "@steps":
      return state.stepsOpen === fact.open ? state : { ...state, stepsOpen: fact.open };
    case "@attempt":
      return { ...state, attempt: fact.attempt };
    case "@dismissed":
      return {
        ...state,
        entries: state.entries.filter((entry) => entry.kind !== "aside" || entry.at !== fact.at),
      };
  }
}

/** @param {Pending} question @returns {Pending} */
const unconfirmed = (question) =>
  question.state === "sent" ? { ...question, state: "unconfirmed" } : question;
