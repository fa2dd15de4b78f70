/**
 * Loader of the conversations view: one event stream follows the project's list, another one the open conversation. A
 * response for something that is no longer shown is dropped.
 */

import {
  conversationEvents,
  listConversations,
  listProjects,
  projectEvents,
  readProject,
  readTranscript,
} from "./api.js";
import { Refusal } from "../core/api.js";
import { isLive } from "./state.js";
import { LiveEvents } from "../core/live-events.js";
import { recall } from "../core/storage.js";

/** @import { TalkState, Translate } from "../types.js" */
/** @import { TalkFact } from "./state.js" */

const WIDE = window.matchMedia("(min-width: 900px)");

export class ConversationReader {
  /**
   * @param {(fact: TalkFact) => void} take
   * @param {() => TalkState} state
   * @param {Translate} t
   */
  constructor(take, state, t) {
    this.take = take;
    this.state = state;
    this.t = t;
    /** @type {LiveEvents | null} */
    this.ofProject = null;
    /** @type {LiveEvents | null} */
    this.ofConversation = null;
    /** Number of the current load, to detect stale responses. */
    this.turn = 0;
    /** Number of opened conversations. */
    this.selections = 0;
  }

  /** @param {{ project: string | null, conversation: string | null }} target */
  async open({ project, conversation }) {
    if (project === null && conversation !== null) {
      await this.attempt(async () => {
        const transcript = await readTranscript(conversation);
        await this.choose(transcript.conversation.projectId, conversation);
      });
      return;
    }
    const before = this.state();
    const same = project === null || project === before.project?.id;
    await this.choose(
      project ?? before.project?.id ?? recall("project"),
      conversation ?? (same ? before.selected : null),
    );
  }

  /**
   * Show a project (null: the first) and one of its conversations (null: on a wide screen the newest).
   *
   * @param {string | null} projectId
   * @param {string | null} [conversationId]
   */
  async choose(projectId, conversationId = null) {
    const turn = this.begin();
    const { selections } = this;
    await this.attempt(async () => {
      const { projects } = await listProjects();
      if (turn !== this.turn) return;
      this.take({ type: "projects", projects });
      const chosen = projects.find(({ id }) => id === projectId) ?? projects[0];
      if (!chosen) return this.take({ type: "project", project: null });
      const [project, page] = await Promise.all([
        readProject(chosen.id),
        listConversations(chosen.id, this.state().live),
      ]);
      if (turn !== this.turn) return;
      this.take({ type: "project", project });
      this.take({ type: "listed", page, further: false });
      this.followProject(chosen.id);
      const id = conversationId ?? (WIDE.matches ? (page.conversations[0]?.id ?? null) : null);
      // another conversation was opened meanwhile: keep it
      if (id !== null && selections === this.selections) await this.select(id);
    });
  }

  /** @param {string | null} id */
  async select(id) {
    this.selections += 1;
    this.ofConversation?.destroy();
    this.ofConversation = null;
    this.take({ type: "select", id });
    if (id !== null) await this.attempt(() => this.transcribe(id));
  }

  /** @param {string} id */
  async transcribe(id) {
    const { turn } = this;
    const transcript = await readTranscript(id).catch((fault) => {
      if (fault instanceof Refusal && fault.status === 404) this.take({ type: "select", id: null });
      throw fault;
    });
    if (turn !== this.turn || this.state().selected !== id) return;
    this.take({ type: "transcript", transcript });
    if (this.ofConversation === null && isLive(transcript.conversation)) this.followConversation(id);
  }

  /** Reload the project and its list. */
  async again() {
    const { turn } = this;
    const id = this.state().project?.id;
    if (id === undefined) return;
    await this.attempt(async () => {
      const { projects } = await listProjects();
      if (turn !== this.turn || this.state().project?.id !== id) return;
      if (!projects.some((project) => project.id === id)) return this.choose(null); // another person removed it
      this.take({ type: "projects", projects });
      const [project, page] = await Promise.all([readProject(id), listConversations(id, this.state().live)]);
      if (turn !== this.turn || this.state().project?.id !== id) return;
      this.take({ type: "project", project });
      this.take({ type: "listed", page, further: false });
    });
  }

  /** @param {boolean} live */
  async filter(live) {
    if (live === this.state().live) return;
    this.take({ type: "filter", live });
    await this.again();
  }

  /** Load the next page of the list. */
  async further() {
    const { turn } = this;
    const { project, list, live } = this.state();
    const last = list?.at(-1);
    if (!project || !last) return;
    await this.attempt(async () => {
      const page = await listConversations(project.id, live, last.id);
      if (turn === this.turn && this.state().project?.id === project.id && this.state().live === live)
        this.take({ type: "listed", page, further: true });
    });
  }

  /** Load earlier messages. */
  async earlier() {
    const { transcript } = this.state();
    const first = transcript?.messages[0];
    if (!transcript || !first) return;
    await this.attempt(async () =>
      this.take({ type: "earlier", transcript: await readTranscript(transcript.conversation.id, first.seq) }),
    );
  }

  /** @param {string} id */
  followProject(id) {
    this.ofProject = new LiveEvents({
      address: () => projectEvents(id),
      names: ["conversation", "project"],
      onEvent: (name, data) =>
        this.take(
          name === "project" ? { type: "project", project: data } : { type: "changed", conversation: data },
        ),
      onReopened: () => this.again(),
      fromStart: true,
      onRefused: () => this.again(),
    });
  }

  /** @param {string} id */
  followConversation(id) {
    const stream = new LiveEvents({
      address: () => conversationEvents(id, this.state().transcript?.messages.at(-1)?.seq ?? 0),
      names: ["conversation", "message"],
      onEvent: (name, data) => {
        this.take(
          name === "message" ? { type: "said", id, message: data } : { type: "changed", conversation: data },
        );
        if (name === "conversation" && !isLive(data) && this.ofConversation === stream) {
          stream.destroy();
          this.ofConversation = null;
        }
      },
      onReopened: () => {},
    });
    this.ofConversation = stream;
  }

  /** Run a request and show its error. @param {() => Promise<void>} act */
  async attempt(act) {
    try {
      await act();
      this.take({ type: "fault", fault: "" });
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      this.take({
        type: "fault",
        fault: fault instanceof TypeError ? this.t("shared.no_answer") : fault.message,
      });
    }
  }

  /** Stop following, and return the number of the new load. */
  begin() {
    this.ofProject?.destroy();
    this.ofConversation?.destroy();
    this.ofProject = this.ofConversation = null;
    this.turn += 1;
    return this.turn;
  }

  close() {
    this.begin();
  }
}
