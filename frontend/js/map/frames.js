// @ts-check
/** Frames of a playback. Pure. */

/** @import { LegendOverlay } from "../types.js" */
/** @import { Highlight } from "./drawings.js" */
/** @import { Origin } from "../core/routes.js" */
/** @typedef {{time: string, highlights: Highlight[]}} PlayFrame */
/**
 * @typedef {{floorId: string, frames: PlayFrame[], at: number, legend: LegendOverlay | null, origin: Origin}} Playback
 *   `at`: the index of the frame shown
 */

/**
 * Show the frame nearest to an index.
 *
 * @param {Playback} playback
 * @param {number} at
 * @returns {Playback} the same playback if it is shown already
 */
export function withFrame(playback, at) {
  const next = Math.min(playback.frames.length - 1, Math.max(0, Math.round(at)));
  return next === playback.at || Number.isNaN(next) ? playback : { ...playback, at: next };
}

/** Return the rooms of the shown frame. @param {Playback | null} playback @returns {Highlight[]} */
export function currentRooms(playback) {
  return playback?.frames[playback.at]?.highlights ?? [];
}
