// @ts-check
/** What one row says, in full: as a tree, raw as it came over the wire, or, for a terminal program, as its terminal. */

import { joined } from "./log.js";
import { screenOf, terminalView } from "./terminal.js";
import { jsonTree } from "../core/json-tree.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { Translate } from "../types.js" */
/** @import { Row } from "./log.js" */

/** @typedef {"tree" | "raw" | "terminal"} Print */

/** Characters of raw text that are put on the page; copying takes all. */
const SHOWN = 200_000;

export class DebugDetail {
  /** @param {Translate} t @param {{closed: () => void}} hooks */
  constructor(t, { closed }) {
    this.t = t;
    /** @type {Row | null} */
    this.row = null;
    this.version = 0;
    /** @type {Print} */
    this.wished = "tree";
    /** For rows that have a terminal, which are looked at for it. @type {Print} */
    this.wishedOfPrograms = "terminal";
    this.terminal = el("button", { type: "button", on: { click: () => this.print("terminal") } });
    this.tree = el("button", { type: "button", on: { click: () => this.print("tree") } });
    this.raw = el("button", { type: "button", on: { click: () => this.print("raw") } });
    this.choice = el("div", { class: "debug-pretty", role: "group" }, this.terminal, this.tree, this.raw);
    this.copy = el("button", { type: "button", class: "tool-button", on: { click: () => this.copyRaw() } }, icon("copy"));
    this.close = el("button", { type: "button", class: "tool-button", on: { click: closed } }, icon("close"));
    this.title = el("span", { class: "debug-title" });
    this.body = el("div", { class: "debug-body", tabindex: "0" });
    this.dom = el(
      "div",
      { class: "debug-detail", hidden: true, on: { keydown: (event) => event.key === "Escape" && closed() } },
      el("div", { class: "debug-head" }, this.title, this.choice, this.copy, this.close),
      this.body,
    );
    this.rewrite();
  }

  rewrite() {
    const { t } = this;
    this.body.setAttribute("aria-label", t("debug.detail"));
    this.body.setAttribute("role", "region");
    this.choice.setAttribute("aria-label", t("debug.pretty"));
    this.terminal.textContent = t("debug.terminal");
    this.tree.textContent = t("debug.tree");
    this.raw.textContent = t("debug.raw");
    name(this.copy, t("debug.copy"));
    name(this.close, t("debug.close"));
    this.show(this.row, true);
  }

  /** @param {Print} print */
  print(print) {
    if (screenOf(this.row)) this.wishedOfPrograms = print;
    else this.wished = print;
    this.show(this.row, true);
  }

  /**
   * @param {Row | null} row
   * @param {boolean} [again] also when it is the row that is shown, unchanged
   */
  show(row, again = false) {
    const same = row === this.row;
    const screen = screenOf(row);
    const print = screen ? this.wishedOfPrograms : this.wished;
    this.terminal.hidden = screen === null;
    for (const [name, button] of Object.entries({ terminal: this.terminal, tree: this.tree, raw: this.raw })) button.setAttribute("aria-pressed", String(name === print));
    this.dom.hidden = row === null;
    if (same && row?.version === this.version && !again) return;
    this.row = row;
    if (!row) return this.body.replaceChildren();
    this.version = row.version;
    const { scrollTop } = this.body;
    const seq = row.messages[0]?.seq;
    this.title.textContent = seq === undefined ? row.type : `${row.type} · ${seq}`;
    this.dom.dataset.print = print;
    this.body.replaceChildren(...(print === "terminal" && screen ? [terminalView(screen, this.t)] : print === "tree" ? [jsonTree(content(row), this.t)] : this.rawNodes(row)));
    this.body.scrollTop = same ? scrollTop : 0;
    return undefined;
  }

  /** @param {Row} row */
  rawNodes(row) {
    const text = rawText(row);
    const node = el("pre", { class: "debug-raw" }, text.slice(0, SHOWN));
    if (text.length <= SHOWN) return [node];
    return [node, el("p", { class: "debug-cut" }, this.t("debug.cut", { size: `${SHOWN / 1000} kB` }))];
  }

  async copyRaw() {
    if (!this.row) return;
    try {
      await navigator.clipboard.writeText(rawText(this.row));
      this.copy.replaceChildren(icon("check"));
      name(this.copy, this.t("debug.copied"));
    } catch (fault) {
      if (!(fault instanceof DOMException)) throw fault; // refused by the browser: the text can still be marked by hand
    }
    setTimeout(() => {
      this.copy.replaceChildren(icon("copy"));
      name(this.copy, this.t("debug.copy"));
    }, 1500);
  }
}

/** @param {Row} row @returns {unknown} what the tree shows: the message, or the pieces put together */
function content(row) {
  const [first] = row.messages;
  if (row.messages.length === 1) return first;
  const last = row.messages[row.messages.length - 1];
  return { ...first, content: joined(row), pieces: row.messages.length, lastSeq: last?.seq, lastTimestamp: last?.timestamp };
}

/** @param {Row} row @returns {string} one line of JSON per message */
function rawText(row) {
  return row.messages.map((message) => JSON.stringify(message)).join("\n");
}

/** @param {HTMLElement} node @param {string} words */
function name(node, words) {
  node.setAttribute("aria-label", words);
  node.title = words;
}
