/** Settings that were guessed for a file, each with its alternatives. A choice is sent to the server at once. */

import { el } from "../core/dom.js";

/** @import { CardReading, Translate } from "../types.js" */
/** @typedef {import("../types.js").CardChoice["told"]} ReadingOverride */

/** Encodings: the server's names and common names. @type {[string, string][]} */
const ENCODINGS = [
  ["utf-8", "UTF-8"],
  ["cp932", "Shift_JIS"],
  ["euc_jp", "EUC-JP"],
  ["iso2022_jp", "ISO-2022-JP"],
  ["utf-16", "UTF-16"],
  ["cp1252", "Windows-1252"],
  ["latin-1", "ISO-8859-1"],
  ["cp1250", "Windows-1250"],
  ["cp1251", "Windows-1251"],
  ["cp1253", "Windows-1253"],
  ["cp1254", "Windows-1254"],
  ["gb18030", "GB 18030"],
  ["big5", "Big5"],
  ["cp949", "EUC-KR"],
];
const SEPARATORS = ["comma", "semicolon", "tab", "bar", "space"];
const HEADERS = 10;
const GUESS = "";

/**
 * @param {CardReading} reading
 * @param {Translate} t
 * @param {(override: ReadingOverride, field: string) => void} onReading
 */
export function readingFields(reading, t, onReading) {
  const { format, header, sheets } = reading;
  // Files of an archive are chosen as the sheets of a workbook are.
  const part = format === "workbook" ? "sheet" : "member";
  const lines = Array.from(
    { length: Math.max(HEADERS, header) },
    (_, at) => /** @type {[string, string]} */ ([String(at + 1), t("card.header_line", { n: at + 1 })]),
  );
  const headers = [...lines, /** @type {[string, string]} */ (["0", t("shared.none")])];
  /** @type {(HTMLElement | null)[]} */
  const fields = [
    sheets.length > 1
      ? field(
          "sheet",
          reading.sheet ?? GUESS,
          sheets.map((sheet) => [sheet, sheet]),
          (value) => ({ sheet: value }),
        )
      : null,
    ...(format === "text"
      ? [
          field("encoding", encodingOf(reading), ENCODINGS, (value) => ({ encoding: value })),
          field(
            "separator",
            reading.separator ?? GUESS,
            SEPARATORS.map((separator) => [separator, t(`card.separator_${separator}`)]),
            (value) => ({ separator: value }),
          ),
        ]
      : []),
  ];
  return el("div", { class: "card-reading", role: "group", "aria-label": t("card.reading") }, [
    ...fields,
    format === "archive"
      ? null
      : field("header", String(header), headers, (value) => ({
          header: value === null ? null : Number(value),
        })),
  ]);

  /**
   * @param {string} name
   * @param {string} now
   * @param {[string, string][]} choices
   * @param {(value: string | null) => ReadingOverride} toOverride
   */
  function field(name, now, choices, toOverride) {
    const guess = name === "sheet" ? t(`card.${part}_all`) : t("shared.automatic");
    const isOffered = now === GUESS || choices.some(([value]) => value === now);
    const options = [
      ...(isOffered ? [] : [/** @type {[string, string]} */ ([now, now])]),
      ...choices,
      /** @type {[string, string]} */ ([GUESS, guess]),
    ];
    const select = el(
      "select",
      {
        name,
        on: { change: () => onReading(toOverride(select.value === GUESS ? null : select.value), name) },
      },
      options.map(([value, label]) => el("option", { value, selected: value === now }, label)),
    );
    return el(
      "label",
      { class: "card-field" },
      el("span", {}, t(`card.${name === "sheet" ? part : name}`)),
      select,
    );
  }
}

/** Return the encoding without byte order marks, which are not a choice. @param {CardReading} reading */
function encodingOf({ encoding }) {
  const name = (encoding ?? GUESS).replace("_sig", "").replace("-sig", "");
  return name.startsWith("utf-16") ? "utf-16" : name;
}
