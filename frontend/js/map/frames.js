// @ts-check
/** Reads rooms painted over time, and says which frame of a playback is shown. Pure. */

import { isText, list, note, readRectangle, record } from "./reading.js";
import { readLegend } from "./legend.js";

/** @import { Floor } from "../types.js" */
/** @import { Highlight, Note, Origin } from "./reading.js" */
/** @import { Legend } from "./legend.js" */
/** @typedef {{time: string, highlights: Highlight[]}} PlayFrame */
/** @typedef {{floorId: string, frames: PlayFrame[], at: number, legend: Legend | null, origin: Origin}} Playback `at`: the index of the frame shown */

/** Moments one playback may have. */
const MOST_FRAMES = 2000;

/**
 * @param {Floor} floor the one to show
 * @param {Floor[]} floors of the building
 * @param {Record<string, unknown>} content
 * @param {Origin} origin
 * @param {Note[]} notes receives what cannot be drawn, each thing once
 * @returns {Playback | null} null when no frame can be read
 */
export function readFrames(floor, floors, content, origin, notes) {
  const given = list(content.frames);
  /** @type {Note[]} */
  const faults = [];
  const frames = given.slice(0, MOST_FRAMES).flatMap((value) => {
    const { time, rectangles } = record(value);
    if (!Array.isArray(rectangles)) return [];
    const highlights = rectangles.flatMap((one) => readRectangle(floor, floors, one, origin, faults));
    return [{ time: isText(time) || typeof time === "number" ? String(time) : "", highlights }];
  });
  if (frames.length < given.length) faults.unshift(note("map.no_frames", { n: String(given.length - frames.length) }));
  const seen = new Set();
  for (const fault of faults) {
    const said = JSON.stringify(fault);
    if (!seen.has(said)) notes.push(fault);
    seen.add(said);
  }
  if (frames.length === 0) return null;
  const legend = content.legend === undefined || content.legend === null ? null : readLegend(content.legend, notes);
  return { floorId: floor.floorId, frames, at: 0, legend, origin };
}

/** @param {Playback} playback @param {number} at @returns {Playback} with the frame nearest to that index; the same when it is shown */
export function withFrame(playback, at) {
  const next = Math.min(playback.frames.length - 1, Math.max(0, Math.round(at)));
  return next === playback.at || Number.isNaN(next) ? playback : { ...playback, at: next };
}

/** @param {Playback | null} playback @returns {Highlight[]} the rooms of the frame shown */
export function shownRooms(playback) {
  return playback?.frames[playback.at]?.highlights ?? [];
}
