/** List of a project's conversations, the newest first: agents, purpose and state. */

import { about, calledBy, messages, moment } from "./words.js";
import { isLive } from "./state.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { ConversationInfo, TalkState, Translate } from "../types.js" */

export class ConversationList {
  /**
   * @param {Translate} t
   * @param {{ choose(id: string): void, filter(live: boolean): void, further(): void }} actions
   */
  constructor(t, actions) {
    this.t = t;
    this.actions = actions;
    /**
     * @type {Map<string, { line: HTMLElement, conversation: ConversationInfo, current: boolean, language: string }>}
     */
    this.lines = new Map();
    this.title = el("h2", { class: "pane-title" });
    this.all = el("button", {
      class: "talk-filter",
      type: "button",
      on: { click: () => actions.filter(false) },
    });
    this.live = el("button", {
      class: "talk-filter",
      type: "button",
      on: { click: () => actions.filter(true) },
    });
    this.filters = el("div", { class: "pane-tools talk-filters", role: "group" }, this.all, this.live);
    this.list = el("ul", {
      class: "talk-list",
      on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
    });
    this.more = el("button", {
      class: "quiet-button talk-more",
      type: "button",
      on: { click: () => actions.further() },
    });
    this.empty = el("p", { class: "talk-none" });
    this.dom = el(
      "section",
      { class: "pane talk-pane" },
      el("header", { class: "pane-head" }, this.title, this.filters),
      el(
        "div",
        { class: "pane-body" },
        el("div", { class: "talk-scroll" }, this.list, this.more, this.empty),
      ),
    );
  }

  /** @param {TalkState} state */
  update({ list, live, more, selected }) {
    const { t } = this;
    this.title.textContent = t("talk.title");
    this.dom.setAttribute("aria-label", t("talk.title"));
    this.filters.setAttribute("aria-label", t("talk.filter"));
    this.all.textContent = t("talk.filter_all");
    this.live.textContent = t("talk.filter_live");
    this.all.setAttribute("aria-pressed", String(!live));
    this.live.setAttribute("aria-pressed", String(live));
    this.more.textContent = t("shared.show_more");
    this.more.hidden = !more;
    this.empty.hidden = list === null || list.length > 0;
    this.empty.textContent = t(live ? "talk.none_live" : "talk.none");
    this.draw(list ?? [], selected);
  }

  /**
   * Draw the list. An entry that stays keeps its node, and so the focus; only changed entries are rewritten.
   *
   * @param {ConversationInfo[]} list
   * @param {string | null} selected
   */
  draw(list, selected) {
    const ids = new Set(list.map(({ id }) => id));
    for (const [id, { line }] of this.lines) {
      if (ids.has(id)) continue;
      line.remove();
      this.lines.delete(id);
    }
    list.forEach((conversation, at) => {
      const existing = this.lines.get(conversation.id);
      const line =
        existing?.line ??
        el(
          "li",
          {},
          el("button", {
            class: "talk-line",
            type: "button",
            "data-conversation": conversation.id,
            on: { click: () => this.actions.choose(conversation.id) },
          }),
        );
      const current = conversation.id === selected;
      if (
        existing?.conversation !== conversation ||
        existing.current !== current ||
        existing.language !== this.t.language
      ) {
        this.fill(/** @type {HTMLElement} */ (line.firstElementChild), conversation, current);
        this.lines.set(conversation.id, { line, conversation, current, language: this.t.language });
      }
      if (this.list.children[at] !== line) this.list.insertBefore(line, this.list.children[at] ?? null);
    });
  }

  /**
   * @param {HTMLElement} button
   * @param {ConversationInfo} conversation
   * @param {boolean} current
   */
  fill(button, conversation, current) {
    const { t } = this;
    button.setAttribute("aria-current", String(current));
    button.dataset.live = String(isLive(conversation));
    button.replaceChildren(
      el(
        "span",
        { class: "talk-pair" },
        el("bdi", { class: "talk-name" }, calledBy(conversation.initiator)),
        icon("arrow", t("talk.to")),
        el("bdi", { class: "talk-name" }, calledBy(conversation.participant)),
      ),
      el("span", { class: "talk-when" }, moment(conversation.createdAt, t)),
      el("bdi", { class: "talk-about" }, about(conversation, t)),
      el(
        "span",
        { class: "talk-facts" },
        stateChip(conversation, t),
        el("span", {}, messages(conversation.messageCount, t)),
      ),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const lines = [...this.list.querySelectorAll("button")];
    const here = lines.findIndex((line) => line === document.activeElement);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: lines.length - 1 }[event.key];
    if (to === undefined || !lines[to]) return;
    event.preventDefault();
    lines[to].focus();
  }
}

/**
 * Create the state as a word with a dot, whose shape also shows it.
 *
 * @param {ConversationInfo} conversation
 * @param {Translate} t
 */
export function stateChip({ state }, t) {
  return el("span", { class: "talk-state", "data-state": state }, t(`talk.state_${state}`));
}
