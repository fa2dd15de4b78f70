/**
 * Where the panes stand: two columns with splitters, one pane maximised, or (on narrow screens) one pane at a
 * time with tabs below. It knows frames, not what is in them.
 */

import { el } from "./dom.js";
import { PaneFrame } from "./pane-frame.js";
import { Splitter } from "./splitters.js";
import { keep, recall } from "./storage.js";
import { PaneTabs } from "./tabs.js";

/** @import { Command, DeskBus, Message, PaneEntry, PaneName, Translate } from "../types.js" */

export class Layout {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {readonly PaneEntry[]} needs.panes
   */
  constructor({ bus, t, panes }) {
    const actions = { maximise: (/** @type {PaneName} */ name) => this.maximise(name), collapse: (/** @type {PaneName} */ name) => this.collapse(name) };
    this.all = panes.map((entry) => new PaneFrame(entry, new entry.Pane({ bus, t }), t, actions));
    /** Where a message shows: what puts a dot on a tab. @type {Map<string, PaneName>} */
    this.shows = new Map(panes.flatMap(({ name, shows }) => shows.map((type) => [type, /** @type {PaneName} */ (name)])));
    this.dom = el("main", { class: "desk" });
    const columns = new Splitter({ name: "columns", orientation: "vertical", share: 55, area: this.dom, t });
    this.splitters = [columns];
    const [left, right] = /** @type {const} */ (["left", "right"]).map((side) => this.column(side, panes, t));
    this.dom.append(...[left ?? "", columns.dom, right ?? ""]);
    /** @type {Set<PaneName>} panes to dot with the next frame */
    this.changed = new Set();
    this.marking = 0;
    this.tabs = new PaneTabs(panes, t, (name) => this.choose(name));
    this.undo = [
      bus.on("language", () => this.label()),
      bus.on("command", (command) => this.obey(command)),
      bus.on("message", (message) => this.noteChange(message)),
    ];
    this.escape = (/** @type {KeyboardEvent} */ event) => this.leave(event);
    document.addEventListener("keydown", this.escape);
    for (const name of (recall("collapsed") ?? "").split(" ")) {
      this.all.find((frame) => frame.name === name)?.shape({ collapsed: true });
    }
    this.choose("chat");
  }

  /** The first pane of a column, a splitter, and below it the others in equal parts. @param {"left" | "right"} side @param {readonly PaneEntry[]} panes @param {Translate} t */
  column(side, panes, t) {
    const dom = el("div", { class: "column", "data-column": side });
    const splitter = new Splitter({ name: side, orientation: "horizontal", share: 65, area: dom, t });
    this.splitters.push(splitter);
    const [first, ...others] = this.all.filter((_, at) => panes[at]?.column === side);
    dom.style.setProperty("--split-others", String(Math.max(1, others.length)));
    dom.append(...[first?.dom ?? "", splitter.dom, ...others.map((frame) => frame.dom)]);
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
    for (const { dom } of this.splitters) dom.inert = on;
    this.dom.toggleAttribute("data-maximised", on);
    this.frame(name).dom.focus({ preventScroll: true });
  }

  /** @param {PaneName} name */
  collapse(name) {
    this.frame(name).shape({ collapsed: !this.frame(name).collapsed });
    keep("collapsed", this.all.filter(({ collapsed }) => collapsed).map((frame) => frame.name).join(" "));
  }

  /** Which pane a narrow screen shows. @param {PaneName} name */
  choose(name) {
    this.dom.dataset.tab = name;
    for (const frame of this.all) frame.dom.toggleAttribute("data-current", frame.name === name);
    this.tabs.choose(name);
  }

  /** @param {Command} command */
  obey(command) {
    const pane = command.name === "focus-pane" ? command.pane : command.name === "show-ask" ? "chat" : null;
    if (pane === null) return;
    const frame = this.frame(pane);
    const other = this.all.find(({ maximised }) => maximised);
    if (other && other !== frame) this.maximise(other.name);
    if (frame.collapsed) this.collapse(frame.name);
    this.choose(frame.name);
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

  /** @param {KeyboardEvent} event */
  leave(event) {
    const maximised = this.all.find((frame) => frame.maximised);
    const popover = document.querySelector("dialog[open], :popover-open");
    if (event.key === "Escape" && maximised && !popover && !event.defaultPrevented) this.maximise(maximised.name);
  }

  label() {
    for (const frame of this.all) frame.label();
    for (const splitter of this.splitters) splitter.label();
    this.tabs.label();
  }

  destroy() {
    for (const undo of this.undo) undo();
    cancelAnimationFrame(this.marking);
    document.removeEventListener("keydown", this.escape);
    this.dom.remove();
    this.tabs.dom.remove();
  }
}
