/** Requests for the desk's databases. All throw `Refusal`, or a TypeError if the server is unreachable. */

import { answer, send } from "../core/api.js";
import { request } from "../core/session.js";

/** @import { Column, JsonValue } from "../types.js" */
/** @import { Filter } from "../grid/rows.js" */

/** @typedef {{ name: string, kind: string, address: string, removable: boolean, problem: string }} Source */
/** @typedef {{ names: string[], count: number }} Names */
/** @typedef {{ source: string, schema: string, table: string }} TablePlace */

/** @param {string} name */
const path = (name) => `/api/sources/${encodeURIComponent(name)}`;

/** @param {string} url @param {Record<string, string>} [query] */
async function get(url, query = {}) {
  return answer(await request(`${url}?${new URLSearchParams(query)}`));
}

/** @returns {Promise<{ sources: Source[], mayAdd: boolean }>} */
export const listSources = () => get("/api/sources");

/**
 * @param {{ name: string, url: string, password: string | null, readOnlyAccount: boolean }} source
 * @returns {Promise<Source>}
 */
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

/** @typedef {{ column: string, descending: boolean }} SourceOrder */
/** @typedef {Omit<Filter, "column"> & { column: string }} SourceFilter */
/** @typedef {{ sort: SourceOrder[], filters: SourceFilter[], search: string, columns?: string[] }} SourceView */

/**
 * @param {TablePlace} place
 * @param {SourceView & { offset: number, limit: number }} view
 * @param {AbortSignal} signal
 * @returns {Promise<{ rows: JsonValue[][], more: boolean }>}
 */
export const rowsOf = async (place, view, signal) => answer(await post(place, "rows", view, signal));

/**
 * Return a file of the first rows of a view; `cut` if there are more.
 *
 * @param {TablePlace} place
 * @param {string} form
 * @param {SourceView} view
 * @param {AbortSignal} signal
 * @returns {Promise<{ blob: Blob, rows: number, cut: boolean }>}
 */
export async function fileOf(place, form, view, signal) {
  const response = await post(place, form, view, signal);
  if (!response.ok) await answer(response); // throws the server's error
  return {
    blob: await response.blob(),
    rows: Number(response.headers.get("Smoldesk-Rows")),
    cut: response.headers.has("Smoldesk-Cut"),
  };
}

/** @param {TablePlace} place @param {string} endpoint @param {SourceView} view @param {AbortSignal} signal */
function post({ source, schema, table }, endpoint, view, signal) {
  const body = JSON.stringify({ schema, table, ...view });
  return request(`${path(source)}/${endpoint}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
    signal,
  });
}
