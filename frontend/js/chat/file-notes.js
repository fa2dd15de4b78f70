/**
 * Notes and faults of a file in the language of the page, by their codes. A note without a code, as in old logs, or
 * with an unknown one is shown in the server's English.
 */

import { loadLateStrings } from "../core/i18n.js";

/** @import { FileNote, Translate } from "../types.js" */

/** Values that are codes, and the keys of their texts. */
const CODES = new Map([
  ["kind", "file_kind"],
  ["expected", "file_kind"],
  ["reason", "file_reason"],
]);

/**
 * @param {string} text English text of the server
 * @param {FileNote | undefined} note
 * @param {Translate} t
 */
export function fileNoteText(text, note, t) {
  const places = Object.entries(note?.place ?? {});
  if (!note || ![`file_note.${note.code}`, ...places.map(([kind]) => `file_place.${kind}`)].every(t.has))
    return text;
  const values = Object.entries(note.values).map(([name, value]) => {
    const key = `${CODES.get(name)}.${value}`;
    return [name, t.has(key) ? t(key) : format(value, t)];
  });
  const sentence = t(`file_note.${note.code}`, Object.fromEntries(values));
  const place = t.list(places.map(([kind, at]) => t(`file_place.${kind}`, { at: format(at, t) })));
  return place ? t.pair(place.slice(0, 1).toUpperCase() + place.slice(1), sentence) : sentence;
}

/**
 * Show a note on the first screen, whose texts may still have to be loaded.
 *
 * @param {Element} node
 * @param {string} text
 * @param {FileNote | undefined} note
 * @param {Translate} t
 */
export function showFileNote(node, text, note, t) {
  node.textContent = fileNoteText(text, note, t);
  if (note?.code && !t.has(`file_note.${note.code}`))
    void loadLateStrings().then(() => {
      node.textContent = fileNoteText(text, note, t);
    });
}

/**
 * Return the message of an error, from the notes that it consists of if there are any.
 *
 * @param {Error & { code?: string, notes?: FileNote[] }} fault
 * @param {Translate} t
 */
export function refusalText({ message, code, notes = [] }, t) {
  const texts = notes.map((note) => fileNoteText("", note, t));
  return texts.length && !texts.includes("") ? [...texts, t(`fault.${code}_hint`)].join(" ") : message;
}

/** @param {number | string | string[]} value @param {Translate} t */
const format = (value, t) =>
  typeof value === "number" ? t.number(value) : Array.isArray(value) ? t.list(value) : value;
