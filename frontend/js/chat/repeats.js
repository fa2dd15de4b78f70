/**
 * Lists of an answer that only repeat what stands beside it: the rows of its table, the steps of its route. Only a list whose
 * every item is found there counts; one that says anything more is the answer's own. Pure.
 */

/** @import { JsonValue, Message, RouteStep, TableContent } from "../types.js" */

const NUMBER = /-?\d[\d,]*(?:\.\d+)?/g;
/** Words that may stand beside the numbers of an item: a unit, a noun. */
const MOST_WORDS = 3;
/** Letters of a step beside its room and its length: "3 m進み、ドアを通ってLevel2に入ります。" has 14. */
const MOST_LETTERS = 16;

/**
 * @param {string[]} items the list, an item each
 * @param {Pick<Message, "type" | "content">[]} results what is shown with the answer
 * @returns {boolean}
 */
export function isRepeated(items, results) {
  if (items.length === 0) return false;
  return results.some(({ type, content }) => {
    if (type === "table") return inTable(items, /** @type {TableContent} */ (content));
    if (type !== "map") return false;
    const { overlays = [] } = /** @type {import("../types.js").MapContent} */ (content);
    return overlays.some((overlay) => overlay.type === "route" && inRoute(items, overlay.steps));
  });
}

/** @param {string[]} items @param {RouteStep[]} steps */
function inRoute(items, steps) {
  return (
    items.length === steps.length && steps.every((step, at) => repeatsStep(plain(items[at] ?? ""), step))
  );
}

/** Whether an item says a step and little else, in another language perhaps. @param {string} item @param {RouteStep} step */
function repeatsStep(item, { action, text, room, toFloorId }) {
  if (item === plain(text)) return true;
  const place = plain(room ?? "");
  if (action === "change" ? !toFloorId : !place || !item.includes(place)) return false; // the floor has another name there
  const letters = item.replace(place, "").replace(NUMBER, "").match(/\p{L}/gu) ?? [];
  return letters.length <= MOST_LETTERS;
}

/** @param {string[]} items @param {TableContent} table */
function inTable(items, { columns, rows }) {
  const names = columns.map(({ name }) => plain(name));
  const cells = rows.map((cells) => ({
    labels: new Set([...names, ...cells.map((cell) => plain(String(cell ?? "")))]),
    cells,
  }));
  return items.every((item) => {
    const read = labelAndNumbers(item);
    return (
      read !== null &&
      cells.some(
        ({ labels, cells }) =>
          (labels.has(read.label) || read.labels.every((label) => labels.has(label))) &&
          read.numbers.every((number) => cells.some((cell) => shows(number, cell))),
      )
    );
  });
}

/**
 * "First, female: 1,106.13 EUR" in its parts; null for what is not of that form.
 *
 * @param {string} item
 */
function labelAndNumbers(item) {
  const [, label = "", value = ""] = /^([^]*?)[:：]\s*([^:：]*)$/.exec(item.trim()) ?? [];
  const numbers = value.match(NUMBER) ?? [];
  const tokens = value
    .replace(NUMBER, " ")
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word));
  if (label.trim() === "" || numbers.length === 0 || tokens.length > MOST_WORDS) return null;
  return {
    label: plain(label),
    labels: label.split(/[,、/]/).map(plain),
    numbers: numbers.map((number) => number.replaceAll(",", "")),
  };
}

/** Whether a number as it is written is a cell, rounded as it is written. @param {string} written @param {JsonValue} cell */
function shows(written, cell) {
  if (typeof cell !== "number") return String(cell ?? "") === written;
  const decimals = written.split(".")[1]?.length ?? 0;
  return Math.abs(cell - Number(written)) <= 0.5 * 10 ** -decimals + 1e-9 * Math.abs(cell);
}

/** @param {string} text @returns {string} without case, and without spaces at its ends and twice in a row */
const plain = (text) => text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
