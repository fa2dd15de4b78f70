/** Blocks of a turn besides its steps: answers, tables, errors, files, and a quiet line for outputs in other panes. */

import { policyLine } from "../asks/policy.js";
import { ChartBlock } from "../charts/block.js";
import { filePath } from "../core/api.js";
import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { size, describeTables } from "../core/format.js";
import { fragment } from "../core/html.js";
import { icon } from "../core/icons.js";
import { jsonTree } from "../core/json-tree.js";
import { deskAddress } from "../core/message-address.js";
import { routesIn } from "../core/routes.js";
import { AppBlock } from "./app-block.js";
import { CodeBlock } from "./code.js";
import { noticeOf, runFault } from "../core/fault-words.js";
import { showFileNote } from "./file-notes.js";
import { plotView } from "./plot.js";
import { programText } from "./program-text.js";
import { readingView } from "./reading.js";
import { isRepeated, isRepeatedTable } from "./repeats.js";
import { planButtons, routeList } from "./route.js";
import { TableView } from "./table.js";

/** @import { ChangedCharts, DeskBus, Json, PaneName, PaneRoom, ShownBlock, TableContent, Translate } from "../types.js" */
/**
 * @typedef {{ bus: DeskBus, t: Translate, chatId: () => string | null, charts?: () => ChangedCharts, run?: (code:
 *   string) => void, blocks?: CodeBlock[], undo?: (() => void)[], labelOf?: (table: TableContent) => string,
 *   room?: () => PaneRoom | undefined }} Needs
 */

const MOST_ROOMS = 8;

/**
 * Create the view of a message.
 *
 * @param {ShownBlock["message"]} message
 * @param {Needs} needs
 * @param {{ program?: boolean, results?: ShownBlock["message"][] }} [where] whether a terminal program wrote it, and
 *   the results of its turn
 * @returns {HTMLElement}
 */
export function createView(message, needs, { program = false, results = [] } = {}) {
  const dom =
    program && message.type === "text" && message.tone !== "notice"
      ? programText(message.content, needs.t)
      : make(message, needs, results);
  // an error with a code comes from the desk, not from the program
  dom.toggleAttribute("data-program", program && !(message.type === "error" && message.code));
  if (message.seq !== undefined) dom.dataset.seq = String(message.seq);
  return dom;
}

/**
 * @param {ShownBlock["message"]} message
 * @param {Needs} needs
 * @param {ShownBlock["message"][]} results
 * @returns {HTMLElement}
 */
function make(message, needs, results) {
  const { t } = needs;
  switch (message.type) {
    case "text": {
      const dom = textView(noticeOf(message, t), results);
      offerSuggestions(dom, message.suggestions ?? [], needs);
      return dom;
    }
    case "code": {
      const block = new CodeBlock(t, null, needs.run ?? null);
      block.update(message);
      needs.blocks?.push(block);
      return block.dom;
    }
    case "mcp_app":
      return new AppBlock(message, needs).dom;
    case "chart": {
      const block = new ChartBlock(message, needs);
      needs.undo?.push(() => block.destroy());
      return block.dom;
    }
    case "table": {
      const view = new TableView(message, needs);
      needs.undo?.push(() => view.destroy());
      return view.dom;
    }
    case "file":
      return fileLine(message, needs);
    case "error": {
      const { text, hint } = runFault({ ...message, content: withoutHint(message) }, t);
      return el(
        "div",
        { class: "fault", role: "alert" },
        icon("error"),
        el(
          "div",
          { class: "fault-words" },
          el("p", { class: "fault-what" }, text),
          hint ? el("p", { class: "fault-hint" }, hint) : null,
        ),
      );
    }
    case "image":
      return (
        plotView(message, needs) ??
        pointer(
          "images",
          "image",
          t("chat.shown_image", { name: message.path?.split("/").at(-1) ?? t("chat.plot") }),
          message,
          needs,
        )
      );
    case "map": {
      const { content } = message;
      const { seq, runId } = message;
      const routes = "points" in content ? [] : routesIn(content.overlays, { seq, runId });
      if (routes.length)
        return el(
          "div",
          {},
          routes.map((route) => routeList(route, message, needs)),
        );
      if (!("points" in content))
        return planLine("map", t("chat.shown_map", { what: named(content, t) }), message, needs);
      return pointer("map", "map", describePoints(content, t), message, needs);
    }
    case "map_frames": {
      const { floorId, frames, legend } = message.content;
      const n = frames.length;
      const facts = [
        legend?.title || t.floor(floorId),
        t(n === 1 ? "chat.moment" : "chat.moments", { n: t.number(n) }),
      ];
      return planLine(
        "play",
        t("chat.shown_frames", { what: facts.filter(Boolean).join(" · ") }),
        message,
        needs,
      );
    }
    case "highlight_room":
      return pointer(
        "map",
        "map",
        t("chat.shown_rooms", { rooms: listRooms(message.content.rooms, t) }),
        message,
        needs,
      );
    case "json":
      return jsonBlock(message, t);
    case "reading":
      return readingView(message, needs);
    case "alternatives":
      // outside of turns, as in the work of a managed agent
      return textView({ type: "text", content: message.content.note, tone: "notice" });
    case "policy":
      return policyLine(message, needs);
    case "arrow": {
      const { room, direction } = message.content;
      return pointer(
        "map",
        "arrow",
        t("chat.shown_arrow", { room, direction: t(`direction.${direction}`) }),
        message,
        needs,
      );
    }
    case "clear_arrows":
    case "clear_map":
      return pointer("map", "clear", t(`chat.shown_${message.type}`), message, needs);
  }
}

/**
 * Return the title of a map.
 *
 * @param {import("../types.js").MapContent} content
 * @param {Translate} t
 * @returns {string} the legend's title, or the floor and its first rooms
 */
function named({ floorId, rectangles, overlays }, t) {
  const legend = overlays.findLast((overlay) => overlay.type === "legend");
  const n = rectangles.length;
  if (legend?.type === "legend" && legend.title && n > 0)
    return `${legend.title} · ${t(n === 1 ? "chat.room" : "chat.rooms", { n: t.number(n) })}`;
  return [t.floor(floorId), ...rectangles.map(({ name }) => name).slice(0, 6)].join(" · ");
}

/** @param {import("../types.js").PointsContent} content @param {Translate} t */
function describePoints({ points, description }, t) {
  const count = points.length === 1 ? t("map.point") : t("map.points", { n: t.number(points.length) });
  return t("chat.shown_map", { what: description ? `${description} · ${count}` : count });
}

/**
 * List rooms.
 *
 * @param {string[]} rooms
 * @param {Translate} t
 * @returns {string} the first of them, and the number of others
 */
function listRooms(rooms, t) {
  const named = t.list(rooms.slice(0, MOST_ROOMS));
  return rooms.length > MOST_ROOMS
    ? t("chat.and_more", { rooms: named, n: t.number(rooms.length - MOST_ROOMS) })
    : named;
}

/**
 * Return the error without its hint. The text of a failed run's error ends with the hint, for clients that show only
 * the text.
 *
 * @param {import("../types.js").Error} message
 */
function withoutHint({ content, hint }) {
  return hint && content.endsWith(hint) && content !== hint
    ? content.slice(0, -hint.length).trimEnd()
    : content;
}

/**
 * Create the view of a text.
 *
 * @param {import("../types.js").Text} message
 * @param {ShownBlock["message"][]} [results] messages shown in its turn
 */
export function textView(message, results = []) {
  const dom = el("div", { class: message.tone === "notice" ? "notice" : "answer prose" });
  if (message.html) dom.append(fragment(message.html));
  else dom.append(el("p", { class: "plain" }, message.content));
  for (const table of dom.querySelectorAll("table")) {
    const box = el("div", { class: "prose-table", tabindex: "0", role: "group" });
    table.replaceWith(box);
    box.append(table);
  }
  leaveOutRepeats(dom, results);
  return dom;
}

/**
 * Turn the questions of an answer's list into buttons that ask them; others stand below the answer.
 *
 * @param {HTMLElement} dom
 * @param {string[]} suggestions
 * @param {Needs} needs
 */
function offerSuggestions(dom, suggestions, { bus }) {
  const button = (/** @type {string} */ message) =>
    el(
      "button",
      {
        class: "suggestion",
        type: "button",
        on: { click: () => bus.emit("command", { name: "submit", message }) },
      },
      message,
    );
  const others = new Set(suggestions);
  for (const item of suggestions.length > 0 ? dom.querySelectorAll("li") : []) {
    const message = suggestions.find((question) => question.trim() === item.textContent?.trim());
    if (message === undefined) continue;
    item.replaceChildren(button(message));
    others.delete(message);
  }
  if (others.size > 0) dom.append(el("div", { class: "suggestions" }, [...others].map(button)));
}

/**
 * Remove lists and tables that only repeat the results next to the answer, with the line that introduces them. An answer
 * is never removed completely.
 *
 * @param {HTMLElement} dom
 * @param {ShownBlock["message"][]} results
 */
function leaveOutRepeats(dom, results) {
  for (const list of dom.querySelectorAll(":scope > :is(ul, ol, .prose-table)")) {
    const title = list.previousElementSibling;
    const lines = [...list.querySelectorAll("tr")].map((line) => textsIn(line));
    const repeats = lines.length > 0 ? isRepeatedTable(lines, results) : isRepeated(textsIn(list), results);
    if (!repeats || title === null) continue;
    const remains = title.previousElementSibling ?? list.nextElementSibling;
    list.remove();
    if (title.localName === "p" && remains !== null && /[:：]\s*$/.test(title.textContent ?? ""))
      title.remove();
  }
}

/** @param {Element} element */
const textsIn = ({ children }) => [...children].map(({ textContent }) => textContent?.trim() ?? "");

/**
 * @param {import("../types.js").File} message
 * @param {Needs} needs
 */
export function fileLine(message, { t, chatId }) {
  const { fileId, name, size: bytes, problems = [], problemFacts = [] } = message.content;
  // a mentioned file has no address
  if (fileId === "") return el("span", { class: "file-named" }, icon("file"), t("files.named", { name }));
  const label = t(message.runId === undefined ? "files.added" : "files.made", { name, size: size(bytes) });
  const href = deskAddress(message.url) ?? filePath(chatId() ?? "", name);
  const tables = describeTables(message.content, t);
  const link = el(
    "a",
    { class: "pointer", href, download: name, title: t("files.open", { name }) },
    icon("file"),
    tables ? t.pair(label, tables) : label,
  );
  return problems.length === 0
    ? link
    : el(
        "div",
        {},
        link,
        problems.map((problem, at) => {
          const line = el("p", { class: "file-problem" });
          showFileNote(line, problem, problemFacts[at], t);
          return line;
        }),
      );
}

/**
 * Create a line that links to the pane with the output.
 *
 * @param {PaneName} pane
 * @param {string} drawing
 * @param {string} text
 * @param {{ runId?: string, seq?: number }} message
 * @param {Needs} needs
 */
function pointer(pane, drawing, text, { runId, seq }, { bus }) {
  const lead = () => {
    bus.emit("command", { name: "focus-pane", pane });
    bus.emit("select", { runId, seq, source: "chat" });
  };
  return el("button", { class: "pointer", type: "button", on: { click: lead } }, icon(drawing), text);
}

/**
 * Create the line of something drawn on the plan, with buttons that pin and share the plan.
 *
 * @param {string} drawing
 * @param {string} text
 * @param {{ runId?: string, seq?: number }} message
 * @param {Needs} needs
 */
const planLine = (drawing, text, message, needs) =>
  el(
    "div",
    { class: "plan-line" },
    pointer("map", drawing, text, message, needs),
    planButtons(message.seq, needs),
  );

// Answer that an agent gave as data: a foldable tree with a copy button.

const COPIED_MS = 1600;

/**
 * @param {Json} message
 * @param {Translate} t
 * @returns {HTMLElement}
 */
function jsonBlock({ content, name }, t) {
  const label = el("span", {}, t("shared.copy"));
  const copy = el("button", { class: "quiet-button", type: "button" }, icon("copy"), label);
  copy.addEventListener("click", async () => {
    label.textContent = t(
      (await copyText(JSON.stringify(content, null, 2))) ? "shared.copied" : "shared.not_copied",
    );
    window.setTimeout(() => {
      label.textContent = t("shared.copy");
    }, COPIED_MS);
  });
  const body = el(
    "div",
    { class: "json-body", tabindex: "0", role: "region", "aria-label": name ?? t("json.data") },
    jsonTree(content, t),
  );
  const fold = el(
    "button",
    { class: "json-fold", type: "button", "aria-expanded": "true" },
    icon("chevron-down"),
    name ?? t("json.data"),
  );
  fold.addEventListener("click", () => {
    body.hidden = !body.hidden;
    fold.setAttribute("aria-expanded", String(!body.hidden));
  });
  return el(
    "figure",
    { class: "json-block" },
    el(
      "figcaption",
      { class: "json-head" },
      fold,
      el("span", { class: "json-size" }, extent(content, t)),
      copy,
    ),
    body,
  );
}

/** @param {unknown} content @param {Translate} t */
function extent(content, t) {
  if (typeof content !== "object" || content === null) return "";
  const n = Object.keys(content).length;
  return n === 1 ? t("json.item") : t("json.items", { n: t.number(n) });
}
