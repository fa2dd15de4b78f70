/** The desk's databases over HTTP. All throw `Refusal`, or a TypeError when the server cannot be reached. */

import { answer, send } from "../core/api.js";

/** @import { Column, JsonValue } from "../types.js" */

/** @typedef {{ name: string, kind: string, address: string, removable: boolean, problem: string }} Source */
/** @typedef {{ names: string[], count: number }} Names */
/** @typedef {{ source: string, schema: string, table: string }} TablePlace */

/** @param {string} name */
const path = (name) => `/api/sources/${encodeURIComponent(name)}`;

/** @param {string} way @param {Record<string, string>} [query] */
async function get(way, query = {}) {
  return answer(await fetch(`${way}?${new URLSearchParams(query)}`));
}

/** @returns {Promise<{ sources: Source[], mayAdd: boolean }>} */
export const listSources = () => get("/api/sources");

/** @param {{ name: string, url: string, password: string | null, readOnlyAccount: boolean }} source @returns {Promise<Source>} */
export const addSource = (source) => send("POST", "/api/sources", source);

/** @param {string} name */
export const removeSource = (name) => send("DELETE", path(name));

/** @param {string} name */
export const testSource = (name) => send("POST", `${path(name)}/test`);

/** @param {string} name @returns {Promise<Names>} */
export const schemasOf = (name) => get(`${path(name)}/schemas`);

/** @param {string} name @param {string} schema @returns {Promise<Names>} */
export const tablesOf = (name, schema) => get(`${path(name)}/tables`, { schema });

/** @param {TablePlace} place @returns {Promise<{ columns: Column[] }>} */
export const columnsOf = ({ source, schema, table }) => get(`${path(source)}/columns`, { schema, table });

/**
 * @param {TablePlace} place
 * @param {{ sort: { column: string, descending: boolean }[], offset: number, limit: number }} wanted
 * @param {AbortSignal} signal
 * @returns {Promise<{ rows: JsonValue[][], more: boolean }>}
 */
export async function rowsOf({ source, schema, table }, wanted, signal) {
  const body = JSON.stringify({ schema, table, ...wanted });
  return answer(await fetch(`${path(source)}/rows`, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal }));
}
