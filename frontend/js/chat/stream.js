/** Text on the page that grows as it is written: each call appends only the new part. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { grown, since, textOf } from "./rope.js";

/** @import { Pieces, Text, Translate } from "../types.js" */

const FOLD_AFTER = 12;
const CHUNK = 1500;
/** Maximum number of characters drawn of the newest lines. */
const MOST_CHARACTERS = 16_000;
const AT_END = 8;

/**
 * Growing text at the end of a node. It is cut into blocks at line ends, so that the browser lays out only the last
 * block when text is added.
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
    for (let from = 0; from < text.length;) {
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

/** Pieces of text inside a given node. */
export class Stream {
  /** @param {HTMLElement} dom */
  constructor(dom) {
    this.tail = new Tail(dom);
    /** @type {Pieces | null} */
    this.drawn = null;
  }

  /** @param {Pieces | null} pieces */
  show(pieces) {
    let more = since(pieces, this.drawn);
    if (more === null) {
      this.tail.clear();
      more = since(pieces, null) ?? "";
    }
    this.drawn = pieces;
    this.tail.append(more);
  }
}

/**
 * Printed output of a cell: twelve lines, and the others on demand. While it prints the newest lines are shown,
 * afterwards the first. Folded lines are counted, not drawn.
 */
export class Printed {
  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    /** @type {Pieces | null} */
    this.drawn = null;
    this.folded = true;
    /** Whether more output is expected. */
    this.live = false;
    this.lines = 0;
    this.text = el("pre", {
      class: "printed-text",
      tabindex: "0",
      role: "group",
      "aria-label": t("chat.output"),
    });
    this.tail = new Tail(this.text);
    this.button = el("button", {
      class: "fold-button",
      type: "button",
      hidden: true,
      on: { click: () => this.toggle() },
    });
    this.dom = el("div", { class: "printed" }, this.text, this.button);
  }

  /** Draw the output. @param {Pieces | null} pieces @param {boolean} [live] whether more is expected */
  show(pieces, live = false) {
    const more = live === this.live ? since(pieces, this.drawn) : null;
    if (more === null) this.turn(live);
    this.add(pieces, more ?? textOf(pieces));
  }

  /** Restart, with the button above the newest lines or below the first ones. @param {boolean} live */
  turn(live) {
    this.live = live;
    this.tail.clear();
    this.lines = 0;
    if ((this.dom.firstChild === this.button) === live) return;
    const focused = document.activeElement === this.button;
    if (live) this.dom.prepend(this.button);
    else this.dom.append(this.button);
    if (focused) this.button.focus({ preventScroll: true });
  }

  /** Append output. @param {Pieces | null} pieces @param {string} more the new part */
  add(pieces, more) {
    this.drawn = pieces;
    if (more === "") return;
    const { text } = this;
    const follows =
      this.live && !this.folded && text.scrollHeight - text.clientHeight - text.scrollTop < AT_END;
    if (!this.folded) this.tail.append(more);
    else if (this.live) text.textContent = lastLines(pieces, FOLD_AFTER);
    else this.tail.append(this.upToFold(more));
    if (follows) text.scrollTop = text.scrollHeight;
    this.lines += newlines(more);
    this.label();
  }

  toggle() {
    this.folded = !this.folded;
    this.turn(this.live);
    this.add(this.drawn, textOf(this.drawn));
    if (this.live) this.text.scrollTop = this.text.scrollHeight;
  }

  /** Return the part of `more` that belongs to the first lines. @param {string} more */
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
    const total = this.lines + (this.drawn?.text.endsWith("\n") ? 0 : 1);
    const hidden = total - FOLD_AFTER;
    this.button.hidden = hidden <= 0;
    const more = this.live ? "chat.earlier_lines" : "chat.more_lines";
    this.button.textContent = this.folded
      ? this.t(more, { n: this.t.number(hidden) })
      : this.t("chat.fewer_lines");
    this.button.setAttribute("aria-expanded", String(!this.folded));
  }
}

/**
 * Return the view of output that a terminal program wrote after its run, between the turns.
 *
 * @param {Text} message
 * @param {Translate} t
 */
export function lateOutput({ content, seq }, t) {
  const printed = new Printed(t);
  printed.show(grown(null, content.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd()));
  return el(
    "div",
    { class: "late", role: "note", "data-seq": seq },
    el("p", { class: "late-head" }, icon("terminal"), t("program.late")),
    printed.dom,
  );
}

/**
 * Return the last lines of a text, without its final line break. The cost depends on the result; a very long line is
 * cut.
 *
 * @param {Pieces | null} pieces
 * @param {number} most maximum number of lines
 */
export function lastLines(pieces, most) {
  let text = "";
  for (
    let piece = pieces;
    piece !== null && text.length < MOST_CHARACTERS && newlines(text) <= most;
    piece = piece.before
  )
    text = piece.text + text;
  return text.slice(-MOST_CHARACTERS).replace(/\n$/, "").split("\n").slice(-most).join("\n");
}

/** @param {string} text */
function newlines(text) {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
