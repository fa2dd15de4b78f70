/** Text on the page that grows while it is written: each call appends only what is new. */

import { el } from "../core/dom.js";
import { since } from "./rope.js";

/** @import { Pieces, Translate } from "../types.js" */

const FOLD_AFTER = 12;
const CHUNK = 1500;

/**
 * Text at the end of a node. It is cut into blocks at line ends, so that the browser lays out the last one anew when
 * text is added, and not all of it.
 */
class Tail {
  /** @param {HTMLElement} dom */
  constructor(dom) {
    this.dom = dom;
    /** @type {HTMLElement | null} */
    this.chunk = null;
    this.filled = 0;
  }

  /** @param {string} text */
  append(text) {
    for (let from = 0; from < text.length; ) {
      this.chunk ??= this.dom.appendChild(el("span", { class: "chunk" }));
      const lineEnd = text.indexOf("\n", from + Math.max(0, CHUNK - this.filled)) + 1;
      const to = lineEnd === 0 ? text.length : lineEnd;
      this.chunk.append(text.slice(from, to));
      this.filled += to - from;
      from = to;
      if (lineEnd > 0) this.begin();
    }
  }

  begin() {
    this.chunk = null;
    this.filled = 0;
  }

  clear() {
    this.dom.replaceChildren();
    this.begin();
  }
}

/** Shows pieces inside a node of the caller's. */
export class Stream {
  /** @param {HTMLElement} dom */
  constructor(dom) {
    this.tail = new Tail(dom);
    /** @type {Pieces | null} */
    this.known = null;
  }

  /** @param {Pieces | null} pieces */
  show(pieces) {
    let more = since(pieces, this.known);
    if (more === null) {
      this.tail.clear();
      more = since(pieces, null) ?? "";
    }
    this.known = pieces;
    this.tail.append(more);
  }
}

/** What a cell printed: twelve lines, and the rest on demand. While folded, later pieces are counted, not drawn. */
export class Printed {
  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    /** @type {Pieces | null} */
    this.known = null;
    this.folded = true;
    this.lines = 0;
    this.text = el("pre", { class: "printed-text", tabindex: "0", role: "group", "aria-label": t("chat.output") });
    this.tail = new Tail(this.text);
    this.button = el("button", { class: "fold-button", type: "button", hidden: true, on: { click: () => this.toggle() } });
    this.dom = el("div", { class: "printed" }, this.text, this.button);
  }

  /** @param {Pieces | null} pieces */
  show(pieces) {
    const more = since(pieces, this.known);
    if (more === null) {
      this.redraw(pieces);
      return;
    }
    this.known = pieces;
    if (more === "") return;
    this.tail.append(this.folded ? this.upToFold(more) : more);
    this.lines += newlines(more);
    this.label();
  }

  toggle() {
    this.folded = !this.folded;
    this.redraw(this.known);
  }

  /** @param {Pieces | null} pieces */
  redraw(pieces) {
    this.tail.clear();
    this.known = null;
    this.lines = 0;
    this.show(pieces);
  }

  /**
   * The part of `more` that still belongs to the first lines.
   *
   * @param {string} more
   */
  upToFold(more) {
    let room = FOLD_AFTER - this.lines;
    if (room <= 0) return "";
    for (let at = more.indexOf("\n"); at >= 0; at = more.indexOf("\n", at + 1)) {
      room -= 1;
      if (room === 0) return more.slice(0, at);
    }
    return more;
  }

  label() {
    const total = this.lines + (this.known?.text.endsWith("\n") ? 0 : 1);
    const hidden = total - FOLD_AFTER;
    this.button.hidden = hidden <= 0;
    this.button.textContent = this.folded ? this.t("chat.more_lines", { n: this.t.number(hidden) }) : this.t("chat.fewer_lines");
    this.button.setAttribute("aria-expanded", String(!this.folded));
  }
}

/** @param {string} text */
function newlines(text) {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
