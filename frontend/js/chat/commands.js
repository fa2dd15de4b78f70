/** The commands of the composer: what begins with a slash. Pure. */

/** @import { Command } from "../types.js" */

/** `does` is said on the bus; the chat's export is the composer's own. @type {{ name: string, words: string, does: Command | null }[]} */
export const COMMANDS = [
  { name: "new", words: "commands.new", does: { name: "new-chat" } },
  { name: "export", words: "commands.export", does: null },
  { name: "report", words: "commands.report", does: null },
  { name: "agent", words: "commands.agent", does: { name: "choose-agent" } },
  { name: "model", words: "commands.model", does: { name: "models" } },
  { name: "chats", words: "commands.chats", does: { name: "chats" } },
  { name: "sources", words: "commands.sources", does: { name: "sources" } },
  { name: "mcp", words: "commands.mcp", does: { name: "mcp" } },
  { name: "help", words: "commands.help", does: { name: "help" } },
];

/**
 * What is typed of a command; null when it is none. A slash of an input method counts, too.
 *
 * @param {string} text
 */
export function commandBegun(text) {
  return /^[/／]([a-zA-Z]*)$/.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** The commands that what is typed can become. @param {string} begun */
export const commandsLike = (begun) => COMMANDS.filter(({ name }) => name.startsWith(begun));
