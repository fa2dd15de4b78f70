/**
 * Block of code with a copy button; outside a step also with its language and a fold. The same block shows code that is
 * still being written.
 */

import { Stream } from "./stream.js";
import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { fragment } from "../core/html.js";
import { icon } from "../core/icons.js";
import { loadPart } from "../core/late.js";
import { textOf } from "./rope.js";

/** @import { Code, Pieces, Translate } from "../types.js" */

const LANGUAGES = /** @type {Record<string, string>} */ ({
  python: "Python",
  py: "Python",
  sql: "SQL",
  json: "JSON",
  bash: "Bash",
  sh: "Shell",
  javascript: "JavaScript",
  js: "JavaScript",
  typescript: "TypeScript",
  html: "HTML",
  css: "CSS",
  yaml: "YAML",
  toml: "TOML",
  r: "R",
  text: "Text",
});
const COPIED_MS = 1600;

/** @param {Code} code */
export const languageName = ({ language = "python" }) => LANGUAGES[language.toLowerCase()] ?? language;

export class CodeBlock {
  /**
   * @param {Translate} t
   * @param {number | null} step null for code without a step
   * @param {((code: string) => void) | null} [run] runs edited code, if the agent keeps its variables
   */
  constructor(t, step, run = null) {
    this.t = t;
    this.run = run;
    /** @type {import("./editing.js").EditField | null} */
    this.field = null;
    /** @type {Code | null} */
    this.code = null;
    this.text = el("code", { class: "highlight" });
    this.stream = new Stream(this.text);
    this.body = el(
      "pre",
      {
        class: "code-text",
        tabindex: "0",
        role: "group",
        "aria-label": step === null ? t("shared.code") : t("chat.code_of", { n: step }),
      },
      this.text,
    );
    this.fold = el(
      "button",
      { class: "code-fold", type: "button", "aria-expanded": "true", on: { click: () => this.toggle() } },
      icon("chevron-down"),
      t("shared.code"),
    );
    this.language = el("span", { class: "code-language" }, "Python");
    this.copy = el(
      "button",
      {
        class: "code-copy",
        type: "button",
        "aria-label": t("chat.copy_code"),
        on: { click: () => this.copied() },
      },
      icon("copy"),
      el("span", {}, t("shared.copy")),
    );
    this.edit = el(
      "button",
      {
        class: "code-edit",
        type: "button",
        on: {
          click: () => {
            this.open();
          },
        },
      },
      icon("pencil"),
      t("code.edit"),
    );
    this.again = el(
      "button",
      { class: "code-again", type: "button", on: { click: () => this.run?.(this.code?.content ?? "") } },
      icon("play"),
      t("code.again"),
    );
    this.running = el("span", { class: "code-run", hidden: true }, this.edit, this.again);
    this.dom = el(
      "figure",
      { class: "code-block", "data-in-step": step !== null },
      el(
        "figcaption",
        { class: "code-head" },
        step === null ? [this.fold, this.language] : [],
        this.running,
        this.copy,
      ),
      this.body,
    );
  }

  /**
   * @param {Code | null} code
   * @param {{ live?: Pieces | null, writing?: boolean }} [more]
   */
  update(code, { live = null, writing = false } = {}) {
    this.dom.toggleAttribute("data-writing", writing);
    if (code === null) this.stream.show(live);
    else if (code !== this.code) this.show(code);
  }

  /** @param {Code} code */
  show(code) {
    this.code = code;
    this.language.textContent = languageName(code);
    this.text.replaceChildren(code.html ? fragment(code.html) : code.content);
    this.running.hidden = this.run === null || !/^py(thon)?$/i.test(code.language ?? "python");
    this.dom.toggleAttribute("data-runs", !this.running.hidden);
    if (code.seq !== undefined) this.dom.dataset.seq = String(code.seq);
  }

  /** Replace the code by a field for editing. */
  async open() {
    if (this.field !== null || this.code === null) return;
    const module = await loadPart(() => import("./editing.js"), this.t);
    if (module === null || this.field !== null || this.run === null) return;
    const { run } = this;
    const step = this.dom.closest("details");
    if (step) step.open = true;
    this.field = new module.EditField({
      t: this.t,
      text: this.code.content,
      isCode: true,
      submit: (code) => run(code),
      leave: () => this.leave(),
    });
    this.body.after(this.field.dom);
    this.dom.dataset.editing = "";
    this.field.begin();
  }

  /**
   * Update an attempt to run the code: accepted (null), pending, or refused.
   *
   * @param {import("../types.js").Attempt | null} attempt
   */
  updateAttempt(attempt) {
    if (attempt === null && this.field?.isSent) this.leave();
    else this.field?.updateAttempt(attempt);
  }

  leave() {
    const focused = this.field?.dom.contains(document.activeElement);
    this.field?.dom.remove();
    this.field = null;
    delete this.dom.dataset.editing;
    if (focused) this.edit.focus();
  }

  toggle() {
    this.body.hidden = !this.body.hidden;
    this.fold.setAttribute("aria-expanded", String(!this.body.hidden));
  }

  async copied() {
    const done = await copyText(this.code?.content ?? textOf(this.stream.drawn));
    const label = /** @type {HTMLElement} */ (this.copy.lastElementChild);
    this.copy.toggleAttribute("data-done", done);
    label.textContent = this.t(done ? "shared.copied" : "shared.not_copied");
    window.setTimeout(() => {
      this.copy.removeAttribute("data-done");
      label.textContent = this.t("shared.copy");
    }, COPIED_MS);
  }
}
