/**
 * Work of a managed agent for a call of a turn. The work is a turn inside the call; its outputs go to the outer turn,
 * under the agent's name. Pure.
 */

import { inner, isOutput } from "../core/nested.js";
import { inCall } from "./calls.js";
import { withPiece } from "./rope.js";
import {
  newLive,
  newTurn,
  withCode,
  withDebug,
  withLive,
  withPlace,
  withPrinted,
  withProgress,
  withRun,
  withOutputBlock,
  withTool,
} from "./turns.js";

/** @import { AgentWork, Call, Delta, Live, Nested, Turn } from "../types.js" */

/**
 * Add a nested message.
 *
 * @param {Turn} turn
 * @param {Nested} message
 * @returns {Turn} the same turn if the call is unknown
 */
export function withNested(turn, message) {
  const { within, agent } = message.content;
  const output = inner(message);
  const next = inCall(turn, within, (call) => ({
    ...call,
    work: withWork(call.work ?? newWork(agent, call), output),
  }));
  if (next === turn || !isOutput(output)) return next;
  if (output.type === "mcp_app" && output.content.state !== "called") return withOutputBlock(next, output);
  const blocks = withOutputBlock(
    { ...next, blocks: [] },
    /** @type {import("../types.js").ShownBlock["message"]} */ (output),
  ).blocks;
  return {
    ...next,
    blocks: [
      ...next.blocks,
      ...blocks.map((block) => (block.kind === "shown" ? { ...block, agent } : block)),
    ],
  };
}

/** @param {string} agent @param {Call} call @returns {AgentWork} */
function newWork(agent, call) {
  const { task } = call.arguments;
  const turn = newTurn({ type: "user_message", content: typeof task === "string" ? task : "", ahead: 0 });
  return { agent, live: null, turn: { ...turn, state: "running" } };
}

/** @param {AgentWork} work @param {import("../core/nested.js").Inner} message @returns {AgentWork} */
function withWork(work, message) {
  const changed = (/** @type {(turn: Turn) => Turn} */ change) => ({ ...work, turn: change(work.turn) });
  const settled = (/** @type {(turn: Turn) => Turn} */ change) => ({
    ...work,
    live: null,
    turn: change(work.live ? withLive(work.turn, work.live) : work.turn),
  });
  switch (message.type) {
    case "run":
      return changed((turn) => withRun(turn, message));
    case "delta":
      return withDelta(work, message);
    case "prompt_progress":
      return withLiveStep(work, message.content.step, (live) => ({ ...live, prompt: message.content }));
    case "debug":
      return settled((turn) => withDebug(turn, message));
    case "code":
      return settled((turn) => withCode(turn, message));
    case "text":
    case "error":
    case "json":
      return settled((turn) => withOutputBlock(turn, message));
    case "printed":
      return changed((turn) => withPrinted(turn, message));
    case "tool":
      return changed((turn) => withTool(turn, message));
    case "tool_progress":
      return changed((turn) => withProgress(turn, message));
    default:
      return work;
  }
}

/** @param {AgentWork} work @param {Delta} message @returns {AgentWork} */
function withDelta(work, { kind, step, content, restart }) {
  if (kind === "output") return work;
  return withLiveStep(work, step, (live) => withPiece({ ...live, prompt: null }, { kind, content, restart }));
}

/** @param {AgentWork} work @param {number} step @param {(live: Live) => Live} change @returns {AgentWork} */
function withLiveStep(work, step, change) {
  const continues = work.live?.step === step;
  const turn = continues
    ? work.turn
    : withPlace(work.live ? withLive(work.turn, work.live) : work.turn, step);
  return { ...work, turn, live: change(continues && work.live ? work.live : newLive("", step)) };
}
