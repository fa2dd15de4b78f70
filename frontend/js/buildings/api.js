// @ts-check
/** Requests about buildings. Each throws `Refusal`, or a TypeError if the server is unreachable. */

import { answer, send } from "../core/api.js";
import { request } from "../core/session.js";

/** @import { BuildingSummary, Finding, ImportChoice, ImportOutcome, MapDefinitionContent } from "../types.js" */

const IMAGE = /\.(png|jpe?g|webp)$/i;
const ROOT = "/api/buildings";

/** @param {string} buildingId */
const path = (buildingId) => `${ROOT}/${encodeURIComponent(buildingId)}`;

/** @returns {Promise<{ bundled: { floors: number, rooms: number }, buildings: BuildingSummary[] }>} */
export const listBuildings = async () => answer(await request(ROOT));

/** Return a building with its definition and its report. @param {string} buildingId */
export const getBuilding = async (buildingId) => answer(await request(path(buildingId)));

/** @param {string} buildingId null for the bundled one @returns {Promise<{ width: number, height: number, path: string }>} */
export const getOutline = async (buildingId) => answer(await request(`${path(buildingId)}/outline`));

/**
 * Have a chat show a building.
 *
 * @param {string} chatId
 * @param {string | null} buildingId null: the bundled one
 */
export const chooseBuilding = (chatId, buildingId) =>
  send("PATCH", `/api/chats/${encodeURIComponent(chatId)}`, { buildingId });

/**
 * Change names, all or none.
 *
 * @param {string} buildingId
 * @param {{ name?: string, groundFloor?: number, names?: { floorId: string, room?: string, names?: Record<string, string>,
 *   aliases?: string[] }[] }} change
 */
export const changeNames = (buildingId, change) => send("PATCH", path(buildingId), change);

/** Delete a building. The server keeps it for ten minutes. @param {string} buildingId */
export const deleteBuilding = (buildingId) => send("DELETE", `${path(buildingId)}?undo=true`);

/** @param {string} buildingId */
export const restoreBuilding = (buildingId) => send("POST", `${path(buildingId)}/restore`);

/**
 * Return a building as a file, with the server's name for it.
 *
 * @param {string} buildingId
 * @param {"imdf" | "geojson" | "smoldesk"} format
 * @returns {Promise<{ content: Blob, name: string }>}
 */
export async function exportBuilding(buildingId, format) {
  const response = await request(`${path(buildingId)}/export?format=${format}`);
  if (!response.ok) await answer(response);
  const disposition = response.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  const plain = /filename="([^"]*)"/.exec(disposition)?.[1];
  return {
    content: await response.blob(),
    name: encoded ? decodeURIComponent(encoded) : (plain ?? buildingId),
  };
}

/**
 * Send the files of a building, to see it or to store it.
 *
 * @param {globalThis.File[]} files one with the floors, or those of an archive, and the images that the floors name
 * @param {{ preview: boolean, name?: string, building?: string, groundFloor?: number | undefined }} options
 * @param {AbortSignal} [signal]
 * @returns {Promise<ImportOutcome>}
 */
export async function importBuilding(files, { preview, name, building, groundFloor }, signal) {
  const form = new FormData();
  const plans = files.filter((file) => !IMAGE.test(file.name));
  for (const file of files) form.append(plans.length && !plans.includes(file) ? "image" : "file", file);
  if (name) form.append("name", name);
  if (building) form.append("building", building);
  if (groundFloor !== undefined) form.append("groundFloor", String(groundFloor));
  const response = await request(preview ? `${ROOT}?preview=true` : ROOT, {
    method: "POST",
    body: form,
    signal,
  });
  const body = await response.json().catch(() => null);
  /** @type {Finding[]} */
  const report = body?.report ?? [];
  if (response.ok) return { kind: "building", report, ...body };
  /** @type {ImportChoice[]} */
  const choices = body?.error?.choices ?? body?.choices ?? [];
  if (choices.length > 0) return { kind: "choices", choices };
  const { message = response.statusText || String(response.status), hint = "" } = body?.error ?? {};
  return { kind: "refused", report, message: `${message} ${hint}`.trim() };
}

/**
 * Give the floors of a previewed building the images that were sent.
 *
 * @param {MapDefinitionContent} definition
 * @param {globalThis.File[]} files
 * @returns {{ definition: MapDefinitionContent, release: () => void }} `release` frees the images
 */
export function withImages(definition, files) {
  /** @type {string[]} */
  const addresses = [];
  const floors = definition.floors.map((floor) => {
    const file = files.find(({ name }) => name === floor.floorImage);
    if (!file) return floor;
    const address = URL.createObjectURL(file);
    addresses.push(address);
    return { ...floor, floorImage: address };
  });
  return {
    definition: { ...definition, floors },
    release: () => addresses.forEach((address) => URL.revokeObjectURL(address)),
  };
}
