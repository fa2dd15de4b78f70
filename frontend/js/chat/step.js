/** One step of a turn: what the model thinks while it does, its words, its code, the calls the code made, what it printed. */

import { CallView } from "./call.js";
import { CodeBlock } from "./code.js";
import { Printed, Stream } from "./stream.js";
import { el } from "../core/dom.js";

/** @import { Call, Live, StepBlock, Translate } from "../types.js" */

export class StepView {
  /**
   * @param {Translate} t
   * @param {number} step
   */
  constructor(t, step) {
    this.t = t;
    this.reasoning = el("p", { class: "reasoning-words" });
    this.reasoned = new Stream(this.reasoning);
    this.thinking = el("details", { class: "reasoning", hidden: true }, el("summary", {}, t("chat.reasoning")), this.reasoning);
    this.thought = el("p", { class: "thought", hidden: true });
    this.stream = new Stream(this.thought);
    this.code = new CodeBlock(t, step);
    this.calls = el("ul", { class: "calls" });
    /** @type {CallView[]} */
    this.views = [];
    this.printed = new Printed(t);
    this.dom = el("div", { class: "step", "data-step": step }, this.thinking, this.thought, this.code.dom, this.calls, this.printed.dom);
    /** @type {StepBlock | null} */
    this.block = null;
  }

  /**
   * @param {StepBlock} block
   * @param {Live | null} live what the model writes now, if it writes this step
   */
  update(block, live) {
    this.reasoned.show(live?.reasoning ?? null);
    this.thinking.hidden = !live?.reasoning;
    this.words(block, live);
    this.code.dom.hidden = !(block.code || live?.code);
    const acts = block.calls.length > 0 || block.printed !== null;
    this.code.update(block.code, { live: live?.code, writing: live !== null && !acts, partial: block.partial, duration: block.duration });
    this.drawCalls(block.calls);
    this.printed.show(block.printed);
    this.calls.hidden = block.calls.length === 0;
    this.printed.dom.hidden = !block.printed;
    this.block = block;
  }

  /** @param {Call[]} calls */
  drawCalls(calls) {
    const fresh = calls.slice(this.views.length).map(() => new CallView(this.t));
    this.views.push(...fresh);
    this.calls.append(...fresh.map((view) => view.dom));
    calls.forEach((call, at) => this.views[at]?.update(call));
  }

  /** @param {StepBlock} block @param {Live | null} live */
  words(block, live) {
    if (live?.text) {
      this.stream.show(live.text);
    } else if (this.stream.known !== null || block.thought !== this.block?.thought) {
      this.stream.show(null);
      this.thought.textContent = block.thought;
    }
    this.thought.hidden = this.thought.firstChild === null;
    this.thought.toggleAttribute("data-writing", Boolean(live?.text) && !live?.code);
  }
}
