/** Actions of a turn: edit and run again, answer again, copy the answer, copy a link. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { isClosed } from "../core/runs.js";

/** @import { Translate, Turn } from "../types.js" */

const COPIED_MS = 1600;

/** Toolbar with one tab stop and arrow keys inside, because a chat has many turns. `createButtons` adds the buttons. */
export class TurnActions {
  /**
   * @param {Translate} t
   * @param {{ edit: () => void, again: () => void, pin: () => void, copy: () => Promise<boolean>, link: () =>
   *   Promise<boolean> }} acts
   */
  constructor(t, acts) {
    this.t = t;
    this.acts = acts;
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    /** @type {Turn | null} */
    this.turn = null;
    this.dom = el("div", {
      class: "turn-actions",
      role: "toolbar",
      "aria-label": t("turn.actions"),
      on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
    });
  }

  /** Create the buttons and apply the turn to them. */
  createButtons() {
    const { t, acts } = this;
    const edit = action("pencil", t("shared.edit"), acts.edit);
    const again = action("retry", t("turn.again"), acts.again);
    const pin = action("pin", t("turn.pin"), acts.pin);
    const copy = action("copy", t("shared.copy"), () => this.copied(copy, "copy", "shared.copy"));
    const link = action("link", t("shared.link"), () => this.copied(link, "link", "shared.link"));
    pin.setAttribute("aria-label", t("turn.pin_what"));
    copy.setAttribute("aria-label", t("turn.copy_what"));
    link.setAttribute("aria-label", t("turn.link_what"));
    this.buttons = [edit, again, pin, copy, link];
    this.dom.append(...this.buttons);
    if (this.turn) this.update(this.turn);
  }

  /** @param {Turn} turn */
  update(turn) {
    this.turn = turn;
    const [edit, again, pin, copy] = this.buttons;
    if (!edit || !again || !pin || !copy) return;
    const over = isClosed(turn);
    const isFixed = turn.program || turn.conversation !== null; // programs and conversations cannot be rewound
    edit.hidden = isFixed;
    again.hidden = !over || isFixed;
    copy.hidden = !over;
    pin.hidden = !over || answerSeq(turn) === undefined;
    if (turn.isCode) /** @type {HTMLElement} */ (again.lastElementChild).textContent = this.t("code.again");
    edit.toggleAttribute("data-code", turn.isCode);
    again.toggleAttribute("data-code", turn.isCode);
    this.settle(this.visible()[0]);
  }

  visible() {
    return this.buttons.filter(({ hidden }) => !hidden);
  }

  /** Set the button that the Tab key reaches. @param {HTMLElement | undefined} chosen */
  settle(chosen) {
    for (const button of this.buttons) button.tabIndex = button === chosen ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const buttons = this.visible().filter((button) => button.offsetParent !== null);
    const at = buttons.findIndex((button) => button === document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    const next = buttons[(to + buttons.length) % buttons.length];
    this.settle(next);
    next?.focus();
  }

  /** @param {HTMLButtonElement} button @param {"copy" | "link"} act @param {string} key of the button's text */
  async copied(button, act, key) {
    const label = /** @type {HTMLElement} */ (button.lastElementChild);
    label.textContent = this.t((await this.acts[act]()) ? "shared.copied" : "shared.not_copied");
    window.setTimeout(() => {
      label.textContent = this.t(key);
    }, COPIED_MS);
  }
}

/** Return the seq of the turn's answer. @param {Turn} turn */
export function answerSeq({ blocks }) {
  const answer = blocks.findLast(
    (block) => block.kind === "shown" && block.message.type === "text" && block.message.tone === "answer",
  );
  return answer?.kind === "shown" ? answer.message.seq : undefined;
}

/** @param {string} drawing @param {string} label @param {() => void} act */
function action(drawing, label, act) {
  return el(
    "button",
    { class: "turn-action", type: "button", on: { click: act } },
    icon(drawing),
    el("span", {}, label),
  );
}
