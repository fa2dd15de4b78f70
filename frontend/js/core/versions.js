/**
 * Versions of a turn: a turn whose message was edited or answered again stands once in the chat, with the version that
 * is shown. The chat continues from the newest version that was there when the next turn began. Pure.
 */

/** @import { DeskState, Entry, Turn } from "../types.js" */

/**
 * @typedef {object} Versions of a turn
 * @property {Turn[]} turns oldest first
 * @property {number} at index of the shown one
 * @property {number} continued index of the one that the chat continues from
 */

/**
 * @param {Pick<DeskState, "entries" | "shownVersions">} state
 * @returns {Map<string, Versions>} by first run; only turns with several
 */
function versionsIn({ entries, shownVersions }) {
  /** @type {Map<string, Versions>} */
  const all = new Map();
  let last = "";
  for (const entry of entries) {
    if (entry.kind !== "turn") continue;
    const { firstRun, runId } = entry;
    if (firstRun === runId) last = runId;
    if (!(firstRun in shownVersions)) continue;
    const { turns, at, continued } = all.get(firstRun) ?? { turns: [], at: 0, continued: 0 };
    all.set(firstRun, {
      turns: [...turns, entry],
      at: shownVersions[firstRun] === runId ? turns.length : at,
      continued: firstRun === last ? turns.length : continued,
    });
  }
  return all;
}

/**
 * Return the entries that the chat shows, and the versions of those that have several.
 *
 * @param {Pick<DeskState, "entries" | "shownVersions">} state
 * @returns {{ entries: Entry[], versions: Map<string, Versions> }}
 */
export function shownEntries(state) {
  const versions = versionsIn(state);
  if (versions.size === 0) return { entries: state.entries, versions };
  const isFirst = (/** @type {Entry} */ entry) => entry.kind !== "turn" || entry.runId === entry.firstRun;
  const shown = (/** @type {Entry} */ entry) => {
    const several = entry.kind === "turn" ? versions.get(entry.firstRun) : undefined;
    return several?.turns[several.at] ?? entry;
  };
  return { entries: state.entries.filter(isFirst).map(shown), versions };
}

/**
 * Check whether a run is a version of a turn that shows another one.
 *
 * @param {Pick<DeskState, "entries" | "shownVersions">} state
 * @param {string} runId
 */
export function isHiddenVersion(state, runId) {
  return [...versionsIn(state).values()].some(({ turns, at }) =>
    turns.some((turn, place) => turn.runId === runId && place !== at),
  );
}

/**
 * Return the older version that the next question continues from, in a chat of its own: the one that the person chose,
 * or the one that is shown in the last turn.
 *
 * @param {Pick<DeskState, "entries" | "shownVersions" | "continueFrom">} state
 * @returns {Turn | null}
 */
export function olderVersion(state) {
  const { entries, versions } = shownEntries(state);
  const turns = entries.filter((entry) => entry.kind === "turn");
  const turn = turns.find(({ runId }) => runId === state.continueFrom) ?? turns.at(-1);
  const several = turn && versions.get(turn.firstRun);
  return several && several.at !== several.continued ? turn : null;
}

/**
 * Return the run of a turn that the chat continues from.
 *
 * @param {Pick<DeskState, "entries" | "shownVersions">} state
 * @param {string} firstRun
 */
export function continuedVersion(state, firstRun) {
  const several = versionsIn(state).get(firstRun);
  return several?.turns[several.continued]?.runId ?? firstRun;
}
