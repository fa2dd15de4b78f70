/** Data that an agent gave as data: a tree that opens and folds, and a copy of the whole. */

import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { jsonTree } from "../core/json-tree.js";

/** @import { Json, Translate } from "../types.js" */

const COPIED_FOR = 1600;

/**
 * @param {Json} message
 * @param {Translate} t
 * @returns {HTMLElement}
 */
export function jsonBlock({ content, name }, t) {
  const words = el("span", {}, t("chat.copy"));
  const copy = el("button", { class: "quiet-button", type: "button" }, icon("copy"), words);
  copy.addEventListener("click", async () => {
    words.textContent = t((await copyText(JSON.stringify(content, null, 2))) ? "chat.copied" : "chat.not_copied");
    window.setTimeout(() => { words.textContent = t("chat.copy"); }, COPIED_FOR);
  });
  const body = el("div", { class: "json-body", tabindex: "0", role: "region", "aria-label": name ?? t("json.data") }, jsonTree(content, t));
  const fold = el("button", { class: "json-fold", type: "button", "aria-expanded": "true" }, icon("chevron-down"), name ?? t("json.data"));
  fold.addEventListener("click", () => {
    body.hidden = !body.hidden;
    fold.setAttribute("aria-expanded", String(!body.hidden));
  });
  return el("figure", { class: "json-block" },
    el("figcaption", { class: "json-head" }, fold, el("span", { class: "json-size" }, extent(content, t)), copy), body);
}

/** @param {unknown} content @param {Translate} t */
function extent(content, t) {
  if (typeof content !== "object" || content === null) return "";
  const n = Object.keys(content).length;
  return n === 1 ? t("json.item") : t("json.items", { n: t.number(n) });
}
