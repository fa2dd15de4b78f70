/**
 * Log of the chat: turns, files, notices and unconfirmed messages. Each turn has its own view, which is updated only
 * when its turn changed.
 */

import { refreshPolicyLines } from "../asks/policy.js";
import { el } from "../core/dom.js";
import { hoverLinks, partsOf } from "../core/hover.js";
import { fragment } from "../core/html.js";
import { icon } from "../core/icons.js";
import { isArranged } from "./arrangement.js";
import { followWidth, isWide } from "../core/screen.js";
import { FollowScroll } from "../core/scroll.js";
import { branchedFrom } from "./branches.js";
import { noticeOf } from "../core/fault-words.js";
import { FileAside } from "./file-aside.js";
import { pendingView } from "./pending.js";
import { createView, textView } from "./shown.js";
import { lateOutput } from "./stream.js";
import { TurnView } from "./turn.js";
import { isAnswer, tableLabel, unconfirmedMessages } from "./turns.js";
import { shownEntries } from "../core/versions.js";
import { Welcome } from "./welcome.js";
import { TurnWindow } from "./window.js";

/** @import { Aside, DeskState, Entry, PaneNeeds, Selection, Text, Translate, Turn } from "../types.js" */
/** @typedef {{ entry: Entry, dom: HTMLElement, turn: TurnView | null, file: FileAside | null }} EntryView */

const SPOKEN_BLOCKS = "p, li, h1, h2, h3, h4, h5, h6, th, td, pre";
/** Milliseconds that a turn is near the window before it gets its action buttons. */
const ACTIONS_DELAY = 200;

export class ChatLog {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    /** @type {DeskState | null} */
    this.state = null;
    /** @type {Map<string, EntryView>} */
    this.views = new Map();
    this.turns = el("ol", { class: "turns" });
    this.pending = el("ol", { class: "turns" });
    this.welcome = new Welcome(bus, t);
    /** Chat that is shown, and the seq up to which its answers are old or were read out. */
    this.chatId = "";
    this.readOut = 0;
    this.announcement = el("div", { class: "visually-hidden", "aria-live": "polite" });
    const content = el("div", { class: "log-content" }, this.welcome.dom, this.turns, this.pending);
    // without aria-live: streamed pieces would be read one by one. `announcement` gets the complete answer.
    this.dom = el(
      "div",
      {
        class: "log",
        role: "log",
        "aria-live": "off",
        tabindex: "0",
        "aria-label": t("chat.log"),
        on: { click: (/** @type {MouseEvent} */ event) => this.point(event) },
      },
      content,
    );
    this.follow = new FollowScroll(this.dom, content, t);
    /** Start times of turns near the window that have no action buttons yet. @type {Map<TurnView, number>} */
    this.turnsWithoutActions = new Map();
    this.actionsTimer = 0;
    this.actionsFrame = 0;
    // turns have content-visibility: auto (chat.css): the browser skips the layout of those far from the window
    this.turns.addEventListener("contentvisibilityautostatechange", (event) => this.onVisibility(event));
    this.window = new TurnWindow(this.dom, {
      fill: (runs) => this.follow.hold(() => runs.forEach((run) => this.fill(run))),
      empty: (run) => this.empty(run),
      trim: () => this.window.trim(this.turnElements()),
    });
    this.undo = [hoverLinks(bus, "chat", this.dom), followWidth(() => this.updateFiles())];
  }

  /** @param {DeskState} state */
  update(state) {
    const before = this.state;
    this.state = state;
    if (state.chat !== null && state.chat.chatId !== this.chatId) {
      this.chatId = state.chat.chatId;
      this.readOut = state.chat.lastSeq ?? 0;
    }
    if (
      state.entries !== before?.entries ||
      state.live !== before.live ||
      state.shownVersions !== before.shownVersions
    )
      this.drawEntries(state);
    if (state.stepsOpen !== before?.stepsOpen)
      for (const { turn } of this.views.values()) turn?.showSteps(state.stepsOpen);
    if (state.attempt !== before?.attempt)
      for (const { turn } of this.views.values()) turn?.updateAttempt(state.attempt);
    if (state.chat !== before?.chat) this.dom.toggleAttribute("data-runs-code", runsCode(state.chat));
    if (state.policies !== before?.policies) refreshPolicyLines(this.turns, state.policies);
    const pending = unconfirmedMessages(state);
    if (state.pending !== before?.pending || state.attempt !== before.attempt)
      this.pending.replaceChildren(...pending.map((message) => pendingView(message, this.bus, this.t)));
    if (state.files !== before?.files || state.entries !== before.entries || state.room !== before.room)
      this.updateFiles();
    const hasTurns = state.entries.some(({ kind }) => kind === "turn") || state.pending.length > 0;
    this.welcome.update(state);
    this.welcome.dom.hidden = state.chat === null || hasTurns;
    this.follow.empty = state.entries.length === 0 && state.pending.length === 0;
    this.follow.readFrom(this.lastAnswer(state));
    this.addActions();
    this.follow.settle();
  }

  updateFiles() {
    for (const { file } of this.views.values()) if (this.state) file?.update(this.state);
  }

  /** Add action buttons to turns that stayed near the window: while a long chat loads, most leave it before that. */
  addActions() {
    const before = performance.now() - ACTIONS_DELAY;
    for (const [turn, since] of this.turnsWithoutActions) {
      if (since > before) continue;
      turn.foot.actions.createButtons();
      this.turnsWithoutActions.delete(turn);
    }
    this.scheduleActions();
  }

  /** Add them in an animation frame if no update does so first. */
  scheduleActions() {
    window.clearTimeout(this.actionsTimer);
    if (this.turnsWithoutActions.size === 0) return;
    this.actionsTimer = window.setTimeout(() => {
      this.actionsFrame = window.requestAnimationFrame(() => {
        this.addActions();
        this.follow.settle();
      });
    }, ACTIONS_DELAY);
  }

  /** Track which turns are near the window. @param {any} event a ContentVisibilityAutoStateChangeEvent */
  onVisibility({ target, skipped }) {
    const turn = this.views.get(target.dataset.run)?.turn;
    if (!turn || turn.foot.actions.buttons.length > 0) return;
    if (skipped) this.turnsWithoutActions.delete(turn);
    else {
      this.turnsWithoutActions.set(turn, performance.now());
      this.scheduleActions();
    }
  }

  /**
   * Return the element that is read from its top: the last turn, once its answer is complete, or the card of a file.
   *
   * @param {DeskState} state
   */
  lastAnswer(state) {
    const { entries } = shownEntries(state);
    const last = entries.at(-1);
    if (last?.kind === "aside" && last.message.type === "file")
      return this.views.get(`aside-${last.at}`)?.dom ?? null;
    if (last?.kind === "turn") this.fill(last.runId);
    return last?.kind === "turn" && isArranged(last) && unconfirmedMessages(state).length === 0
      ? (this.views.get(last.runId)?.dom ?? null)
      : null;
  }

  /** @param {DeskState} state */
  drawEntries(state) {
    const { live, stepsOpen } = state;
    const { entries, versions } = shownEntries(state);
    const last = entries.at(-1);
    const lastTurn = entries.findLast(({ kind }) => kind === "turn");
    const keys = new Set();
    /** @type {HTMLElement | null} */
    let previous = null;
    for (const entry of entries) {
      const key = entry.kind === "turn" ? entry.runId : `aside-${entry.at}`;
      keys.add(key);
      const before = this.views.get(key)?.entry ?? null;
      const view = this.views.get(key) ?? this.add(key, entry, entry === last);
      if (before !== entry) this.announce(before, entry);
      if (view.turn && entry.kind === "turn") {
        const writing = live?.runId === entry.runId ? live : null;
        if (view.entry !== entry || writing !== view.turn.live) {
          const { turn } = view;
          const ends = isArranged(entry) && view.entry !== entry;
          // steps stay open for a reader further up: folding them would move the text being read
          const update = () => turn.update(entry, writing, stepsOpen || !this.follow.following);
          // the results move in front of the steps: keep the text being read in place
          if (ends) this.follow.hold(update);
          else update();
        }
      }
      if (view.file && view.entry !== entry && entry.kind === "aside" && entry.message.type === "file")
        view.file.show(entry.message);
      view.entry = entry;
      if (view.turn && entry.kind === "turn")
        view.turn.foot.showVersions(versions.get(entry.firstRun) ?? null, entry === lastTurn);
      if (view.dom.previousElementSibling !== previous)
        this.turns.insertBefore(view.dom, previous === null ? this.turns.firstChild : previous.nextSibling);
      previous = view.dom;
    }
    for (const [key, { dom, entry, turn }] of this.views) {
      if (keys.has(key)) continue;
      const hadFocus = dom.contains(document.activeElement);
      turn?.destroy();
      dom.remove();
      this.window.forget(dom);
      this.views.delete(key);
      const shown = entries.find(
        (other) => other.kind === "turn" && entry.kind === "turn" && other.firstRun === entry.firstRun,
      );
      if (hadFocus && shown?.kind === "turn") this.views.get(shown.runId)?.turn?.foot.versions.focus();
    }
  }

  /**
   * @param {string} key
   * @param {Entry} entry
   * @param {boolean} newest
   * @returns {EntryView}
   */
  add(key, entry, newest) {
    const needs = this.needs();
    const turn =
      entry.kind === "turn" && (TurnWindow.isOpen(entry, this.views.size) || this.replaces(entry))
        ? this.turnView(entry)
        : null;
    const file =
      entry.kind === "aside" && entry.message.type === "file"
        ? new FileAside(entry.message, needs, newest && !this.stands(entry.message.content.fileId))
        : null;
    const dom =
      turn?.dom ??
      file?.dom ??
      (entry.kind === "turn"
        ? this.window.shell(entry, el("li", { class: "turn" }))
        : this.aside(/** @type {Aside} */ (entry), needs));
    this.turns.append(dom);
    if (entry.kind === "turn") this.window.watch(dom);
    this.window.schedule();
    const view = { entry, dom, turn, file };
    this.views.set(key, view);
    return view;
  }

  /** Check whether another version of a turn is shown that has its content. @param {Turn} turn */
  replaces({ firstRun }) {
    const shown = this.state?.shownVersions ?? {};
    return (
      firstRun in shown &&
      [...this.views.values()].some(
        ({ entry, turn }) => turn !== null && entry.kind === "turn" && entry.firstRun === firstRun,
      )
    );
  }

  /** Check whether the card of a file is in the place of the plan. @param {string} fileId */
  stands(fileId) {
    const data = this.state?.room.data;
    return isWide() && data?.kind === "file" && data.content.fileId === fileId;
  }

  /** @returns {import("./shown.js").Needs} */
  needs() {
    return {
      bus: this.bus,
      t: this.t,
      chatId: () => this.state?.chat?.chatId ?? null,
      charts: () => this.state?.charts ?? {},
      room: () => this.state?.room,
      labelOf: (table) => tableLabel(this.state?.entries ?? [], table),
    };
  }

  /** Create the view of a turn. @param {Turn} entry @param {HTMLElement} [dom] */
  turnView(entry, dom) {
    const turn = new TurnView(this.needs(), dom);
    turn.update(entry, null, this.state?.stepsOpen ?? false);
    this.turnsWithoutActions.set(turn, performance.now());
    return turn;
  }

  turnElements() {
    return [...this.views.values()].flatMap(({ entry, dom }) => (entry.kind === "turn" ? [dom] : []));
  }

  /** Give a turn its content. @param {string} run */
  fill(run) {
    const view = this.views.get(run);
    const { state } = this;
    if (!state || !view || view.turn || view.entry.kind !== "turn") return;
    const { entry } = view;
    view.dom.removeAttribute("data-shell");
    view.dom.style.removeProperty("block-size");
    const turn = this.turnView(entry, view.dom);
    const versions = shownEntries(state).versions.get(entry.firstRun) ?? null;
    turn.foot.showVersions(versions, view.dom === this.turnElements().at(-1));
    turn.updateAttempt(state.attempt);
    view.turn = turn;
    refreshPolicyLines(turn.dom, state.policies);
    this.scheduleActions();
  }

  /** Take the content of a turn away. @param {string} run */
  empty(run) {
    const view = this.views.get(run);
    if (!view?.turn || view.entry.kind !== "turn") return;
    this.turnsWithoutActions.delete(view.turn);
    view.turn.destroy();
    view.turn = null;
    this.window.shell(view.entry, view.dom);
  }

  /**
   * @param {Aside} entry
   * @param {import("./shown.js").Needs} needs
   */
  aside({ at, message }, needs) {
    if (message.type === "text")
      return el(
        "li",
        { class: "aside" },
        message.agent !== undefined
          ? lateOutput(message, this.t)
          : textView({ ...noticeOf(message, this.t), tone: "notice" }),
      );
    if (message.type === "branch") return el("li", { class: "aside" }, branchedFrom(message, this.t));
    if (message.type === "policy") return el("li", { class: "aside" }, createView(message, needs));
    const dismiss = () => this.bus.emit("command", { name: "dismiss", at });
    return el(
      "li",
      { class: "aside" },
      createView(message, needs),
      el(
        "button",
        {
          class: "icon-button small",
          type: "button",
          "aria-label": this.t("chat.dismiss"),
          on: { click: dismiss },
        },
        icon("close"),
      ),
    );
  }

  /** Announce a new answer to screen readers, once it is complete. @param {Entry | null} before @param {Entry} after */
  announce(before, after) {
    if (after.kind !== "turn" || (before?.kind === "turn" && before.blocks === after.blocks)) return;
    const last = after.blocks.findLast(isAnswer);
    if (last?.kind !== "shown" || last.message.type !== "text") return;
    const { seq = this.readOut } = last.message;
    if (seq <= this.readOut) return;
    this.readOut = seq;
    this.announcement.textContent = spokenText(last.message);
  }

  /**
   * Select a clicked block in the other panes. A click that selects text or presses a control does not count.
   *
   * @param {MouseEvent} event
   */
  point(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("button, a, input, textarea, select, label") || !window.getSelection()?.isCollapsed)
      return;
    const block = /** @type {HTMLElement | null} */ (target.closest("[data-seq]"));
    const runId = /** @type {HTMLElement | null} */ (target.closest("[data-run]"))?.dataset.run;
    if (block) this.bus.emit("select", { runId, seq: Number(block.dataset.seq), source: "chat" });
  }

  /** @param {Selection} selection */
  light({ runId, seq, seqs = seq === undefined ? [] : [seq], source }) {
    for (const lit of this.dom.querySelectorAll("[data-lit]")) lit.removeAttribute("data-lit");
    if (runId !== undefined && seqs.length > 0) this.fill(runId);
    const [first, ...more] = partsOf(this.dom, seqs);
    for (const block of [first, ...more]) block?.setAttribute("data-lit", "");
    if (source !== "chat") first?.scrollIntoView({ block: "nearest" });
  }

  destroy() {
    for (const { turn } of this.views.values()) turn?.destroy();
    for (const undo of this.undo) undo();
    window.clearTimeout(this.actionsTimer);
    window.cancelAnimationFrame(this.actionsFrame);
    this.window.destroy();
    this.follow.destroy();
    this.dom.remove();
  }
}

/** Check whether the agent keeps Python variables in which edited code can run. @param {DeskState["chat"]} chat */
const runsCode = (chat) =>
  chat !== null &&
  (chat.agent === "code" || (chat.agent === "tools" && chat.tools.includes("python_interpreter")));

/** Return a text without its Markdown marks, a line for each block. @param {Text} message */
function spokenText({ content, html }) {
  if (!html) return content;
  const box = el("div", {}, fragment(html));
  for (const block of box.querySelectorAll(SPOKEN_BLOCKS)) block.append("\n");
  return (box.textContent ?? "").replace(/\s*\n\s*/g, "\n").trim();
}
