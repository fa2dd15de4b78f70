/** What each kind of agent looks like, and the words for the agents that every desk has. */

/** @type {Record<string, string>} kind -> icon */
export const KINDS = { code: "braces", tools: "tool", terminal: "terminal" };

/** @type {Record<string, string>} what the desk says of its own agents -> how the page says it; other descriptions are shown as they are */
export const ABOUT = {
  "Writes Python and runs it.": "agents.about_code",
  "Calls tools; python_interpreter among them runs Python.": "agents.about_tools",
  "A small program in a terminal, to try one out.": "agents.about_demo",
};
