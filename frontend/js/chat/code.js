/** A block of code: step, language, duration, copy, fold. The same block shows code that is still being written. */

import { Stream } from "./stream.js";
import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { fragment } from "../core/html.js";
import { icon } from "../core/icons.js";
import { whole } from "./rope.js";

/** @import { Code, Pieces, Translate } from "../types.js" */

const LANGUAGES = /** @type {Record<string, string>} */ ({
  python: "Python", py: "Python", sql: "SQL", json: "JSON", bash: "Bash", sh: "Shell", javascript: "JavaScript", js: "JavaScript",
  typescript: "TypeScript", html: "HTML", css: "CSS", yaml: "YAML", toml: "TOML", r: "R", text: "Text",
});
const COPIED_FOR = 1600;

export class CodeBlock {
  /**
   * @param {Translate} t
   * @param {number | null} step null for code that belongs to no step
   */
  constructor(t, step) {
    this.t = t;
    this.step = step;
    /** @type {Code | null} */
    this.code = null;
    this.text = el("code", { class: "highlight" });
    this.stream = new Stream(this.text);
    this.body = el("pre", { class: "code-text", tabindex: "0" }, this.text);
    this.fold = el("button", { class: "code-fold", type: "button", "aria-expanded": "true", on: { click: () => this.toggle() } },
      icon("chevron-down"), step === null ? t("chat.code") : t("chat.step", { n: step }));
    this.language = el("span", { class: "code-language" }, "Python");
    this.draft = el("span", { class: "code-draft", hidden: true }, t("chat.draft"));
    this.time = el("span", { class: "code-time", hidden: true });
    this.copy = el("button", { class: "code-copy", type: "button", on: { click: () => this.copied() } }, icon("copy"), el("span", {}, t("chat.copy")));
    this.dom = el("figure", { class: "code-block" },
      el("figcaption", { class: "code-head" }, this.fold, this.language, this.draft, this.time, this.copy), this.body);
    this.label();
  }

  /**
   * @param {Code | null} code
   * @param {{ live?: Pieces | null, writing?: boolean, partial?: boolean, duration?: number }} [more]
   */
  update(code, { live = null, writing = false, partial = false, duration } = {}) {
    this.draft.hidden = !partial;
    this.time.hidden = duration === undefined;
    if (duration !== undefined) this.time.textContent = this.t.duration(duration);
    this.dom.toggleAttribute("data-writing", writing);
    if (code === null) this.stream.show(live);
    else if (code !== this.code) this.show(code);
  }

  /** @param {Code} code */
  show(code) {
    this.code = code;
    const language = code.language ?? "python";
    this.language.textContent = LANGUAGES[language.toLowerCase()] ?? language;
    this.text.replaceChildren(code.html ? fragment(code.html) : code.content);
    if (code.seq !== undefined) this.dom.dataset.seq = String(code.seq);
  }

  toggle() {
    this.body.hidden = !this.body.hidden;
    this.fold.setAttribute("aria-expanded", String(!this.body.hidden));
    this.label();
  }

  label() {
    if (this.step === null) return;
    this.fold.setAttribute("aria-label", this.t(this.body.hidden ? "chat.unfold_code" : "chat.fold_code", { n: this.step }));
  }

  async copied() {
    const done = await copyText(this.code?.content ?? whole(this.stream.known));
    const words = /** @type {HTMLElement} */ (this.copy.lastElementChild);
    this.copy.toggleAttribute("data-done", done);
    words.textContent = this.t(done ? "chat.copied" : "chat.not_copied");
    window.setTimeout(() => {
      this.copy.removeAttribute("data-done");
      words.textContent = this.t("chat.copy");
    }, COPIED_FOR);
  }
}
