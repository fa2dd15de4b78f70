/** What is typed of a mention: an `@` before the caret, and what stands behind it. Pure. */

const LONGEST = 60;
const BEGUN = new RegExp(`(?:^|[^A-Za-z0-9._%+-])[@＠]([^\\n@＠]{0,${LONGEST}})$`);

/**
 * An address (me@example.org) is none; Japanese has no space before it.
 *
 * @param {string} text
 * @param {number} caret
 * @returns {{ start: number, typed: string } | null} `start` is where the `@` stands
 */
export function mentionBegun(text, caret) {
  const typed = BEGUN.exec(text.slice(0, caret))?.[1];
  return typed === undefined ? null : { start: caret - typed.length - 1, typed };
}
