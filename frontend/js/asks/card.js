/**
 * Card of an ask in its turn: the question, the line of code and the arguments, and the possible answers. Once it is
 * answered, on this page or elsewhere, it shrinks to one line with the outcome, which can be opened again. Nothing in
 * it takes the focus by itself.
 */

import { argumentTable } from "./arguments.js";
import { ApprovalButtons, inputButtons } from "./buttons.js";
import { Countdown } from "./countdown.js";
import { ArgumentEditor, isEditable } from "./editor.js";
import { entry } from "./entry.js";
import { cardKey } from "./keys.js";
import { isProgramAsk, lastLine, programPrompt } from "./program.js";
import { callCount, ending, describeLateAnswer, shortCall, title } from "./words.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { changedArguments } from "../core/runs.js";
import { visible } from "../core/escaping.js";

/** @import { AskBlock, AskClosedContent, ClientFrame, JsonValue, PaneNeeds } from "../types.js" */
/** @typedef {import("./buttons.js").Scope} Scope */

let cards = 0;

export class AskCard {
  /**
   * @param {AskBlock} block
   * @param {PaneNeeds} needs
   * @param {string} runId
   */
  constructor(block, { bus, t }, runId) {
    this.bus = bus;
    this.t = t;
    this.runId = runId;
    const { ask, agent } = block;
    this.ask = ask;
    this.agent = agent;
    this.id = `ask-${(cards += 1)}`;
    this.closed = false;
    /** Form of the arguments while they are edited. @type {ArgumentEditor | null} */
    this.editor = null;
    /** Changed arguments as this card has them. @type {AskBlock["draft"]} */
    this.draft = null;
    /** Whether a field is invalid, as the plan was told. */
    this.invalid = false;
    this.entry = entry(this.id, ask, t);
    this.buttons =
      ask.kind === "approval"
        ? new ApprovalButtons(this.id, isEditable(ask), t, {
            allow: (scope) => this.allow(scope),
            deny: (scope, reason) => this.deny(scope, reason),
            edit: () => this.edit(),
            back: () => this.back(),
          })
        : null;
    this.values = el("div", { class: "ask-values" }, argumentTable(ask, null, t));
    this.fault = el("p", { class: "ask-fault", role: "alert", hidden: true });
    this.fields = el(
      "fieldset",
      { class: "ask-fields" },
      this.values,
      this.entry.dom,
      this.fault,
      this.buttons?.dom ?? inputButtons(ask, this.entry, t, () => this.deny("call", "")),
    );
    this.form = el(
      "form",
      {
        class: "ask-form",
        novalidate: ask.kind === "approval",
        on: {
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.submit();
          },
        },
      },
      this.fields,
    );
    this.countdown = new Countdown(ask.expiresAt, t);
    this.sending = el("span", { class: "ask-sending" });
    this.details = el("div", { class: "ask-details" }, this.head(), this.source(), this.form);
    this.end = el("p", { class: "ask-end", role: "status" });
    this.fold = el(
      "button",
      {
        class: "icon-button small ask-fold",
        type: "button",
        hidden: true,
        on: { click: () => this.unfold() },
      },
      icon("chevron-down"),
    );
    this.dom = el(
      "div",
      {
        class: "ask",
        role: "group",
        tabindex: "-1",
        "aria-labelledby": this.id,
        "data-ask": ask.askId,
        on: { keydown: (/** @type {KeyboardEvent} */ event) => cardKey(this, event) },
      },
      el("div", { class: "ask-ended" }, this.end, this.fold),
      this.details,
    );
    if (block.seq !== undefined) this.dom.dataset.seq = String(block.seq);
    this.update(block);
  }

  /** Create the head: the asker, the question, and the remaining time. */
  head() {
    const { ask, id, t } = this;
    const program = isProgramAsk(ask);
    const heading = program
      ? el("p", { class: "ask-who" }, t("ask.program"))
      : el("p", { class: "ask-prompt", id }, title(ask, t));
    const line = el(
      "div",
      { class: "ask-head" },
      icon(ask.kind === "approval" ? "shield" : program ? "terminal" : "question"),
      heading,
      this.sending,
      this.countdown.dom,
    );
    if (program) return el("div", { class: "ask-asks" }, line, programPrompt(id, title(ask, t)));
    const agent =
      this.agent === undefined
        ? null
        : el("p", { class: "ask-agent" }, icon("agent"), t("ask.of_agent", { agent: this.agent }));
    const description = ask.description
      ? el("p", { class: "ask-agent ask-description" }, visible(ask.description))
      : null;
    return agent || description ? el("div", { class: "ask-asks" }, line, agent, description) : line;
  }

  /** Create the line of code that calls, with its number of calls. */
  source() {
    const { ask, t } = this;
    const count = callCount(ask, t);
    const number =
      ask.line === undefined
        ? null
        : el(
            "span",
            { class: "ask-number" },
            el("span", { class: "visually-hidden" }, t("ask.line")),
            ask.line,
          );
    return el(
      "div",
      { class: "ask-source" },
      ask.codeLine
        ? el(
            "pre",
            { class: "ask-line", tabindex: "0", "aria-label": t("ask.code") },
            number,
            el("code", {}, visible(ask.codeLine.trim())),
          )
        : null,
      count ? el("p", { class: "ask-count" }, icon("retry"), count) : null,
    );
  }

  /** @param {AskBlock} block */
  update(block) {
    const { closed, answered, fault } = block;
    const { t, dom } = this;
    const focused = dom.contains(document.activeElement); // disabling or removing a button drops its focus
    dom.dataset.state = closed ? (closed.granted ? "granted" : "denied") : answered ? "answered" : "open";
    this.fields.disabled = answered || closed !== null;
    this.sending.textContent = answered && !closed ? describeLateAnswer(block, t) || t("ask.sending") : "";
    const problem =
      closed || !fault || describeLateAnswer(block, t)
        ? ""
        : fault.code === "offline"
          ? t("ask.offline")
          : [fault.content, fault.hint].filter(Boolean).join(" ");
    this.fault.hidden = problem === "";
    if (this.fault.textContent !== problem) this.fault.textContent = problem;
    if (closed) this.close(block, closed);
    else if (block.draft !== this.draft || block.invalid !== this.invalid) this.take(block);
    if (focused && this.fields.disabled && !dom.contains(document.activeElement))
      dom.focus({ preventScroll: true });
    else if (focused && problem && this.editor) this.editor.focus();
  }

  /**
   * @param {AskBlock} block
   * @param {AskClosedContent} closed
   */
  close(block, closed) {
    const { t, ask } = this;
    const lateAnswer = describeLateAnswer(block, t);
    this.end.replaceChildren(
      icon(closed.granted ? "check" : closed.by === "expiry" ? "clock" : "close"),
      el("span", { class: "ask-how" }, ending(ask, closed, t)),
      ask.kind === "approval"
        ? el("code", { class: "ask-call" }, shortCall(ask, closed))
        : el("code", { class: "ask-call" }, visible(lastLine(title(ask, t)))),
      lateAnswer ? el("span", { class: "ask-own" }, lateAnswer) : "",
    );
    if (this.closed) return;
    this.closed = true;
    this.countdown.stop();
    this.sending.remove();
    this.form.remove(); // a typed password must not stay in the page
    const table = argumentTable(ask, closed, t);
    if (table) this.details.append(table);
    this.dom.toggleAttribute("data-changed", changedArguments(ask, closed) !== null);
    this.fold.hidden = false;
    this.unfold(false);
  }

  /** @param {boolean} open */
  unfold(open = Boolean(this.details.hidden)) {
    const name = this.t(open ? "ask.hide" : "ask.show");
    this.details.hidden = !open;
    this.fold.setAttribute("aria-expanded", String(open));
    this.fold.setAttribute("aria-label", name);
    this.fold.title = name;
  }

  edit() {
    this.openEditor();
    this.editor?.focus();
  }

  openEditor() {
    if (this.editor || !isEditable(this.ask)) return;
    this.editor = new ArgumentEditor(this.id, this.ask, this.t, () => this.share());
    this.values.replaceChildren(this.editor.dom);
    this.buttons?.edit(true);
  }

  /** Show arguments that were changed on the plan, in place of invalid ones. @param {AskBlock} block */
  take({ draft, invalid, answered }) {
    this.draft = draft;
    this.invalid = false;
    if (draft !== null) {
      this.openEditor();
      this.editor?.fill(draft);
    } else if (this.editor) this.closeEditor();
    if (invalid && !answered) queueMicrotask(() => this.keep(draft)); // the invalid text went with an earlier card
  }

  /** Show on the plan what was changed here. */
  share() {
    const { editor } = this;
    const value = editor?.valid() ?? null;
    if (value === null) this.keep(this.draft, editor !== null);
    else this.keep(editor?.differs(value) ? value : this.ask.arguments);
  }

  /** @param {AskBlock["draft"]} draft @param {boolean} [invalid] */
  keep(draft, invalid = false) {
    this.draft = draft;
    this.invalid = invalid;
    this.bus.emit("fact", { type: "@draft", runId: this.runId, askId: this.ask.askId, draft, invalid });
  }

  /** Close the form and discard its changes. */
  back() {
    this.closeEditor();
    this.keep(null);
    this.buttons?.change?.focus();
  }

  closeEditor() {
    this.editor = null;
    this.values.replaceChildren(argumentTable(this.ask, null, this.t) ?? "");
    this.fault.hidden = true;
    this.buttons?.edit(false);
  }

  /** Submit the answer, after Enter in a field or a press of the button. */
  submit() {
    const value = this.editor ? this.editor.read() : this.entry.read();
    if (value === null) return;
    const same = this.editor && !this.editor.differs(/** @type {{ [name: string]: JsonValue }} */ (value));
    this.send({ granted: true, ...(value !== undefined && !same && { value }) });
    this.entry.clear?.();
  }

  /** @param {Scope} scope */
  allow(scope) {
    this.send({ granted: true, ...(scope !== "call" && { scope }) });
  }

  /**
   * @param {Scope} scope
   * @param {string} reason
   */
  deny(scope, reason) {
    this.send({ granted: false, ...(reason && { reason }), ...(scope !== "call" && { scope }) });
  }

  /** Send an answer. @param {Omit<Extract<ClientFrame, { type: "answer" }>, "type" | "askId">} answer */
  send(answer) {
    if (this.fields.disabled) return;
    this.bus.emit("command", {
      name: "answer",
      runId: this.runId,
      frame: { type: "answer", askId: this.ask.askId, ...answer },
    });
  }
}
