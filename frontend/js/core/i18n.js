/**
 * Texts of the page, loaded per language. `t("key")` returns the text in the current language; an unknown key is
 * returned as it is, which the tests report. Numbers and times follow the same language.
 */

import { same } from "../../strings/same.js";
import { recall } from "./storage.js";

/** @import { Language, Translate } from "../types.js" */

/** @typedef {() => Promise<{ strings: Record<string, string> }>} StringsModule */
/**
 * Modules of the texts: `first` for the first screen, `more` for parts that load later.
 *
 * @type {Record<Language, { first: StringsModule, more: StringsModule }>}
 */
const LANGUAGES = {
  en: { first: () => import("../../strings/en.js"), more: () => import("../../strings/en-late.js") },
  ja: { first: () => import("../../strings/ja.js"), more: () => import("../../strings/ja-late.js") },
};
/** @type {Partial<Record<Language, Record<string, string>>>} */
const loaded = {};
/** Languages that the page has requested. @type {Set<Language>} */
const requested = new Set();
/** Whether a late part was loaded: then each language loads the late texts, too. */
let hasLateStrings = false;
const LOCALES = { en: "en-GB", ja: "ja-JP" };
const NUMBERS = {
  en: new Intl.NumberFormat(LOCALES.en, { maximumFractionDigits: 6 }),
  ja: new Intl.NumberFormat(LOCALES.ja, { maximumFractionDigits: 6 }),
};

const UNITS = {
  en: { milliseconds: " ms", seconds: " s" },
  ja: { milliseconds: "ミリ秒", seconds: "秒" },
};

/** Marks between a label and its value, and between the items of a list. */
const MARKS = { en: { colon: ": ", comma: ", " }, ja: { colon: "：", comma: "、" } };

/** Load the texts of a language for `t`. @param {Language} language */
export async function loadLanguage(language) {
  requested.add(language);
  await Promise.all([loadStrings(language, "first"), hasLateStrings && loadStrings(language, "more")]);
  return language;
}

/** Load the texts of the late parts. */
export async function loadLateStrings() {
  hasLateStrings = true;
  await Promise.all([...requested].map((language) => loadStrings(language, "more")));
}

/** @param {Language} language @param {"first" | "more"} which */
async function loadStrings(language, which) {
  const { strings } = await LANGUAGES[language][which]();
  loaded[language] = { ...loaded[language], ...strings };
}

/** Return the initial language in this browser. */
export const firstLanguage = () => pickLanguage(recall("language"), navigator.languages);

/** Return the `t` of the page. @param {Language} language a loaded language @returns {Translate} */
export function translator(language) {
  /** @param {string} key */
  const find = (key) => loaded[t.language]?.[same[key] ?? key];
  /** @param {string} key @param {Record<string, string | number>} [values] */
  function t(key, values = {}) {
    const sentence = find(key) ?? key;
    return sentence.replace(/\{(\w+)\}/g, (placeholder, name) =>
      name in values ? String(values[name]) : placeholder,
    );
  }
  t.language = language;
  /** @param {string} key */
  t.has = (key) => find(key) !== undefined;
  /** @param {number} value */
  t.number = (value) => NUMBERS[t.language].format(value);
  /** @param {string | Date} moment */
  t.time = (moment) => new Date(moment).toLocaleTimeString(LOCALES[t.language], { hour12: false });
  /** @param {number} seconds */
  t.duration = (seconds) =>
    seconds < 1
      ? `${Math.max(1, Math.round(seconds * 1000))}${UNITS[t.language].milliseconds}`
      : `${seconds.toFixed(1)}${UNITS[t.language].seconds}`;
  /** @param {string} label @param {string} value */
  t.pair = (label, value) => `${label}${MARKS[t.language].colon}${value}`;
  /** @param {readonly string[]} items */
  t.list = (items) => items.join(MARKS[t.language].comma);
  t.floors = /** @type {Translate["floors"]} */ (new Map());
  /** @param {string} floorId */
  t.floor = (floorId) => t.floors.get(floorId)?.[t.language] || floorId;
  return t;
}

/**
 * Return the initial language: the stored choice, else the browser's preference.
 *
 * @param {string | null} chosen
 * @param {readonly string[]} preferred
 * @returns {Language}
 */
export function pickLanguage(chosen, preferred) {
  if (chosen === "en" || chosen === "ja") return chosen;
  return preferred[0]?.toLowerCase().startsWith("ja") ? "ja" : "en";
}
