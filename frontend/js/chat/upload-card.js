/**
 * Card of an uploaded file: its settings, columns and first rows, suggested questions, renaming and removal. Errors of
 * the server appear on the card, and everything else stays as it was.
 */

import { changeFile, fileCard, removeFile, testsWithFile } from "../core/api.js";
import { el } from "../core/dom.js";
import { translateRefusal } from "../core/fault-words.js";
import { size } from "../core/format.js";
import { icon } from "../core/icons.js";
import { columnList, firstRows } from "./card-columns.js";
import { skippedLines, readingQuestions } from "./card-questions.js";
import { readingFields } from "./card-reading.js";
import { fileNoteText, refusalText } from "./file-notes.js";

/** @import { DeskBus, FileCard, Translate } from "../types.js" */

export class UploadCard {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {string} needs.chatId
   * @param {string} needs.name name of the file
   * @param {boolean} [needs.stands] whether it has a place of its own, with room for the first rows
   */
  constructor({ bus, t, chatId, name, stands = false }) {
    this.stands = stands;
    this.bus = bus;
    this.t = t;
    this.chatId = chatId;
    this.name = name;
    /** @type {FileCard | null} */
    this.card = null;
    /** Index of the table that is shown. */
    this.chosen = 0;
    /** @type {import("./card-columns.js").ColumnsView} */
    this.columnsView = { search: "", all: false };
    this.busy = false;
    /** Saved tests that use a file of this name. */
    this.tests = 0;
    this.fault = el("p", { class: "card-fault", role: "alert", hidden: true });
    this.parts = el("div", { class: "card-parts" }, el("p", { class: "card-note" }, t("card.loading")));
    this.edge = el("div", { class: "card-edge" });
    this.dom = el(
      "section",
      { class: "upload-card", role: "group", "aria-label": t("card.of", { name }) },
      this.fault,
      this.parts,
      this.edge,
    );
    void this.load();
  }

  /** Follow a new name or new settings, from this page or another. @param {string} name */
  follow(name) {
    this.name = name;
    if (!this.busy) void this.load();
  }

  async load() {
    await this.attempt(async () => this.draw(await fileCard(this.chatId, this.name, this.t.language)));
    this.tests = await testsWithFile(this.name).catch(() => 0);
    if (this.tests) this.actions();
  }

  /**
   * Run a request and show its error.
   *
   * @param {() => Promise<void>} work
   * @returns {Promise<boolean>} whether it succeeded
   */
  async attempt(work) {
    this.busy = true;
    this.dom.setAttribute("aria-busy", "true");
    this.showError("");
    try {
      await translateRefusal(this.t, work);
      return true;
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      this.showError(fault instanceof TypeError ? this.t("shared.no_answer") : refusalText(fault, this.t));
      return false;
    } finally {
      this.busy = false;
      this.dom.removeAttribute("aria-busy");
    }
  }

  /** Show an error. @param {string} problem "" hides it */
  showError(problem) {
    this.fault.textContent = problem;
    this.fault.hidden = problem === "";
  }

  /** Draw the card. @param {FileCard} card @param {string} [focus] name of the field that gets the focus */
  draw(card, focus) {
    const { t } = this;
    this.card = card;
    this.name = card.name;
    this.chosen = Math.min(this.chosen, Math.max(0, card.tables.length - 1));
    const table = card.tables[this.chosen];
    this.dom.setAttribute("aria-label", t("card.of", { name: card.name }));
    const focused = document.activeElement;
    const focusName =
      focus ??
      (focused instanceof HTMLSelectElement && this.parts.contains(focused) ? focused.name : undefined);
    this.parts.replaceChildren(
      ...[
        ...(card.isTableFile
          ? []
          : [el("p", { class: "card-note" }, t("card.no_table", { ending: ending(card.name) }))]),
        ...card.problems.map((text, at) =>
          el(
            "p",
            { class: card.tables.length ? "card-note" : "card-fault" },
            fileNoteText(text, card.problemFacts[at], t),
          ),
        ),
        ...card.notes.map((text, at) =>
          el("p", { class: "card-note" }, fileNoteText(text, card.noteFacts[at], t)),
        ),
        ...(card.readAs ? this.reading(card.readAs) : []),
        this.tables(card),
        ...(table
          ? [
              ...columnList(
                table,
                t,
                card.readAs
                  ? {
                      overrides: card.readAs.types,
                      onChange: (type) => void this.change({ types: type }, `type:${Object.keys(type)[0]}`),
                    }
                  : null,
                this.columnsView,
              ),
              firstRows(table, t, this.stands),
              this.questions(table.questions),
            ]
          : []),
      ].filter((part) => part !== null),
    );
    this.actions();
    if (focusName !== undefined)
      (this.fields().find(({ name }) => name === focusName) ?? this.fields()[0])?.focus();
  }

  fields() {
    return /** @type {(HTMLSelectElement | HTMLButtonElement)[]} */ ([
      ...this.parts.querySelectorAll(".card-asked button, select"),
    ]);
  }

  /**
   * Create the settings, the uncertain points, and the skipped lines.
   *
   * @param {import("../types.js").CardReading} readAs
   */
  reading(readAs) {
    const answer = (/** @type {import("./card-reading.js").ReadingOverride} */ override) =>
      void this.change(override, "");
    return [
      readingQuestions(readAs, this.t, answer),
      readingFields(readAs, this.t, (override, field) => void this.change(override, field)),
      skippedLines(readAs, this.t, answer),
      readAs.told ? this.resetReading(answer) : null,
    ];
  }

  /** @param {(override: import("./card-reading.js").ReadingOverride) => void} onReading */
  resetReading(onReading) {
    const nothing = Object.fromEntries(
      ["encoding", "separator", "header", "sheet", "decimal", "lines", "types", "hidden", "ragged"].map(
        (field) => [field, null],
      ),
    );
    return el(
      "button",
      { class: "quiet-button card-guess-again", type: "button", on: { click: () => onReading(nothing) } },
      this.t("card.guess_again"),
    );
  }

  /** Create the choice among several tables of a file. @param {FileCard} card */
  tables(card) {
    if (card.tables.length < 2) return null;
    const select = el(
      "select",
      {
        name: "table",
        on: {
          change: () => {
            this.chosen = Number(select.value);
            this.columnsView = { search: "", all: false };
            if (this.card) this.draw(this.card, "table");
          },
        },
      },
      card.tables.map(({ name }, at) => el("option", { value: at, selected: at === this.chosen }, name)),
    );
    const hiddenTables = card.tableCount - card.tables.length;
    return el(
      "label",
      { class: "card-field" },
      el("span", {}, this.t("card.table")),
      select,
      hiddenTables > 0 ? el("span", {}, this.t("shared.and_more", { n: hiddenTables })) : null,
    );
  }

  /** @param {string[]} questions */
  questions(questions) {
    if (questions.length === 0) return null;
    return el(
      "div",
      { class: "card-questions", role: "group", "aria-label": this.t("card.questions") },
      questions.map((message) =>
        el(
          "button",
          {
            class: "card-question",
            type: "button",
            on: {
              click: () =>
                this.bus.emit("command", {
                  name: "submit",
                  message,
                  attachments: [this.name],
                }),
            },
          },
          icon("chat"),
          message,
        ),
      ),
    );
  }

  /** @param {import("./card-reading.js").ReadingOverride} override @param {string} field */
  async change(override, field) {
    const card = this.card;
    const done = await this.attempt(async () =>
      this.draw(await changeFile(this.chatId, this.name, { readAs: override }, this.t.language), field),
    );
    const problem = this.fault.textContent ?? "";
    if (!done && card) {
      this.draw(card, field); // reset the fields to the current settings
      this.showError(problem);
    }
  }

  // --- renaming and removal -----------------------------------------------------------------------------------------

  actions() {
    const { t } = this;
    this.edge.replaceChildren(
      el(
        "button",
        { class: "quiet-button", type: "button", on: { click: () => this.rename() } },
        icon("pencil"),
        t("shared.rename"),
      ),
      el(
        "button",
        { class: "quiet-button", type: "button", on: { click: () => this.remove() } },
        icon("trash"),
        t("shared.remove"),
      ),
      el("span", { class: "card-note" }, this.card ? size(this.card.size) : ""),
      this.tests ? this.testsButton() : "",
    );
  }

  /** Create the button that tries the file with the saved tests that use one of its name. */
  testsButton() {
    const file = { chatId: this.chatId, name: this.name };
    return el(
      "button",
      {
        class: "quiet-button",
        type: "button",
        on: { click: () => this.bus.emit("command", { name: "tests", file }) },
      },
      icon("check"),
      this.t(this.tests === 1 ? "card.tests_one" : "card.tests", { n: this.tests }),
    );
  }

  rename() {
    const { t } = this;
    const field = el("input", {
      type: "text",
      class: "card-name",
      "aria-label": t("card.new_name"),
      autocomplete: "off",
      spellcheck: "false",
    });
    field.value = this.name;
    const back = () => this.back(0);
    const form = el(
      "form",
      {
        class: "card-form",
        on: {
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void this.save(field);
          },
          keydown: (/** @type {KeyboardEvent} */ event) => {
            if (event.key === "Escape") {
              event.stopPropagation();
              back();
            }
          },
        },
      },
      field,
      el("button", { class: "text-button", type: "submit", "data-look": "strong" }, t("shared.save")),
      el("button", { class: "text-button", type: "button", on: { click: back } }, t("shared.cancel")),
    );
    this.edge.replaceChildren(form);
    field.focus();
    field.setSelectionRange(0, Math.max(0, this.name.lastIndexOf(".")) || this.name.length);
  }

  /** @param {HTMLInputElement} field */
  async save(field) {
    const name = field.value.trim();
    field.removeAttribute("aria-invalid");
    if (name === this.name) return this.back(0);
    const done = await this.attempt(async () =>
      this.draw(await changeFile(this.chatId, this.name, { name }, this.t.language)),
    );
    if (done) return this.back(0);
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }

  remove() {
    const { t } = this;
    const keep = el(
      "button",
      { class: "text-button", type: "button", on: { click: () => this.back(1) } },
      t("card.keep"),
    );
    const sure = el(
      "button",
      {
        class: "text-button",
        type: "button",
        "data-look": "danger",
        on: { click: () => void this.attempt(() => removeFile(this.chatId, this.name)) },
      },
      t("shared.remove"),
    );
    this.edge.replaceChildren(
      el("span", { class: "card-note" }, t("card.remove_sure", { name: this.name })),
      sure,
      keep,
    );
    keep.focus();
  }

  /** Show the buttons again, with the focus on the pressed one. @param {number} which */
  back(which) {
    this.showError("");
    this.actions();
    /** @type {HTMLElement | undefined} */ (this.edge.querySelectorAll("button")[which])?.focus();
  }
}

/** @param {string} name */
const ending = (name) => (name.includes(".") ? name.slice(name.lastIndexOf(".")) : name);
