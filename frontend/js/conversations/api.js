/** Requests for conversations and projects. Errors carry the server's message. */

import { answer, send } from "../core/api.js";
import { request } from "../core/session.js";

/** @import { ConversationInfo, ConversationPage, NewAgent, ProjectDetail, ProjectInfo } from "../types.js" */
/** @import { TranscriptInfo } from "../types.js" */

/** @param {string} id */
const project = (id) => `/api/projects/${encodeURIComponent(id)}`;

/** @param {string} id */
const conversation = (id) => `/api/conversations/${encodeURIComponent(id)}`;

/** @returns {Promise<{ projects: ProjectInfo[] }>} */
export const listProjects = async () => answer(await request("/api/projects"));

/** @param {string} id @returns {Promise<ProjectDetail>} */
export const readProject = async (id) => answer(await request(project(id)));

/** @param {string} name @returns {Promise<{ id: string }>} */
export const addProject = (name) => send("POST", "/api/projects", { name });

/** @param {string} id */
export const removeProject = (id) => send("DELETE", project(id));

/**
 * Add an agent.
 *
 * @param {string} projectId
 * @param {string} name
 * @param {"ai" | "human"} kind
 * @returns {Promise<NewAgent>} with the passkey, which the server shows only once
 */
export const addMember = (projectId, name, kind) =>
  send("POST", `${project(projectId)}/agents`, { name, kind });

/**
 * Add an agent of this desk.
 *
 * @param {string} projectId
 * @param {string} agent its name on this desk
 * @param {string} name its name in the project; "" for the same
 * @returns {Promise<NewAgent>}
 */
export const addDeskAgent = (projectId, agent, name) =>
  send("POST", `${project(projectId)}/agents`, { agent, ...(name && { name }) });

/** @param {string} projectId @param {string} memberId */
export const removeMember = (projectId, memberId) =>
  send("DELETE", `${project(projectId)}/agents/${encodeURIComponent(memberId)}`);

/**
 * Return conversations of a project, the newest first.
 *
 * @param {string} projectId
 * @param {boolean} live only active ones
 * @param {string | null} [before] the last conversation of the previous page
 * @returns {Promise<ConversationPage>}
 */
export async function listConversations(projectId, live, before = null) {
  const query = new URLSearchParams(live ? { state: "live" } : {});
  if (before !== null) query.set("before", before);
  return answer(await request(`${project(projectId)}/conversations?${query}`));
}

/**
 * Return a conversation with its last messages, or those before a position.
 *
 * @param {string} id
 * @param {number | null} [before] a seq
 * @returns {Promise<TranscriptInfo>}
 */
export async function readTranscript(id, before = null) {
  const query = before === null ? "" : `?before=${before}`;
  return answer(await request(`${conversation(id)}${query}`));
}

/** @param {string} id @returns {Promise<ConversationInfo>} */
export const endConversation = (id) => send("POST", `${conversation(id)}/end`);

/** @param {string} projectId */
export const projectEvents = (projectId) => `${project(projectId)}/events`;

/** Return the address of a conversation's events. @param {string} id @param {number} after a seq */
export const conversationEvents = (id, after) => `${conversation(id)}/events?after=${after}`;
