/**
 * View of conversations between agents: their list and the agents of a project on the left, the messages on the right.
 * It replaces the chat while it is open, reads its data from the server, and follows it live.
 */

import { rememberTalk } from "../core/address.js";
import { ConversationList } from "./list.js";
import { ConversationMembers } from "./members.js";
import { ConversationTranscript } from "./transcript.js";
import { ConversationsWelcome } from "./welcome.js";
import { about } from "./words.js";
import { ConversationReader } from "./reader.js";
import { endConversation } from "./api.js";
import { el } from "../core/dom.js";
import { ProjectChooser } from "./project-chooser.js";
import {
  askForMember,
  askForProject,
  askToRemoveMember,
  askToRemoveProject,
  confirm,
  joining,
} from "./project-sheets.js";
import { openSheet, sheetButton } from "../core/sheet.js";

/** @import { ConversationInfo, DeskBus, AgentInfo, TalkState, Translate } from "../types.js" */
/** @import { TalkFact } from "./state.js" */

const CLOSING_COMMANDS = new Set(["focus-pane", "show-ask", "next-ask", "new-chat", "open-chat", "submit"]);

export class ConversationsView {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {() => TalkState} needs.talk returns its part of the page's state
   * @param {() => void} needs.changed called when it opens or closes
   */
  constructor({ bus, t, talk, changed }) {
    this.bus = bus;
    this.t = t;
    this.opened = false;
    this.talk = talk;
    this.changed = changed;
    this.drawn = talk();
    this.reader = new ConversationReader((fact) => this.take(fact), talk, t);
    this.chooser = new ProjectChooser(t, {
      choose: (id) => this.choose(id),
      add: () => this.addProject(),
      remove: () => this.removeProject(),
    });
    this.list = new ConversationList(t, {
      choose: (id) => this.select(id),
      filter: (live) => this.reader.filter(live),
      further: () => this.reader.further(),
    });
    this.members = new ConversationMembers(t, {
      add: () => this.addMember(),
      remove: (member) => this.removeMember(member),
      explain: () => this.explain(),
    });
    this.transcript = new ConversationTranscript(t, {
      end: (conversation) => this.end(conversation),
      back: () => this.select(null),
      earlier: () => this.reader.earlier(),
    });
    this.welcome = new ConversationsWelcome(t, {
      addProject: () => this.addProject(),
      addMember: () => this.addMember(),
    });
    this.fault = el("p", { class: "talk-fault", role: "alert", hidden: true });
    this.side = el("div", { class: "talk-side" }, this.list.dom, this.members.dom);
    this.dom = el(
      "main",
      { class: "talk", tabindex: "-1", hidden: true },
      this.side,
      this.transcript.dom,
      this.welcome.dom,
      this.fault,
    );
    this.undo = [
      bus.on("language", () => this.label()),
      bus.on("state", ({ talk: now }) => {
        if (now !== this.drawn) this.draw(now);
      }),
      bus.on("command", ({ name }) => {
        if (CLOSING_COMMANDS.has(name)) this.close();
      }),
    ];
    this.label();
  }

  /** @param {{ project: string | null, conversation: string | null }} target */
  open(target) {
    const before = this.opened;
    this.opened = true;
    document.body.dataset.view = "conversations";
    this.dom.hidden = false;
    this.changed();
    this.reader.open(target);
    if (!before) this.dom.focus({ preventScroll: true });
  }

  close() {
    if (!this.opened) return;
    this.opened = false;
    delete document.body.dataset.view;
    this.dom.hidden = true;
    this.reader.close();
    rememberTalk(null);
    this.changed();
  }

  /** @param {TalkFact} fact */
  take(fact) {
    this.bus.emit("fact", { type: "@talk", fact });
    const { project, selected } = this.talk();
    if (this.opened) rememberTalk({ project: project?.id ?? null, conversation: selected });
  }

  draw(state = this.talk()) {
    this.drawn = state;
    for (const part of [this.chooser, this.list, this.members, this.transcript, this.welcome])
      part.update(state);
    const empty =
      state.project === null || (state.list?.length === 0 && !state.live && state.selected === null);
    this.dom.dataset.shows =
      state.project === null
        ? "nothing"
        : empty
          ? "welcome"
          : state.selected === null
            ? "list"
            : "transcript";
    this.fault.textContent = state.fault;
    this.fault.hidden = state.fault === "";
  }

  label() {
    this.dom.setAttribute("aria-label", this.t("talk.title"));
    this.draw();
  }

  /** @param {string} id */
  choose(id) {
    this.reader.choose(id);
  }

  /** @param {string | null} id */
  select(id) {
    this.reader.select(id);
    if (id === null) this.dom.focus({ preventScroll: true });
  }

  addProject() {
    askForProject(this.t, (id) => this.reader.choose(id));
  }

  removeProject() {
    const { project } = this.talk();
    if (project) askToRemoveProject(this.t, project, () => this.reader.choose(null));
  }

  addMember() {
    const { project } = this.talk();
    if (project) askForMember(this.t, project, () => this.reader.again());
  }

  /** @param {AgentInfo} member */
  removeMember(member) {
    const { project } = this.talk();
    if (project) askToRemoveMember(this.t, project, member, () => this.reader.again());
  }

  explain() {
    const { t } = this;
    const { project } = this.talk();
    if (!project) return;
    const done = sheetButton(t("shared.done"), () => sheet.close(), "strong");
    const sheet = openSheet({
      title: t("talk.join_title"),
      body: joining(t, project.id),
      buttons: [done],
      focus: done,
    });
  }

  /** @param {ConversationInfo} conversation */
  end(conversation) {
    const { t } = this;
    confirm(
      t,
      t("talk.end_title"),
      t("talk.end_what", { about: about(conversation, t) }),
      t("talk.end_it"),
      async () => {
        this.take({ type: "changed", conversation: await endConversation(conversation.id) });
      },
    );
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.reader.close();
    this.dom.remove();
  }
}
