/** Answer of a turn as Markdown for the clipboard: texts, the visible rows of tables, code and data. Pure. */

import { resultsOf } from "./arrangement.js";
import { textOf } from "./rope.js";

/** @import { ShownBlock, Table, Turn } from "../types.js" */

/** @param {Turn} turn */
export function asMarkdown(turn) {
  const parts = turn.isCode ? [fenced(turn.question, "python"), ...printed(turn)] : [];
  const shown = resultsOf(turn).flatMap((at) => {
    const block = turn.blocks[at];
    return block?.kind === "shown" ? [block.message] : [];
  });
  const outputs = keptOf(turn, shown).flatMap(partOf);
  const errors = turn.blocks.flatMap((block) =>
    block.kind === "shown" && block.message.type === "error" && turn.state === "failed"
      ? [block.message.content]
      : [],
  );
  const sections = [...parts, ...outputs, ...errors];
  return (sections.length > 0 ? sections : [turn.closing]).join("\n\n");
}

/**
 * Return the messages of the alternative that is open.
 *
 * @param {Turn} turn
 * @param {ShownBlock["message"][]} shown
 * @returns {ShownBlock["message"][]}
 */
function keptOf({ kept }, shown) {
  const message = shown.find(({ type }) => type === "alternatives");
  if (message?.type !== "alternatives" || !kept) return shown;
  const { alternatives, declined } = message.content;
  if (kept.index === null) return [declined];
  const others = shown.filter(({ type }) => type !== "alternatives");
  return kept.index === 0 ? others : (alternatives[kept.index]?.outputs ?? []);
}

/** Return the printed output of a turn. @param {Turn} turn */
function printed({ blocks }) {
  return blocks.flatMap((block) =>
    block.kind === "step" && block.printed ? [fenced(textOf(block.printed).trimEnd(), "")] : [],
  );
}

/** @param {ShownBlock["message"]} message @returns {string[]} */
function partOf(message) {
  switch (message.type) {
    case "text":
      return message.tone === "notice" ? [] : [message.content];
    case "alternatives":
      return [message.content.note];
    case "code":
      return [fenced(message.content, message.language ?? "")];
    case "json":
      return [fenced(JSON.stringify(message.content, null, 2), "json")];
    case "table":
      return [table(message)];
    default:
      return [];
  }
}

/** @param {Table} message */
function table({ content: { columns, rows, rowCount } }) {
  const line = (/** @type {unknown[]} */ cells) => `| ${cells.map(cell).join(" | ")} |`;
  const rule = `|${columns.map(({ kind }) => (kind === "number" ? " ---: " : " --- ")).join("|")}|`;
  const more = rowCount > rows.length ? [`| … (${rowCount}) |`] : [];
  return [line(columns.map(({ name }) => name)), rule, ...rows.map(line), ...more].join("\n");
}

/** @param {unknown} value */
const cell = (value) =>
  value === null || value === undefined
    ? ""
    : String(value)
        .replaceAll("|", "\\|")
        .replaceAll(/\s*\n\s*/g, " ");

/** @param {string} text @param {string} language */
function fenced(text, language) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
