/** Chooser of the project: its name in the top bar, and a list to choose another, create one or remove this one. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { placeUnder } from "../core/popover.js";
import { visible } from "../core/escaping.js";

/** @import { ProjectInfo, TalkState, Translate } from "../types.js" */

export class ProjectChooser {
  /**
   * @param {Translate} t
   * @param {{ choose(id: string): void, add(): void, remove(): void }} actions
   */
  constructor(t, actions) {
    this.t = t;
    this.actions = actions;
    /** @type {TalkState | null} */
    this.state = null;
    this.button = el("button", {
      class: "project-button",
      type: "button",
      popovertarget: "projects",
      "aria-haspopup": "menu",
      on: { keydown: (/** @type {KeyboardEvent} */ event) => this.arrow(event) },
    });
    this.list = el("ul", {
      class: "projects-list",
      role: "menu",
      on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
    });
    this.popover = el(
      "div",
      {
        class: "popover projects",
        id: "projects",
        popover: "auto",
        on: { toggle: (/** @type {ToggleEvent} */ event) => this.toggled(event.newState === "open") },
      },
      this.list,
    );
    this.title = el("h1", { class: "talk-title" });
    this.dom = el("div", { class: "talk-place" }, this.title, this.button, this.popover);
  }

  /** @param {TalkState} state */
  update(state) {
    const { t } = this;
    this.state = state;
    this.title.textContent = t("talk.title");
    const { projects, project } = state;
    this.button.hidden = !projects?.length;
    const name = project ? visible(project.name) : t("talk.choose_project");
    this.button.replaceChildren(
      icon("folder"),
      el("span", { class: "project-name" }, name),
      icon("chevron-down"),
    );
    this.button.setAttribute("aria-label", t("talk.project_button", { name }));
    this.list.setAttribute("aria-label", t("talk.projects"));
    const focusedIndex = this.items.findIndex((item) => item === document.activeElement);
    this.list.replaceChildren(
      ...(projects ?? []).map((entry) => this.item(entry, entry.id === project?.id)),
      el("li", { class: "projects-rule", role: "separator" }),
      this.action("plus", t("talk.new_project"), () => this.actions.add()),
      ...(project ? [this.action("close", t("talk.remove_project"), () => this.actions.remove())] : []),
    );
    if (focusedIndex !== -1) this.items[focusedIndex]?.focus();
  }

  /** @returns {HTMLButtonElement[]} */
  get items() {
    return [...this.list.querySelectorAll("button")];
  }

  /** @param {ProjectInfo} project @param {boolean} current */
  item({ id, name, agents, live }, current) {
    const { t } = this;
    const facts = [
      t(agents === 1 ? "talk.agent" : "talk.agents", { n: agents }),
      ...(live ? [t("talk.live_count", { n: live })] : []),
    ].join(" · ");
    return el(
      "li",
      { role: "none" },
      el(
        "button",
        {
          class: "projects-item",
          type: "button",
          role: "menuitemradio",
          tabindex: "-1",
          "data-project": id,
          "aria-checked": String(current),
          on: {
            click: () => {
              this.popover.hidePopover();
              this.actions.choose(id);
            },
          },
        },
        icon("folder"),
        el("span", { class: "projects-name" }, visible(name)),
        current ? icon("check") : null,
        el("span", { class: "projects-facts" }, el("span", {}, facts)),
      ),
    );
  }

  /** @param {string} drawing @param {string} label @param {() => void} press */
  action(drawing, label, press) {
    return el(
      "li",
      { role: "none" },
      el(
        "button",
        {
          class: "projects-item projects-action",
          type: "button",
          role: "menuitem",
          tabindex: "-1",
          on: {
            click: () => {
              this.popover.hidePopover();
              press();
            },
          },
        },
        icon(drawing),
        el("span", { class: "projects-name" }, label),
      ),
    );
  }

  /** @param {boolean} open */
  toggled(open) {
    this.button.setAttribute("aria-expanded", String(open));
    if (!open) return;
    placeUnder(this.popover, this.button, "left");
    (this.items.find((item) => item.getAttribute("aria-checked") === "true") ?? this.items[0])?.focus();
  }

  /** Open the list with an arrow key, as in a menu button. @param {KeyboardEvent} event */
  arrow(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    this.popover.showPopover();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { items } = this;
    const here = items.findIndex((item) => item === document.activeElement);
    const to = {
      ArrowDown: (here + 1) % items.length,
      ArrowUp: (here <= 0 ? items.length : here) - 1,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items[to]?.focus();
  }
}
