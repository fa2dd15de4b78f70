/** Sheet with two versions of a turn side by side in all panes: plan, images, answer and events. */

import { el } from "../core/dom.js";
import { jsonTree } from "../core/json-tree.js";
import { loadLatePart } from "../core/late.js";
import { openSheet, sheetButton } from "../core/sheet.js";
import { request } from "../core/session.js";
import { summarise } from "../debug/words.js";
import { MOST_EVENTS, pairEvents } from "./events.js";
import { Side } from "./side.js";

/** @import { ComparedVersion, DeskState, Translate } from "../types.js" */
/** @import { AnyMessage } from "../debug/words.js" */
/** @import { Pair } from "./events.js" */

const ON_THE_PLAN = new Set(["map", "map_frames", "arrow", "highlight_room", "clear_map", "clear_arrows"]);
/** Images that are compared. */
const MOST_IMAGES = 40;

/**
 * Open the sheet.
 *
 * @param {Translate} t
 * @param {DeskState} page
 * @param {[ComparedVersion, ComparedVersion]} versions
 */
export async function openVersions(t, page, versions) {
  const parts = await loadLatePart(
    () => Promise.all([import("../map/viewer.js"), import("../chat/differences.js")]),
    t,
  );
  if (parts === null) return;
  const [{ MapViewer }, { markDifferences }] = parts;
  const side = (/** @type {ComparedVersion} */ version) => new Side(t, page, version, MapViewer);
  const [first, second] = [side(versions[0]), side(versions[1])];
  const pairs = pairEvents(eventsOf(first), eventsOf(second));
  const drawings = pairs.filter((pair) => ON_THE_PLAN.has(typeOf(pair)));
  const hasImages = [first, second].some(({ state }) => state.gallery.pictures.length > 0);
  const images = el("p", { class: "sheet-hint", role: "status" });
  const answers = [first, second].map(({ view }) => view);
  const close = sheetButton(t("shared.close"), () => sheet.close());
  const grid = el(
    "div",
    { class: "versions-panes" },
    row("chat", hint(), [first.answer, second.answer]),
    drawings.length
      ? row("map", hint(changes(drawings, t, "version.plan_alike")), [first.map.dom, second.map.dom])
      : null,
    hasImages ? row("images", images, [first.images.dom, second.images.dom]) : null,
    events(pairs, t),
  );
  const sheet = openSheet({
    title: t("version.side_by_side"),
    body: [grid],
    buttons: [close],
    focus: close,
    closed: () => [first, second].forEach((side) => side.destroy()),
  });
  const dialog = grid.closest("dialog");
  dialog?.classList.add("versions-sheet");
  const answerHint = grid.querySelector("[data-pane=chat] .sheet-hint");
  if (answers[0] && answers[1] && answerHint)
    answerHint.textContent = markDifferences(answers[0], answers[1], t);
  void compareImages(first, second).then((n) => {
    images.textContent = n ? t("version.images_differ", { n: t.number(n) }) : t("version.images_alike");
  });

  /** @param {"map" | "images" | "chat"} pane @param {HTMLElement} about @param {HTMLElement[]} doms */
  function row(pane, about, doms) {
    const cell = (/** @type {HTMLElement} */ dom, /** @type {number} */ at) =>
      el("div", { class: "versions-cell", role: "group", "aria-label": versions[at]?.label ?? "" },
        el("p", { class: "versions-label", "aria-hidden": "true" }, versions[at]?.label ?? ""), dom); // prettier-ignore
    return el(
      "section",
      { class: "versions-pane", "data-pane": pane, "aria-label": t(`version.pane_${pane}`) },
      el("h3", {}, t(`version.pane_${pane}`)),
      about,
      el("div", { class: "versions-pair" }, doms.map(cell)),
    );
  }
}

/** Return the messages as the debug pane reads them. @param {Side} side */
const eventsOf = ({ messages }) =>
  messages.map((message) => /** @type {AnyMessage} */ (/** @type {unknown} */ (message)));

const hint = (text = "") => el("p", { class: "sheet-hint" }, text);

/** @param {Pair} pair */
const typeOf = ({ first, second }) => (first ?? second)?.type ?? "";

/** Say how many events differ. @param {Pair[]} pairs @param {Translate} t @param {string} alike key of the text for none */
function changes(pairs, t, alike) {
  const n = pairs.filter(({ differs }) => differs).length;
  return n ? t("version.events_differ", { n: t.number(n), all: t.number(pairs.length) }) : t(alike);
}

/** List the events in pairs. @param {Pair[]} pairs @param {Translate} t */
function events(pairs, t) {
  const list = el(
    "ol",
    { class: "versions-events" },
    pairs.map((pair) => eventRow(pair, t)),
  );
  const differing = el("input", {
    type: "checkbox",
    on: { change: () => list.toggleAttribute("data-differing", differing.checked) },
  });
  const isCut = pairs.length >= MOST_EVENTS;
  return el(
    "section",
    { class: "versions-pane", "data-pane": "debug", "aria-label": t("debug.events") },
    el("h3", {}, t("debug.events")),
    hint([changes(pairs, t, "version.events_alike"), isCut && t("version.cut", { n: t.number(MOST_EVENTS) })].filter(Boolean).join(" ")),
    el("label", { class: "sheet-choice" }, differing, el("span", {}, t("version.only_differing"))),
    list,
  ); // prettier-ignore
}

/** @param {Pair} pair @param {Translate} t */
function eventRow({ first, second, differs }, t) {
  const both = [first, second];
  const contents = el("div", { class: "versions-pair" });
  const open = () => {
    if (!details.open || contents.childElementCount > 0) return;
    contents.append(
      ...both.map((message) => el("div", {}, message ? jsonTree(message.content ?? null, t) : "–")),
    );
  };
  const details = el(
    "details",
    { on: { toggle: open } },
    el(
      "summary",
      { class: "versions-pair" },
      both.map((message) =>
        el("span", { dir: "auto" }, message ? [el("b", {}, message.type), " ", summarise(message)] : "–"),
      ),
    ),
    contents,
  );
  return el("li", { "data-differs": differs || null }, details);
}

/** Mark images of the same place with other bytes, and return their number. @param {Side} first @param {Side} second */
async function compareImages(first, second) {
  const [ones, others] = [first, second].map(({ state }) => state.gallery.pictures.slice(0, MOST_IMAGES));
  let n = 0;
  for (let at = 0; at < Math.max(ones?.length ?? 0, others?.length ?? 0); at++) {
    const [one, other] = [ones?.[at], others?.[at]];
    if (one && other && (await sameBytes(one.src, other.src))) continue;
    n++;
    if (one) first.images.cards.get(one.key)?.setAttribute("data-differs", "");
    if (other) second.images.cards.get(other.key)?.setAttribute("data-differs", "");
  }
  return n;
}

/** Check whether two images are the same file. @param {string} first @param {string} second */
async function sameBytes(first, second) {
  if (first === second) return true;
  const [one, other] = await Promise.all([first, second].map(bytesAt));
  return Boolean(one && other && one.length === other.length && one.every((byte, at) => byte === other[at]));
}

/** @param {string} address @returns {Promise<Uint8Array | null>} null if it cannot be read */
async function bytesAt(address) {
  try {
    const answer = await request(address);
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  } catch (fault) {
    if (!(fault instanceof TypeError)) throw fault;
    return null;
  }
}
