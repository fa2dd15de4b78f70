/** Editor of a chat's tags in its row: a field with completions, and a button for each tag that removes it. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { cleanTag, tagFault } from "./tag-words.js";

/** @import { Translate } from "../types.js" */

/** Id of the list of all tags, which completes the field. */
export const TAG_NAMES = "chats-tag-names";

export class TagEditor {
  /**
   * @param {object} needs
   * @param {Translate} needs.t
   * @param {string} needs.title title of the chat
   * @param {string[]} needs.tags
   * @param {(tags: string[]) => Promise<void>} needs.save throws the server's error
   * @param {(focus: boolean) => void} needs.done called at the end, with whether the editor had the focus
   */
  constructor({ t, title, tags, save, done }) {
    this.t = t;
    this.tags = tags;
    this.save = save;
    this.done = done;
    this.over = false;
    this.fault = el("p", { class: "title-fault", id: "chats-tag-fault", role: "alert", hidden: true });
    this.field = el("input", {
      class: "title-field",
      type: "text",
      list: TAG_NAMES,
      placeholder: t("tags.add"),
      "aria-label": t("tags.add_to", { title }),
      "aria-describedby": "chats-tag-fault",
      autocomplete: "off",
      on: { input: () => this.showError("") },
    });
    this.chips = el("span", { class: "chats-tags" });
    this.dom = el(
      "div",
      {
        class: "chats-tag-edit",
        on: {
          keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
          focusout: (/** @type {FocusEvent} */ { relatedTarget }) => {
            if (!this.dom.contains(/** @type {Node | null} */ (relatedTarget))) void this.leave();
          },
        },
      },
      this.chips,
      this.field,
      this.fault,
    );
    this.update(tags);
  }

  /** @param {string[]} tags */
  update(tags) {
    this.tags = tags;
    if (this.chips.contains(document.activeElement)) this.field.focus();
    this.chips.replaceChildren(
      ...tags.map((tag) =>
        tagButton(
          tag,
          this.t("tags.remove", { tag }),
          () => this.set(tags.filter((name) => name !== tag)),
          true,
        ),
      ),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    event.stopPropagation();
    // keyCode 229: Safari ends a composition before the keydown of its Enter
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") this.end(true);
    else if (event.key !== "Enter" || event.target !== this.field) return;
    else if (cleanTag(this.field.value) === "") this.end(true);
    else void this.add();
    event.preventDefault();
  }

  /** Add the tag in the field. @returns {Promise<boolean>} whether it was added */
  async add() {
    const fault = tagFault(this.field.value, this.t, this.tags);
    if (fault) this.showError(fault);
    const isAdded = !fault && (await this.set([...this.tags, cleanTag(this.field.value)]));
    if (isAdded) this.field.value = "";
    return isAdded;
  }

  /** End after a click elsewhere, which adds the tag in the field. */
  async leave() {
    if (!this.over && (cleanTag(this.field.value) === "" || (await this.add()))) this.end(false);
  }

  /** @param {boolean} focus */
  end(focus) {
    if (this.over) return;
    this.over = true; // removing the focused field is a focusout, too
    this.done(focus);
  }

  /** @param {string[]} tags @returns {Promise<boolean>} whether the server took them */
  async set(tags) {
    if (this.field.readOnly) return false;
    this.field.readOnly = true;
    try {
      await this.save(tags);
      this.showError("");
      return true;
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      this.showError(fault instanceof TypeError ? this.t("shared.no_answer") : fault.message);
      return false;
    } finally {
      this.field.readOnly = false;
    }
  }

  /** @param {string} problem */
  showError(problem) {
    this.fault.textContent = problem;
    this.fault.hidden = problem === "";
    this.field.setAttribute("aria-invalid", String(problem !== ""));
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
