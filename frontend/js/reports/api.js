/** Requests for the report of a chat. All throw `Refusal`, or a TypeError if the server is unreachable. */

import { answer, Refusal, send } from "../core/api.js";
import { request } from "../core/session.js";

/** @import { JsonValue, ReportPin, Translate } from "../types.js" */

const NOT_FOUND = 404;

/**
 * @typedef {object} Preview short content of a part
 * @property {string} [text]
 * @property {{ name: string, kind: string }[]} [columns]
 * @property {JsonValue[][]} [rows]
 * @property {number} [rowCount]
 * @property {string} [picture]
 * @property {string} [name]
 */
/** @typedef {ReportPin & { caption: string, preview: Preview }} Part */
/** @typedef {{ name: string, source: string }} RunFile */
/** @typedef {{ number: number, madeAt: number, files: RunFile[] }} RunSummary */
/** @typedef {{ version: number, title: string, pins: Part[], inputs: string[], runs: RunSummary[] }} Report */
/**
 * @typedef {Part & { state: "same" | "changed" | "failed" | "kept", why: string, gaveNothing: boolean, after?: Preview,
 *   cells?: [number, number][] }} PartAgain
 */
/** @typedef {{ number: number, files: RunFile[], parts: PartAgain[] }} Run */

/** @param {string} chatId */
export const reportPath = (chatId) => `/api/chats/${encodeURIComponent(chatId)}/report`;

/**
 * Return the message of a failed request: 404 means that the chat was deleted. Throws what is no failed request.
 *
 * @param {Translate} t
 * @param {unknown} fault
 */
export function failure(t, fault) {
  if (!(fault instanceof Error)) throw fault;
  if (fault instanceof TypeError) return t("report.no_answer");
  return fault instanceof Refusal && fault.status === NOT_FOUND
    ? t("chats.deleted_elsewhere")
    : fault.message;
}

/** @param {string} chatId @returns {Promise<Report>} */
export async function readReport(chatId) {
  return answer(await request(reportPath(chatId)));
}

/**
 * Replace the version that was read, and return the new version.
 *
 * @param {string} chatId
 * @param {number} version
 * @param {(ReportPin & { caption?: string })[]} pins
 * @param {string} title
 * @returns {Promise<number>}
 */
export async function putReport(chatId, version, pins, title) {
  const body = pins.map(({ kind, seq, caption = "", floorId, view, text }) => ({
    kind,
    seq,
    caption,
    ...(floorId && { floorId }),
    ...(view && { view }),
    ...(text && { text }),
  }));
  return (await send("PUT", reportPath(chatId), { version, title, pins: body })).version;
}

/** Return the names of the files of a chat. @param {string} chatId @returns {Promise<string[]>} */
export async function filesOf(chatId) {
  const { files } = await answer(await request(`/api/chats/${encodeURIComponent(chatId)}/files`));
  return files.map((/** @type {{ name: string }} */ { name }) => name);
}

/**
 * Run the report on other files, as bytes or as names of the chat's files, and return the number of the new run.
 *
 * @param {string} chatId
 * @param {Map<string, File | string>} files by the name of the file that each replaces
 * @param {boolean} confirm accept files of another shape
 * @param {"en" | "ja"} language of the problems
 * @param {AbortSignal} signal
 * @returns {Promise<number>}
 */
export async function runAgain(chatId, files, confirm, language, signal) {
  const body = new FormData();
  for (const [name, file] of files) body.append(name, file);
  return (
    await answer(
      await request(`${reportPath(chatId)}/runs?confirm=${confirm}&language=${language}`, {
        method: "POST",
        body,
        signal,
      }),
    )
  ).number;
}

/** @param {string} chatId @param {number} number @returns {Promise<Run>} */
export async function readRun(chatId, number) {
  return answer(await request(`${reportPath(chatId)}/runs/${number}`));
}
