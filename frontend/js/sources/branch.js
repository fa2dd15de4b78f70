/** Expandable line in the tree of sources. Its items load when it first opens, and again after an error. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { sheetButton } from "../core/sheet.js";

/** @import { Translate } from "../types.js" */

/**
 * Create the line.
 *
 * @param {object} what
 * @param {string} what.name
 * @param {string} [what.detail]
 * @param {Parameters<typeof icon>[0]} what.sign
 * @param {Translate} what.t
 * @param {HTMLElement[]} [what.acts] buttons after it
 * @param {() => Promise<HTMLElement[]>} what.load loads its items
 * @returns {HTMLElement} an item of a list
 */
export function branch({ name, detail = "", sign, t, acts = [], load }) {
  const list = el("ul", { class: "source-list", hidden: true });
  const button = el(
    "button",
    { type: "button", class: "source-branch", "aria-expanded": "false", on: { click: () => void toggle() } },
    icon("chevron-right"),
    icon(sign),
    el("span", { class: "source-name" }, name),
    detail && el("span", { class: "source-detail" }, detail),
  );
  let loaded = false;
  async function toggle() {
    const opens = list.hidden;
    list.hidden = !opens;
    button.setAttribute("aria-expanded", String(opens));
    if (!opens || loaded) return;
    loaded = true;
    list.replaceChildren(leaf(t("shared.loading")));
    try {
      const items = await load();
      list.replaceChildren(...(items.length > 0 ? items : [leaf(t("sources.empty"))]));
    } catch (fault) {
      loaded = false;
      list.replaceChildren(
        el("li", {}, el("p", { class: "sheet-fault", role: "alert" }, errorText(fault, t))),
      );
    }
  }
  return el("li", {}, el("div", { class: "source-line" }, button, acts), list);
}

/** Create a line without items. @param {string} label @param {string} [detail] */
export const leaf = (label, detail = "") =>
  el(
    "li",
    { class: "source-leaf" },
    el("span", { class: "source-name" }, label),
    detail && el("span", { class: "source-detail" }, detail),
  );

/** Return the text of an error. @param {unknown} fault @param {Translate} t */
export function errorText(fault, t) {
  return fault instanceof TypeError || !(fault instanceof Error) ? t("shared.no_answer") : fault.message;
}

/**
 * Create a small button.
 *
 * @param {string} label
 * @param {string} fullLabel label for screen readers
 * @param {() => void} press
 */
export function smallButton(label, fullLabel, press) {
  const button = sheetButton(label, press);
  button.classList.add("small");
  button.setAttribute("aria-label", fullLabel);
  return button;
}
