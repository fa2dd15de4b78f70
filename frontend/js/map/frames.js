// @ts-check
/** Rooms painted over time: which frame of a playback is shown. Pure. */

/** @import { LegendOverlay } from "../types.js" */
/** @import { Highlight } from "./drawings.js" */
/** @import { Origin } from "../core/routes.js" */
/** @typedef {{time: string, highlights: Highlight[]}} PlayFrame */
/** @typedef {{floorId: string, frames: PlayFrame[], at: number, legend: LegendOverlay | null, origin: Origin}} Playback `at`: the index of the frame shown */

/** @param {Playback} playback @param {number} at @returns {Playback} with the frame nearest to that index; the same when it is shown */
export function withFrame(playback, at) {
  const next = Math.min(playback.frames.length - 1, Math.max(0, Math.round(at)));
  return next === playback.at || Number.isNaN(next) ? playback : { ...playback, at: next };
}

/** @param {Playback | null} playback @returns {Highlight[]} the rooms of the frame shown */
export function currentRooms(playback) {
  return playback?.frames[playback.at]?.highlights ?? [];
}
