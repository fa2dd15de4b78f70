/** Agents of a project: names and ids, adding and removing one. */

import { linkToChat } from "../core/address.js";
import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { visible } from "../core/escaping.js";

/** @import { AgentInfo, ProjectDetail, TalkState, Translate } from "../types.js" */

export class ConversationMembers {
  /**
   * @param {Translate} t
   * @param {{ add(): void, remove(member: AgentInfo): void, explain(): void }} actions
   */
  constructor(t, actions) {
    this.t = t;
    this.actions = actions;
    /** @type {ProjectDetail | null} */
    this.project = null;
    this.language = "";
    this.title = el("h2", { class: "pane-title" });
    this.add = el("button", {
      class: "text-button small",
      type: "button",
      on: { click: () => actions.add() },
    });
    this.explain = el(
      "button",
      { class: "icon-button", type: "button", on: { click: () => actions.explain() } },
      icon("question"),
    );
    this.list = el("ul", { class: "talk-members" });
    this.none = el("p", { class: "talk-none" });
    this.dom = el(
      "section",
      { class: "pane talk-pane talk-agents" },
      el(
        "header",
        { class: "pane-head" },
        this.title,
        el("div", { class: "pane-tools" }, this.explain, this.add),
      ),
      el("div", { class: "pane-body" }, el("div", { class: "talk-scroll" }, this.list, this.none)),
    );
  }

  /** @param {TalkState} state */
  update({ project }) {
    const { t } = this;
    if (project === this.project && t.language === this.language) return;
    this.project = project;
    this.language = t.language;
    const members = (project?.members ?? []).filter(({ removedAt }) => !removedAt);
    this.title.textContent = t("talk.agents_title");
    this.dom.setAttribute("aria-label", t("talk.agents_title"));
    this.add.replaceChildren(icon("plus"), t("talk.new_agent"));
    this.add.disabled = project === null;
    this.explain.setAttribute("aria-label", t("talk.join_title"));
    this.explain.title = t("talk.join_title");
    this.none.hidden = members.length > 0;
    this.none.textContent = t("talk.no_agents");
    this.list.replaceChildren(...members.map((member) => this.line(member)));
  }

  /**
   * Return the link to the chat in which an agent of this desk works, with that agent's name.
   *
   * @param {AgentInfo} member
   */
  deskAgentLink({ agent, chatId }) {
    if (!agent) return null;
    const label = this.t("talk.desk_agent", { agent: visible(agent) });
    return chatId
      ? el("a", { class: "talk-own", href: linkToChat(chatId), title: this.t("talk.open_chat") }, label)
      : el("span", { class: "talk-own" }, label);
  }

  /** @param {AgentInfo} member */
  line(member) {
    const { t } = this;
    const name = visible(member.name);
    const label = t("talk.copy", { what: "agent_id" });
    const copy = el(
      "button",
      {
        class: "icon-button small",
        type: "button",
        "aria-label": t.pair(label, name),
        title: label,
        on: {
          click: async () => {
            copy.replaceChildren(icon((await copyText(member.id)) ? "check" : "error"));
          },
        },
      },
      icon("copy"),
    );
    const remove = t("shared.remove_one", { name });
    return el(
      "li",
      { class: "talk-member", "data-member": member.id },
      icon(member.kind === "human" ? "person" : "agent", t(`talk.kind_${member.kind}`)),
      el(
        "span",
        { class: "talk-member-words" },
        el("bdi", { class: "talk-name" }, name),
        this.deskAgentLink(member) ?? el("code", {}, member.id),
      ),
      copy,
      el(
        "button",
        {
          class: "icon-button small",
          type: "button",
          "aria-label": remove,
          title: remove,
          on: { click: () => this.actions.remove(member) },
        },
        icon("close"),
      ),
    );
  }
}
