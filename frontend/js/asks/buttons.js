/**
 * Buttons of an ask. For an approval: allow or deny the call, two wider allowances, and a field for the reason of a
 * denial; while arguments are edited, allow with the changes or go back. For an input: answer or decline. No button
 * takes the focus by itself.
 */

import { isProgramAsk, namedAnswers, isEnterPrompt } from "./program.js";
import { shortcutAttributes } from "./words.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { AskContent, Translate } from "../types.js" */
/** @import { Entry } from "./entry.js" */
/** @typedef {"call" | "step" | "chat"} Scope */
/**
 * @typedef {{ allow(scope: Scope): void, deny(scope: Scope, reason: string): void, edit(): void, back(): void }} Hands
 */

export class ApprovalButtons {
  /** @param {string} id unique in the page @param {boolean} editable @param {Translate} t @param {Hands} actions */
  constructor(id, editable, t, actions) {
    this.actions = actions;
    const allow = button(
      "text-button ask-yes",
      t("ask.allow"),
      () => actions.allow("call"),
      shortcutAttributes(t, t("ask.allow"), "y"),
    );
    const deny = button(
      "text-button ask-no",
      t("ask.deny"),
      () => this.deny("call"),
      shortcutAttributes(t, t("ask.deny"), "n"),
    );
    this.more = el(
      "button",
      {
        class: "text-button ask-more",
        type: "button",
        "aria-label": t("ask.deny_more"),
        title: t("ask.deny_more"),
        "aria-expanded": "false",
        "aria-controls": `${id}-why`,
        on: { click: () => this.ask() },
      },
      icon("chevron-down"),
    );
    this.change = editable
      ? button(
          "quiet-button ask-change",
          t("shared.edit"),
          () => actions.edit(),
          shortcutAttributes(t, t("shared.edit"), "e"),
          "pencil",
        )
      : null;
    this.reason = el("input", {
      class: "ask-reason",
      type: "text",
      "aria-label": t("ask.reason"),
      placeholder: t("ask.reason"),
      autocomplete: "off",
      on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
    });
    this.reasonPart = el(
      "div",
      { class: "ask-why", id: `${id}-why`, hidden: true },
      this.reason,
      button("quiet-button", t("ask.deny_step"), () => this.deny("step")),
    );
    this.usual = el(
      "div",
      { class: "ask-buttons" },
      allow,
      el("span", { class: "ask-split" }, deny, this.more),
      this.change,
      el(
        "span",
        { class: "ask-further" },
        button("quiet-button", t("ask.allow_step"), () => actions.allow("step")),
        button("quiet-button", t("ask.allow_chat"), () => actions.allow("chat")),
      ),
    );
    this.editing = el(
      "div",
      { class: "ask-buttons", hidden: true },
      el(
        "button",
        {
          class: "text-button ask-yes",
          type: "submit",
          title: t("ask.key", { name: t("ask.allow_changed"), key: "Ctrl+Enter" }),
        },
        t("ask.allow_changed"),
      ),
      button("text-button", t("ask.back"), () => actions.back(), {
        title: t("ask.key", { name: t("ask.back"), key: "Esc" }),
      }),
    );
    this.dom = el("div", { class: "ask-ways" }, this.usual, this.reasonPart, this.editing);
  }

  /** Show or hide the field for a reason. */
  ask() {
    this.reasonPart.hidden = !this.reasonPart.hidden;
    this.more.setAttribute("aria-expanded", String(!this.reasonPart.hidden));
    if (!this.reasonPart.hidden) this.reason.focus();
  }

  /** @param {Scope} scope */
  deny(scope) {
    this.actions.deny(scope, this.reasonPart.hidden ? "" : this.reason.value.trim());
  }

  /** Stop Enter in the reason field, which would submit the form and so grant the call. @param {KeyboardEvent} event */
  key(event) {
    // keyCode 229: Safari ends a composition before the keydown of its Enter
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter") this.deny("call");
    else if (event.key === "Escape") {
      this.ask();
      this.more.focus();
    } else return;
    event.preventDefault();
  }

  /** Switch to the buttons for editing and back. @param {boolean} on whether the arguments are being edited */
  edit(on) {
    this.usual.hidden = on;
    this.editing.hidden = !on;
    if (on && !this.reasonPart.hidden) this.ask();
  }
}

/**
 * @param {AskContent} ask
 * @param {Entry} entry
 * @param {Translate} t
 * @param {() => void} decline
 */
export function inputButtons(ask, entry, t, decline) {
  if (ask.inputType === "confirmation" && !isEnterPrompt(ask)) return yesOrNo(ask, t, decline);
  const answer = el("button", { class: "text-button ask-yes", type: "submit" });
  const label = () => {
    answer.textContent = t(
      isEnterPrompt(ask) || (isProgramAsk(ask) && ask.inputType === "text" && entry.read() === "")
        ? "ask.enter"
        : "ask.answer",
    );
  };
  entry.dom?.addEventListener("input", label);
  label();
  return el("div", { class: "ask-buttons" }, answer, button("text-button ask-no", t("ask.decline"), decline));
}

/**
 * Create the buttons for yes and no, each with the program's own word. The default answer stands out; without a
 * default, neither button of a program does.
 *
 * @param {AskContent} ask
 * @param {Translate} t
 * @param {() => void} decline
 */
function yesOrNo(ask, t, decline) {
  const { yes, no, byDefault } = namedAnswers(ask);
  const content = (/** @type {"yes" | "no"} */ which, /** @type {string} */ option) => [
    t(`ask.${which}`),
    option ? el("code", {}, option) : null,
    byDefault === which ? el("span", { class: "ask-default" }, t("shared.default")) : null,
  ];
  const classOf = (/** @type {"yes" | "no"} */ which) =>
    `text-button ${byDefault === which || (which === "yes" && ask.options.length === 0) ? "ask-yes" : "ask-no"}`;
  return el(
    "div",
    { class: "ask-buttons" },
    el(
      "button",
      { class: classOf("yes"), type: "submit", ...shortcutAttributes(t, t("ask.yes"), "y") },
      content("yes", yes),
    ),
    el(
      "button",
      {
        class: classOf("no"),
        type: "button",
        on: { click: decline },
        ...shortcutAttributes(t, t("ask.no"), "n"),
      },
      content("no", no),
    ),
  );
}

/**
 * @param {string} classes
 * @param {string} content
 * @param {() => void} press
 * @param {import("../core/dom.js").Attributes} [more]
 * @param {string} [drawing]
 */
function button(classes, content, press, more = {}, drawing) {
  return el(
    "button",
    { class: classes, type: "button", on: { click: press }, ...more },
    drawing ? icon(drawing) : null,
    content,
  );
}
