// @ts-check
/**
 * Tools of a JSON tree: search, moving between matches, copying a value or its path. The tree opens lazily, so the
 * search runs on the value, and the branches of a match are opened one by one.
 */

import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { jsonTree } from "../core/json-tree.js";

/** @import { Translate } from "../types.js" */

const MAX_MATCHES = 1000;
const COPIED_MS = 1500;

export class JsonTools {
  /** @param {unknown} value @param {Translate} t */
  constructor(value, t) {
    this.value = value;
    this.t = t;
    /** @type {string[][]} */
    this.matches = [];
    this.at = -1;
    /** Current item. @type {HTMLElement | null} */
    this.current = null;
    this.tree = jsonTree(value, t);
    this.tree.addEventListener("click", (event) => this.pick(event));
    this.tree.addEventListener("keydown", (event) => this.key(event));
    this.tree.addEventListener("focusin", (event) => this.pick(event));
    this.field = el("input", {
      type: "search",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: t("json.search"),
      "aria-label": t("json.search"),
      on: {
        input: () => this.search(),
        keydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Enter") this.go(event.shiftKey ? -1 : 1);
          if (event.key === "Escape" && this.field.value !== "") {
            event.stopPropagation();
            this.field.value = "";
            this.search();
          }
        },
      },
    });
    this.count = el("span", { class: "json-count", role: "status" });
    this.path = el("output", { class: "json-path" });
    this.copyValue = this.button("copy", "json.copy_value", () => text(valueAt(this.value, this.keys())));
    this.copyPath = this.button("pin", "json.copy_path", () => pathText(this.keys()));
    this.dom = el(
      "div",
      { class: "json-tools" },
      el(
        "div",
        { class: "json-bar" },
        el("label", { class: "json-search" }, icon("search"), this.field),
        this.count,
      ),
      el("div", { class: "json-bar json-at" }, this.path, this.copyValue, this.copyPath),
      this.tree,
    );
    this.makeFocusable(this.tree);
  }

  /** @param {string} drawing @param {string} key @param {() => string} act */
  button(drawing, key, act) {
    const label = this.t(key);
    const button = el(
      "button",
      {
        type: "button",
        class: "json-copy",
        "aria-label": label,
        title: label,
        on: {
          click: async () => {
            if (!(await copyText(act()))) return;
            button.replaceChildren(icon("check"), label);
            window.setTimeout(() => button.replaceChildren(icon(drawing), label), COPIED_MS);
          },
        },
      },
      icon(drawing),
      label,
    );
    return button;
  }

  /** Make leaves reachable by arrow keys; summaries are by default. @param {Element} part */
  makeFocusable(part) {
    for (const leaf of part.querySelectorAll(".json-leaf:not([tabindex])"))
      leaf.setAttribute("tabindex", "-1");
  }

  /** @param {Event} event */
  pick({ target }) {
    const item =
      target instanceof Element
        ? /** @type {HTMLElement | null} */ (target.closest(".json-leaf, summary"))
        : null;
    if (item && item !== this.current) this.mark(item);
  }

  /** @param {HTMLElement} item */
  mark(item) {
    this.current?.removeAttribute("data-current");
    if (this.current?.matches(".json-leaf")) this.current.tabIndex = -1;
    this.current = item;
    if (item.matches(".json-leaf")) item.tabIndex = 0;
    item.setAttribute("data-current", "");
    this.path.textContent = pathText(this.keys());
  }

  /** Return the path of the current item. @returns {string[]} keys */
  keys() {
    /** @type {string[]} */
    const keys = [];
    for (let at = this.current; at && at !== this.tree; at = at.parentElement) {
      const key = at.matches(".json-leaf")
        ? at.querySelector(":scope > .json-key")
        : at.matches("details")
          ? at.querySelector(":scope > summary > .json-key")
          : null;
      if (key) keys.unshift(key.textContent ?? "");
    }
    return keys;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const item = event.target instanceof Element ? event.target.closest(".json-leaf, summary") : null;
    const branch = item?.matches("summary") ? item.parentElement : null;
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    if (
      branch instanceof HTMLDetailsElement &&
      (event.key === "ArrowRight" || event.key === "ArrowLeft") &&
      branch.open !== (event.key === "ArrowRight")
    )
      branch.open = !branch.open;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      this.makeFocusable(this.tree);
      const visible = [...this.tree.querySelectorAll(".json-leaf, summary")].filter(
        (element) => element instanceof HTMLElement && element.offsetParent !== null,
      );
      const next = visible[visible.indexOf(item) + (event.key === "ArrowDown" ? 1 : -1)];
      if (next instanceof HTMLElement) next.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  search() {
    const query = this.field.value.trim().toLowerCase();
    this.matches = query === "" ? [] : pathsTo(this.value, query);
    this.at = -1;
    if (this.matches.length > 0) this.go(1);
    else this.showCount();
  }

  /** @param {1 | -1} step */
  go(step) {
    const { length } = this.matches;
    if (length === 0) return;
    this.at = (this.at + step + length) % length;
    const item = this.opened(/** @type {string[]} */ (this.matches[this.at]));
    if (item) {
      this.mark(item);
      item.scrollIntoView({ block: "nearest" });
    }
    this.showCount();
  }

  showCount() {
    const { length } = this.matches;
    this.count.textContent =
      this.field.value.trim() === ""
        ? ""
        : length === 0
          ? this.t("json.none")
          : this.t("shared.position", {
              n: this.at + 1,
              count: `${this.t.number(length)}${length === MAX_MATCHES ? "+" : ""}`,
            });
  }

  /** Open the tree down to an item. @param {string[]} keys @returns {HTMLElement | null} */
  opened(keys) {
    /** @type {Element} */
    let box = this.tree;
    for (const [depth, key] of keys.entries()) {
      const item = itemIn(box, key);
      if (!item) return null;
      if (!(item instanceof HTMLDetailsElement)) return item;
      if (depth === keys.length - 1) return item.querySelector("summary");
      if (!item.open) {
        item.open = true;
        // the browser's own toggle event, which fills the branch, fires asynchronously
        item.dispatchEvent(new Event("toggle"));
      }
      box = item.querySelector(":scope > .json-branch") ?? item;
    }
    return null;
  }
}

/**
 * Find the item of a key in a branch, and load further parts of the branch if needed.
 *
 * @param {Element} box
 * @param {string} key
 * @returns {HTMLElement | null}
 */
function itemIn(box, key) {
  for (;;) {
    for (const child of box.children) {
      const name = child.querySelector(":scope > .json-key, :scope > summary > .json-key");
      if (name?.textContent === key) return /** @type {HTMLElement} */ (child);
    }
    const more = box.querySelector(":scope > .json-more");
    if (!(more instanceof HTMLElement)) return null;
    more.click();
  }
}

/**
 * Return the paths of matching keys and values.
 *
 * @param {unknown} value
 * @param {string} query in lower case
 * @returns {string[][]}
 */
export function pathsTo(value, query) {
  /** @type {string[][]} */
  const paths = [];
  const walk = (/** @type {unknown} */ node, /** @type {string[]} */ path) => {
    if (paths.length >= MAX_MATCHES) return;
    const isBranch = typeof node === "object" && node !== null;
    const key = path.at(-1) ?? "";
    if (
      path.length &&
      (key.toLowerCase().includes(query) || (!isBranch && String(node).toLowerCase().includes(query)))
    )
      paths.push(path);
    if (isBranch) for (const [name, inner] of Object.entries(node)) walk(inner, [...path, name]);
  };
  walk(value, []);
  return paths;
}

/** Format a path as JavaScript: content.rows[0]["a b"]. @param {string[]} keys */
export function pathText(keys) {
  return keys
    .map((key, at) =>
      /^(0|[1-9]\d*)$/.test(key)
        ? `[${key}]`
        : /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)
          ? at
            ? `.${key}`
            : key
          : `[${JSON.stringify(key)}]`,
    )
    .join("");
}

/** @param {unknown} value @param {string[]} keys */
function valueAt(value, keys) {
  return keys.reduce((/** @type {any} */ node, key) => node?.[key], value);
}

/** Return a text as it is, any other value as JSON. @param {unknown} value */
const text = (value) => (typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? ""));
