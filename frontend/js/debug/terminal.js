// @ts-check
/**
 * Terminal of a program for one batch of messages: its screen, 120 columns wide, and the bytes behind it with every
 * control character visible. Both can be copied unchanged.
 */

import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { Translate } from "../types.js" */
/** @import { Row } from "./rows.js" */
/** @typedef {{ lines: string[], raw: string }} Screen */

const COPIED_MS = 1500;
/**
 * Escape sequence (to its end), an escape with the next character, or another non-printing character. A line feed ends
 * its line.
 */
const CONTROL =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -~])|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Return the screen of a row. @param {Row | null} row @returns {Screen | null} null if it has none */
export function screenOf(row) {
  const debug = row?.messages.findLast(({ type }) => type === "debug");
  const { agent_response: response } = /** @type {{ agent_response?: Record<string, unknown> }} */ (
    debug?.content ?? {}
  );
  const { screen, raw_output: raw } = response ?? {};
  if (!Array.isArray(screen)) return null;
  return { lines: screen.map(String), raw: typeof raw === "string" ? raw : "" };
}

/**
 * @param {Screen} screen
 * @param {Translate} t
 */
export function terminalView({ lines, raw }, t) {
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1; // drop empty lines at the bottom of the screen
  const visible = lines
    .slice(0, end)
    .map((line) => line.trimEnd())
    .join("\n");
  return el(
    "div",
    { class: "debug-terminal" },
    part(
      t("debug.screen"),
      t("debug.copy_screen"),
      visible,
      el(
        "pre",
        { class: "terminal-screen", tabindex: "0", role: "group", "aria-label": t("debug.screen") },
        el("span", { class: "terminal-page" }, visible || el("i", {}, t("debug.screen_none"))),
      ),
      t,
    ),
    raw === ""
      ? null
      : part(
          t("debug.output", { n: t.number(raw.length) }),
          t("debug.copy_output"),
          raw,
          el(
            "pre",
            {
              class: "terminal-raw",
              tabindex: "0",
              role: "group",
              "aria-label": t("debug.output", { n: t.number(raw.length) }),
            },
            el("span", { class: "terminal-page" }, written(raw)),
          ),
          t,
        ),
  );
}

/**
 * @param {string} title
 * @param {string} copies
 * @param {string} text
 * @param {HTMLElement} body
 * @param {Translate} t
 */
function part(title, copies, text, body, t) {
  const copy = el(
    "button",
    { class: "tool-button", type: "button", "aria-label": copies, title: copies },
    icon("copy"),
  );
  const setLabel = (/** @type {string} */ drawing, /** @type {string} */ label) => {
    copy.replaceChildren(icon(drawing));
    copy.setAttribute("aria-label", label);
    copy.title = label;
  };
  copy.addEventListener("click", async () => {
    if (!(await copyText(text))) return;
    setLabel("check", t("shared.copied"));
    window.setTimeout(() => setLabel("copy", copies), COPIED_MS);
  });
  return el("figure", { class: "terminal-part" }, el("figcaption", {}, el("span", {}, title), copy), body);
}

/**
 * Create the bytes of a program, with names for non-printing characters.
 *
 * @param {string} raw
 * @returns {(Node | string)[]}
 */
function written(raw) {
  const nodes = [];
  let from = 0;
  for (const match of raw.matchAll(CONTROL)) {
    if (match.index > from) nodes.push(raw.slice(from, match.index));
    nodes.push(el("span", { class: "terminal-control" }, [...match[0]].map(sign).join("")));
    from = match.index + match[0].length;
  }
  nodes.push(raw.slice(from));
  return nodes;
}

/** Names of control characters. Few fonts have their symbols; every font has the letters of their names. */
const NAMES =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
    " ",
  );

/**
 * Return the name of a character.
 *
 * @param {string} character
 * @returns {string} "ESC" for an escape, "⟨U+202E⟩" for an unnamed one
 */
function sign(character) {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x7f) return "DEL";
  if (code < NAMES.length) return NAMES[code] ?? "";
  return CONTROL_ALONE.test(character)
    ? `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`
    : character;
}

const CONTROL_ALONE = /[\u0080-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
