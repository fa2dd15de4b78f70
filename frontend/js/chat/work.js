/** Work of a managed agent, folded under the call: the agent's name, its status, and its steps. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { createView } from "./shown.js";
import { describeStatus } from "./turn-words.js";

/** @import { AgentWork, Block, Call, DeskBus, Translate } from "../types.js" */
/** @import { MakeStep } from "./call.js" */
/** @import { StepView } from "./step.js" */
/** @typedef {{ block: Block, dom: HTMLElement, step: StepView | null }} Part */

export class WorkView {
  /** @param {Translate} t @param {DeskBus} bus @param {MakeStep} makeStep */
  constructor(t, bus, makeStep) {
    this.needs = { t, bus, makeStep, chatId: () => null };
    this.name = el("span", { class: "peer-name" });
    this.state = el("span", { class: "peer-state" });
    this.task = el("p", { class: "work-task" });
    this.steps = el("div", { class: "work-steps" });
    this.dom = /** @type {HTMLDetailsElement} */ (
      el(
        "details",
        { class: "peer work" },
        el("summary", {}, icon("agent"), this.name, this.state),
        this.task,
        this.steps,
      )
    );
    /** @type {Part[]} */
    this.parts = [];
  }

  /** Draw the work. @param {AgentWork} work @param {Call["state"]} state state of its call */
  update({ agent, turn, live }, state) {
    const { t } = this.needs;
    const works = state === "called";
    this.dom.dataset.state = works ? "running" : state === "returned" ? "finished" : state;
    this.name.textContent = agent;
    const text = works
      ? describeStatus(turn, live, t)
      : [t(`chat.agent_${this.dom.dataset.state}`), extent(turn.blocks, t)].filter(Boolean).join(" · ");
    if (this.state.textContent !== text) this.state.textContent = text;
    this.task.textContent = turn.question;
    turn.blocks.forEach((block, at) => {
      const drawn = this.parts[at];
      const writing = works && block.kind === "step" && block.step === live?.step ? live : null;
      if (drawn?.step && block.kind === "step") drawn.step.update(block, writing, works);
      else if (drawn?.block !== block) {
        const part = this.make(block);
        if (part.step && block.kind === "step") part.step.update(block, writing, works);
        if (drawn) drawn.dom.replaceWith(part.dom);
        else this.steps.append(part.dom);
        this.parts[at] = part;
      }
    });
  }

  /** @param {Block} block @returns {Part} */
  make(block) {
    if (block.kind === "shown") return { block, dom: createView(block.message, this.needs), step: null };
    const step = this.needs.makeStep(block.kind === "step" ? block.step : 0);
    return { block, dom: step.dom, step };
  }
}

/** Return the number of steps and their duration. @param {Block[]} blocks @param {Translate} t */
function extent(blocks, t) {
  const steps = blocks.filter((block) => block.kind === "step");
  const time = steps.reduce((sum, block) => sum + (block.duration ?? 0), 0);
  return steps.length === 0
    ? ""
    : t(steps.length === 1 ? "chat.done_one" : "chat.done", { n: steps.length, time: t.duration(time) });
}
