/** Tags that a person types. Pure. */

/** Maximum length of a tag, and number of tags of a chat, on the server. */
export const LONGEST_TAG = 40;
const MOST_TAGS = 10;
/** What the server refuses in a tag: control characters, and what is invisible or turns the text around it. */
const INVISIBLE = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Return a typed tag as the server takes it. @param {string} typed */
export const cleanTag = (typed) => typed.normalize("NFC").replace(/\s+/g, " ").replace(INVISIBLE, "").trim();

/**
 * Check a tag.
 *
 * @param {string} tag
 * @param {import("../types.js").Translate} t
 * @param {string[]} [others] tags that the chat has
 * @returns {string} the error, or ""
 */
export function tagFault(tag, t, others = []) {
  const { length } = [...cleanTag(tag)];
  if (length === 0) return t("tags.empty");
  if (length > LONGEST_TAG) return t("tags.long", { most: LONGEST_TAG, n: length });
  return others.length < MOST_TAGS ? "" : t("tags.many", { most: MOST_TAGS });
}
