/**
 * Turn of the chat: the question, the agent's work and answer, and the status. Once it is finished, its results move in
 * front of the steps (arrangement.js).
 */

import { AskCard } from "../asks/card.js";
import { ClientWorkLine } from "../asks/client-work-card.js";
import { isArranged, resultsOf, stepOfError } from "./arrangement.js";
import { AlternativesView } from "./alternatives.js";
import { AppBlock } from "./app-block.js";
import { elementOf, EvidenceView, reveal } from "./evidence.js";
import { openRowsBehind } from "./rows-behind.js";
import { createView } from "./shown.js";
import { StepView } from "./step.js";
import { answerSeq } from "./turn-actions.js";
import { TurnFoot } from "./turn-foot.js";
import { asMarkdown } from "./as-markdown.js";
import { attemptMessage } from "../core/fault-words.js";
import { linkToTurn } from "../core/address.js";
import { copyText } from "../core/clipboard.js";
import { el, move } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart, loadPart } from "../core/late.js";
import { isClosed } from "../core/runs.js";
import { ProgramText } from "./program-text.js";
import { describeNote } from "./turn-words.js";
import { isAnswered } from "./turns.js";
import { askedCron } from "./asked-times.js";
import { watchTargets } from "./watch-targets.js";

/** @import { Attempt, Block, Live, Turn } from "../types.js" */
/** @import { Needs } from "./shown.js" */
/**
 * @typedef {{ block: Block, writing: Live | null, view: StepView | AskCard | ClientWorkLine | ProgramText | AppBlock |
 *   AlternativesView | null, dom: HTMLElement }} BlockView
 */

export class TurnView {
  /** @param {Needs} needs @param {HTMLElement} [dom] element of the turn, without content */
  constructor(needs, dom = el("li", { class: "turn" })) {
    /** Blocks of code outside steps. @type {import("./code.js").CodeBlock[]} */
    this.code = [];
    /** Ends of what listens outside of its elements. @type {(() => void)[]} */
    this.undo = [];
    this.needs = {
      ...needs,
      blocks: this.code,
      undo: this.undo,
      run: (/** @type {string} */ code) => this.attempt("code", code),
    };
    /** Pending attempt of this turn. @type {Attempt | null} */
    this.trying = null;
    /** Field of the message while it is edited. @type {import("./editing.js").EditField | null} */
    this.field = null;
    /** @type {BlockView[]} */
    this.views = [];
    this.question = el("p", { class: "question" });
    this.notes = el("div", { class: "notes" });
    this.result = el("div", { class: "result" });
    this.blocks = el("div", { class: "blocks" });
    const acts = {
      edit: () => {
        this.edit();
      },
      again: () => this.again(),
      pin: () =>
        needs.bus.emit("command", {
          name: "report",
          chatId: needs.chatId(),
          pin: { kind: "answer", seq: (this.turn && answerSeq(this.turn)) ?? 0 },
        }),
      copy: () => copyText(this.turn ? asMarkdown(this.turn) : ""),
      save: () => {
        const [chatId, runId] = [needs.chatId(), this.turn?.runId];
        if (chatId && runId) needs.bus.emit("command", { name: "tests", save: { chatId, runId } });
      },
      watch: () => {
        const [chatId, turn] = [needs.chatId(), this.turn];
        if (!chatId || !turn) return;
        const { runId, question: title } = turn;
        const add = { chatId, runId, title, targets: watchTargets(turn), cron: askedCron(title) };
        needs.bus.emit("command", { name: "watches", add });
      },
      link: () => copyText(this.address()),
    };
    this.foot = new TurnFoot(needs, acts, (other, label) => this.compare(other, label));
    /** Another version that is compared with this one. @type {TurnView | null} */
    this.compared = null;
    this.comparison = el("section", { class: "compared", hidden: true });
    this.fault = el("p", { class: "turn-fault", role: "alert" });
    this.dom = dom;
    /** @type {EvidenceView | null} */
    this.evidence = null;
    dom.replaceChildren(
      this.question,
      this.notes,
      this.result,
      this.blocks,
      this.comparison,
      this.foot.dom,
      this.fault,
    );
    /** @type {Turn | null} */
    this.turn = null;
    /** @type {Live | null} */
    this.live = null;
    /** Whether the steps are open once it is finished. */
    this.open = false;
  }

  destroy() {
    this.compared?.destroy();
    for (const undo of this.undo) undo();
  }

  /** Show the results of another version below, or none. @param {Turn | null} other @param {string} label */
  compare(other, label) {
    this.compared?.destroy();
    this.compared = other === null ? null : new TurnView(this.needs);
    if (other !== null) this.compared?.update(other, null, false);
    this.comparison.hidden = other === null;
    this.comparison.setAttribute("aria-label", label);
    const differences = el("span", { role: "status" });
    this.comparison.replaceChildren(
      el("p", { class: "compared-head" }, this.needs.t.pair(label, other?.question ?? "")),
      el("p", { class: "compared-differences" }, differences, other && this.sideBySide(other, label)),
      ...(this.compared ? [this.compared.result] : []),
    );
    void this.markDifferences(differences);
  }

  /** Create the button that shows both versions in all panes. @param {Turn} other @param {string} label */
  sideBySide(other, label) {
    const view = () => new TurnView(this.needs);
    const open = () => {
      if (this.turn === null) return;
      const shown = { label: this.foot.versions.label, turn: this.turn, view };
      const compared = { label, turn: other, view };
      this.needs.bus.emit("command", {
        name: "compare-versions",
        versions: other.seq < this.turn.seq ? [compared, shown] : [shown, compared],
      });
    };
    return el(
      "button",
      { class: "quiet-button", type: "button", on: { click: open } },
      this.needs.t("version.side_by_side"),
    );
  }

  /** Mark what differs from the compared version, or remove the marks. @param {HTMLElement} report */
  async markDifferences(report) {
    const module = await loadLatePart(() => import("./differences.js"), this.needs.t);
    if (module === null || !report.isConnected) return;
    if (this.compared === null) module.unmark(this.result);
    else report.textContent = module.markDifferences(this, this.compared, this.needs.t);
  }

  /**
   * Update the view.
   *
   * @param {Turn} turn
   * @param {Live | null} live
   * @param {boolean} open whether the steps are open once it is finished
   */
  update(turn, live, open) {
    if (turn !== this.turn) {
      if (this.turn === null) this.begin(turn);
      if (turn.notes !== this.turn?.notes)
        this.notes.replaceChildren(
          ...turn.notes.map((note) => el("p", { class: "notice" }, describeNote(note, this.needs.t))),
        );
    }
    this.draw(turn, live);
    if (turn.state !== this.turn?.state) this.close(turn);
    if (isArranged(turn) && turn !== this.turn) this.arrange(turn, open);
    this.turn = turn;
    this.live = live;
    this.foot.update(turn, live);
  }

  /**
   * Put the results first and fold the steps. The focused element keeps the focus.
   *
   * @param {Turn} turn
   * @param {boolean} open
   */
  arrange(turn, open) {
    const focused = document.activeElement;
    const results = resultsOf(turn).flatMap((at) => this.views[at]?.dom ?? []);
    const { alternatives } = this;
    for (const dom of results)
      move(dom, alternatives === null || dom === alternatives.dom ? this.result : alternatives.first);
    if (focused instanceof HTMLElement && focused !== document.activeElement && this.result.contains(focused))
      focused.focus({ preventScroll: true });
    this.views.forEach(({ block, dom, view }, at) => {
      const step =
        block.kind === "shown" && block.message.type === "error"
          ? this.views[stepOfError(turn, at)]?.view
          : null;
      if (step instanceof StepView) step.fail(dom);
      if (view instanceof StepView) view.show(open);
    });
    this.showEvidence(turn);
    this.foot.showBasis(turn, this.result);
    this.blocks.setAttribute("role", "group");
    this.blocks.setAttribute("aria-label", this.needs.t("chat.steps"));
  }

  /** Mark the figures of the answer and show their seal, once. @param {Turn} turn */
  showEvidence(turn) {
    // Figures of the question alone need no seal.
    if (turn.evidence === null || turn.evidence.total === 0 || this.evidence !== null) return;
    const { evidence } = turn;
    this.evidence = new EvidenceView(
      evidence,
      turn,
      this.needs.t,
      (place) => elementOf(place, this.dom),
      reveal,
      (place) => openRowsBehind(this.needs.chatId() ?? "", place, this.needs.t),
    );
    const texts = this.views.flatMap(({ block, dom }) =>
      block.kind === "shown" && block.message.type === "text" && block.message.tone === "answer"
        ? [{ dom, markdown: block.message.content }]
        : [],
    );
    const closing = this.result.querySelector(":scope > .answer");
    if (texts.length === 0 && closing instanceof HTMLElement)
      texts.push({ dom: closing, markdown: turn.closing });
    for (const [part, { dom, markdown }] of texts.entries()) this.evidence.mark(dom, markdown, part);
    this.foot.showSeal(this.evidence.seal());
  }

  /** View of the answers to several readings, if there are any. */
  get alternatives() {
    const shown = this.views.find(({ view }) => view instanceof AlternativesView);
    return shown?.view instanceof AlternativesView ? shown.view : null;
  }

  /** Apply the setting for steps. @param {boolean} open */
  showSteps(open) {
    if (this.turn === null || !isArranged(this.turn)) return;
    for (const { view } of this.views) if (view instanceof StepView) view.reset(open);
  }

  /** @param {Turn} turn */
  begin(turn) {
    this.dom.dataset.run = turn.runId;
    this.question.dataset.seq = String(turn.seq);
    this.question.toggleAttribute("data-code", turn.isCode);
    this.question.toggleAttribute("data-conversation", turn.conversation !== null);
    if (turn.isCode) this.question.append(icon("terminal"), this.needs.t("code.you_ran"));
    else if (turn.conversation !== null)
      this.question.append(
        el(
          "a",
          { href: `#conversation=${encodeURIComponent(turn.conversation)}` },
          icon("conversations"),
          this.needs.t("chat.its_turn"),
        ),
        turn.question,
      );
    else
      this.question.append(
        el("span", { class: "visually-hidden" }, this.needs.t.pair(this.needs.t("chat.you"), "")),
        turn.question,
        ...turn.attachments.map((name) => el("span", { class: "attachment" }, icon("file"), name)),
      );
  }

  /**
   * @param {Turn} turn
   * @param {Live | null} live
   */
  draw(turn, live) {
    const works = !isClosed(turn);
    const ended = this.turn !== null && works === isClosed(this.turn);
    turn.blocks.forEach((block, at) => {
      const current = this.views[at];
      const writing = block.kind === "step" && block.step === live?.step ? live : null;
      if (current?.view instanceof AppBlock && block.kind === "shown" && block.message.type === "mcp_app") {
        current.view.update(block.message);
        this.views[at] = { ...current, block };
      } else if (current?.view instanceof AlternativesView) {
        current.view.update(turn.kept);
      } else if (current?.view && block.kind === current.block.kind && block.kind !== "shown") {
        if (current.block === block && writing === current.writing && !(ended && block.kind === "step"))
          return;
        if (block.kind === "ask") /** @type {AskCard | ClientWorkLine} */ (current.view).update(block);
        else if (block.kind === "output") /** @type {ProgramText} */ (current.view).update(block);
        else /** @type {StepView} */ (current.view).update(block, writing, works);
        this.views[at] = { ...current, block, writing };
      } else if (current?.block !== block) {
        const created = this.make(block, writing, turn);
        if (current) current.dom.replaceWith(created.dom);
        else this.blocks.append(created.dom);
        this.views[at] = created;
      }
    });
  }

  /**
   * @param {Block} block
   * @param {Live | null} writing
   * @param {Turn} turn
   * @returns {BlockView}
   */
  make(block, writing, turn) {
    if (block.kind === "shown" && block.message.type === "mcp_app") {
      const app = new AppBlock(block.message, this.needs);
      return { block, writing, view: app, dom: this.ofAgent(block, app.dom) };
    }
    if (block.kind === "shown" && block.message.type === "alternatives") {
      const view = new AlternativesView(block.message, this.needs, createView);
      view.update(turn.kept);
      return { block, writing, view, dom: view.dom };
    }
    if (block.kind === "shown")
      return {
        block,
        writing,
        view: null,
        dom: this.ofAgent(
          block,
          createView(block.message, this.needs, { program: block.program, results: resultsIn(turn) }),
        ),
      };
    if (block.kind === "output") return this.makeOutput(block);
    if (block.kind === "ask") {
      const card =
        block.ask.kind === "client_tool"
          ? new ClientWorkLine(block, this.needs)
          : new AskCard(block, this.needs, this.dom.dataset.run ?? "");
      return { block, writing, view: card, dom: card.dom };
    }
    const view = new StepView(this.needs.t, block.step, this.needs.run, this.needs.bus);
    view.update(block, writing, !isClosed(turn));
    return { block, writing, view, dom: view.dom };
  }

  /**
   * Show the name of the managed agent above its output.
   *
   * @param {import("../types.js").ShownBlock} block
   * @param {HTMLElement} dom
   */
  ofAgent({ agent }, dom) {
    return agent === undefined
      ? dom
      : el(
          "div",
          { class: "of-agent", role: "group", "aria-label": this.needs.t("chat.from_agent", { agent }) },
          el("p", { class: "of-agent-name", "aria-hidden": "true" }, icon("agent"), agent),
          dom,
        );
  }

  /** @param {import("../types.js").OutputBlock} block @returns {BlockView} */
  makeOutput(block) {
    const view = new ProgramText(this.needs.t);
    view.dom.dataset.live = "";
    view.update(block);
    return { block, writing: null, view, dom: view.dom };
  }

  /** @param {Turn} turn */
  close(turn) {
    const over = isClosed(turn);
    this.dom.dataset.state = turn.state;
    this.dom.setAttribute("aria-busy", String(!over && turn.state !== "queued"));
    if (!over) return;
    for (const { view } of this.views) if (view instanceof AppBlock) view.end();
    const { t } = this.needs;
    if (turn.state === "finished" && turn.closing && !isAnswered(turn)) {
      (turn.program ? this.blocks : this.result).append(
        createView({ type: "text", content: turn.closing, tone: "answer" }, this.needs, {
          program: turn.program,
        }),
      );
    }
    if (turn.state === "cancelled")
      this.blocks.append(el("div", { class: "notice ended" }, t("chat.cancelled"), this.retry(turn)));
    if (turn.state === "failed") this.fail(turn);
  }

  /** @param {Turn} turn */
  fail(turn) {
    const last = this.views.findLast(({ block }) => block.kind === "shown" && block.message.type === "error");
    const fault =
      last?.dom ??
      createView(
        { type: "error", content: turn.closing || this.needs.t("chat.failed"), code: "", hint: "" },
        this.needs,
      );
    if (!last) this.blocks.append(fault);
    fault.dataset.final = "";
    const error =
      last?.block.kind === "shown" && last.block.message.type === "error" ? last.block.message : null;
    fault
      .querySelector(".fault-words")
      ?.append(
        el(
          "div",
          { class: "ended" },
          this.needs.t("chat.failed"),
          this.retry(turn),
          error && /^(model_|prompt_too_long$)/.test(error.code) ? this.modelChoice(turn) : null,
          error?.facts?.agent ? this.agentChoice(turn, String(error.facts.agent)) : null,
        ),
      );
  }

  /** Replace the message by a field; for a person's code, the code block. */
  async edit() {
    const { turn } = this;
    if (turn === null || this.field !== null) return;
    if (turn.isCode) {
      const step = this.views.find(({ view }) => view instanceof StepView)?.view;
      if (step instanceof StepView) await step.code.open();
      return;
    }
    const module = await loadPart(() => import("./editing.js"), this.needs.t);
    if (module === null || this.field !== null) return;
    this.field = new module.EditField({
      t: this.needs.t,
      text: turn.question,
      isCode: false,
      submit: (text) => this.askEdited(text),
      leave: () => this.leave(),
    });
    this.question.hidden = true;
    this.question.after(this.field.dom);
    this.field.begin();
  }

  /** @param {string} text */
  askEdited(text) {
    if (this.turn && !isClosed(this.turn)) this.field?.showFault("run_open");
    else this.attempt("again", text);
  }

  leave() {
    const focused = this.field?.dom.contains(document.activeElement);
    this.field?.dom.remove();
    this.field = null;
    this.question.hidden = false;
    if (focused) this.foot.actions.buttons[0]?.focus();
  }

  again() {
    if (this.turn) this.attempt(this.turn.isCode ? "code" : "again", this.turn.question);
  }

  /** @param {Attempt["kind"]} kind @param {string} text */
  attempt(kind, text) {
    this.needs.bus.emit("command", { name: "attempt", kind, runId: this.dom.dataset.run ?? "", text });
  }

  /**
   * Update an attempt. If it is this turn's, its field closes when the server accepts the text, and shows the error
   * otherwise.
   *
   * @param {Attempt | null} attempt
   */
  updateAttempt(attempt) {
    const currentAttempt = attempt?.runId === this.dom.dataset.run ? attempt : null;
    if (currentAttempt === this.trying) return;
    this.trying = currentAttempt;
    const steps = this.views.flatMap(({ view }) => (view instanceof StepView ? [view.code] : []));
    const waiting = [this.field, ...[...steps, ...this.code].map(({ field }) => field)].some(
      (field) => field?.isSent,
    );
    if (currentAttempt === null && this.field?.isSent) this.leave();
    else this.field?.updateAttempt(currentAttempt);
    for (const block of [...steps, ...this.code]) block.updateAttempt(currentAttempt);
    this.fault.textContent =
      currentAttempt?.fault && !waiting
        ? attemptMessage(currentAttempt.fault, currentAttempt.kind, this.needs.t)
        : "";
  }

  /** Return the address of the turn, for other people, too. */
  address() {
    const chatId = this.needs.chatId();
    return chatId === null
      ? ""
      : window.location.href.replace(/#.*$/, "") + linkToTurn(chatId, this.dom.dataset.run ?? "");
  }

  /** @param {Turn} turn */
  retry(turn) {
    const again = () =>
      turn.isCode
        ? this.attempt("code", turn.question)
        : this.needs.bus.emit("command", { name: "submit", message: turn.question });
    return choiceButton(again, icon("retry"), this.needs.t("shared.retry"));
  }

  /** Offer another model after the model failed. @param {Turn} turn */
  modelChoice(turn) {
    const choose = () => this.needs.bus.emit("command", { name: "models", again: turn.question });
    return choiceButton(choose, this.needs.t("models.another"));
  }

  /** Offer an agent with a shorter prompt. @param {Turn} turn @param {string} agent */
  agentChoice(turn, agent) {
    const choose = () => this.needs.bus.emit("command", { name: "use-agent", agent, again: turn.question });
    return choiceButton(choose, this.needs.t("models.agent_again", { agent }));
  }
}

/** @param {() => void} act @param {...(Node | string)} content */
const choiceButton = (act, ...content) =>
  el("button", { class: "text-button", type: "button", on: { click: act } }, content);

/**
 * Return the messages that the turn shows besides its steps.
 *
 * @param {Turn} turn
 * @returns {import("../types.js").ShownBlock["message"][]}
 */
const resultsIn = ({ blocks }) => blocks.flatMap((block) => (block.kind === "shown" ? [block.message] : []));
