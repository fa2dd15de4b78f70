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
export const listProviders = async () => (await answer(await request("/api/model-providers"))).providers;

/** @param {string} name @param {string} key @returns {Promise<{ models: string[] }>} */
export const providerModels = (name, key) =>
  send("POST", `/api/model-providers/${encodeURIComponent(name)}/models`, { key });

/** @param {string} name */
export const removeModel = (name) => send("DELETE", `/api/models/${encodeURIComponent(name)}`);

/**
 * @typedef {{ questions: number, right: number, wrong: number, failed: number, unanswered: number, steps: number, calls:
 *   number, inputTokens: number, outputTokens: number, cachedTokens: number, cost: number | null, seconds: number }} ExamTotal
 *
 * @typedef {{ id: string, model: string, agent: string, state: "running" | "interrupted" | "finished", questions: number,
 *   startedAt: number, code: string, reason: string, total: ExamTotal }} ExamSummary
 *
 * @typedef {{ id: string, verdict: "right" | "wrong" | "failed" | "unanswered", reason: string, compared: string }} ExamResult
 *
 * @typedef {ExamSummary & { totals: { [group: string]: ExamTotal }, results: ExamResult[] }} ExamDetail
 *
 * @typedef {{ questions: number, calls: number, inputTokens: number, outputTokens: number, cost: number | null, budgetUsd:
 *   number, maxCalls: number }} ExamEstimate
 */

/** List the last exam of each model. @returns {Promise<{ exams: ExamSummary[], mayRun: boolean }>} */
export const listExams = async () => answer(await request("/api/exams"));

/** @param {string} id @returns {Promise<ExamDetail>} */
export const getExam = async (id) => answer(await request(`/api/exams/${encodeURIComponent(id)}`));

/** @param {string} model @returns {Promise<ExamEstimate>} */
export const estimateExam = async (model) =>
  answer(await request(`/api/exams/estimate?${new URLSearchParams({ model })}`));

/** @param {string} model @param {boolean} acceptUnknownPrice @param {boolean} resume @returns {Promise<ExamDetail>} */
export const startExam = (model, acceptUnknownPrice, resume) =>
  send("POST", "/api/exams", { model, acceptUnknownPrice, resume });

/** @param {string} id @returns {Promise<ExamDetail>} */
export const stopExam = (id) => send("POST", `/api/exams/${encodeURIComponent(id)}/stop`);
