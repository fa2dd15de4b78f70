/** Introduction in the empty conversations view: its purpose, and how an agent joins. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { joining } from "./project-sheets.js";

/** @import { TalkState, Translate } from "../types.js" */

export class ConversationsWelcome {
  /**
   * @param {Translate} t
   * @param {{ addProject(): void, addMember(): void }} actions
   */
  constructor(t, actions) {
    this.t = t;
    this.actions = actions;
    this.key = "";
    this.dom = el("section", { class: "pane talk-welcome" });
  }

  /** @param {TalkState} state */
  update({ projects, project }) {
    const { t, actions } = this;
    const key = `${t.language} ${projects === null} ${project?.id ?? ""}`;
    if (key === this.key) return;
    this.key = key;
    this.dom.setAttribute("aria-label", t("talk.welcome"));
    if (projects === null) return this.dom.replaceChildren();
    const act = project
      ? [t("talk.new_agent"), () => actions.addMember()]
      : [t("talk.new_project"), () => actions.addProject()];
    this.dom.replaceChildren(
      el(
        "div",
        { class: "talk-welcome-card" },
        icon("conversations"),
        el("h2", {}, t(project ? "talk.join_title" : "talk.welcome")),
        el("p", {}, t(project ? "talk.none_yet" : "talk.welcome_what")),
        ...(project ? joining(t, project.id) : []),
        el(
          "button",
          {
            class: "text-button",
            type: "button",
            "data-look": "strong",
            on: { click: /** @type {() => void} */ (act[1]) },
          },
          icon("plus"),
          /** @type {string} */ (act[0]),
        ),
      ),
    );
  }
}
