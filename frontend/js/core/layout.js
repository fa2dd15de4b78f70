/**
 * Where the four panes stand: two columns with splitters, one pane maximised, or (on narrow screens) one pane at a
 * time with tabs below. It knows frames, not what is in them.
 */

import { el } from "./dom.js";
import { PaneFrame } from "./pane-frame.js";
import { Splitter } from "./splitters.js";
import { keep, recall } from "./storage.js";
import { PaneTabs } from "./tabs.js";

/** @import { Command, DeskBus, Message, Pane, PaneName, Translate } from "../types.js" */

/** Where a message shows: what puts a dot on a tab. @type {Record<string, PaneName>} */
const PANES = {
  image: "images", map: "map", map_frames: "map", highlight_room: "map", arrow: "map", clear_map: "map", clear_arrows: "map",
  text: "chat", error: "chat", ask: "chat", json: "chat",
};

export class Layout {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {Record<PaneName, Pane>} needs.panes
   */
  constructor({ bus, t, panes }) {
    const actions = { maximise: (/** @type {PaneName} */ name) => this.maximise(name), collapse: (/** @type {PaneName} */ name) => this.collapse(name) };
    const frame = (/** @type {PaneName} */ name) => new PaneFrame(name, panes[name], t, actions);
    this.frames = { map: frame("map"), images: frame("images"), chat: frame("chat"), debug: frame("debug") };
    const { map, images, chat, debug } = this.frames;
    this.left = el("div", { class: "column", "data-column": "left" });
    this.right = el("div", { class: "column", "data-column": "right" });
    this.dom = el("main", { class: "desk" });
    this.splitters = [
      new Splitter({ name: "columns", orientation: "vertical", share: 55, area: this.dom, t }),
      new Splitter({ name: "left", orientation: "horizontal", share: 65, area: this.left, t }),
      new Splitter({ name: "right", orientation: "horizontal", share: 65, area: this.right, t }),
    ];
    const [columns, left, right] = this.splitters.map((splitter) => splitter.dom);
    this.left.append(map.dom, ...[left ?? ""], images.dom);
    this.right.append(chat.dom, ...[right ?? ""], debug.dom);
    this.dom.append(this.left, ...[columns ?? ""], this.right);
    /** @type {Set<PaneName>} panes to dot with the next frame */
    this.changed = new Set();
    this.frame = 0;
    this.tabs = new PaneTabs(t, (name) => this.choose(name));
    this.undo = [
      bus.on("language", () => this.label()),
      bus.on("command", (command) => this.obey(command)),
      bus.on("message", (message) => this.noteChange(message)),
    ];
    this.escape = (/** @type {KeyboardEvent} */ event) => this.leave(event);
    document.addEventListener("keydown", this.escape);
    for (const name of (recall("collapsed") ?? "").split(" ")) {
      if (name in this.frames) this.frames[/** @type {PaneName} */ (name)].shape({ collapsed: true });
    }
    this.choose("chat");
  }

  get all() { return Object.values(this.frames); }

  /** @param {PaneName} name */
  maximise(name) {
    const on = !this.frames[name].maximised;
    for (const frame of this.all) {
      frame.shape({ maximised: on && frame.name === name });
      frame.dom.inert = on && frame.name !== name;
    }
    for (const { dom } of this.splitters) dom.inert = on;
    this.dom.toggleAttribute("data-maximised", on);
    this.frames[name].dom.focus({ preventScroll: true });
  }

  /** @param {PaneName} name */
  collapse(name) {
    this.frames[name].shape({ collapsed: !this.frames[name].collapsed });
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
    const frame = this.frames[pane];
    const other = this.all.find(({ maximised }) => maximised);
    if (other && other !== frame) this.maximise(other.name);
    if (frame.collapsed) this.collapse(frame.name);
    this.choose(frame.name);
  }

  /** @param {Message} message */
  noteChange({ type }) {
    const pane = PANES[type];
    if (pane === undefined) return;
    this.changed.add(pane);
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
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
    cancelAnimationFrame(this.frame);
    document.removeEventListener("keydown", this.escape);
    this.dom.remove();
    this.tabs.dom.remove();
  }
}
