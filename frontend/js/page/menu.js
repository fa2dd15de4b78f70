/**
 * Menu of the page at the end of the top bar: language, theme, conversations, help, the layout, and the isolation of the
 * agent's code. A choice closes it; Escape returns to the button.
 */

import { el } from "../core/dom.js";
import { size } from "../core/format.js";
import { icon } from "../core/icons.js";
import { placeUnder } from "../core/popover.js";

/** @import { Command, DeskBus, DeskState, Theme, Translate } from "../types.js" */
/** @import { LayoutChoice } from "./layout-choice.js" */
/** @typedef {{ dom: HTMLButtonElement, name: HTMLElement, drawing: HTMLElement }} Line */

/** Text keys of the desk's own jails; other labels are shown as they are. @type {Record<string, string>} */
const JAILS = {
  isolated: "app.isolated",
  "isolated, no namespaces": "app.isolated_no_namespaces",
  "isolated, no Landlock": "app.isolated_no_landlock",
};

export class PageMenu {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {LayoutChoice} needs.layouts
   * @param {() => void} needs.switchTheme
   * @param {() => void} needs.switchLanguage
   * @param {() => void} needs.talk opens the conversations
   */
  constructor({ bus, t, layouts, switchTheme, switchLanguage, talk }) {
    this.t = t;
    this.layouts = layouts;
    /** @type {DeskState | null} */
    this.state = null;
    /** @type {Theme} */
    this.theme = "light";
    this.caption = el("span", {});
    this.button = el(
      "button",
      { class: "text-button menu-button", type: "button", popovertarget: "page-menu" },
      icon("menu"),
      this.caption,
    );
    this.language = this.line("language-line", switchLanguage);
    this.themeLine = this.line("theme-line", switchTheme);
    this.talk = this.line("talk-button", talk, "c");
    this.help = this.line("help-line", () => bus.emit("command", { name: "help" }), "?");
    this.isolation = el("section", { class: "menu-isolation", id: "isolation-why" });
    this.dom = el(
      "div",
      {
        class: "popover page-menu",
        id: "page-menu",
        popover: "auto",
        on: {
          toggle: (/** @type {ToggleEvent} */ { newState }) => {
            if (newState === "open") placeUnder(this.dom, this.button);
          },
          beforetoggle: (/** @type {ToggleEvent} */ { newState }) => {
            if (newState === "closed" && this.dom.contains(document.activeElement)) this.button.focus();
          },
        },
      },
      [this.language, this.themeLine, this.talk, this.help].map(({ dom }) => dom),
      layouts.dom,
      this.isolation,
    );
    this.undo = [
      bus.on("state", (state) => this.update(state)),
      bus.on("theme", (theme) => {
        this.theme = theme;
        this.label();
      }),
      bus.on("language", () => this.label()),
      bus.on("command", (command) => this.onCommand(command)),
    ];
    this.label();
  }

  /** @param {string} style @param {() => void} press @param {string} [key] @returns {Line} */
  line(style, press, key) {
    const name = el("span", { class: "menu-name" });
    const drawing = el("span", { class: "menu-icon" });
    const act = () => {
      this.dom.hidePopover();
      press();
    };
    const dom = el(
      "button",
      { class: `menu-line ${style}`, type: "button", "aria-keyshortcuts": key, on: { click: act } },
      drawing,
      name,
      key && el("kbd", { "aria-hidden": "true" }, key),
    );
    return { dom, name, drawing };
  }

  /** @param {Command} command */
  onCommand({ name }) {
    if (name !== "layout" || !this.layouts.isOffered) return;
    this.dom.showPopover();
    this.layouts.focus();
  }

  /** @param {DeskState} state */
  update(state) {
    const before = this.state;
    this.state = state;
    if (state.chat !== before?.chat) this.showIsolation();
  }

  label() {
    const { t } = this;
    const dark = this.theme === "dark";
    this.caption.textContent = t("app.menu");
    this.button.title = t("app.menu");
    this.button.setAttribute("aria-label", t("app.menu"));
    this.write(this.language, "language", t("app.language"));
    this.language.dom.lang = t.language === "en" ? "ja" : "en";
    this.write(this.themeLine, dark ? "sun" : "moon", t(dark ? "app.theme_light" : "app.theme_dark"));
    this.write(this.talk, "conversations", t("talk.open"));
    this.write(this.help, "question", t("app.help"));
    this.showIsolation();
  }

  /** @param {Line} line @param {string} drawing @param {string} text */
  write(line, drawing, text) {
    line.name.textContent = text;
    line.drawing.replaceChildren(icon(drawing));
  }

  showIsolation() {
    const { t } = this;
    const chat = this.state?.chat;
    this.isolation.hidden = !chat;
    if (!chat) return;
    const { isolated, label } = chat.isolation;
    // with all layers there is nothing to explain; the server's reasons are in English
    const reasons =
      isolated && JAILS[label || "isolated"] === JAILS["isolated"] ? [] : chat.isolation.reasons;
    const program = chat.agent === "terminal";
    const why = isolated ? "app.isolation_yes" : program ? "app.isolation_program" : "app.isolation_no";
    this.isolation.dataset.isolated = String(isolated);
    this.isolation.replaceChildren(
      ...[
        el(
          "p",
          { class: "menu-title" },
          icon(isolated ? "shield" : "shield-off"),
          isolationName(chat.isolation, t),
        ),
        el("p", {}, t(why)),
        chat.node && el("p", {}, t("app.isolation_node", { node: chat.node })),
        chat.limits &&
          el(
            "p",
            {},
            t("app.isolation_limits", {
              memory: size(chat.limits.memory),
              folder: size(chat.limits.folder),
              seconds: t.number(chat.limits.cellSeconds),
            }),
          ),
        reasons.length > 0 &&
          el(
            "ul",
            { class: "popover-list" },
            reasons.map((reason) => el("li", { lang: "en" }, reason)),
          ),
        chat.tools.length > 0 &&
          el(
            "p",
            { class: "popover-tools" },
            t.pair(t("app.tools"), ""),
            el("code", {}, chat.tools.join(", ")),
          ),
      ].filter((part) => typeof part === "object"),
    );
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.layouts.destroy();
    this.button.remove();
    this.dom.remove();
  }
}

/** Return the name of an isolation. @param {NonNullable<DeskState["chat"]>["isolation"]} isolation @param {Translate} t */
export function isolationName({ isolated, label }, t) {
  const key = isolated ? JAILS[label || "isolated"] : "app.not_isolated";
  return key ? t(key) : label;
}
