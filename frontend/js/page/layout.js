/**
 * Layout of the panes: two columns with splitters, one maximised pane, or (on narrow screens) one pane with tabs below.
 * It handles frames, not their contents. pane-room.js decides which pane gets the room; this class applies that, never
 * while a person is using the page, and keeps sizes set by hand.
 */

import { el } from "../core/dom.js";
import { DataPlace } from "./data-place.js";
import { Holding } from "./holding.js";
import { PaneFrame } from "./pane-frame.js";
import { LAYOUTS, sizesOf } from "./pane-room.js";
import { Splitter } from "./splitters.js";
import { followWidth, isWide } from "../core/screen.js";
import { keep, recall } from "../core/storage.js";
import { PaneTabs } from "./tabs.js";

/** @import { Command, DeskBus, DeskState, LayoutName, Message, PaneEntry, PaneName, Translate } from "../types.js" */

export class Layout {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {readonly PaneEntry[]} needs.panes
   */
  constructor({ bus, t, panes }) {
    const actions = {
      maximise: (/** @type {PaneName} */ name) => this.maximise(name),
      collapse: (/** @type {PaneName} */ name) => this.collapse(name),
    };
    this.bus = bus;
    this.moved = () => this.saveSizes();
    this.all = panes.map((entry) => new PaneFrame(entry, new entry.Pane({ bus, t }), t, actions));
    /** Panes by the message types that put a dot on their tab. @type {Map<string, PaneName>} */
    this.shows = new Map(
      panes.flatMap(({ name, shows }) => shows.map((type) => [type, /** @type {PaneName} */ (name)])),
    );
    this.place = new DataPlace({ bus, t, frame: this.frame("map") });
    this.dom = el("main", { class: "desk" });
    const columns = new Splitter({
      name: "columns",
      orientation: "vertical",
      share: 55,
      area: this.dom,
      t,
      moved: this.moved,
    });
    this.splitters = [columns];
    const [left, right] = /** @type {const} */ (["left", "right"]).map((side) => this.column(side, panes, t));
    this.dom.append(...[left ?? "", columns.dom, right ?? ""]);
    /** @type {Set<PaneName>} panes to dot with the next frame */
    this.changed = new Set();
    this.marking = 0;
    this.tabs = new PaneTabs(panes, t, (name) => this.choose(name));
    this.undo = [
      bus.on("language", () => this.label()),
      bus.on("command", (command) => this.onCommand(command)),
      bus.on("message", (message) => this.noteChange(message)),
      bus.on("state", (state) => this.update(state)),
    ];
    /** Pane used last, which `m` maximises. @type {PaneName} */
    this.used = "chat";
    this.use = (/** @type {Event} */ { target }) => {
      this.used = this.frameAround(target) ?? this.used;
    };
    this.pressed = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.dom.addEventListener("focusin", this.use);
    this.dom.addEventListener("pointerdown", this.use);
    document.addEventListener("keydown", this.pressed);
    /** Folded panes while none is maximised. @type {Set<string>} */
    this.folded = new Set();
    /** @type {DeskState | null} */
    this.state = null;
    /**
     * Layout applied last, and the rest of the room by which it was.
     *
     * @type {{ chatId: string | undefined, layout: LayoutName | null, sizes: ReturnType<typeof sizesOf>, opened: number }}
     */
    this.applied = { chatId: undefined, layout: null, sizes: null, opened: 0 };
    this.apply = () => {
      if (this.state) this.update(this.state);
    };
    this.holding = new Holding(this.apply);
    this.undo.push(followWidth(this.apply));
    bus.emit("fact", { type: "@layout", layout: remembered() });
    this.restore();
    this.choose("chat");
  }

  /**
   * Apply the layout of the state: a person's choice at once, a change by an answer only while the page is not in use.
   *
   * @param {DeskState} state
   */
  update(state) {
    this.state = state;
    const { layout, opened } = state.room;
    const next = { chatId: state.chat?.chatId, layout, sizes: sizesOf(state), opened };
    const { applied } = this;
    const opens = opened > applied.opened;
    const chosen = layout !== applied.layout || next.chatId !== applied.chatId || opens;
    if (!chosen && this.holding.isBusy) return;
    this.applied = next;
    if (layout !== applied.layout && applied.layout !== null) keep("layout", layout);
    this.dom.toggleAttribute("data-lean", layout === "lean");
    this.place.show(state);
    if (opens && state.room.data !== null && isWide()) this.reveal("map");
    if (layout === applied.layout && next.sizes === applied.sizes && next.chatId === applied.chatId) return;
    if (next.sizes === applied.sizes && next.sizes !== null) return;
    if (next.sizes === null) this.restore();
    else this.resize(next.sizes);
  }

  /** Unfold a pane, and show it. @param {PaneName} name */
  reveal(name) {
    if (this.frame(name).collapsed) this.unfold(name, true);
    this.choose(name);
  }

  /** @param {NonNullable<ReturnType<typeof sizesOf>>} sizes */
  resize({ folded, ...shares }) {
    for (const splitter of this.splitters) splitter.show(shares[splitter.name]);
    this.fold(folded);
  }

  /** Restore sizes set by hand, else the default ones. */
  restore() {
    for (const splitter of this.splitters) splitter.restore();
    this.fold((recall("collapsed") ?? "").split(" "));
  }

  /** @param {readonly string[]} names */
  fold(names) {
    this.folded = new Set(names);
    this.reshape();
  }

  /** Fold and unfold the frames. A splitter next to a folded pane is hidden. */
  reshape() {
    const maximised = this.all.some((frame) => frame.maximised);
    for (const frame of this.all)
      if (!frame.maximised) frame.shape({ collapsed: this.folded.has(frame.name) });
    for (const { dom } of this.splitters) {
      const siblings =
        dom.parentElement === this.dom
          ? []
          : this.all.filter((frame) => frame.dom.parentElement === dom.parentElement);
      dom.inert = maximised || siblings.some(({ name }) => this.folded.has(name));
    }
  }

  /** Store all sizes after a person changed one. */
  saveSizes() {
    for (const splitter of this.splitters) splitter.keep();
    keep("collapsed", [...this.folded].join(" "));
    this.bus.emit("fact", { type: "@layout", layout: "own" });
  }

  /** Return the frame around a node. @param {EventTarget | null} node @returns {PaneName | undefined} */
  frameAround(node) {
    return this.all.find(({ dom }) => node instanceof Node && dom.contains(node))?.name;
  }

  /**
   * Build a column: its first pane, a splitter, and the other panes in equal parts.
   *
   * @param {"left" | "right"} side
   * @param {readonly PaneEntry[]} panes
   * @param {Translate} t
   */
  column(side, panes, t) {
    const dom = el("div", { class: "column", "data-column": side });
    const splitter = new Splitter({
      name: side,
      orientation: "horizontal",
      share: side === "left" ? 65 : 74,
      area: dom,
      t,
      moved: this.moved,
    });
    this.splitters.push(splitter);
    const [first, ...following] = this.all.filter((_, at) => panes[at]?.column === side);
    dom.style.setProperty("--split-others", String(Math.max(1, following.length)));
    dom.append(...[first?.dom ?? "", splitter.dom, ...following.map((frame) => frame.dom)]);
    return dom;
  }

  /** @param {PaneName} name @returns {PaneFrame} */
  frame(name) {
    return /** @type {PaneFrame} */ (this.all.find((frame) => frame.name === name));
  }

  /** @param {PaneName} name */
  maximise(name) {
    const on = !this.frame(name).maximised;
    for (const frame of this.all) {
      frame.shape({ maximised: on && frame.name === name });
      frame.dom.inert = on && frame.name !== name;
    }
    this.reshape();
    this.dom.toggleAttribute("data-maximised", on);
    if (on) this.choose(name);
    this.frame(name).dom.focus({ preventScroll: true });
  }

  /** Restore a maximised pane other than the target. @param {PaneName} target */
  restoreMaximised(target) {
    const other = this.all.find(({ maximised, name }) => maximised && name !== target);
    if (other) this.maximise(other.name);
  }

  /** @param {PaneName} name */
  collapse(name) {
    this.unfold(name, this.folded.has(name));
    this.saveSizes();
  }

  /** @param {PaneName} name @param {boolean} open */
  unfold(name, open) {
    this.fold(open ? [...this.folded].filter((folded) => folded !== name) : [...this.folded, name]);
  }

  /** Show a pane on a narrow screen, and restore a maximised one, which would hide it. @param {PaneName} name */
  choose(name) {
    this.restoreMaximised(name);
    this.dom.dataset.tab = name;
    for (const frame of this.all) frame.dom.toggleAttribute("data-current", frame.name === name);
    this.tabs.choose(name);
  }

  /** @param {Command} command */
  onCommand(command) {
    const pane = command.name === "focus-pane" ? command.pane : command.name === "show-ask" ? "chat" : null;
    if (pane === null) return;
    this.reveal(pane);
    if (command.name === "focus-pane" && pane === "map" && this.frame("map").dom.dataset.front === "data")
      this.bus.emit("fact", { type: "@front", front: "map" });
  }

  /** @param {Message} message */
  noteChange({ type }) {
    const pane = this.shows.get(type);
    if (pane === undefined) return;
    this.changed.add(pane);
    this.marking ||= requestAnimationFrame(() => {
      this.marking = 0;
      for (const name of this.changed) this.tabs.mark(name);
      this.changed.clear();
    });
  }

  /** Restore a maximised pane on Escape; `m` toggles the pane in use. @param {KeyboardEvent} event */
  key(event) {
    const maximised = this.all.find((frame) => frame.maximised);
    const covered =
      document.querySelector("dialog:modal, :popover-open") !== null || !this.dom.checkVisibility();
    if (covered || event.defaultPrevented) return;
    if (event.key === "Escape" && maximised) this.maximise(maximised.name);
    else if (isShortcut(event)) this.maximise(maximised?.name ?? this.frameAround(event.target) ?? this.used);
  }

  label() {
    for (const frame of this.all) frame.label();
    for (const splitter of this.splitters) splitter.label();
    this.tabs.label();
    this.place.relabel();
    if (this.state) this.place.show(this.state);
  }

  destroy() {
    for (const undo of this.undo) undo();
    cancelAnimationFrame(this.marking);
    document.removeEventListener("keydown", this.pressed);
    this.holding.destroy();
    this.place.destroy();
    this.dom.remove();
    this.tabs.dom.remove();
  }
}

/** Return the stored layout. Sizes stored by versions without layouts count as set by hand. @returns {LayoutName} */
function remembered() {
  const stored = recall("layout");
  const isCustom = ["split.columns", "split.left", "split.right", "collapsed"].some((key) => recall(key));
  return LAYOUTS.find((name) => name === stored) ?? (isCustom ? "own" : "lean");
}

/** Check for "m" alone, outside of fields. @param {KeyboardEvent} event */
function isShortcut(event) {
  const writing =
    event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
  return (
    event.key === "m" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing && !writing
  );
}
