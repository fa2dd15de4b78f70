/** A text that shows what it holds: what people approve must not look like something else. Pure. */

/** Controls, characters that turn text around, and those without width; not what joins emoji and letters (U+200C, U+200D). */
const HIDDEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

/** @param {string} text the same with such characters named: `⟨U+202E⟩` */
export const visible = (text) =>
  text.replace(
    HIDDEN,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
