/** Titles of chats: what the first message makes of one, and what a person may type. Pure. */

/** As the server cuts a first message. */
const FROM_MESSAGE = 60;
/** Characters of a title that the server takes. */
export const LONGEST_TITLE = 200;

/** The title that a chat gets from its first message. @param {string} message */
export function titleFrom(message) {
  const [line = ""] = message.trim().split("\n", 1);
  const letters = [...line];
  return letters.length <= FROM_MESSAGE ? line : `${letters.slice(0, FROM_MESSAGE - 1).join("")}…`;
}

/**
 * What is wrong with a title that was typed.
 *
 * @param {string} title
 * @param {import("../types.js").Translate} t
 * @returns {string} empty when nothing is
 */
export function titleFault(title, t) {
  const { length } = [...title.trim()];
  if (length === 0) return t("chats.title_empty");
  return length > LONGEST_TITLE ? t("chats.title_long", { most: LONGEST_TITLE, n: length }) : "";
}
