// @ts-check
/** Brings a building to the server, and makes it the one of a chat. */

import { record } from "./reading.js";

/** @typedef {{severity: "error" | "warning" | "note", where: string, message: string}} Finding */
/** What became of the files: `buildingId` null when they make no building, `fault` what the server said then.
 * @typedef {{buildingId: string | null, name: string, report: Finding[], fault: string}} Imported */

const IMAGE = /\.(png|jpe?g|webp)$/i;

/**
 * @param {globalThis.File[]} files one with the floors, and images it names
 * @returns {Promise<Imported>} throws a TypeError when the server cannot be reached
 */
export async function importBuilding(files) {
  const form = new FormData();
  for (const file of files) form.append(IMAGE.test(file.name) && files.length > 1 ? "image" : "file", file);
  const response = await fetch("/api/buildings", { method: "POST", body: form });
  const body = record(await response.json().catch(() => null));
  const { buildingId, name } = body;
  const known = response.ok && typeof buildingId === "string";
  return {
    buildingId: known ? buildingId : null,
    name: typeof name === "string" ? name : "",
    report: readReport(body.report),
    fault: known ? "" : faultOf(body, response),
  };
}

/**
 * @param {string} chatId
 * @param {string} buildingId
 * @returns {Promise<string>} what the server said against it; empty when the chat has the building now
 */
export async function chooseBuilding(chatId, buildingId) {
  const response = await fetch(`/api/chats/${encodeURIComponent(chatId)}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ buildingId }),
  });
  return response.ok ? "" : faultOf(record(await response.json().catch(() => null)), response);
}

/** @param {Record<string, unknown>} body @param {Response} response @returns {string} */
function faultOf(body, response) {
  const { message, hint } = record(body.error);
  return [message, hint].filter((one) => typeof one === "string" && one).join(" ") || response.statusText || String(response.status);
}

/** @param {unknown} value @returns {Finding[]} the gravest first */
function readReport(value) {
  const order = ["error", "warning", "note"];
  const found = (Array.isArray(value) ? value : []).map((one) => {
    const { severity, where, message } = record(one);
    return { severity: order.includes(String(severity)) ? severity : "note", where: String(where ?? ""), message: String(message ?? "") };
  });
  return /** @type {Finding[]} */ (found.sort((a, b) => order.indexOf(String(a.severity)) - order.indexOf(String(b.severity))));
}
