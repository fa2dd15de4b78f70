/** Call of a step: its tool, its outcome, and under it the progress of another agent that works for it. */

import { Printed } from "./stream.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadPart } from "../core/late.js";

/** @import { Call, CallProgress, DeskBus, Translate } from "../types.js" */
/**
 * Factory of step views. Steps contain calls, so calls take it as an argument, which avoids a circular import.
 *
 * @typedef {(step: number) => import("./step.js").StepView} MakeStep
 */

const STATE_ICONS = { called: "clock", returned: "check", failed: "error", stopped: "stop" };
const LONGEST_ARGUMENT = 60;

export class CallView {
  /** @param {Translate} t @param {DeskBus} bus @param {MakeStep} makeStep */
  constructor(t, bus, makeStep) {
    this.makeStep = makeStep;
    this.t = t;
    this.bus = bus;
    this.head = el("div", { class: "call-head" });
    this.dom = el("li", { class: "call" }, this.head);
    /** @type {Call | null} */
    this.call = null;
    /** @type {AgentProgress | null} */
    this.progress = null;
    /** Work of a managed agent; its module loads with the first. @type {import("./work.js").WorkView | null} */
    this.work = null;
  }

  /** @param {Call} call */
  update(call) {
    if (call === this.call) return;
    const { state, result } = call;
    const { call: before } = this;
    if (state !== before?.state || result !== before.result || call.arguments !== before.arguments)
      this.drawHead(call);
    if (call.progress && !this.progress) {
      this.progress = new AgentProgress(this.t);
      this.dom.append(this.progress.dom);
    }
    if (call.progress) this.progress?.update(call.progress, state === "called");
    this.call = call;
    if (call.work && this.work) this.work.update(call.work, state);
    else if (call.work && !before?.work) void this.begin();
  }

  /** Load the view of a managed agent's work. */
  async begin() {
    const module = await loadPart(() => import("./work.js"), this.t);
    if (module === null || !this.call?.work) return;
    this.work = new module.WorkView(this.t, this.bus, this.makeStep);
    this.dom.append(this.work.dom);
    this.work.update(this.call.work, this.call.state);
  }

  /** @param {Call} call */
  drawHead(call) {
    const { t } = this;
    const pairs = Object.entries(call.arguments).map(
      ([name, value]) => `${name}=${shortened(JSON.stringify(value))}`,
    );
    this.dom.dataset.state = call.state;
    this.head.replaceChildren(
      icon(STATE_ICONS[call.state], t(`chat.call_${call.state}`)),
      el("code", { title: JSON.stringify(call.arguments) }, `${call.tool}(${pairs.join(", ")})`),
      ...(call.result
        ? [el("span", { class: "call-result", title: call.result }, shortened(call.result))]
        : []),
      ...(call.line === undefined
        ? []
        : [el("span", { class: "call-line" }, t("chat.call_line", { n: call.line }))]),
    );
  }
}

/**
 * Progress of another agent: open while it works, then folded, unless the person chose otherwise. A query's progress is
 * shown until it ends.
 */
class AgentProgress {
  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.state = el("span", { class: "peer-state" });
    this.name = el("span", { class: "peer-name" });
    this.output = new Printed(t);
    this.chosen = false;
    const summary = el(
      "summary",
      {
        on: {
          click: () => {
            this.chosen = true;
          },
        },
      },
      icon("agent"),
      this.name,
      this.state,
    );
    this.sign = summary.firstElementChild;
    this.dom = /** @type {HTMLDetailsElement} */ (
      el("details", { class: "peer", open: true }, summary, this.output.dom)
    );
  }

  /** @param {CallProgress} progress @param {boolean} works */
  update({ agent, state, text, share }, works) {
    this.dom.dataset.state = state;
    this.name.textContent = agent;
    this.state.textContent = share === null ? this.t(`chat.agent_${state}`) : `${Math.round(share * 100)}%`;
    this.dom.hidden = share !== null && !works;
    this.output.text.setAttribute("aria-label", this.t("chat.agent_words", { agent }));
    this.output.show(text);
    this.output.dom.hidden = text === null;
    this.dom.toggleAttribute("data-bare", text === null);
    this.sign?.toggleAttribute("hidden", share !== null);
    if (!this.chosen) this.dom.open = works;
  }
}

/** @param {string} text */
function shortened(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST_ARGUMENT ? `${line.slice(0, LONGEST_ARGUMENT - 1)}…` : line;
}
