/** What each kind of agent looks like. */

/** @type {Record<string, string>} kind -> icon */
export const KINDS = { code: "braces", tools: "tool", terminal: "terminal" };
