// @ts-check
/** Names of floors and rooms in the language of the page. Pure. */

/** @import { Language } from "../types.js" */
/** @typedef {{ names?: Record<string, string> }} Named */

/**
 * Return the shown name of a floor or room: that of the language, else the English one, else the canonical one.
 *
 * @param {Named} thing
 * @param {string} canonical
 * @param {Language} language
 */
export function shownName({ names }, canonical, language) {
  return (names && (inLanguage(names, language) ?? inLanguage(names, "en"))) || canonical;
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
