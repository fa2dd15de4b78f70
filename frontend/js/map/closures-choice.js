// @ts-check
/**
 * Choice of what to close on a floor: a list, or on a floor with many parts a field that finds them by name. A list of
 * all parts of a large floor would freeze the page.
 */

import { el } from "../core/dom.js";
import { partKey, partName, partsOf } from "./closures.js";

/** @import { Closure, Floor, MapDefinitionContent, Translate } from "../types.js" */
/** @typedef {{ part: Closure, name: string, folded: string }} Offer */

/** Parts of a floor up to which all of them are listed, and matches that the field suggests. */
const LISTED = 500;
const SUGGESTED = 50;
const SUGGESTIONS_ID = "map-closures-suggestions";

export class PartChoice {
  /** @param {Translate} t @param {{ press: () => void, changed: () => void }} on */
  constructor(t, { press, changed }) {
    this.t = t;
    /** @type {Offer[]} */
    this.offers = [];
    /** @type {ReadonlySet<string>} */
    this.closed = new Set();
    /** @type {Map<string, HTMLOptionElement>} */
    this.options = new Map();
    this.list = el("select", {});
    this.suggestions = el("datalist", { id: SUGGESTIONS_ID });
    this.field = el("input", {
      type: "text",
      list: SUGGESTIONS_ID,
      autocomplete: "off",
      on: {
        input: () => {
          this.suggest();
          changed();
        },
        keydown: (event) => event.key === "Enter" && !event.isComposing && press(),
      },
    });
    this.dom = el("div", { class: "map-closures-part" }, this.list);
    /** Inputs of the offers. @type {unknown[]} */
    this.drawnFor = [];
  }

  get isLong() {
    return this.offers.length > LISTED;
  }

  /** @param {MapDefinitionContent} building @param {Floor} floor @param {ReadonlySet<string>} closed keys of the closed parts */
  show(building, floor, closed) {
    const { t } = this;
    this.closed = closed;
    const inputs = [t.language, building, floor];
    if (inputs.some((input, at) => input !== this.drawnFor[at])) {
      this.drawnFor = inputs;
      this.offer(building, floor);
    }
    if (this.isLong) this.suggest();
    else
      keepChildren(
        this.list,
        [...this.options].flatMap(([key, node]) => (closed.has(key) ? [] : [node])),
      );
  }

  /** Offer the parts of another floor or in another language. @param {MapDefinitionContent} building @param {Floor} floor */
  offer(building, floor) {
    const { t, list, field } = this;
    const chosen = list.value;
    this.offers = offersOf(building, floor, t);
    const parts = this.isLong ? [] : this.offers;
    this.options = new Map(
      parts.map(({ part, name }) => [partKey(part), el("option", { value: partKey(part) }, name)]),
    );
    list.replaceChildren(...this.options.values());
    if (this.options.has(chosen)) list.value = chosen;
    keepChildren(this.dom, this.isLong ? [field, this.suggestions] : [list]);
    field.value = "";
    field.placeholder = t("closing.find");
    for (const node of [list, field]) node.setAttribute("aria-label", t("closing.choice"));
  }

  /** Suggest what the typed text finds. */
  suggest() {
    const matches = matchesOf(this.offers, this.field.value, this.closed, SUGGESTED);
    keepChildren(
      this.suggestions,
      matches.map(({ name }) => el("option", { value: name })),
    );
  }

  /** Return the chosen part; null if nothing open has the typed name. */
  get part() {
    if (this.isLong) return typedPart(this.offers, this.field.value, this.closed);
    return this.offers.find(({ part }) => partKey(part) === this.list.value)?.part ?? null;
  }

  /** Forget the typed text. */
  clear() {
    this.field.value = "";
    if (this.isLong) this.suggest();
  }

  focus() {
    (this.isLong ? this.field : this.list).focus();
  }
}

/**
 * Return everything that can be closed on a floor, with its name.
 *
 * @param {MapDefinitionContent} building
 * @param {Floor} floor
 * @param {Translate} t
 * @returns {Offer[]}
 */
export function offersOf(building, floor, t) {
  /** Parts with each name so far: two doors may join the same two rooms. @type {Map<string, number>} */
  const counts = new Map();
  return partsOf(building, floor).map((part) => {
    const same = partName(part, building, t);
    const n = (counts.get(same) ?? 0) + 1;
    counts.set(same, n);
    const name = n === 1 ? same : `${same} (${n})`;
    return { part, name, folded: fold(name) };
  });
}

/**
 * Return open parts whose names contain a text: that name itself first, then names that start with it.
 *
 * @param {readonly Offer[]} offers
 * @param {string} typed
 * @param {ReadonlySet<string>} closed
 * @param {number} most
 */
export function matchesOf(offers, typed, closed, most) {
  const text = fold(typed);
  /** @type {Offer[]} */
  const matches = [];
  if (text === "") return matches;
  const fits = [
    (/** @type {string} */ name) => name === text,
    (/** @type {string} */ name) => name !== text && name.startsWith(text),
    (/** @type {string} */ name) => !name.startsWith(text) && name.includes(text),
  ];
  for (const fit of fits)
    for (const offer of offers) {
      if (matches.length === most) return matches;
      if (fit(offer.folded) && !closed.has(partKey(offer.part))) matches.push(offer);
    }
  return matches;
}

/**
 * Return the open part of a typed name, or the only one whose name contains it.
 *
 * @param {readonly Offer[]} offers
 * @param {string} typed
 * @param {ReadonlySet<string>} closed
 * @returns {Closure | null}
 */
export function typedPart(offers, typed, closed) {
  const [first, other] = matchesOf(offers, typed, closed, 2);
  return first && (!other || first.folded === fold(typed)) ? first.part : null;
}

/** @param {string} text */
function fold(text) {
  return text.normalize("NFKC").toLowerCase().trim();
}

/**
 * Give an element its children in order. Those that stay are not touched, so that focus in them stays.
 *
 * @param {Element} parent
 * @param {readonly Element[]} nodes
 */
export function keepChildren(parent, nodes) {
  const listed = new Set(nodes);
  for (const child of [...parent.children]) if (!listed.has(child)) child.remove();
  for (const [at, node] of nodes.entries())
    if (parent.children[at] !== node) parent.insertBefore(node, parent.children[at] ?? null);
}
