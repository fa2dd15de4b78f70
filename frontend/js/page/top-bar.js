/** Top bar: the chat, its agent and model, the isolation of code, the connection, and three switches. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { placeUnder } from "../core/popover.js";

/** @import { DeskBus, DeskState, Theme, Translate } from "../types.js" */

/**
 * @type {Record<string, string>} text keys of the desk's own jails; other labels are shown as
 *   they are
 */
const JAILS = {
  isolated: "app.isolated",
  "isolated, no namespaces": "app.isolated_no_namespaces",
  "isolated, no Landlock": "app.isolated_no_landlock",
};

export class TopBar {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {() => void} needs.switchTheme
   * @param {() => void} needs.switchLanguage
   * @param {HTMLElement} needs.chats button that opens the list of chats
   * @param {HTMLElement} needs.title title of the chat
   * @param {HTMLElement} needs.agent chooser of the agent
   * @param {HTMLElement} needs.place element shown in place of the chat's title while another view is open
   * @param {HTMLElement[]} needs.extras further elements
   */
  constructor({ bus, t, switchTheme, switchLanguage, chats, title, agent, place, extras }) {
    this.t = t;
    /** @type {DeskState | null} */
    this.state = null;
    /** @type {Theme} */
    this.theme = "light";
    this.reasons = el("div", { class: "popover", id: "isolation-why", popover: "auto" });
    this.badge = el("button", {
      class: "badge",
      type: "button",
      hidden: true,
      popovertarget: "isolation-why",
    });
    this.reasons.addEventListener("toggle", () => placeUnder(this.reasons, this.badge));
    this.connection = el(
      "div",
      { class: "connection", role: "status" },
      el("span", { class: "dot" }),
      el("span", { class: "connection-words" }),
    );
    this.language = el("button", {
      class: "icon-button wide",
      type: "button",
      on: { click: switchLanguage },
    });
    this.themeButton = el("button", { class: "icon-button", type: "button", on: { click: switchTheme } });
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
      ...extras,
      this.badge,
      this.reasons,
      this.connection,
      this.language,
      this.themeButton,
      this.fresh,
    );
    this.undo = [
      bus.on("state", (state) => this.update(state)),
      bus.on("theme", (theme) => {
        this.theme = theme;
        this.label();
      }),
      bus.on("language", () => this.label()),
    ];
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
    this.language.textContent = t("app.language_short");
    name(this.language, t("app.language"));
    this.themeButton.replaceChildren(icon(this.theme === "dark" ? "sun" : "moon"));
    name(this.themeButton, t(this.theme === "dark" ? "app.theme_light" : "app.theme_dark"));
    this.fresh.replaceChildren(icon("plus"), el("span", {}, t("app.new_chat")));
    name(this.fresh, t("app.new_chat"));
    this.isolation();
  }

  isolation() {
    const { t } = this;
    const chat = this.state?.chat;
    this.badge.hidden = !chat;
    if (!chat) return;
    const { isolated, label, reasons = [] } = chat.isolation;
    this.badge.dataset.isolated = String(isolated);
    const key = isolated ? JAILS[label || "isolated"] : "app.not_isolated";
    const text = key ? t(key) : label;
    this.badge.replaceChildren(icon(isolated ? "shield" : "shield-off"), el("span", {}, text));
    this.badge.setAttribute("aria-label", text);
    this.reasons.replaceChildren(
      el("p", { class: "popover-title" }, text),
      el(
        "p",
        {},
        t(
          isolated
            ? "app.isolation_yes"
            : chat.agent === "terminal"
              ? "app.isolation_program"
              : "app.isolation_no",
        ),
      ),
      reasons.length
        ? el(
            "ul",
            { class: "popover-list" },
            reasons.map((reason) => el("li", {}, reason)),
          )
        : "",
      chat.tools.length
        ? el("p", { class: "popover-tools" }, `${t("app.tools")}: `, el("code", {}, chat.tools.join(", ")))
        : "",
    );
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.dom.remove();
  }
}

/**
 * @param {HTMLElement} button
 * @param {string} label
 */
function name(button, label) {
  button.setAttribute("aria-label", label);
  button.title = label;
}
