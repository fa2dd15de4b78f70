/** One step of a turn: what the model thinks while it does, its words, its code, the calls the code made, what it printed. */

import { CodeBlock } from "./chat-code.js";
import { Printed, Stream } from "./chat-stream.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";

/** @import { Call, Live, StepBlock, Translate } from "./types.js" */

const STATE_ICONS = { called: "clock", returned: "check", failed: "error" };
const LONGEST_ARGUMENT = 60;

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

  /** Only what is new or changed is made again. @param {Call[]} calls */
  drawCalls(calls) {
    const before = this.block?.calls ?? [];
    if (calls === before) return;
    const fresh = calls.slice(before.length).map((call) => callLine(call, this.t));
    before.forEach((call, at) => {
      const now = calls[at];
      if (now && now !== call) this.calls.children[at]?.replaceWith(callLine(now, this.t));
    });
    this.calls.append(...fresh);
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

/**
 * @param {Call} call
 * @param {Translate} t
 */
function callLine(call, t) {
  const pairs = Object.entries(call.arguments).map(([name, value]) => `${name}=${shortened(JSON.stringify(value))}`);
  const line = call.line === undefined ? null : el("span", { class: "call-line" }, t("chat.call_line", { n: call.line }));
  return el("li", { class: "call", "data-state": call.state },
    icon(STATE_ICONS[call.state], t(`chat.call_${call.state}`)),
    el("code", { title: JSON.stringify(call.arguments) }, `${call.tool}(${pairs.join(", ")})`),
    call.result ? el("span", { class: "call-result", title: call.result }, shortened(call.result)) : null,
    line);
}

/** @param {string} text */
function shortened(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST_ARGUMENT ? `${line.slice(0, LONGEST_ARGUMENT - 1)}…` : line;
}
