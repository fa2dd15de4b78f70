/** Marks what differs between the results of two versions of an answer: text, cells of tables, code of steps. */

/** @import { Translate, Turn } from "../types.js" */

const MARK = "data-differs";

/**
 * Mark cells and passages that differ in both results, and return a sentence about all differences.
 *
 * @param {{ turn: Turn | null, result: HTMLElement }} first
 * @param {{ turn: Turn | null, result: HTMLElement }} second
 * @param {Translate} t
 */
export function markDifferences(first, second, t) {
  unmark(first.result);
  const tables = [first, second].map(({ result }) => [...result.querySelectorAll("table")]);
  const cells = pairs(tables[0] ?? [], tables[1] ?? []).reduce(
    (sum, [one, other]) => sum + marked(cellsOf(one), cellsOf(other)),
    0,
  );
  const texts = marked(textsIn(first.result), textsIn(second.result));
  const [codes, others] = [first, second].map(({ turn }) => codeOf(turn));
  const steps = pairs(codes ?? [], others ?? []).filter(([one, other]) => one !== other).length;
  const counts = Object.entries({ texts, cells, steps }).filter(([, n]) => n > 0);
  return counts.length
    ? t("version.differs", {
        what: t.list(counts.map(([kind, n]) => t(`version.${kind}`, { n: t.number(n) }))),
      })
    : t("version.alike");
}

/** Remove the marks of an earlier comparison. @param {HTMLElement} result */
export function unmark(result) {
  for (const element of result.querySelectorAll(`[${MARK}]`)) element.removeAttribute(MARK);
}

/** @param {Element | undefined} table */
const cellsOf = (table) => [...(table?.querySelectorAll("tbody td") ?? [])];

/** Return the figures of the text, and passages without marked figures. @param {HTMLElement} result */
const textsIn = (result) => [
  ...result.querySelectorAll(".figure-mark, .answer :is(p, li):not(:has(.figure-mark))"),
];

/** @param {Turn | null} turn */
const codeOf = (turn) =>
  turn?.blocks.flatMap((block) => (block.kind === "step" ? [block.code?.content ?? ""] : [])) ?? [];

/** Mark elements of the same place with other texts. @param {Element[]} elements @param {Element[]} others */
function marked(elements, others) {
  const differing = pairs(elements, others).filter(([one, other]) => one?.textContent !== other?.textContent);
  for (const element of differing.flat()) element?.setAttribute(MARK, "");
  return differing.length;
}

/**
 * @template Item
 * @param {Item[]} items
 * @param {Item[]} others
 * @returns {[Item | undefined, Item | undefined][]}
 */
const pairs = (items, others) =>
  Array.from({ length: Math.max(items.length, others.length) }, (_, at) => [items[at], others[at]]);
