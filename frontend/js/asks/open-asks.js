/**
 * Open asks of all chats: a button with their number, and a list whose entries open the chat at the card. The tab's
 * title has the number, too. Both change with each message, not with the next frame, because a hidden tab has no
 * frames.
 */

import { linkToAsk } from "../core/address.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { placeUnder } from "../core/popover.js";

/** @import { DeskBus, OpenAsk, OpenAsksContent, Translate } from "../types.js" */
/** @import { PageTitle } from "../core/page-title.js" */

const TICK = 1000;

export class OpenAsksButton {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {PageTitle} needs.title
   */
  constructor({ bus, t, title }) {
    this.t = t;
    this.title = title;
    /** @type {OpenAsksContent} */
    this.open = { asks: [], count: 0 };
    /** Chat of this page. @type {string | null} */
    this.chatId = null;
    /** @type {Map<string, HTMLElement>} lines by the ask's id */
    this.lines = new Map();
    this.timer = 0;
    this.number = el("span", { class: "asks-count" });
    this.caption = el("span", { class: "asks-caption" });
    this.button = el(
      "button",
      { class: "asks-button", type: "button", popovertarget: "open-asks" },
      icon("bell"),
      this.number,
      this.caption,
    );
    this.head = el("p", { class: "popover-title" });
    this.list = el("ul", { class: "asks-list" });
    this.more = el("p", { class: "asks-more", hidden: true });
    this.popover = el(
      "div",
      {
        class: "popover asks-popover",
        id: "open-asks",
        popover: "auto",
        tabindex: "-1",
        role: "region",
        on: { toggle: (/** @type {ToggleEvent} */ event) => this.toggled(event.newState === "open") },
      },
      this.head,
      this.list,
      this.more,
    );
    this.announcement = el("div", { class: "visually-hidden", role: "status" });
    this.dom = el("div", { class: "asks" }, this.button, this.popover, this.announcement);
    this.undo = [
      bus.on("message", (message) => {
        if (message.type === "open_asks") this.update(message.content);
        else if (message.type === "chat") this.moved(message.content.chatId);
      }),
      bus.on("language", () => this.label()),
    ];
    this.label();
  }

  /** @param {OpenAsksContent} open */
  update(open) {
    const grew = open.count > this.open.count;
    this.open = open;
    this.title.set({ count: open.count });
    this.label();
    if (grew)
      this.announcement.textContent = this.t(open.count === 1 ? "asks.spoken_one" : "asks.spoken", {
        n: open.count,
      });
  }

  /** @param {string} chatId */
  moved(chatId) {
    this.chatId = chatId;
    this.label();
  }

  label() {
    const {
      t,
      open: { asks, count },
    } = this;
    const text = t(count === 0 ? "asks.none" : count === 1 ? "asks.button_one" : "asks.button", {
      n: count,
    });
    this.button.dataset.count = String(count);
    this.button.hidden = count === 0 && !this.popover.matches(":popover-open");
    this.caption.textContent = count ? t(count === 1 ? "asks.short_one" : "asks.short", { n: count }) : "";
    this.button.setAttribute("aria-label", text);
    this.button.title = text;
    this.number.textContent = count ? t.number(count) : "";
    this.head.textContent = text;
    this.popover.setAttribute("aria-label", t("asks.list"));
    this.more.hidden = count <= asks.length;
    this.more.textContent = this.more.hidden ? "" : t("shared.and_more", { n: count - asks.length });
    this.draw();
  }

  /** Draw the list. An entry that stays keeps its node, and so the focus. */
  draw() {
    const { asks } = this.open;
    const focused = [...this.lines].find(([, line]) => line.contains(document.activeElement));
    const ids = new Set(asks.map(({ askId }) => askId));
    for (const [askId, line] of this.lines) {
      if (ids.has(askId)) continue;
      line.remove();
      this.lines.delete(askId);
    }
    asks.forEach((ask, at) => {
      const line =
        this.lines.get(ask.askId) ??
        el(
          "li",
          {},
          el("a", {
            class: "asks-line",
            "data-open-ask": ask.askId,
            on: { click: () => this.popover.hidePopover() },
          }),
        );
      this.lines.set(ask.askId, line);
      this.fill(/** @type {HTMLAnchorElement} */ (line.firstElementChild), ask);
      if (this.list.children[at] !== line) this.list.insertBefore(line, this.list.children[at] ?? null);
    });
    if (focused && !ids.has(focused[0])) (this.list.querySelector("a") ?? this.popover).focus();
  }

  /**
   * @param {HTMLAnchorElement} link
   * @param {OpenAsk} ask
   */
  fill(link, ask) {
    const { t } = this;
    const title = ask.chatTitle || t("app.new_chat");
    const timeElement = el("span", { class: "asks-left" }, formatRemaining(ask, t));
    const where = ask.chatId === this.chatId ? t("asks.here", { title }) : title;
    link.setAttribute("href", linkToAsk(ask.chatId, ask.askId));
    link.replaceChildren(
      el("span", { class: "asks-head" }, el("span", { class: "asks-chat" }, where), timeElement),
      el("span", { class: "asks-what" }, ...askSummary(ask, t)),
    );
  }

  /** @param {boolean} open */
  toggled(open) {
    window.clearInterval(this.timer);
    if (!open) return this.label(); // hides the button if nothing waits any more
    placeUnder(this.popover, this.button);
    this.tick();
    this.timer = window.setInterval(() => this.tick(), TICK);
  }

  /** Update the remaining times while the list is open. */
  tick() {
    for (const ask of this.open.asks) {
      const timeElement = this.lines.get(ask.askId)?.querySelector(".asks-left");
      const text = formatRemaining(ask, this.t);
      if (timeElement && timeElement.textContent !== text) timeElement.textContent = text;
    }
  }

  destroy() {
    window.clearInterval(this.timer);
    for (const undo of this.undo) undo();
    this.dom.remove();
  }
}

/**
 * Return the question and its tool. The desk's own approval question is translated.
 *
 * @param {OpenAsk} ask
 * @param {Translate} t
 */
function askSummary({ kind, tool, prompt }, t) {
  if (!tool) return [el("span", { class: "asks-prompt" }, prompt || t("ask.prompt"))];
  if (kind === "approval" && prompt === `Allow ${tool}?`)
    return [el("span", { class: "asks-prompt" }, t("ask.allow_tool", { tool }))];
  return [el("code", {}, tool), el("span", { class: "asks-prompt" }, prompt || t("ask.prompt"))];
}

/**
 * Format the time left to answer: minutes, then seconds.
 *
 * @param {Pick<OpenAsk, "expiresAt">} ask
 * @param {Translate} t
 * @param {number} now milliseconds since 1970
 */
export function formatRemaining({ expiresAt }, t, now = Date.now()) {
  const seconds = Math.ceil((Date.parse(expiresAt) - now) / 1000);
  if (seconds <= 0) return t("ask.up");
  return seconds < 60
    ? t("asks.left_seconds", { n: seconds })
    : t("asks.left_minutes", { n: Math.ceil(seconds / 60) });
}
