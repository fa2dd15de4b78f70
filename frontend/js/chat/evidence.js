/**
 * Evidence of an answer: its figures marked in its text, the seal in the footer of the turn, and the list that it opens.
 * A figure lights the places of its values while the pointer is on it, and a click goes to the first.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { openSheet, sheetButton } from "../core/sheet.js";
import { indexOfFigure } from "./figure-places.js";

/** @import { EvidenceContent, EvidencePlace, FigureEvidence, Translate, Turn } from "../types.js" */

// Longest name of a row that stands for its number.
const MAX_NAME = 40;
// Parts of an answer without figures of its own text.
const OTHER = "pre, code, button, figure, .suggestions";

export class EvidenceView {
  /**
   * @param {EvidenceContent} content
   * @param {Turn} turn
   * @param {Translate} t
   * @param {(place: EvidencePlace) => Element | null} find returns what shows a place
   * @param {(element: Element) => void} reveal brings an element into view
   * @param {(place: EvidencePlace) => Promise<string>} openRows opens the rows behind a cell, or returns why not
   */
  constructor(content, turn, t, find, reveal, openRows) {
    this.content = content;
    this.turn = turn;
    this.t = t;
    this.find = find;
    this.reveal = reveal;
    this.openRows = openRows;
    /** @type {Element[]} */
    this.lit = [];
  }

  /** Mark the figures of a text. @param {HTMLElement} dom @param {string} markdown @param {number} part its number */
  mark(dom, markdown, part) {
    const nodes = textNodes(dom);
    const shown = nodes.map((node) => node.data).join("");
    const marks = this.content.figures.flatMap((figure, at) => {
      if (figure.part !== part || figure.container || figure.status === "asked") return [];
      const index = indexOfFigure(markdown, figure, shown);
      return index < 0 ? [] : [{ figure, at, index }];
    });
    // From the last one, so that the earlier ones keep their places.
    for (const { figure, at, index } of marks.sort((a, b) => b.index - a.index)) {
      const place = nodeAt(nodes, index);
      if (!place || place.offset + figure.text.length > place.node.length) continue;
      const text = place.node.splitText(place.offset);
      text.splitText(figure.text.length);
      const mark = el("span", {
        class: "figure-mark",
        "data-status": figure.status,
        "data-figure": at,
        title: this.describe(figure),
      });
      text.replaceWith(mark);
      mark.append(text);
    }
    dom.addEventListener("pointerover", (event) => this.light(this.figureOf(event)));
    dom.addEventListener("pointerleave", () => this.light(null));
    dom.addEventListener("click", (event) => {
      const figure = this.figureOf(event);
      if (figure && getSelection()?.isCollapsed !== false) this.go(figure);
    });
  }

  /** Create the seal. @returns {HTMLElement} */
  seal() {
    const { supported, total, unmatched, earlier, possible } = this.content;
    const n = { n: this.t.number(supported), total: this.t.number(total) };
    const text = this.t(total === 1 ? "evidence.seal_one" : "evidence.seal", n);
    return el(
      "button",
      {
        class: "evidence-seal",
        type: "button",
        title: this.t("evidence.hint"),
        "data-complete": supported === total,
        "data-unmatched": unmatched > 0,
        on: { click: () => this.open() },
      },
      icon(unmatched ? "warning" : earlier || possible ? "info" : "check"),
      text,
    );
  }

  /** List all figures with their places. */
  open() {
    const sheet = openSheet({
      title: this.t("evidence.title"),
      body: [
        el("p", { class: "sheet-note" }, this.t("evidence.about")),
        el(
          "ul",
          { class: "evidence-list" },
          this.content.figures.map((figure) =>
            el(
              "li",
              {},
              this.row(figure, () => sheet.close()),
              this.rowsButton(figure),
            ),
          ),
        ),
        this.content.isCut ? el("p", { class: "sheet-note" }, this.t("evidence.cut")) : null,
      ],
      buttons: [sheetButton(this.t("shared.close"), () => sheet.close())],
    });
  }

  /** @param {FigureEvidence} figure @param {() => void} close */
  row(figure, close) {
    const described = this.describe(figure);
    const label = figure.label ?? figure.text;
    const description = el("span", {}, figure.container ? this.t.pair(label, described) : described);
    const text = el("strong", { dir: "auto" }, figure.text);
    const target = this.placesOf(figure).map(this.find).find(Boolean);
    if (!target) return el("div", { class: "evidence-row", "data-status": figure.status }, text, description);
    const go = () => {
      close();
      this.go(figure);
    };
    return el(
      "button",
      { class: "evidence-row", type: "button", "data-status": figure.status, on: { click: go } },
      text,
      description,
    );
  }

  /** Create the button that opens the rows behind a cell. @param {FigureEvidence} figure */
  rowsButton({ operation, places: [place] }) {
    if (operation || place?.kind !== "cell" || place.column === undefined) return null;
    const status = el("span", { role: "status" });
    const open = async () => {
      status.textContent = await this.openRows(place);
    };
    return el(
      "span",
      { class: "evidence-behind" },
      el("button", { class: "quiet-button", type: "button", on: { click: open } }, this.t("behind.open")),
      status,
    );
  }

  /** @param {Event} event */
  figureOf(event) {
    const mark = event.target instanceof Element ? event.target.closest(".figure-mark") : null;
    return mark instanceof HTMLElement ? (this.content.figures[Number(mark.dataset.figure)] ?? null) : null;
  }

  /** Return the places of a figure; for one in the title of a chart without evidence, the chart. @param {FigureEvidence} figure @returns {EvidencePlace[]} */
  placesOf({ places, container }) {
    return places.length > 0 || !container ? places : [{ kind: "chart", specId: container }];
  }

  /** Light what shows the values of a figure. @param {FigureEvidence | null} figure */
  light(figure) {
    for (const element of this.lit) element.removeAttribute("data-lit");
    this.lit = (figure ? this.placesOf(figure) : []).flatMap((place) => this.find(place) ?? []);
    for (const element of this.lit) element.setAttribute("data-lit", "");
  }

  /** Go to the first value of a figure, and light all. @param {FigureEvidence} figure */
  go(figure) {
    this.light(figure);
    const [first] = this.lit;
    if (first) this.reveal(first);
  }

  /** Return where a figure comes from. @param {FigureEvidence} figure */
  describe({ status, operation, places }) {
    const first = places[0] && this.describePlace(places[0]);
    if (status === "unmatched") return this.t("evidence.unmatched");
    if (status === "asked") return this.t("evidence.asked");
    if (status === "earlier") return this.t("evidence.earlier");
    if (!first) return this.t("evidence.matched");
    if (status === "possible") return this.t("evidence.possible", { place: first });
    if (!operation) return first;
    const how = this.t(`evidence.${operation}`, { n: this.t.number(places.length) });
    return this.t.pair(how, this.describeAll(places));
  }

  /** Name the column that all values of an operation are from, or the first of them. @param {EvidencePlace[]} places */
  describeAll(places) {
    const [first] = places;
    if (!first) return "";
    const { tableId, column } = first;
    const isOne = places.every((place) => place.tableId === tableId && place.column === column);
    return isOne && tableId !== undefined && column !== undefined
      ? this.t("evidence.column", { table: this.tableOf(tableId)?.name ?? "", column })
      : this.describePlace(first);
  }

  /** @param {EvidencePlace} place */
  describePlace({ kind, step, tableId, row, column, line, callId, room }) {
    const { t } = this;
    const facts = { step: t.number(step ?? 0), line: t.number(line ?? 0) };
    switch (kind) {
      case "cell": {
        const content = this.tableOf(tableId);
        const table = content?.name ?? "";
        if (column === undefined) return t("evidence.rows", { table });
        const named = content?.columns.findIndex(({ kind: of }) => of === "text") ?? -1;
        const name = content?.rows[row ?? 0]?.[named];
        return typeof name === "string" && name.length <= MAX_NAME
          ? t("evidence.cell_of", { table, row: name, column })
          : t("evidence.cell", { table, row: t.number((row ?? 0) + 1), column });
      }
      case "chart":
        return t("evidence.chart", { column: column ?? "" });
      case "tool":
        return t("evidence.tool", { tool: this.toolName(callId) });
      case "room":
        return t("evidence.room", { room: room ?? "" });
      case "answer":
        return t("evidence.earlier");
      case "question":
        return t("evidence.asked");
      default:
        return t(`evidence.${kind}`, facts);
    }
  }

  /** @param {string | undefined} tableId */
  tableOf(tableId) {
    for (const block of this.turn.blocks)
      if (
        block.kind === "shown" &&
        block.message.type === "table" &&
        block.message.content.tableId === tableId
      )
        return block.message.content;
    return null;
  }

  /** @param {string | undefined} callId */
  toolName(callId) {
    for (const block of this.turn.blocks)
      if (block.kind === "step") for (const call of block.calls) if (call.callId === callId) return call.tool;
    return "";
  }
}

/** Return what shows the value of a place in a turn, if anything does. @param {EvidencePlace} place @param {HTMLElement} turn */
export function elementOf({ kind, step, tableId, specId, row, column }, turn) {
  if (kind === "chart") return turn.querySelector(`[data-spec="${CSS.escape(specId ?? "")}"]`);
  if (kind === "cell") {
    const table = turn.querySelector(`[data-table="${CSS.escape(tableId ?? "")}"]`);
    if (!table || column === undefined) return table;
    const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
    const cells = table.querySelector(`tbody tr[aria-rowindex="${(row ?? 0) + 2}"]`)?.children;
    return cells?.[heads.indexOf(column)] ?? table;
  }
  return step === undefined ? null : turn.querySelector(`.step[data-step="${step}"]`);
}

/** Bring an element into view, and open what it is folded into. @param {Element} element */
export function reveal(element) {
  for (let box = element.closest("details"); box; box = box.parentElement?.closest("details") ?? null)
    box.open = true;
  element.scrollIntoView({ block: "center" });
}

/** @param {HTMLElement} dom */
function textNodes(dom) {
  const walker = document.createTreeWalker(dom, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const nodes = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node instanceof Text && !node.parentElement?.closest(OTHER)) nodes.push(node);
  return nodes;
}

/** @param {Text[]} nodes @param {number} index */
function nodeAt(nodes, index) {
  let offset = index;
  for (const node of nodes) {
    if (offset < node.length) return { node, offset };
    offset -= node.length;
  }
  return null;
}
