/** Calls of a turn, including those in the work of managed agents. Pure. */

/** @import { Call, Turn } from "../types.js" */

/**
 * Change a call.
 *
 * @param {Turn} turn
 * @param {string} callId
 * @param {(call: Call) => Call} change
 * @returns {Turn} the same turn if it has no such call
 */
export function inCall(turn, callId, change) {
  for (const [at, block] of turn.blocks.entries()) {
    if (block.kind !== "step") continue;
    for (const [place, call] of block.calls.entries()) {
      const next = call.callId === callId ? change(call) : inWork(call, callId, change);
      if (next !== call)
        return { ...turn, blocks: turn.blocks.with(at, { ...block, calls: block.calls.with(place, next) }) };
    }
  }
  return turn;
}

/** @param {Call} call @param {string} callId @param {(call: Call) => Call} change @returns {Call} */
function inWork(call, callId, change) {
  if (!call.work) return call;
  const turn = inCall(call.work.turn, callId, change);
  return turn === call.work.turn ? call : { ...call, work: { ...call.work, turn } };
}

/**
 * Mark calls as stopped instead of failed if the run was stopped. Old logs have only the code of the error, no reason.
 *
 * @param {Turn} turn
 * @param {string} reason
 * @returns {Turn}
 */
export function withStopped(turn, reason) {
  return {
    ...turn,
    blocks: turn.blocks.map((block) =>
      block.kind !== "step" || !block.calls.some(({ state }) => state === "failed")
        ? block
        : {
            ...block,
            calls: block.calls.map((call) =>
              call.state !== "failed" || (call.code !== "run_ended" && call.result !== reason)
                ? call
                : {
                    ...call,
                    state: "stopped",
                    ...(call.work
                      ? { work: { ...call.work, turn: withStopped(call.work.turn, reason) } }
                      : {}),
                  },
            ),
          },
    ),
  };
}

/**
 * Return the managed agent that made a call.
 *
 * @param {Turn} turn
 * @param {string | undefined} callId
 * @returns {string | undefined} undefined for a call of the turn itself
 */
export function callerOf({ blocks }, callId) {
  for (const { work } of blocks.flatMap((block) => (block.kind === "step" ? block.calls : []))) {
    if (!work) continue;
    const isIts = work.turn.blocks.some(
      (block) => block.kind === "step" && block.calls.some((call) => call.callId === callId),
    );
    const caller = isIts ? work.agent : callerOf(work.turn, callId);
    if (caller !== undefined) return caller;
  }
  return undefined;
}
