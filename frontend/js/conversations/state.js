/** State of the conversations view, and its reducer. Pure. */

/** @import { ConversationInfo, MessageInfo, ConversationPage, ProjectDetail, ProjectInfo } from "../types.js" */
/** @import { TalkState, TranscriptInfo } from "../types.js" */

/**
 * @typedef {{ type: "projects", projects: ProjectInfo[] }
 *   | { type: "project", project: ProjectDetail | null }
 *   | { type: "filter", live: boolean }
 *   | { type: "listed", page: ConversationPage, further: boolean }
 *   | { type: "select", id: string | null }
 *   | { type: "transcript", transcript: TranscriptInfo }
 *   | { type: "earlier", transcript: TranscriptInfo }
 *   | { type: "changed", conversation: ConversationInfo }
 *   | { type: "said", id: string, message: MessageInfo }
 *   | { type: "fault", fault: string }} TalkFact
 */

/** @returns {TalkState} */
export const initialTalk = () => ({
  projects: null,
  project: null,
  live: false,
  list: null,
  more: false,
  selected: null,
  transcript: null,
  fault: "",
});

/** Check whether a conversation is active. @param {Pick<ConversationInfo, "state">} conversation */
export const isLive = ({ state }) => state !== "ended" && state !== "expired";

/**
 * @param {TalkState} state
 * @param {TalkFact} fact
 * @returns {TalkState}
 */
export function reduceTalk(state, fact) {
  switch (fact.type) {
    case "projects":
      return { ...state, projects: fact.projects };
    case "project": {
      const same = fact.project !== null && fact.project.id === state.project?.id;
      return same
        ? { ...state, project: fact.project }
        : { ...initialTalk(), projects: state.projects, project: fact.project, live: state.live };
    }
    case "filter":
      return { ...state, live: fact.live, list: null, more: false };
    case "listed": {
      const previous = fact.further ? (state.list ?? []) : [];
      const ids = new Set(previous.map(({ id }) => id));
      return {
        ...state,
        list: [...previous, ...fact.page.conversations.filter(({ id }) => !ids.has(id))],
        more: fact.page.more,
      };
    }
    case "select":
      return fact.id === state.selected ? state : { ...state, selected: fact.id, transcript: null };
    case "transcript":
      return fact.transcript.conversation.id === state.selected
        ? changed({ ...state, transcript: fact.transcript }, fact.transcript.conversation)
        : state;
    case "earlier":
      return withEarlier(state, fact.transcript);
    case "changed":
      return changed(state, fact.conversation);
    case "said":
      return withMessage(state, fact.id, fact.message);
    case "fault":
      return { ...state, fault: fact.fault };
    default:
      return state;
  }
}

/**
 * Update a conversation. A new one goes to the top; a listed one keeps its place, even if the filter no longer matches,
 * so that nothing moves under the reader.
 *
 * @param {TalkState} state
 * @param {ConversationInfo} conversation
 * @returns {TalkState}
 */
function changed(state, conversation) {
  const transcript =
    state.transcript?.conversation.id === conversation.id
      ? { ...state.transcript, conversation }
      : state.transcript;
  if (state.list === null || conversation.projectId !== state.project?.id) return { ...state, transcript };
  const at = state.list.findIndex(({ id }) => id === conversation.id);
  const oldest = state.list.at(-1);
  const older = at === -1 && state.more && oldest !== undefined && conversation.createdAt < oldest.createdAt;
  if (older || (at === -1 && state.live && !isLive(conversation))) return { ...state, transcript };
  const list = at === -1 ? placed(state.list, conversation) : state.list.with(at, conversation);
  return { ...state, transcript, list };
}

/** Insert a conversation. @param {ConversationInfo[]} list the newest first @param {ConversationInfo} conversation */
function placed(list, conversation) {
  const at = list.findIndex(({ createdAt }) => createdAt <= conversation.createdAt);
  return list.toSpliced(at === -1 ? list.length : at, 0, conversation);
}

/**
 * Add a message. A known message (after a reconnect) changes nothing.
 *
 * @param {TalkState} state
 * @param {string} id of the conversation
 * @param {MessageInfo} message
 * @returns {TalkState}
 */
function withMessage(state, id, message) {
  const { transcript } = state;
  if (transcript === null || transcript.conversation.id !== id) return state;
  if (message.seq <= (transcript.messages.at(-1)?.seq ?? 0)) return state;
  return { ...state, transcript: { ...transcript, messages: [...transcript.messages, message] } };
}

/**
 * @param {TalkState} state
 * @param {TranscriptInfo} before
 * @returns {TalkState}
 */
function withEarlier(state, before) {
  const { transcript } = state;
  if (transcript === null || transcript.conversation.id !== before.conversation.id) return state;
  const first = transcript.messages[0]?.seq ?? Infinity;
  const messages = [...before.messages.filter(({ seq }) => seq < first), ...transcript.messages];
  return { ...state, transcript: { ...transcript, messages, earlier: before.earlier } };
}
