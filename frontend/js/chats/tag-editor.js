/** Editor of a chat's tags in its row: a field with completions, and a button for each tag that removes it. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { cleanTag, tagFault } from "./tag-words.js";
import { TitleField } from "./title-field.js";

/** @import { Translate } from "../types.js" */

/** Id of the list of all tags, which completes the field. */
export const TAG_NAMES = "chats-tag-names";

export class TagEditor extends TitleField {
  /**
   * @param {object} needs
   * @param {Translate} needs.t
   * @param {string} needs.title title of the chat
   * @param {string[]} needs.tags
   * @param {(tags: string[]) => Promise<void>} needs.save throws the server's error
   * @param {(focus: boolean) => void} needs.done called at the end, with whether the editor had the focus
   */
  constructor({ t, title, tags, save, done }) {
    super({
      t,
      title: "",
      label: t("tags.add_to", { title }),
      check: (typed) => tagFault(typed, t, this.tags),
      rename: (typed) => save([...this.tags, cleanTag(typed)]),
      done,
    });
    this.tags = tags;
    this.store = save;
    this.field.setAttribute("list", TAG_NAMES);
    this.field.placeholder = t("tags.add");
    this.chips = el("span", { class: "chats-tags" });
    this.dom.classList.add("chats-tag-edit");
    this.dom.prepend(this.chips);
    this.update(tags);
  }

  /** @param {string[]} tags */
  update(tags) {
    this.tags = tags;
    if (this.chips.contains(document.activeElement)) this.field.focus();
    this.chips.replaceChildren(...tags.map((tag) => this.chip(tag)));
  }

  /** @param {string} tag */
  chip(tag) {
    const remove = () => this.attempt(() => this.store(this.tags.filter((name) => name !== tag)));
    return tagButton(tag, this.t("tags.remove", { tag }), remove, true);
  }

  /** Go on with the next tag, unless the editor was left. @override @param {boolean} focus */
  saved(focus) {
    this.field.value = "";
    if (!focus) this.end(false);
  }

  /** @override @param {string} problem */
  showError(problem) {
    super.showError(problem);
    if (problem) this.dom.scrollIntoView({ block: "nearest" });
  }
}

/**
 * Create the button of a tag.
 *
 * @param {string} tag
 * @param {string} label what it does
 * @param {() => void} press
 * @param {boolean} [removes] whether it shows a cross
 */
export function tagButton(tag, label, press, removes = false) {
  return el(
    "button",
    {
      class: "chats-tag",
      type: "button",
      "aria-label": label,
      title: label,
      "data-tag": tag,
      on: { click: press },
    },
    el("bdi", {}, tag),
    removes && icon("close"),
  );
}
