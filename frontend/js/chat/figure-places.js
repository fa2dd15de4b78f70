/** Places of figures in the shown text of an answer, whose evidence counts characters of its Markdown. Pure. */

// Markdown that the shown text lacks or that has no figures: code, targets of links.
const MASKED = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`|\]\([^)\n]*\)|<https?:[^>\s]*>/g;

/**
 * Return the index of a figure in the shown text, or -1 if it cannot be found: it has the same number among equal texts
 * there as in the Markdown.
 *
 * @param {string} markdown
 * @param {{ text: string, start: number }} figure `start` counts code points
 * @param {string} shown
 */
export function indexOfFigure(markdown, { text, start }, shown) {
  const masked = markdown.replace(MASKED, (found) => " ".repeat(found.length));
  const inMarkdown = indexesOf(masked, text);
  const inShown = indexesOf(shown, text);
  const number = inMarkdown.indexOf(toUnits(markdown, start));
  return number >= 0 && inMarkdown.length === inShown.length ? (inShown[number] ?? -1) : -1;
}

/** Return the index in UTF-16 units, which JavaScript counts. @param {string} text @param {number} codePoints */
function toUnits(text, codePoints) {
  let at = 0;
  for (let left = codePoints; left > 0 && at < text.length; left -= 1)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

/** Return where a text stands that is not a part of a longer number or word. @param {string} all @param {string} text */
function indexesOf(all, text) {
  const found = [];
  for (let at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1))
    if (
      !continues(all.slice(Math.max(0, at - 2), at), text.slice(0, 1)) &&
      !continues(all.slice(at + text.length, at + text.length + 2), text.slice(-1), true)
    )
      found.push(at);
  return found;
}

/**
 * Check whether the characters beside an end of a text make a longer word or number of it.
 *
 * @param {string} beside two characters
 * @param {string} end character of the text
 * @param {boolean} [isBehind]
 */
function continues(beside, end, isBehind = false) {
  const near = isBehind ? beside : [...beside].reverse().join("");
  if (/^[A-Za-z0-9]/.test(near)) return /[A-Za-z0-9]/.test(end);
  return /^[.,]\d/.test(near) && /\d/.test(end);
}
