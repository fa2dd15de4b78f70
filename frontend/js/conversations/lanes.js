/**
 * Messages of a conversation in two lanes. Text is never markup; new messages are appended, and none is drawn twice.
 */

import { calledBy, clock, day, sameDay } from "./words.js";
import { el } from "../core/dom.js";
import { visible } from "../core/escaping.js";

/** @import { MessageInfo, TranscriptInfo, Translate } from "../types.js" */

/** Maximum characters and lines of a message that is not folded. */
const FOLDED = 1500;
const LINES = 12;

export class MessageLanes {
  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.key = "";
    /** @type {MessageInfo[]} drawn messages */
    this.drawn = [];
    this.dom = el("ol", { class: "lanes" });
  }

  /** @param {TranscriptInfo} transcript */
  update({ conversation, messages }) {
    const key = `${conversation.id} ${this.t.language}`;
    const { drawn } = this;
    const grew =
      key === this.key && messages[0] === drawn[0] && drawn.length > 0 && messages.length >= drawn.length;
    if (!grew) this.dom.replaceChildren();
    const from = grew ? drawn.length : 0;
    const added = messages
      .slice(from)
      .map((message, at) => this.line(message, messages[from + at - 1] ?? null, conversation));
    this.dom.append(...added);
    this.key = key;
    this.drawn = messages;
  }

  /**
   * @param {MessageInfo} message
   * @param {MessageInfo | null} before
   * @param {TranscriptInfo["conversation"]} conversation
   */
  line(message, before, { initiator, participant }) {
    const { t } = this;
    const isInitiator = message.fromAgentId === initiator.id;
    const again = before?.fromAgentId === message.fromAgentId && message.createdAt - before.createdAt < 60;
    const newDay = before !== null && !sameDay(before.createdAt, message.createdAt);
    const when = new Date(message.createdAt * 1000).toISOString();
    return el(
      "li",
      {
        class: "lane-line",
        "data-lane": isInitiator ? "left" : "right",
        "data-seq": message.seq,
        "data-again": again,
      },
      newDay ? el("span", { class: "lane-day" }, day(message.createdAt, t)) : null,
      el("span", { class: "visually-hidden" }, `${calledBy(isInitiator ? initiator : participant)}:`),
      this.textView(message.content),
      el("time", { class: "lane-time", datetime: when, title: t.time(when) }, clock(message.createdAt, t)),
    );
  }

  /** Create the text of a message, folded if it is long. @param {string} content */
  textView(content) {
    const short = cut(content);
    const text = el("p", { class: "lane-text", dir: "auto" }, visible(short));
    if (short === content) return text;
    const more = el(
      "button",
      {
        class: "quiet-button",
        type: "button",
        on: {
          click: () => {
            text.textContent = visible(content);
            more.remove();
          },
        },
      },
      this.t("talk.show_all"),
    );
    return el("div", { class: "lane-folded" }, text, more);
  }
}

/** Return the part of a message that is shown at first. @param {string} content */
function cut(content) {
  const lines = content.split("\n", LINES + 1);
  const short = lines.length > LINES ? lines.slice(0, LINES).join("\n") : content;
  if (short.length <= FOLDED) return short;
  const end = short.charCodeAt(FOLDED - 1);
  return short.slice(0, end >= 0xd800 && end <= 0xdbff ? FOLDED - 1 : FOLDED); // do not split a surrogate pair
}
