/** Requests for watches. All throw `Refusal`, or a TypeError if the server is unreachable. */

import { answer, send } from "../core/api.js";
import { request } from "../core/session.js";

/** @import { JsonValue, WatchNotice, WatchTarget } from "../types.js" */

/**
 * @typedef {{ kind: "always" | "changed" | "above" | "below" | "appears" | "fails", value: number | null }} Condition
 *
 * @typedef {{ id: string, chatId: string, runId: string | null, title: string, target: WatchTarget, condition: Condition,
 *   onChange: boolean, cron: string | null, zone: string, mail: string[], webhook: string | null, state: "active" | "paused",
 *   value: string | null, code: string, problem: string, nextAt: number | null, createdAt: number }} Watch
 *
 * @typedef {{ watches: Watch[], hasMail: boolean, hasWebhooks: boolean }} WatchList
 *
 * @typedef {{ reports: WatchNotice[], deliveries: { turn: number, kind: string, address: string, state: string, problem: string
 *   }[] }} WatchHistory
 */

/** @param {string} chatId */
const chatPath = (chatId) => `/api/chats/${encodeURIComponent(chatId)}`;

/** @param {string} id */
const watchPath = (id) => `/api/watches/${encodeURIComponent(id)}`;

/** @returns {Promise<WatchList>} */
export const listWatches = async () => answer(await request("/api/watches"));

/** @param {string} chatId @param {string} runId @returns {Promise<{ isWatchable: boolean, code: string, message: string }>} */
export const watchable = async (chatId, runId) =>
  answer(await request(`${chatPath(chatId)}/runs/${encodeURIComponent(runId)}/watchable`));

/** @param {string} chatId @param {{ [key: string]: JsonValue }} body @returns {Promise<Watch & { secret: string | null }>} */
export const addWatch = (chatId, body) => send("POST", `${chatPath(chatId)}/watches`, body);

/** @param {string} id @param {boolean} paused @returns {Promise<Watch>} */
export const pauseWatch = (id, paused) => send("PATCH", watchPath(id), { paused });

/** @param {string} id */
export const deleteWatch = async (id) => {
  const response = await request(watchPath(id), { method: "DELETE" });
  if (response.status !== 204) await answer(response);
};

/** @param {string} id @returns {Promise<WatchHistory>} */
export const watchHistory = async (id) => answer(await request(`${watchPath(id)}/history`));

/** Mark all reports as read. */
export const seeNotices = async () => void (await request("/api/notices/seen", { method: "POST" }));
