// @ts-check
/** Report of an import in the language of the page: at most eight grouped lines, each with its first places. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { Finding, Translate } from "../types.js" */
/** @typedef {Finding["severity"]} Severity */
/** @typedef {{ where: string, text: string }} Place */
/** @typedef {{ severity: Severity, text: string, count: number, places: Place[] }} Line */

const GRAVITY = ["error", "warning", "note"];
const ICONS = /** @type {Record<Severity, string>} */ ({ error: "error", warning: "warning", note: "info" });
const MAX_LINES = 8;
const MAX_PLACES = 12;

/**
 * Group findings to lines, the most severe ones first. A finding of an unknown code is shown in the server's English.
 *
 * @param {readonly Finding[]} report
 * @param {Translate} t
 * @returns {Line[]}
 */
export function reportLines(report, t) {
  /** @type {Map<string, Line>} */
  const groups = new Map();
  for (const finding of report) {
    const { severity, where, count, details = [] } = finding;
    const text = findingText(finding, t);
    const key = `${severity} ${text}`;
    const line = groups.get(key) ?? { severity, text, count: 0, places: [] };
    line.count += count ?? 1;
    const places = details.map((detail) => placeOf(detail, severity));
    line.places.push(...(details.length > 0 ? places : where ? [{ where, text: "" }] : []));
    groups.set(key, line);
  }
  const lines = [...groups.values()].sort(
    (a, b) => GRAVITY.indexOf(a.severity) - GRAVITY.indexOf(b.severity),
  );
  if (lines.length <= MAX_LINES) return lines;
  const others = lines.slice(MAX_LINES - 1);
  const more = {
    severity: /** @type {Line} */ (others[0]).severity,
    text: t("building.report.more", { n: t.number(others.length) }),
    count: others.length,
    places: others.map(({ text, places: [place] }) => ({ where: place?.where ?? "", text })),
  };
  return [...lines.slice(0, MAX_LINES - 1), more];
}

/**
 * Return the place of a finding with its values. Errors of one text are one line, which has the values.
 *
 * @param {NonNullable<Finding["details"]>[number]} detail
 * @param {Severity} severity
 * @returns {Place}
 */
function placeOf({ where, message, values = {} }, severity) {
  if (severity === "error") return { where, text: "" };
  const texts = Object.values(values).filter(Boolean);
  return { where, text: texts.length > 0 ? texts.join(" · ") : message };
}

/** @param {Finding} finding @param {Translate} t */
function findingText({ code, message, count = 1, values = {} }, t) {
  const key = `building.report.${code}`;
  if (!code || !t.has(key)) return message;
  const text = t(key, { n: t.number(count), ...values }).replace(/ ?(\(\)|（）)/g, "");
  return /\{\w+\}/.test(text) ? message : text;
}

/**
 * Draw the lines. A line with places opens to show the first of them.
 *
 * @param {readonly Finding[]} report
 * @param {Translate} t
 * @returns {HTMLElement}
 */
export function reportList(report, t) {
  return el(
    "ul",
    { class: "building-report", "aria-label": t("building.report") },
    reportLines(report, t).map(({ severity, text, places }) => {
      const head = [icon(ICONS[severity], t(`map.severity_${severity}`)), el("span", {}, text)];
      const shown = places.slice(0, MAX_PLACES);
      return el(
        "li",
        { "data-severity": severity },
        shown.length === 0
          ? el("p", { class: "building-finding" }, head)
          : el(
              "details",
              { open: severity === "error" },
              el("summary", { class: "building-finding" }, head, icon("chevron-right")),
              el(
                "ul",
                { class: "building-places" },
                shown.map((place) =>
                  el("li", {}, place.where && el("code", {}, place.where), " ", place.text),
                ),
                places.length > shown.length &&
                  el("li", {}, t("shared.and_more", { n: t.number(places.length - shown.length) })),
              ),
            ),
      );
    }),
  );
}
