/**
 * Footer of a turn, in one row. While the turn works: its activity and time. Afterwards: the versions, what the answer is
 * based on and how long it took, the actions.
 */

import { el } from "../core/dom.js";
import { Elapsed } from "./elapsed.js";
import { statesBasis } from "./reading.js";
import { TurnActions } from "./turn-actions.js";
import { describeStatus, promptShare } from "./turn-words.js";
import { VersionSwitch } from "./versions.js";
import { askedCron } from "./asked-times.js";
import { icon } from "../core/icons.js";

/** @import { DeskBus, Live, Translate, Turn } from "../types.js" */
/** @import { Versions } from "../core/versions.js" */

export class TurnFoot {
  /**
   * @param {{ bus: DeskBus, t: Translate }} needs
   * @param {TurnActions["acts"]} acts
   * @param {VersionSwitch["compare"]} compare
   */
  constructor({ bus, t }, acts, compare) {
    this.bus = bus;
    this.t = t;
    this.progress = el("div", { class: "progress" });
    this.versions = new VersionSwitch(t, bus, compare);
    this.basis = el("span", { class: "turn-basis" });
    this.codeless = el("span", { title: t("chat.without_code_hint") });
    this.statusText = el("span", { class: "status-words" });
    this.elapsed = new Elapsed(t);
    this.actions = new TurnActions(t, acts);
    this.unqueue = el(
      "button",
      { class: "quiet-button unqueue", type: "button", on: { click: () => this.cancel() } },
      t("chat.unqueue"),
    );
    this.seal = el("span", {});
    this.asked = el(
      "button",
      { class: "quiet-button", type: "button", hidden: true, on: { click: acts.watch } },
      icon("clock"),
      t("turn.watch_asked"),
    );
    const facts = [
      this.seal,
      this.asked,
      this.basis,
      this.codeless,
      this.statusText,
      this.elapsed.dom,
      this.versions.note,
    ];
    this.dom = el(
      "div",
      { class: "turn-foot" },
      this.progress,
      this.versions.dom,
      el("div", { class: "turn-facts" }, facts),
      this.actions.dom,
    );
    /** @type {Turn | null} */
    this.turn = null;
  }

  /** Show the activity or the duration, and the actions. @param {Turn} turn @param {Live | null} live */
  update(turn, live) {
    const { state, program, branches } = turn;
    const before = this.turn;
    this.turn = turn;
    if (state !== before?.state || program !== before.program || branches !== before.branches)
      this.actions.update(turn);
    this.asked.hidden = state !== "finished" || program || askedCron(turn.question) === null;
    const text = describeStatus(turn, live, this.t);
    if (this.statusText.textContent !== text) this.statusText.textContent = text;
    this.elapsed.update(turn);
    if (state !== "queued") this.unqueue.remove();
    else if (this.unqueue.parentElement === null) this.statusText.after(this.unqueue);
    const share = promptShare(live);
    this.progress.toggleAttribute("data-share", share !== null);
    if (share !== null) this.progress.style.setProperty("--share", `${share}%`);
  }

  /** Show how many figures of the answer have evidence. @param {HTMLElement} seal */
  showSeal(seal) {
    this.seal.replaceChildren(seal);
  }

  /** Show what the answer of a finished turn is based on. @param {Turn} turn @param {HTMLElement} result its results */
  showBasis({ blocks }, result) {
    const messages = blocks.flatMap((block) => (block.kind === "shown" ? [block.message] : []));
    const isCodeless = messages.some((message) => message.type === "text" && message.withoutCode);
    this.codeless.textContent = isCodeless ? this.t("chat.without_code") : "";
    const last = [...result.querySelectorAll(":scope > .answer > :not(.suggestions)")].at(-1);
    const isStated = messages.some((message) => message.type === "reading" && statesBasis(message.content));
    // it is taken once; the paragraph above it is not one
    if (!isStated || this.basis.hasChildNodes() || last?.localName !== "p" || !last.previousElementSibling)
      return;
    this.basis.append(...last.childNodes);
    last.remove();
  }

  /** @param {Versions | null} versions @param {boolean} isLast whether the turn is the last of the chat */
  showVersions(versions, isLast) {
    this.versions.update(versions, isLast);
    this.dom.toggleAttribute("data-last", isLast);
  }

  /** Take the turn out of the queue. */
  cancel() {
    if (this.turn) this.bus.emit("send", { type: "cancel", runId: this.turn.runId });
  }
}
