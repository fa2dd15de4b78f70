/** Requests for the desk's MCP servers. All throw `Refusal`, or a TypeError if the server is unreachable. */

import { answer, send } from "../core/api.js";
import { request } from "../core/session.js";

/** @typedef {{ tool: string, name: string, description: string, approval: string, problem: string }} ServerTool */
/** @typedef {{ name: string, address: string, description: string, arguments: string[] }} ServerItem */
/**
 * @typedef {{ name: string, description: string, place: string, isProgram: boolean, state: "off" | "idle" | "starting"
 *   | "ready" | "authorize" | "failed", problem: string, information: string, isolated: boolean, network: boolean,
 *   variables: string[], removable: boolean, tools: ServerTool[], resources: ServerItem[], prompts: ServerItem[] }}
 *   McpServer
 */
/**
 * @typedef {{ name: string, command?: string, args?: string[], env?: Record<string, string>, network?: boolean, url?:
 *   string, headers?: Record<string, string>, tools?: string[], approval?: string }} NewServer
 */

/** @param {string} name */
const path = (name) => `/api/mcp-servers/${encodeURIComponent(name)}`;

/** @returns {Promise<{ servers: McpServer[], mayChange: boolean }>} */
export const listServers = async () => answer(await request("/api/mcp-servers"));

/** @param {NewServer} server @returns {Promise<McpServer>} */
export const addServer = (server) => send("POST", "/api/mcp-servers", server);

/** @param {string} name */
export const removeServer = (name) => send("DELETE", path(name));

/** @param {string} name @param {boolean} enabled */
export const switchServer = (name, enabled) => send("PATCH", path(name), { enabled });

/** @param {string} name */
export const restartServer = (name) => send("POST", `${path(name)}/restart`);

/**
 * Return the address of the external page that grants access.
 *
 * @param {string} name
 * @returns {Promise<{ url: string }>}
 */
export const authorizeServer = (name) => send("POST", `${path(name)}/authorize`);

/**
 * @param {string} name
 * @param {string} prompt
 * @param {Record<string, string>} [input]
 * @returns {Promise<{ text: string }>}
 */
export const promptOf = (name, prompt, input = {}) =>
  send("POST", `${path(name)}/prompts`, { prompt, arguments: input });
