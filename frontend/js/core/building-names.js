// @ts-check
/** Names of floors and rooms in the language of the page. Pure. */

/** @import { Language } from "../types.js" */
/** @typedef {{ names?: Record<string, string> }} Named */

const KANA_OR_KANJI = /[\u3040-\u30ff\u4e00-\u9fff]/;

/**
 * Return the shown name of a floor or room: that of the language, else the English one, else the canonical one. On a
 * Japanese page a canonical name in Japanese comes before an English one.
 *
 * @param {Named} thing
 * @param {string} canonical
 * @param {Language} language
 */
export function shownName({ names }, canonical, language) {
  if (!names) return canonical;
  const local = inLanguage(names, language);
  if (!local && language === "ja" && KANA_OR_KANJI.test(canonical)) return canonical;
  return local || inLanguage(names, "en") || canonical;
}

/**
 * Return the name in a language, also one of a region: "ja", "ja-JP".
 *
 * @param {Record<string, string>} names
 * @param {string} language
 * @returns {string | undefined}
 */
export function inLanguage(names, language) {
  return (
    names[language] ??
    Object.entries(names).find(([key]) => key.toLowerCase().startsWith(`${language}-`))?.[1]
  );
}
