/** Titles of chats: derived from the first message, or typed by a person. Pure. */

/** Length at which the server cuts a first message. */
const FROM_MESSAGE = 60;
/** Maximum length of a title on the server. */
export const LONGEST_TITLE = 200;

/** Return the title that a chat gets from its first message. @param {string} message */
export function titleFrom(message) {
  const [line = ""] = message.trim().split("\n", 1);
  const letters = [...line];
  return letters.length <= FROM_MESSAGE ? line : `${letters.slice(0, FROM_MESSAGE - 1).join("")}…`;
}

/**
 * Check a typed title.
 *
 * @param {string} title
 * @param {import("../types.js").Translate} t
 * @returns {string} the error, or ""
 */
export function titleFault(title, t) {
  const { length } = [...title.trim()];
  if (length === 0) return t("chats.title_empty");
  return length > LONGEST_TITLE ? t("chats.title_long", { most: LONGEST_TITLE, n: length }) : "";
}
