/** Requests for saved tests. All throw `Refusal`, or a TypeError if the server is unreachable. */

import { answer, send } from "../core/api.js";
import { request } from "../core/session.js";

/** @import { JsonValue } from "../types.js" */

/**
 * @typedef {{ kind: "text" | "figure" | "table" | "drawing", name: string, expected: string, got: string }} Part
 *
 * @typedef {{ id: string, name: string, verdict: "right" | "wrong" | "failed" | "unanswered", reason: string, parts: Part[],
 *   changed: { name: string, before: string, after: string }[], calls: number, cost: number | null, seconds: number }} TestResult
 *
 * @typedef {{ id: string, name: string, question: string, chatId: string | null, runId: string | null, agent: string, model:
 *   string, savedAt: number, files: string[], earlier: number, figures: number, tables: number, drawings: number,
 *   tolerancePercent: number, result: TestResult | null }} SavedTest
 *
 * @typedef {{ id: string, state: "running" | "interrupted" | "finished", total: number, isLive: boolean, model: string, agent:
 *   string, files: string[], code: string, reason: string, results: TestResult[] }} TestJob
 *
 * @typedef {{ tests: SavedTest[], job: TestJob | null, mayAsk: boolean }} TestList
 */

export const EXPORT_PATH = "/api/test-suite";

/** @param {string} chatId @param {string} runId @returns {Promise<SavedTest>} */
export const saveTest = (chatId, runId) =>
  send("POST", `/api/chats/${encodeURIComponent(chatId)}/runs/${encodeURIComponent(runId)}/test`, {});

/** @param {string} [file] name of a file that the tests use @returns {Promise<TestList>} */
export const listTests = async (file) =>
  answer(await request(file ? `/api/tests?${new URLSearchParams({ file })}` : "/api/tests"));

/** @param {string} id @param {{ name?: string, tolerancePercent?: number }} change @returns {Promise<SavedTest>} */
export const changeTest = (id, change) => send("PATCH", `/api/tests/${encodeURIComponent(id)}`, change);

/** @param {string} id */
export const deleteTest = (id) => send("DELETE", `/api/tests/${encodeURIComponent(id)}`);

/** @param {{ [key: string]: JsonValue }} job @returns {Promise<TestJob>} */
export const startJob = (job) => send("POST", "/api/test-job", job);

/** @returns {Promise<TestJob>} */
export const stopJob = () => send("POST", "/api/test-job/stop");

/** Play a saved answer again beside it, in its chat. @param {string} id @returns {Promise<{ chatId: string, runId: string }>} */
export const playVersion = (id) => send("POST", `/api/tests/${encodeURIComponent(id)}/version`);
