/**
 * Text of a terminal program with its own line breaks and widths. It looks the same while it streams and when it is
 * complete, so that replacing one by the other does not move anything. Only empty lines at both ends are left out.
 */

import { el } from "../core/dom.js";
import { grown, since } from "./rope.js";
import { Stream } from "./stream.js";

/** @import { OutputBlock, Pieces, Translate } from "../types.js" */

export class ProgramText {
  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.dom = el("pre", { class: "program-text" });
    this.stream = new Stream(this.dom);
    this.alignment = new Alignment();
    /** Received pieces, and the drawn part: trailing whitespace waits for what follows. @type {Pieces | null} */
    this.received = null;
    /** @type {Pieces | null} */
    this.drawn = null;
    this.ends = "";
  }

  /** @param {OutputBlock} block */
  update({ text }) {
    this.show(text);
  }

  /** Draw more text. @param {Pieces} pieces continuation of the previous ones */
  show(pieces) {
    const more = this.ends + (since(pieces, this.received) ?? "");
    this.received = pieces;
    const text = this.drawn === null ? more.replace(/^(?:[^\S\n]*\n)+/, "") : more;
    const end = text.trimEnd().length;
    this.ends = text.slice(end);
    if (end === 0) return;
    this.drawn = grown(this.drawn, text.slice(0, end));
    this.stream.show(this.drawn);
    if (this.alignment.add(text.slice(0, end)) && !this.dom.hasAttribute("data-aligned")) this.align();
  }

  /** Turn off wrapping for text in columns; wide lines scroll. */
  align() {
    for (const [name, value] of Object.entries({
      "data-aligned": "",
      tabindex: "0",
      role: "group",
      "aria-label": this.t("program.text"),
    }))
      this.dom.setAttribute(name, value);
  }
}

/**
 * @param {string} text
 * @param {Translate} t
 * @returns {HTMLElement}
 */
export function programText(text, t) {
  const view = new ProgramText(t);
  view.show(grown(null, text));
  return view.dom;
}

// Detector of text in columns, line by line as it streams; such text must not wrap. Pure.

/** Box drawing, or a gap between words that is not a space after a sentence. */
const COLUMNS = /[\u2500-\u257f]|[^\s.!?:] {2,}\S|\S\t+\S/;
/** Number of such lines that makes a text columnar. */
const MIN_COLUMN_LINES = 2;
/** Characters of a line that are checked. */
const MAX_CHECKED = 400;

export class Alignment {
  constructor() {
    this.lines = 0;
    /** Incomplete last line. */
    this.lastLine = "";
    this.isAligned = false;
  }

  /**
   * Check the next part of the text.
   *
   * @param {string} text
   * @returns {boolean} whether the text is laid out in columns; never reverts
   */
  add(text) {
    if (this.isAligned) return true;
    const lines = text.split("\n");
    lines[0] = this.lastLine + lines[0];
    this.lastLine = (lines.pop() ?? "").slice(0, MAX_CHECKED);
    this.lines += lines.filter((line) => COLUMNS.test(line.slice(0, MAX_CHECKED))).length;
    this.isAligned =
      this.lines >= MIN_COLUMN_LINES || (this.lines === MIN_COLUMN_LINES - 1 && COLUMNS.test(this.lastLine));
    return this.isAligned;
  }
}
