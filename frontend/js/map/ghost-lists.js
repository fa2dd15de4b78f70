// @ts-check
/** Places in the lists that map tools take ("text:Room1|size=18;text:10,20"): where they stand in the text. Pure. */

/** @typedef {{ start: number, end: number, text: string }} Span text between two offsets, without blanks at its ends */

const QUOTES = new Map([
  ['"', '"'],
  ["'", "'"],
  ["「", "」"],
  ["『", "』"],
]);
const POINT = /^\(?\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*[,、]\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*\)?$/;

/**
 * Return the free separators of a text: those outside of quotes and not after a backslash.
 *
 * @param {string} text
 * @param {string} signs
 * @returns {{ at: number, sign: string }[]} an open quote hides the rest
 */
function separators(text, signs) {
  const cuts = [];
  let isStart = true;
  for (let at = 0; at < text.length; at += 1) {
    const sign = /** @type {string} */ (text[at]);
    const closing = isStart ? QUOTES.get(sign) : undefined;
    if (closing !== undefined) {
      at += 1;
      while (at < text.length && text[at] !== closing) at += text[at] === "\\" ? 2 : 1;
      isStart = false;
    } else if (sign === "\\") at += 1;
    else if (";:|,、".includes(sign)) {
      if (signs.includes(sign)) cuts.push({ at, sign });
      isStart = true;
    } else if (sign.trim() !== "") isStart = false;
  }
  return cuts;
}

/** @param {string} text @param {number} start @param {number} end @returns {Span} */
function span(text, start, end) {
  const piece = text.slice(start, end);
  const first = start + piece.length - piece.trimStart().length;
  const trimmed = piece.trim();
  return { start: first, end: first + trimmed.length, text: trimmed };
}

/** @param {string} text @param {string} signs @returns {Span[]} */
function pieces(text, signs) {
  const ends = [-1, ...separators(text, signs).map(({ at }) => at), text.length];
  return ends.slice(1).map((end, index) => span(text, /** @type {number} */ (ends[index]) + 1, end));
}

/**
 * Return the names of a list, each without its options.
 *
 * @param {string} text
 * @returns {Span[]}
 */
export function nameSpans(text) {
  return pieces(text, ",、;")
    .map(({ start, end }) => {
      const bar = separators(text.slice(start, end), "|")[0];
      return span(text, start, bar ? start + bar.at : end);
    })
    .filter((name) => name.text !== "");
}

/**
 * Return the things of an overlay list with the spans of their places.
 *
 * @param {string} text
 * @returns {{ thing: string, place: Span }[]}
 */
export function entrySpans(text) {
  return pieces(text, ";").flatMap((entry) => {
    const inside = separators(entry.text, ":|");
    const bar = inside.find(({ sign }) => sign === "|")?.at ?? entry.text.length;
    const colon = inside.findLast(({ sign, at }) => sign === ":" && at < bar)?.at;
    if (colon === undefined) return [];
    const place = span(text, entry.start + colon + 1, entry.start + bar);
    return place.text ? [{ thing: unquoted(entry.text.slice(0, colon).trim()), place }] : [];
  });
}

/** Return a text with another one in a span. @param {string} text @param {Span} span @param {string} replacement */
export const replaced = (text, { start, end }, replacement) =>
  text.slice(0, start) + replacement + text.slice(end);

/** Return the point that a place is, or null. @param {string} place */
export function pointOf(place) {
  const match = POINT.exec(place);
  return match ? { x: Number(match[1]), y: Number(match[2]) } : null;
}

/** Return a name as it stands in a list, in quotes if it has signs of the list. @param {string} name */
export function quoted(name) {
  const isPlain = name !== "" && name === name.trim() && !/[\\:;,|"'「」『』、：]/.test(name);
  return isPlain ? name : `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** @param {string} text */
export function unquoted(text) {
  const closing = QUOTES.get(text[0] ?? "");
  const inner = closing !== undefined && text.length > 1 && text.endsWith(closing) ? text.slice(1, -1) : text;
  return inner.replaceAll(/\\([\\:;,|"'「」『』])/g, "$1");
}
