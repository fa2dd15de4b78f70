/** Actions of a turn: edit and answer again, pin, copy, link, and the chats that branch off. */

import { linkToChat } from "../core/address.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { withMenu } from "../core/menu.js";
import { isClosed } from "../core/runs.js";
import { branchTitle } from "./branches.js";

/** @import { Translate, Turn } from "../types.js" */
/**
 * @typedef {{ drawing: string, text: string, act: (() => unknown) | string, isCode?: boolean }} Action `act`: function, or
 *   address of a link
 */

const COPIED_MS = 1600;
/** Most buttons; of more actions, the last ones are in a menu. */
const MOST = 5;

/** Toolbar with one tab stop and arrow keys inside, because a chat has many turns. `createButtons` adds the buttons. */
export class TurnActions {
  /**
   * @param {Translate} t
   * @param {{ edit: () => void, again: () => void, pin: () => void, copy: () => Promise<boolean>, save: () => void,
   *   watch: () => void, link: () => Promise<boolean> }} acts
   */
  constructor(t, acts) {
    this.t = t;
    this.acts = acts;
    this.isReady = false;
    /** @type {HTMLElement[]} */
    this.buttons = [];
    /** @type {Turn | null} */
    this.turn = null;
    this.report = el("span", { class: "turn-report", role: "status" });
    this.dom = el("div", {
      class: "turn-actions",
      role: "toolbar",
      "aria-label": t("turn.actions"),
      on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
    });
  }

  /** Create the buttons for the turn. */
  createButtons() {
    this.isReady = true;
    if (this.turn) this.update(this.turn);
  }

  /** Show the actions that the turn has now. The focus stays on its action. @param {Turn} turn */
  update(turn) {
    this.turn = turn;
    if (!this.isReady) return;
    const actions = this.actionsOf(turn);
    const visible = actions.length > MOST ? actions.slice(0, MOST - 1) : actions;
    const focused = this.buttons.find((button) => button === document.activeElement)?.title;
    this.buttons = visible.map(button);
    this.dom.replaceChildren(this.report, ...this.buttons, ...this.menuOf(actions.slice(visible.length)));
    this.settle(this.buttons[0]);
    if (focused !== undefined) this.buttons.find(({ title }) => title === focused)?.focus();
  }

  /** @param {Turn} turn @returns {Action[]} */
  actionsOf(turn) {
    const { t, acts } = this;
    const { isCode, branches } = turn;
    const over = isClosed(turn);
    const isFixed = turn.program || turn.conversation !== null; // programs and conversations cannot be rewound
    const again = t(isCode ? "code.again" : "turn.again");
    /** @type {(Action | false)[]} */
    const actions = [
      !isFixed && { drawing: "pencil", text: t("shared.edit"), act: acts.edit, isCode },
      over && !isFixed && { drawing: "retry", text: again, act: acts.again, isCode },
      over && answerSeq(turn) !== undefined && { drawing: "pin", text: t("turn.pin"), act: acts.pin },
      over && { drawing: "copy", text: t("turn.copy"), act: () => this.copy("copy") },
      turn.state === "finished" &&
        !isFixed &&
        !isCode && { drawing: "check", text: t("turn.right"), act: acts.save },
      turn.state === "finished" && !isFixed && { drawing: "clock", text: t("turn.watch"), act: acts.watch },
      { drawing: "link", text: t("turn.link"), act: () => this.copy("link") },
      ...branches.map((branch) => ({
        drawing: "branch",
        text: t("turn.branch", { title: branchTitle(branch, t) }),
        act: linkToChat(branch.chatId),
      })),
    ];
    return actions.filter((action) => action !== false);
  }

  /** Create the button of the remaining actions, if any. @param {Action[]} actions @returns {HTMLElement[]} */
  menuOf(actions) {
    if (actions.length === 0) return [];
    const name = this.t("turn.more");
    const more = button({ drawing: "more", text: name, act: () => null });
    this.buttons.push(more);
    return [withMenu(/** @type {HTMLButtonElement} */ (more), name, actions, "right")];
  }

  /** Set the button that the Tab key reaches. @param {HTMLElement | undefined} chosen */
  settle(chosen) {
    for (const button of this.buttons) button.tabIndex = button === chosen ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const buttons = this.buttons.filter((button) => button.offsetParent !== null);
    const at = buttons.findIndex((button) => button === document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    const next = buttons[(to + buttons.length) % buttons.length];
    this.settle(next);
    next?.focus();
  }

  /** Copy the answer or the link, and report the outcome for a moment. @param {"copy" | "link"} act */
  async copy(act) {
    this.report.textContent = this.t((await this.acts[act]()) ? "shared.copied" : "shared.not_copied");
    window.setTimeout(() => {
      this.report.textContent = "";
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

/** @param {Action} action @returns {HTMLElement} */
function button({ drawing, text, act, isCode = false }) {
  const options = { class: "turn-action", title: text, "aria-label": text, "data-code": isCode };
  return typeof act === "string"
    ? el("a", { ...options, href: act }, icon(drawing))
    : el("button", { ...options, type: "button", on: { click: act } }, icon(drawing));
}
