/**
 * Top bar: chats, agent, a new chat and the menu, and at most one thing that needs attention: a lost connection, else
 * waiting questions, else code that runs without isolation.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { isolationName } from "./menu.js";

/** @import { DeskBus, DeskState, Translate } from "../types.js" */
/** @import { PageMenu } from "./menu.js" */

export class TopBar {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {HTMLElement} needs.chats button that opens the list of chats
   * @param {HTMLElement} needs.title title of the chat
   * @param {HTMLElement} needs.agent chooser of the agent
   * @param {HTMLElement[]} needs.place elements shown in place of the chat's title while another view is open
   * @param {HTMLElement[]} needs.attention elements about what waits for the person
   * @param {PageMenu} needs.menu
   */
  constructor({ bus, t, chats, title, agent, place, attention, menu }) {
    this.t = t;
    /** @type {DeskState | null} */
    this.state = null;
    this.badge = el(
      "button",
      { class: "badge", type: "button", hidden: true, popovertarget: menu.dom.id },
      icon("shield-off"),
      el("span"),
    );
    this.connection = el(
      "div",
      { class: "connection", role: "status" },
      el("span", { class: "dot" }),
      el("span", { class: "connection-words" }),
    );
    this.fresh = el("button", {
      class: "text-button new-chat",
      type: "button",
      on: { click: () => bus.emit("command", { name: "new-chat" }) },
    });
    this.dom = el(
      "header",
      { class: "top-bar" },
      el("span", { class: "mark", "aria-hidden": "true" }, el("i"), el("i"), el("i"), el("i")),
      chats,
      title,
      agent,
      place,
      el("span", { class: "stretch" }),
      attention,
      this.badge,
      this.connection,
      this.fresh,
      menu.button,
      menu.dom,
    );
    this.undo = [bus.on("state", (state) => this.update(state)), bus.on("language", () => this.label())];
    this.label();
  }

  /** @param {DeskState} state */
  update(state) {
    const before = this.state;
    this.state = state;
    if (state.chat !== before?.chat || state.connection !== before.connection) this.label();
  }

  label() {
    const { t, state } = this;
    const connection = state?.connection ?? "connecting";
    this.connection.dataset.connection = connection;
    const label = /** @type {HTMLElement} */ (this.connection.lastElementChild);
    if (label.textContent !== t(`connection.${connection}`))
      label.textContent = t(`connection.${connection}`);
    this.fresh.replaceChildren(icon("plus"), el("span", {}, t("app.new_chat")));
    this.fresh.setAttribute("aria-label", t("app.new_chat"));
    this.fresh.title = t("app.new_chat");
    const isolation = state?.chat?.isolation;
    this.badge.hidden = isolation?.isolated ?? true;
    if (!isolation || isolation.isolated) return;
    const text = isolationName(isolation, t);
    this.badge.lastElementChild?.replaceChildren(text);
    this.badge.setAttribute("aria-label", text);
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.dom.remove();
  }
}
