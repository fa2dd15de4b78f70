/**
 * Tags above the list of chats: all with their numbers of chats, or the one that filters the list, which can be renamed
 * and removed here. Without tags it is empty.
 */

import { el } from "../core/dom.js";
import { translateRefusal } from "../core/fault-words.js";
import { sheetButton } from "../core/sheet.js";
import { removeTag, renameTag } from "./api.js";
import { publishChange } from "./others.js";
import { action } from "./row.js";
import { TAG_NAMES, tagButton } from "./tag-editor.js";
import { cleanTag, tagFault } from "./tag-words.js";
import { TitleField } from "./title-field.js";

/** @import { ChatsState, Translate } from "../types.js" */

export class TagBar {
  /**
   * @param {object} needs
   * @param {Translate} needs.t
   * @param {(tag: string) => void} needs.filter shows the chats with a tag, or all
   */
  constructor({ t, filter }) {
    this.t = t;
    this.filter = filter;
    this.drawn = "";
    /** @type {Pick<ChatsState, "tag" | "tags" | "archived">} */
    this.chats = { tag: "", tags: [], archived: false };
    /** Whether the tag is being renamed, or about to be removed. */
    this.busy = false;
    this.names = el("datalist", { id: TAG_NAMES });
    this.fault = el("p", { class: "chats-row-fault", role: "alert", hidden: true });
    this.row = el("div", {
      class: "chats-tags",
      role: "group",
      on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
    });
    this.dom = el("div", { class: "chats-tag-bar" }, this.row, this.fault, this.names);
  }

  /** @param {ChatsState} chats */
  update({ tag, tags, archived }) {
    const facts = JSON.stringify([tag, tags, archived, this.t.language]);
    const isNewFilter = tag !== "" && tag !== this.chats.tag;
    this.chats = { tag, tags, archived };
    if (facts === this.drawn || (this.busy && tag !== "")) return;
    this.drawn = facts;
    this.names.replaceChildren(...tags.map(({ name }) => el("option", { value: name })));
    this.draw(isNewFilter);
  }

  /** @param {boolean} [focus] whether the filter gets the focus */
  draw(focus = false) {
    const { tag, tags, archived } = this.chats;
    this.busy = false;
    this.fault.hidden = true;
    this.row.setAttribute("aria-label", this.t("tags.title"));
    const before = this.row.contains(document.activeElement) ? document.activeElement : null;
    const shown = tags.filter((item) => (archived ? item.archived : item.chats) > 0);
    this.row.replaceChildren(
      ...(tag
        ? this.filterParts(tag)
        : shown.map(({ name, ...counts }) => this.choice(name, archived ? counts.archived : counts.chats))),
    );
    this.row.hidden = tag === "" && shown.length === 0;
    const name = focus ? tag : before instanceof HTMLElement && before.dataset.tag;
    if (name)
      /** @type {HTMLElement | null} */ (this.row.querySelector(`[data-tag="${CSS.escape(name)}"]`))?.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "Escape" || !this.busy) return;
    event.preventDefault(); // it would close the drawer
    this.draw(true);
  }

  /** @param {string} tag @param {number} count */
  choice(tag, count) {
    const button = tagButton(tag, this.t("tags.show", { tag, n: count }), () => this.filter(tag));
    button.dataset.count = String(count);
    return button;
  }

  /** @param {string} tag */
  filterParts(tag) {
    const { t } = this;
    return [
      tagButton(tag, t("tags.clear", { tag }), () => this.filter(""), true),
      action("pencil", () => this.rename(tag), t("tags.rename", { tag })),
      action("trash", () => this.confirm(tag), t("tags.remove_all", { tag })),
    ];
  }

  /** @param {string} tag */
  rename(tag) {
    const { t } = this;
    this.busy = true;
    const field = new TitleField({
      t,
      title: tag,
      label: t("tags.rename", { tag }),
      check: (typed) => tagFault(typed, t),
      rename: async (typed) => {
        const { name } = await translateRefusal(t, () => renameTag(tag, cleanTag(typed)));
        publishChange({});
        this.filter(name);
      },
      done: (focus) => this.draw(focus),
    });
    this.row.replaceChildren(field.dom);
    field.focus();
  }

  /** @param {string} tag */
  confirm(tag) {
    const { t } = this;
    this.busy = true;
    const { chats, archived } = this.chats.tags.find(({ name }) => name === tag) ?? { chats: 0, archived: 0 };
    const cancel = sheetButton(t("shared.cancel"), () => this.draw(true));
    this.row.replaceChildren(
      el("p", {}, t("tags.confirm", { tag, n: chats + archived })),
      sheetButton(t("shared.remove"), () => this.remove(tag)),
      cancel,
    );
    cancel.focus();
  }

  /** @param {string} tag */
  async remove(tag) {
    try {
      await translateRefusal(this.t, () => removeTag(tag));
      publishChange({});
      this.filter("");
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      this.draw(true);
      this.fault.textContent = fault instanceof TypeError ? this.t("shared.no_answer") : fault.message;
      this.fault.hidden = false;
    }
  }
}
