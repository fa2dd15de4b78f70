/**
 * Something a run waits for, as a card in its turn: what is asked, by which tool and with which arguments, and what one
 * may answer. The card stays when it is answered, here or elsewhere, and says how it ended. Nothing in it takes the focus by itself.
 */

import { el } from "./dom.js";
import { icon } from "./icons.js";

/** @import { AskBlock, AskContent, JsonValue } from "./types.js" */
/** @import { Needs } from "./chat-shown.js" */

/** Characters of one argument that are put on the page. */
const LONGEST = 2_000;
let cards = 0;

export class AskCard {
  /**
   * @param {AskBlock} block
   * @param {Needs} needs
   * @param {string} runId
   */
  constructor(block, { bus, t }, runId) {
    this.bus = bus;
    this.t = t;
    this.runId = runId;
    this.ask = block.ask;
    this.name = `ask-${(cards += 1)}`;
    /** Reads what was entered; null when nothing can be sent yet. @type {() => JsonValue | undefined | null} */
    this.value = () => undefined;
    this.fields = el("fieldset", { class: "ask-fields" }, this.entry(), this.buttons());
    this.form = el("form", { class: "ask-form", on: { submit: (/** @type {Event} */ event) => { event.preventDefault(); this.answer(true); } } }, this.fields);
    this.end = el("p", { class: "ask-end", role: "status", hidden: true });
    const { ask } = this;
    const until = el("span", { class: "ask-until" }, icon("clock"), t("ask.until", { time: t.time(ask.expiresAt) }));
    this.dom = el("div", { class: "ask", role: "group", tabindex: "-1", "aria-labelledby": this.name, "data-ask": ask.askId },
      el("div", { class: "ask-head" }, icon("shield"), el("p", { class: "ask-prompt", id: this.name }, ask.prompt || t("ask.prompt")), until),
      ask.tool ? el("p", { class: "ask-tool" }, t("ask.tool"), " ", el("code", {}, ask.tool)) : null,
      ask.codeLine ? el("pre", { class: "ask-line" }, ask.codeLine) : null,
      argumentTable(ask, t("ask.arguments")), this.form, this.end);
    if (block.seq !== undefined) this.dom.dataset.seq = String(block.seq);
    this.until = until;
    this.update(block);
  }

  /** @param {AskBlock} block */
  update({ closed, answered }) {
    const { t, dom } = this;
    const focused = dom.contains(document.activeElement); // a button that is disabled loses the focus
    dom.dataset.state = closed ? (closed.granted ? "granted" : "denied") : answered ? "answered" : "open";
    this.fields.disabled = answered || closed !== null;
    this.until.hidden = closed !== null;
    this.end.hidden = closed === null && !answered;
    if (closed) {
      this.form.remove(); // with whatever was typed: a password does not stay in the page
      const [yes, no] = this.ask.kind === "approval" ? ["ask.granted", "ask.denied"] : ["ask.answered", "ask.declined"];
      const how = t(closed.granted ? yes : no);
      this.end.replaceChildren(icon(closed.granted ? "check" : "close"), closed.reason ? `${how}: ${closed.reason}` : how);
    } else {
      this.end.textContent = answered ? t("ask.sending") : "";
    }
    if (focused && this.fields.disabled) dom.focus({ preventScroll: true });
  }

  /** What is filled in before answering; nothing for a plain yes or no. */
  entry() {
    const { ask, t } = this;
    if (ask.inputType === "selection") return this.choices();
    if (ask.inputType !== "text" && ask.inputType !== "password") return null;
    const field = el("input", {
      class: "ask-field", type: ask.inputType, "aria-label": t(ask.inputType === "password" ? "ask.password" : "ask.text"),
      autocomplete: "off", spellcheck: "false", required: true, value: ask.default,
    });
    this.value = () => field.value;
    return field;
  }

  choices() {
    const { ask, t } = this;
    const radios = ask.options.map((option) => el("input", { type: "radio", name: `${this.name}-choice`, value: option, required: true, checked: option === ask.default }));
    this.value = () => radios.find(({ checked }) => checked)?.value ?? null;
    return el("div", { class: "ask-choices", role: "radiogroup", "aria-label": t("ask.choice") },
      radios.map((radio) => el("label", { class: "ask-choice" }, radio, el("span", {}, radio.value))));
  }

  buttons() {
    const { ask, t } = this;
    const [yes, no] = ask.inputType !== "confirmation" ? ["ask.answer", "ask.decline"]
      : ask.kind === "input" ? ["ask.yes", "ask.no"] : ["ask.allow", "ask.deny"];
    this.reason = ask.kind === "approval" ? el("input", { class: "ask-reason", type: "text", "aria-label": t("ask.reason"), placeholder: t("ask.reason"), autocomplete: "off" }) : null;
    // Enter in the reason must not grant what the person is about to deny.
    this.reason?.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      this.answer(false);
    });
    return el("div", { class: "ask-buttons" },
      el("button", { class: "text-button ask-yes", type: "submit" }, t(yes)),
      el("button", { class: "text-button ask-no", type: "button", on: { click: () => this.answer(false) } }, t(no)),
      this.reason);
  }

  /** @param {boolean} granted */
  answer(granted) {
    const value = granted ? this.value() : undefined;
    if (value === null) return;
    const reason = granted ? "" : (this.reason?.value.trim() ?? "");
    this.bus.emit("command", { name: "answer", runId: this.runId, frame: {
      type: "answer", askId: this.ask.askId, granted, ...(value !== undefined && { value }), ...(reason && { reason }),
    } });
  }
}

/**
 * @param {AskContent} ask
 * @param {string} label
 */
function argumentTable(ask, label) {
  const rows = Object.entries(ask.arguments ?? {});
  if (rows.length === 0) return null;
  const written = (/** @type {JsonValue} */ value) => (typeof value === "string" ? value : JSON.stringify(value)).slice(0, LONGEST);
  return el("table", { class: "ask-arguments", "aria-label": label },
    el("tbody", {}, rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, written(value))))));
}
