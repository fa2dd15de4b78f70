// @ts-check
/**
 * Detail of one row, in tabs: code, output, prompt, response and memory of a step; the messages of any row as a tree
 * and as raw JSON; the terminal of a program.
 */

import { figureList } from "./figures.js";
import { JsonTools } from "./json-tools.js";
import { PromptStore, promptView, stateOf } from "./prompt.js";
import { wireMessage, joined, record } from "./rows.js";
import { screenOf, terminalView } from "./terminal.js";
import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { fragment } from "../core/html.js";
import { icon } from "../core/icons.js";

/** @import { Translate } from "../types.js" */
/** @import { Row } from "./rows.js" */

/** @typedef {"terminal" | "code" | "output" | "prompt" | "response" | "memory" | "tree" | "raw"} Print */

/** Maximum number of raw characters on the page; copying takes all. */
const MAX_RAW = 200_000;
const COPIED_MS = 1500;
const PIECES = new Set(["delta", "printed", "tool_progress"]);
/** @type {Record<string, Print[]>} */
const TABS = {
  terminal: ["terminal"],
  step: ["code", "output", "prompt", "response", "memory"],
  model: ["prompt", "response"],
  other: [],
};

export class DebugDetail {
  /**
   * @param {Translate} t
   * @param {() => string | null} chatId
   * @param {{closed: () => void, chosen: (row: Row) => void}} hooks
   */
  constructor(t, chatId, hooks) {
    this.t = t;
    this.prompts = new PromptStore(chatId);
    this.hooks = hooks;
    /** @type {Row | null} */
    this.row = null;
    this.version = "";
    /** Last chosen tab for each kind of row. @type {Record<string, Print>} */
    this.chosenTabs = { terminal: "terminal", step: "code", model: "prompt", other: "tree" };
    this.tabs = /** @type {Print[]} */ ([
      "terminal",
      "code",
      "output",
      "prompt",
      "response",
      "memory",
      "tree",
      "raw",
    ]).map((print) => ({
      print,
      button: el("button", {
        type: "button",
        role: "tab",
        "data-print": print,
        on: { click: () => this.print(print) },
      }),
    }));
    this.choice = el(
      "div",
      { class: "debug-tabs", role: "tablist", on: { keydown: (event) => this.key(event) } },
      this.tabs.map(({ button }) => button),
    );
    this.copy = el(
      "button",
      { type: "button", class: "tool-button", on: { click: () => this.copyRaw() } },
      icon("copy"),
    );
    this.close = el(
      "button",
      { type: "button", class: "tool-button", on: { click: hooks.closed } },
      icon("close"),
    );
    this.title = el("span", { class: "debug-title" });
    this.figures = el("dl", { class: "debug-figures" });
    this.body = el("div", {
      class: "debug-body",
      role: "tabpanel",
      tabindex: "0",
      on: { focusout: () => window.setTimeout(() => this.show(this.row)) },
    });
    this.dom = el(
      "div",
      {
        class: "debug-detail",
        role: "region",
        hidden: true,
        on: { keydown: (event) => event.key === "Escape" && hooks.closed() },
      },
      el("div", { class: "debug-head" }, this.title, this.copy, this.close),
      this.choice,
      this.figures,
      this.body,
    );
    this.rewrite();
  }

  rewrite() {
    const { t } = this;
    this.dom.setAttribute("aria-label", t("debug.detail"));
    this.choice.setAttribute("aria-label", t("debug.pretty"));
    for (const { print, button } of this.tabs)
      button.textContent = t(`debug.${print === "output" ? "outputs" : print}`);
    name(this.copy, t("shared.copy"));
    name(this.close, t("debug.close"));
    this.show(this.row, true);
  }

  /** @param {Print} print */
  print(print) {
    this.chosenTabs[kindOf(this.row)] = print;
    this.show(this.row, true);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const visible = this.tabs.filter(({ button }) => !button.hidden);
    const next =
      visible[
        (visible.findIndex(({ button }) => button === document.activeElement) + step + visible.length) %
          visible.length
      ];
    event.preventDefault();
    if (next) this.print(next.print);
    next?.button.focus();
  }

  /** Show a row. @param {Row | null} row @param {boolean} [again] redraw an unchanged row */
  show(row, again = false) {
    const same = row === this.row;
    const kind = kindOf(row);
    const print = this.chosenTabs[kind] ?? "tree";
    const version = row ? versionOf(row, print) : "";
    if (same && version === this.version && !again) return;
    // keep the tree while the person searches in it
    if (same && !again && print === "tree" && this.body.querySelector(":focus")) return;
    this.row = row;
    this.version = version;
    this.dom.hidden = row === null;
    if (!row) return this.body.replaceChildren();
    for (const { print: tab, button } of this.tabs) {
      button.hidden = tab !== "tree" && tab !== "raw" && !TABS[kind]?.includes(tab);
      button.setAttribute("aria-selected", String(tab === print));
      button.tabIndex = tab === print ? 0 : -1;
    }
    const { t } = this;
    const { scrollTop } = this.body;
    const seq = row.messages[0]?.seq;
    const title = row.kind === "step" ? t("chat.step", { n: row.step ?? "" }) : row.type;
    this.title.textContent = seq === undefined ? title : `${title} · ${seq}`;
    this.body.setAttribute("aria-label", this.title.textContent);
    this.figures.replaceChildren(
      ...[...figureList(row, t), ...traceId(row, t)].map(([term, value]) =>
        el("div", {}, el("dt", {}, term), el("dd", {}, value)),
      ),
    );
    this.dom.dataset.print = print;
    this.body.replaceChildren(...this.nodes(row, print));
    this.body.scrollTop = same ? scrollTop : 0;
    return undefined;
  }

  /** @param {Row} row @param {Print} print @returns {(Node | string)[]} */
  nodes(row, print) {
    const { t } = this;
    switch (print) {
      case "terminal": {
        const screen = screenOf(row);
        return screen ? [terminalView(screen, t)] : [];
      }
      case "code":
        return orNone(codesOf(row), t("debug.no_code"));
      case "output":
        return orNone(this.outputs(row), t("debug.no_output"));
      case "tree":
        return [new JsonTools(content(row), t).dom];
      case "raw":
        return this.rawNodes(row);
      default:
        return [
          promptView(print, row, this.prompts, t, () => this.row === row && this.dom.dataset.print === print),
        ];
    }
  }

  /**
   * Create the printed output of a step, then its results with links to their rows.
   *
   * @param {Row} step
   * @returns {HTMLElement[]}
   */
  outputs({ children }) {
    const printed = children
      .filter(({ type }) => type === "printed")
      .map(joined)
      .join("");
    const outputs = children.filter(
      ({ kind, type }) => type !== "printed" && (kind === "output" || kind === "tool" || kind === "ask"),
    );
    return [
      ...(printed ? [el("pre", { class: "debug-raw" }, printed.slice(0, MAX_RAW))] : []),
      ...outputs.map((row) =>
        el(
          "button",
          {
            type: "button",
            class: "debug-made",
            "data-kind": row.kind,
            "data-level": row.level,
            on: { click: () => this.hooks.chosen(row) },
          },
          el("b", {}, row.type),
          " ",
          row.summary,
        ),
      ),
    ];
  }

  /** @param {Row} row */
  rawNodes(row) {
    const text = rawText(row);
    const node = el("pre", { class: "debug-raw" }, text.slice(0, MAX_RAW));
    if (text.length <= MAX_RAW) return [node];
    return [node, el("p", { class: "debug-cut" }, this.t("debug.cut", { size: `${MAX_RAW / 1000} kB` }))];
  }

  async copyRaw() {
    if (!this.row || !(await copyText(rawText(this.row)))) return;
    this.copy.replaceChildren(icon("check"));
    name(this.copy, this.t("shared.copied"));
    window.setTimeout(() => {
      this.copy.replaceChildren(icon("copy"));
      name(this.copy, this.t("shared.copy"));
    }, COPIED_MS);
  }
}

/**
 * Return the id of a run's OpenTelemetry trace, if one is exported.
 *
 * @param {Row} row
 * @param {Translate} t
 * @returns {[string, string][]} name and value
 */
function traceId({ kind, messages }, t) {
  const ids = kind === "run" ? messages.map(({ content }) => record(content).traceId) : [];
  return ids.filter((id) => typeof id === "string").map((id) => [t("debug.trace_id"), id]);
}

/** Return the kind of a row, which decides its tabs. @param {Row | null} row */
function kindOf(row) {
  if (screenOf(row)) return "terminal";
  return row?.kind === "step" || row?.kind === "model" ? row.kind : "other";
}

/** Return a key that changes when a tab has to be redrawn. @param {Row} row @param {Print} print */
function versionOf(row, print) {
  const key = `${row.id} ${row.messages.length} ${row.figures.calls}`;
  if (print === "code" || print === "output") return `${key} ${row.version}`;
  // streamed pieces do not change these tabs
  return print === "prompt" || print === "response" || print === "memory" ? `${row.id} ${stateOf(row)}` : key;
}

/** @param {HTMLElement[]} nodes @param {string} none @returns {HTMLElement[]} */
const orNone = (nodes, none) => (nodes.length > 0 ? nodes : [el("p", { class: "debug-none" }, none)]);

/** Return the code of a step, also while the model writes it. @param {Row} step @returns {HTMLElement[]} */
function codesOf({ children }) {
  const codes = children.filter(({ kind }) => kind === "code").map(codeView);
  if (codes.length > 0) return codes;
  const written = children
    .filter(({ kind }) => kind === "model")
    .map(({ messages }) =>
      messages
        .filter(({ type, kind }) => type === "delta" && kind === "code")
        .map(({ content: piece }) => String(piece))
        .join(""),
    );
  return written.filter(Boolean).map((text) => el("pre", { class: "debug-code highlight" }, text));
}

/** @param {Row} row */
function codeView({ messages: [message] }) {
  const { content: text, html } = /** @type {{content?: unknown, html?: unknown}} */ (message ?? {});
  return el(
    "pre",
    { class: "debug-code highlight" },
    typeof html === "string" ? fragment(html) : String(text),
  );
}

/** Return the content of the tree. @param {Row} row @returns {unknown} its messages, with streamed pieces joined */
function content(row) {
  const pieces = row.messages.filter(({ type }) => PIECES.has(type));
  const remaining = row.messages.filter(({ type }) => !PIECES.has(type));
  const last = pieces.at(-1);
  const merged =
    pieces.length > 1
      ? {
          ...pieces[0],
          content: joined(row),
          pieces: pieces.length,
          lastSeq: last?.seq,
          lastTimestamp: last?.timestamp,
        }
      : last;
  const all = merged ? [merged, ...remaining] : remaining;
  return all.length === 1 ? all[0] : all;
}

/** Return the raw text. @param {Row} row @returns {string} one line of JSON per message */
function rawText(row) {
  return row.messages.map((message) => JSON.stringify(wireMessage(message))).join("\n");
}

/** @param {HTMLElement} node @param {string} label */
function name(node, label) {
  node.setAttribute("aria-label", label);
  node.title = label;
}
