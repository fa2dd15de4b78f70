/** Requests for the models of a chat. All throw `Refusal`, or a TypeError if the server is unreachable. */

import { answer, send } from "../core/api.js";
import { request } from "../core/session.js";

/** @import { JsonValue } from "../types.js" */

/**
 * @typedef {{ id: string, model: string, state: "answers" | "silent" | "needs_key" | "key_refused" | "unknown", server:
 *   string, address: string, context: number | null, images: boolean | null, structured: boolean | null, inputPrice:
 *   number | null, outputPrice: number | null, ofPage: boolean, problem: string, options: ModelOptions,
 *   refused: string[] }} ModelFacts
 */

/**
 * @typedef {{ temperature: number | null, maxTokens: number | null, reasoningEffort: string | null, extraBody: { [key:
 *   string]: JsonValue } }} ModelOptions
 */

/**
 * @typedef {{ name: string, title: string, example: string, keyForm: string, keysAt: string, place: "" | "resource" |
 *   "region", lists: boolean, install: string }} Provider
 */

/**
 * List the models. The server also queries the model servers nearby. `promptTokens` are those of the chat's agent.
 *
 * @param {string} chatId
 * @returns {Promise<{ models: ModelFacts[], mayAdd: boolean, promptTokens: number | null }>}
 */
export const listModels = async (chatId) =>
  answer(await request(`/api/models?chat=${encodeURIComponent(chatId)}`));

/** Set the model that answers from the next message on. @param {string} chatId @param {string} model */
export const chooseModel = (chatId, model) =>
  send("PATCH", `/api/chats/${encodeURIComponent(chatId)}`, { model });

/** @param {{ [key: string]: JsonValue }} model @returns {Promise<ModelFacts>} */
export const addModel = (model) => send("POST", "/api/models", model);

/** @param {string} name @param {string} key @returns {Promise<ModelFacts>} */
export const setKey = (name, key) => send("PUT", `/api/models/${encodeURIComponent(name)}/key`, { key });

/** @param {string} name @param {ModelOptions} options @returns {Promise<ModelFacts>} */
export const setOptions = (name, options) =>
  send("PUT", `/api/models/${encodeURIComponent(name)}/options`, { ...options });

/** List the providers that need only a key. @returns {Promise<Provider[]>} */
export const listProviders = async () => (await answer(await request("/api/models/providers"))).providers;

/** @param {string} name @param {string} key @returns {Promise<{ models: string[] }>} */
export const providerModels = (name, key) =>
  send("POST", `/api/models/providers/${encodeURIComponent(name)}`, { key });

/** @param {string} name */
export const removeModel = (name) => send("DELETE", `/api/models/${encodeURIComponent(name)}`);
