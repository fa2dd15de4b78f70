/**
 * Answers to an unclear question, one card for each of its readings, the best one open. Opening another one keeps it:
 * what is open is the answer, and the next question continues from it.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { readingView } from "./reading.js";

/** @import { Alternative, Alternatives, Kept } from "../types.js" */
/** @import { createView, Needs } from "./shown.js" */
/** @typedef {{ dom: HTMLElement, head: HTMLButtonElement, body: HTMLElement, fill: (() => HTMLElement[]) | null }} Card */

let count = 0;

export class AlternativesView {
  /**
   * @param {Alternatives} message
   * @param {Needs} needs
   * @param {typeof createView} view makes the views of an answer
   */
  constructor(message, needs, view) {
    const { alternatives, unknown = [], declined } = message.content;
    const { t } = needs;
    this.message = message;
    this.needs = needs;
    this.view = view;
    /** @type {Card[]} */
    this.cards = alternatives.map((alternative, at) =>
      this.card(at, sentenceOf(alternative), at === 0 ? null : () => this.answerOf(alternative)),
    );
    this.none = this.card(null, [t("alternatives.none")], () => [view(declined, needs)]);
    this.none.dom.dataset.none = "";
    this.status = el("p", { class: "visually-hidden", role: "status" });
    this.fault = el("p", { class: "turn-fault", role: "alert" });
    const words = unknown.map((word) => t("alternatives.quoted", { word })).join(t("alternatives.and"));
    this.dom = el(
      "div",
      { class: "alternatives", role: "group", "aria-label": t("alternatives.title") },
      unknown.length > 0 && el("p", { class: "alternatives-unknown" }, t("alternatives.unknown", { words })),
      [...this.cards, this.none].map(({ dom }) => dom),
      this.status,
      this.fault,
    );
    /** @type {Kept | null} */
    this.kept = null;
    this.open(0);
  }

  /** Body of the first card, for the messages of the turn's answer. */
  get first() {
    return /** @type {Card} */ (this.cards[0]).body;
  }

  /** @param {Kept | null} kept */
  update(kept) {
    if (kept === null || kept === this.kept) return;
    const { t } = this.needs;
    this.kept = kept;
    this.open(kept.index);
    this.cardOf(kept.index).dom.toggleAttribute("data-kept", kept.index !== null && !kept.unsent);
    this.fault.textContent = kept.unsent ? t("alternatives.unsent") : "";
    const sentence = this.message.content.alternatives[kept.index ?? -1]?.sentence;
    this.status.textContent = kept.unsent || !sentence ? "" : t("alternatives.kept", { sentence });
  }

  /** Open one card and fold the others. @param {number | null} index */
  open(index) {
    const opened = this.cardOf(index);
    for (const card of [...this.cards, this.none]) {
      const isOpen = card === opened;
      card.head.setAttribute("aria-expanded", String(isOpen));
      card.dom.toggleAttribute("data-open", isOpen);
      card.body.hidden = !isOpen;
      if (!isOpen) card.dom.removeAttribute("data-kept");
    }
    if (opened.fill) opened.body.append(...opened.fill());
    opened.fill = null;
  }

  /** @param {number | null} index @returns {Card} */
  cardOf(index) {
    return (index === null ? null : this.cards[index]) ?? this.none;
  }

  /**
   * @param {number | null} index
   * @param {(Node | string)[]} title
   * @param {Card["fill"]} fill makes the body when it first opens
   * @returns {Card}
   */
  card(index, title, fill) {
    const id = `alternative-${++count}`;
    const head = el(
      "button",
      {
        class: "alternative-head",
        type: "button",
        "aria-expanded": "false",
        "aria-controls": id,
        on: { click: () => this.keep(index) },
      },
      el("span", { class: "alternative-sentence" }, title),
      el("span", { class: "alternative-check" }, icon("check")),
    );
    const body = el("div", { class: "alternative-body", id, hidden: true });
    return { dom: el("div", { class: "alternative" }, head, body), head, body, fill };
  }

  /** @param {number | null} index */
  keep(index) {
    this.open(index);
    const { runId = "" } = this.message;
    this.needs.bus.emit("command", { name: "keep-reading", runId, index });
  }

  /** @param {Alternative} alternative */
  answerOf({ outputs = [], reading, error }) {
    const { runId } = this.message;
    const results = outputs.map((output) => ({ ...output, runId })).sort((a, b) => rank(a) - rank(b));
    const views = results.map((output) => this.view(output, this.needs, { results }));
    if (error)
      views.push(el("p", { class: "alternative-error", title: error }, this.needs.t("alternatives.failed")));
    return [...views, readingView({ type: "reading", content: reading }, this.needs)];
  }
}

/** Texts first, as in the answer of a turn. @param {Alternative["outputs"][number]} output */
const rank = ({ type }) => (type === "text" || type === "code" ? 0 : type === "table" ? 2 : 1);

/** @param {Alternative} alternative */
const sentenceOf = ({ pieces }) => pieces.map(({ text, differs }) => (differs ? el("mark", {}, text) : text));
