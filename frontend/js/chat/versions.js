/**
 * Versions of a turn: a turn whose message was edited or answered again stands once in the chat, with the version that
 * is shown. The chat continues from the newest version that was there when the next turn began.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { DeskBus, DeskState, Entry, Translate, Turn } from "../types.js" */

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
 * Return the entries that the chat shows, and the versions of those that have several. Pure.
 *
 * @param {Pick<DeskState, "entries" | "shownVersions">} state
 * @returns {{ entries: Entry[], versions: Map<string, Versions> }}
 */
export function shownEntries(state) {
  const versions = versionsIn(state);
  const isFirst = (/** @type {Entry} */ entry) => entry.kind !== "turn" || entry.runId === entry.firstRun;
  const shown = (/** @type {Entry} */ entry) => {
    const several = entry.kind === "turn" ? versions.get(entry.firstRun) : undefined;
    return several?.turns[several.at] ?? entry;
  };
  const entries = state.entries.filter(isFirst).map(shown);
  return { entries: versions.size === 0 ? state.entries : entries, versions };
}

/**
 * Return the older version that the next question continues from, in a chat of its own: the one that the person chose,
 * or the one that is shown in the last turn. Pure.
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
 * Return the run of a turn that the chat continues from. Pure.
 *
 * @param {Pick<DeskState, "entries" | "shownVersions">} state
 * @param {string} firstRun
 */
export function continuedVersion(state, firstRun) {
  const several = versionsIn(state).get(firstRun);
  return several?.turns[several.continued]?.runId ?? firstRun;
}

/** Control of the versions of a turn: ‹ 2/3 ›, and the way to continue from an older one. */
export class VersionSwitch {
  /** @param {Translate} t @param {DeskBus} bus */
  constructor(t, bus) {
    this.t = t;
    this.bus = bus;
    /** @type {Versions | null} */
    this.versions = null;
    this.before = this.button("chevron-left", "version.older", -1);
    this.after = this.button("chevron-right", "version.newer", 1);
    this.count = el("span", { class: "version-count" });
    this.dom = el(
      "span",
      { class: "versions", role: "group", "aria-label": t("version.title"), hidden: true },
      this.before,
      this.count,
      this.after,
    );
    this.words = el("span", {});
    this.go = el(
      "button",
      { class: "quiet-button", type: "button", on: { click: () => this.continue() } },
      t("version.continue"),
    );
    this.note = el("span", { class: "version-note", hidden: true }, this.words, this.go);
  }

  /** @param {string} drawing @param {string} key @param {number} by */
  button(drawing, key, by) {
    const label = this.t(key);
    return el(
      "button",
      {
        class: "version-button",
        type: "button",
        "aria-label": label,
        title: label,
        on: { click: () => this.show(by) },
      },
      icon(drawing),
    );
  }

  /** @param {Versions | null} versions @param {boolean} isLast whether the turn is the last of the chat */
  update(versions, isLast) {
    this.versions = versions;
    this.dom.hidden = versions === null;
    this.note.hidden = versions === null || isLast || versions.at === versions.continued;
    if (versions === null) return;
    const { at, continued, turns } = versions;
    const n = turns.length;
    this.count.replaceChildren(
      el("span", { "aria-hidden": "true" }, `${at + 1}/${n}`),
      el("span", { class: "visually-hidden", role: "status" }, this.t("version.at", { at: at + 1, n })),
    );
    this.before.disabled = at === 0;
    this.after.disabled = at === n - 1;
    this.words.textContent = this.t("version.continued", { n: continued + 1 });
  }

  /** Focus the button that leads on, after the view of another version took this one's place. */
  focus() {
    (this.after.disabled ? this.before : this.after).focus({ preventScroll: true });
  }

  /** @param {number} by */
  show(by) {
    const turn = this.versions?.turns[this.versions.at + by];
    if (turn) this.bus.emit("command", { name: "show-version", runId: turn.runId });
  }

  continue() {
    const turn = this.versions?.turns[this.versions.at];
    if (turn) this.bus.emit("command", { name: "continue-from", runId: turn.runId });
  }
}
