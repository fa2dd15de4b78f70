/** Escaping of invisible characters, so that a text cannot look like another one when a person approves it. Pure. */

/** Control, bidirectional and zero-width characters, except the joiners of emoji and letters (U+200C, U+200D). */
const HIDDEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

/** Return the text with each hidden character written as `⟨U+202E⟩`. @param {string} text */
export const visible = (text) =>
  text.replace(
    HIDDEN,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
