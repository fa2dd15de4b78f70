/**
 * Detection of lists and tables in an answer that only repeat its results: the rows of a table, the steps of a route. One
 * counts only if every item is found in the results; one with any further information is kept. Pure.
 */

/** @import { JsonValue, Message, RouteStep, TableContent } from "../types.js" */

const NUMBER = /-?\d[\d,]*(?:\.\d+)?/g;
/** Maximum number of words next to the numbers of an item: a unit, a noun. */
const MAX_WORDS = 3;
/** Maximum letters of a step besides its room and length: "3 m進み、ドアを通ってLevel2に入ります。" has 14. */
const MAX_LETTERS = 16;

/**
 * Check whether a list repeats the results.
 *
 * @param {string[]} items items of the list
 * @param {Pick<Message, "type" | "content">[]} results messages shown with the answer
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

/**
 * Check whether rows of text, the head first, are the shown rows of a table among the results. The index of a data frame
 * may stand in front.
 *
 * @param {string[][]} lines
 * @param {Pick<Message, "type" | "content">[]} results
 */
export function isRepeatedTable(lines, results) {
  return results.some(({ type, content }) => {
    if (type !== "table") return false;
    const { columns, rows } = /** @type {TableContent} */ (content);
    const from = lines[0]?.length === columns.length + 1 && lines[0][0] === "" ? 1 : 0;
    const expected = [columns.map(({ name }) => name), ...rows];
    return (
      lines.length === expected.length &&
      expected.every((cells, at) => cells.every((cell, n) => isWritten(lines[at]?.[n + from] ?? "", cell)))
    );
  });
}

/** Check whether a text is a cell as people write it. @param {string} text @param {JsonValue} cell */
function isWritten(text, cell) {
  if (cell === null) return /^(|[-–—]|nan|none|null|nat|<na>)$/i.test(text);
  if (typeof cell === "number") return text !== "" && equalsCell(text.replaceAll(",", ""), cell);
  return plain(text) === plain(typeof cell === "object" ? JSON.stringify(cell) : String(cell));
}

/** @param {string[]} items @param {RouteStep[]} steps */
function inRoute(items, steps) {
  return (
    items.length === steps.length && steps.every((step, at) => repeatsStep(plain(items[at] ?? ""), step))
  );
}

/**
 * Check whether an item says a step and little else, perhaps in another language.
 *
 * @param {string} item
 * @param {RouteStep} step
 */
function repeatsStep(item, { action, text, room, toFloorId }) {
  if (item === plain(text)) return true;
  const place = plain(room ?? "");
  // the floor's name may differ between languages
  if (action === "change" ? !toFloorId : !place || !item.includes(place)) return false;
  const letters = item.replace(place, "").replace(NUMBER, "").match(/\p{L}/gu) ?? [];
  return letters.length <= MAX_LETTERS;
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
          read.numbers.every((number) => cells.some((cell) => equalsCell(number, cell))),
      )
    );
  });
}

/** Split "First, female: 1,106.13 EUR" into its parts. Returns null for other forms. @param {string} item */
function labelAndNumbers(item) {
  const [, label = "", value = ""] = /^([^]*?)[:：]\s*([^:：]*)$/.exec(item.trim()) ?? [];
  const numbers = value.match(NUMBER) ?? [];
  const tokens = value
    .replace(NUMBER, " ")
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word));
  if (label.trim() === "" || numbers.length === 0 || tokens.length > MAX_WORDS) return null;
  return {
    label: plain(label),
    labels: label.split(/[,、/]/).map(plain),
    numbers: numbers.map((number) => number.replaceAll(",", "")),
  };
}

/**
 * Check whether a number, as it is rounded in the text, equals a cell.
 *
 * @param {string} written
 * @param {JsonValue} cell
 */
function equalsCell(written, cell) {
  if (typeof cell !== "number") return String(cell ?? "") === written;
  const decimals = written.split(".")[1]?.length ?? 0;
  return Math.abs(cell - Number(written)) <= 0.5 * 10 ** -decimals + 1e-9 * Math.abs(cell);
}

/** Normalise a text: lower case, single spaces, trimmed. @param {string} text @returns {string} */
const plain = (text) => text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
