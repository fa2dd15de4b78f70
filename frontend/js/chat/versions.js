/** Control of the versions of a turn: ‹ 2/3 ›, a second one below it to compare, and the way to continue from an older one. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { DeskBus, Translate, Turn } from "../types.js" */
/** @import { Versions } from "../core/versions.js" */

export class VersionSwitch {
  /** @param {Translate} t @param {DeskBus} bus @param {(other: Turn | null, label: string) => void} compare */
  constructor(t, bus, compare) {
    this.t = t;
    this.bus = bus;
    /** @type {Versions | null} */
    this.versions = null;
    this.before = this.button("chevron-left", "version.older", -1);
    this.after = this.button("chevron-right", "version.newer", 1);
    this.count = el("span");
    this.compare = compare;
    this.both = el(
      "button",
      {
        class: "quiet-button",
        type: "button",
        "aria-pressed": "false",
        on: { click: () => this.setCompared(this.both.getAttribute("aria-pressed") === "false") },
      },
      t("shared.compare"),
    );
    this.dom = el(
      "span",
      { class: "versions", role: "group", "aria-label": t("version.title"), hidden: true },
      this.before,
      this.count,
      this.after,
      this.both,
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

  /** Show the version before this one below it, or the next one below the oldest. @param {boolean} isCompared */
  setCompared(isCompared) {
    if (this.versions === null) return;
    const { at, turns } = this.versions;
    const other = at > 0 ? at - 1 : at + 1;
    this.both.setAttribute("aria-pressed", String(isCompared));
    const label = this.t("version.at", { at: other + 1, n: turns.length });
    this.compare((isCompared && turns[other]) || null, label);
  }

  /** Name of the shown version. */
  get label() {
    return this.versions
      ? this.t("version.at", { at: this.versions.at + 1, n: this.versions.turns.length })
      : "";
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
