/** The calls of a turn, wherever they are: a managed agent's are in the work of the call it was given. Pure. */

/** @import { Call, Turn } from "../types.js" */

/**
 * Change a call.
 *
 * @param {Turn} turn
 * @param {string} callId
 * @param {(call: Call) => Call} change
 * @returns {Turn} the same when the call is not there
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
 * Calls that ended because the run was stopped did not fail: their code says so, in logs of before its reason.
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

/** The managed agent whose call it is. @param {Turn} turn @param {string | undefined} callId @returns {string | undefined} nothing for one of the turn's own */
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
