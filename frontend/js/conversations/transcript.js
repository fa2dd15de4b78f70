/**
 * Transcript of a conversation: the initiator in the left lane, the participant in the right one, newest at the end. A
 * person can read and end it, but not write, because no person may speak for an agent.
 */

import { FollowScroll } from "../core/scroll.js";
import { stateChip } from "./list.js";
import { MessageLanes } from "./lanes.js";
import { about, calledBy, clock, day, ending, sameDay } from "./words.js";
import { isLive } from "./state.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { ConversationInfo, TalkState, TranscriptInfo, Translate } from "../types.js" */

export class ConversationTranscript {
  /**
   * @param {Translate} t
   * @param {{ end(conversation: ConversationInfo): void, back(): void, earlier(): void }} actions
   */
  constructor(t, actions) {
    this.t = t;
    /** @type {TranscriptInfo | null} */
    this.transcript = null;
    this.language = "";
    this.back = el(
      "button",
      { class: "icon-button talk-back", type: "button", on: { click: () => actions.back() } },
      icon("chevron-left"),
    );
    this.title = el("h2", { class: "talk-purpose" });
    this.facts = el("p", { class: "talk-started" });
    this.state = el("span", { class: "talk-state-place", role: "status" });
    this.end = el("button", {
      class: "text-button talk-end",
      type: "button",
      on: {
        click: () => {
          if (this.transcript) actions.end(this.transcript.conversation);
        },
      },
    });
    this.head = el(
      "header",
      { class: "talk-head" },
      this.back,
      el("div", { class: "talk-head-words" }, this.title, this.facts),
      this.state,
      this.end,
    );
    this.names = { left: el("bdi", { class: "lane-name" }), right: el("bdi", { class: "lane-name" }) };
    this.lanesHead = el(
      "div",
      { class: "lanes-head" },
      el("span", { class: "lane-head" }, this.names.left),
      el("span", { class: "lane-head", "data-lane": "right" }, this.names.right),
    );
    this.earlier = el("button", {
      class: "quiet-button talk-earlier",
      type: "button",
      on: { click: () => actions.earlier() },
    });
    this.lanes = new MessageLanes(t);
    this.waiting = el("p", { class: "talk-note", hidden: true });
    this.over = el("p", { class: "talk-note", hidden: true });
    this.content = el(
      "div",
      { class: "lanes-content" },
      this.earlier,
      this.lanes.dom,
      this.waiting,
      this.over,
    );
    this.log = el("div", { class: "talk-log", role: "log", tabindex: "0" }, this.content);
    this.scroll = new FollowScroll(this.log, this.content, t);
    this.thread = el("div", { class: "talk-whole" }, this.head, this.lanesHead, this.log, this.scroll.button);
    this.none = el("p", { class: "talk-none talk-unchosen" });
    this.dom = el("section", { class: "pane talk-transcript" }, this.thread, this.none);
  }

  /** @param {TalkState} state */
  update({ transcript, selected }) {
    const { t } = this;
    if (
      transcript === this.transcript &&
      t.language === this.language &&
      this.dom.dataset.selected === (selected ?? "")
    )
      return;
    const other = transcript?.conversation.id !== this.transcript?.conversation.id;
    this.transcript = transcript;
    this.language = t.language;
    this.dom.dataset.selected = selected ?? "";
    this.dom.setAttribute("aria-label", t("talk.transcript"));
    this.thread.hidden = transcript === null;
    this.none.hidden = transcript !== null || selected !== null;
    this.none.textContent = t("talk.unchosen");
    if (transcript === null) return;
    if (other) this.scroll.following = true;
    this.showFacts(transcript.conversation, transcript.messages.length, transcript.earlier);
    const place = transcript.earlier || this.scroll.following ? null : this.scroll.distance();
    this.lanes.update(transcript);
    if (other) this.scroll.jump();
    else if (place !== null && this.log.scrollTop === 0)
      this.log.scrollTop = this.log.scrollHeight - this.log.clientHeight - place;
  }

  /**
   * @param {ConversationInfo} conversation
   * @param {number} visible messages
   * @param {boolean} earlier
   */
  showFacts(conversation, visible, earlier) {
    const { t } = this;
    const live = isLive(conversation);
    const [left, right] = [calledBy(conversation.initiator), calledBy(conversation.participant)];
    this.title.textContent = about(conversation, t);
    this.facts.replaceChildren(...pair(left, right, t), el("span", {}, started(conversation, t)));
    if (
      this.state.firstElementChild?.getAttribute("data-state") !== conversation.state ||
      this.state.lang !== t.language
    ) {
      this.state.replaceChildren(stateChip(conversation, t));
      this.state.lang = t.language;
    }
    this.end.textContent = t("talk.end_it");
    this.end.hidden = !live;
    this.end.disabled = conversation.state === "terminating";
    this.back.setAttribute("aria-label", t("talk.back"));
    this.names.left.textContent = left;
    this.names.right.textContent = right;
    this.log.setAttribute("aria-label", t("talk.said"));
    this.earlier.textContent = t("talk.earlier");
    this.earlier.hidden = !earlier;
    this.waiting.hidden = !(conversation.state === "pending" || (live && visible === 0));
    this.waiting.textContent = t(conversation.state === "pending" ? "talk.waiting" : "talk.nothing_said", {
      name: right,
    });
    const endingText = ending(conversation, t);
    this.over.hidden = endingText === "";
    this.over.replaceChildren(
      el("span", {}, endingText),
      conversation.endedAt ? el("span", { class: "talk-note-time" }, clock(conversation.endedAt, t)) : "",
    );
  }
}

/** @param {string} left @param {string} right @param {Translate} t */
const pair = (left, right, t) => [el("bdi", {}, left), icon("arrow", t("talk.to")), el("bdi", {}, right)];

/**
 * Return when it started: the time of day, and the date unless it is today.
 *
 * @param {ConversationInfo} conversation
 * @param {Translate} t
 */
function started({ createdAt }, t) {
  const time = clock(createdAt, t);
  return t("talk.started", {
    when: sameDay(createdAt, Date.now() / 1000) ? time : `${day(createdAt, t)} ${time}`,
  });
}
