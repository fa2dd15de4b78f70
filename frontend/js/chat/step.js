/**
 * Step of a turn: a line with its number, size of code and duration, and below it the model's thought, its code, calls
 * and printed output. It is open while the run works; in a finished turn only the line is shown until a person opens
 * it.
 */

import { CallView } from "./call.js";
import { CodeBlock, languageName } from "./code.js";
import { Printed, Stream } from "./stream.js";
import { el, selectedRange } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { Call, Live, StepBlock, Translate } from "../types.js" */

export class StepView {
  /**
   * @param {Translate} t
   * @param {number} step
   * @param {((code: string) => void) | null} run as in CodeBlock
   * @param {import("../types.js").DeskBus} bus
   */
  constructor(t, step, run, bus) {
    this.t = t;
    this.bus = bus;
    this.reasoning = el("p", { class: "reasoning-words" });
    this.reasoned = new Stream(this.reasoning);
    this.thinking = el(
      "details",
      { class: "reasoning", hidden: true },
      el("summary", {}, t("chat.reasoning")),
      this.reasoning,
    );
    this.thought = el("p", { class: "thought", hidden: true });
    this.stream = new Stream(this.thought);
    this.code = new CodeBlock(t, step, run);
    this.calls = el("ul", { class: "calls" });
    /** @type {CallView[]} */
    this.views = [];
    this.printed = new Printed(t);
    this.label = el("span", { class: "step-words" });
    /** Whether a person opened or folded it. */
    this.chosen = false;
    const head = el(
      "summary",
      {
        class: "step-head",
        on: {
          click: () => {
            this.chosen = true;
          },
        },
      },
      icon("chevron-right"),
      this.label,
    );
    this.body = el(
      "div",
      { class: "step-body" },
      this.thinking,
      this.thought,
      this.code.dom,
      this.calls,
      this.printed.dom,
    );
    this.dom = el("details", { class: "step", "data-step": step, open: true }, head, this.body);
    /** @type {StepBlock | null} */
    this.block = null;
  }

  /**
   * Draw the step.
   *
   * @param {StepBlock} block
   * @param {Live | null} live live text of this step, if any
   * @param {boolean} works whether its run is working
   */
  update(block, live, works) {
    this.reasoned.show(live?.reasoning ?? null);
    this.thinking.hidden = !live?.reasoning;
    this.showStep(block, live);
    this.code.dom.hidden = !(block.code || live?.code);
    const acts = block.calls.length > 0 || block.printed !== null;
    this.code.update(block.code, { live: live?.code, writing: live !== null && !acts });
    this.drawCalls(block.calls);
    this.printed.show(block.printed, works && block.duration === undefined);
    this.calls.hidden = block.calls.length === 0;
    this.printed.dom.hidden = !block.printed;
    this.block = block;
    this.dom.hidden = [...this.body.children].every((part) => /** @type {HTMLElement} */ (part).hidden);
    const text = describeStep(block, live, this.t);
    if (this.label.textContent !== text) this.label.textContent = text;
  }

  /** Open or fold the step, unless a person chose otherwise or is using it. @param {boolean} open */
  show(open) {
    if (this.chosen || this.dom.open === open || (!open && isInUse(this.dom))) return;
    this.dom.open = open;
  }

  /** Apply the changed setting to the step, also after a person's choice. @param {boolean} open */
  reset(open) {
    this.chosen = false;
    this.dom.open = open;
  }

  /** Show that something failed in the step while the run went on. @param {HTMLElement} fault */
  fail(fault) {
    this.body.append(fault);
    this.dom.dataset.failed = "";
    if (!this.dom.querySelector(".step-failed"))
      this.label.after(el("span", { class: "step-failed" }, icon("error"), this.t("chat.step_failed")));
  }

  /** @param {Call[]} calls */
  drawCalls(calls) {
    const makeStep = (/** @type {number} */ step) => new StepView(this.t, step, null, this.bus);
    const fresh = calls.slice(this.views.length).map(() => new CallView(this.t, this.bus, makeStep));
    this.views.push(...fresh);
    this.calls.append(...fresh.map((view) => view.dom));
    calls.forEach((call, at) => this.views[at]?.update(call));
  }

  /** @param {StepBlock} block @param {Live | null} live */
  showStep(block, live) {
    if (live?.text) {
      this.stream.show(live.text);
    } else if (this.stream.drawn !== null || block.thought !== this.block?.thought) {
      this.stream.show(null);
      this.thought.textContent = block.thought;
    }
    this.thought.hidden = this.thought.firstChild === null;
    this.thought.toggleAttribute("data-writing", Boolean(live?.text) && !live?.code);
  }
}

/**
 * Return "Step 1 · Python · 18 lines · 90 ms".
 *
 * @param {StepBlock} block
 * @param {Live | null} live
 * @param {Translate} t
 */
export function describeStep({ step, code, partial, calls, duration }, live, t) {
  const lines = code?.content.trimEnd().split("\n").length ?? 0;
  const size = code ? t(lines === 1 ? "chat.line" : "chat.lines", { n: t.number(lines) }) : "";
  const called =
    !code && calls.length > 0 ? t(calls.length === 1 ? "chat.call" : "chat.calls", { n: calls.length }) : "";
  const language = code ? languageName(code) : live?.code ? "Python" : "";
  return [
    t("chat.step", { n: step }),
    language,
    size,
    called,
    partial ? t("chat.draft") : "",
    duration === undefined ? "" : t.duration(duration),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Check whether the focus or selected text is in it. Then it is not folded. @param {HTMLElement} dom */
function isInUse(dom) {
  return dom.contains(document.activeElement) || selectedRange()?.intersectsNode(dom) === true;
}
