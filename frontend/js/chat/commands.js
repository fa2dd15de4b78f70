/** Slash commands of the composer. Pure. */

/** @import { Command } from "../types.js" */

/**
 * `command` is emitted on the bus; null for the commands that the composer runs itself.
 *
 * @type {{ name: string, textKey: string, command: Command | null }[]}
 */
export const COMMANDS = [
  { name: "new", textKey: "commands.new", command: { name: "new-chat" } },
  { name: "export", textKey: "commands.export", command: null },
  { name: "report", textKey: "commands.report", command: null },
  { name: "agent", textKey: "agents.open", command: { name: "choose-agent" } },
  { name: "model", textKey: "commands.model", command: { name: "models" } },
  { name: "chats", textKey: "commands.chats", command: { name: "chats" } },
  { name: "sources", textKey: "commands.sources", command: { name: "sources" } },
  { name: "mcp", textKey: "commands.mcp", command: { name: "mcp" } },
  { name: "tests", textKey: "commands.tests", command: { name: "tests" } },
  { name: "watches", textKey: "commands.watches", command: { name: "watches" } },
  { name: "help", textKey: "commands.help", command: { name: "help" } },
];

/** Return the typed prefix of a command, or null. The slash of an input method (／) counts, too. @param {string} text */
export function typedCommand(text) {
  return /^[/／]([a-zA-Z]*)$/.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** Return the commands that start with a prefix. @param {string} prefix */
export const commandsLike = (prefix) => COMMANDS.filter(({ name }) => name.startsWith(prefix));
