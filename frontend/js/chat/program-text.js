/**
 * What a terminal program wrote, as it laid it out: line breaks and widths are its own. The same while it comes and when it
 * is there, so that one takes the other's place without a jump. Only empty lines at both ends are left out.
 */

import { Alignment } from "../core/aligned.js";
import { Stream } from "./stream.js";
import { el } from "../core/dom.js";
import { grown, since } from "./rope.js";

/** @import { OutputBlock, Pieces, Translate } from "../types.js" */

export class ProgramText {
  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.dom = el("pre", { class: "program-text" });
    this.stream = new Stream(this.dom);
    this.alignment = new Alignment();
    /** What was told, and what of it is drawn: the spaces at its end wait for what follows. @type {Pieces | null} */
    this.told = null;
    /** @type {Pieces | null} */
    this.drawn = null;
    this.ends = "";
  }

  /** @param {OutputBlock} block */
  update({ text }) {
    this.show(text);
  }

  /** @param {Pieces} pieces that grew out of those before */
  show(pieces) {
    const more = this.ends + (since(pieces, this.told) ?? "");
    this.told = pieces;
    const words = this.drawn === null ? more.replace(/^(?:[^\S\n]*\n)+/, "") : more;
    const end = words.trimEnd().length;
    this.ends = words.slice(end);
    if (end === 0) return;
    this.drawn = grown(this.drawn, words.slice(0, end));
    this.stream.show(this.drawn);
    if (this.alignment.add(words.slice(0, end)) && !this.dom.hasAttribute("data-aligned")) this.align();
  }

  /** Columns are not wrapped: what is too wide is scrolled to. */
  align() {
    for (const [name, value] of Object.entries({ "data-aligned": "", tabindex: "0", role: "group", "aria-label": this.t("program.text") })) this.dom.setAttribute(name, value);
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
