/** The arguments of a call as a form, one field for each parameter of its tool. */

import { ArgumentField } from "./field.js";
import { el } from "../core/dom.js";

/** @import { AskContent, JsonValue, Translate } from "../types.js" */

/** @param {AskContent} ask whether there is anything that can be changed */
export const isEditable = ({ kind, parameters }) => kind === "approval" && Object.keys(parameters).length > 0;

export class ArgumentEditor {
  /**
   * @param {string} id unique in the page
   * @param {AskContent} ask
   * @param {Translate} t
   */
  constructor(id, ask, t) {
    this.original = ask.arguments;
    this.fields = Object.entries(ask.parameters).map(
      ([name, parameter], at) => new ArgumentField(`${id}-${at}`, name, parameter, ask.arguments[name], t),
    );
    this.dom = el(
      "div",
      { class: "ask-editor", role: "group", "aria-label": t("ask.arguments") },
      this.fields.map((field) => field.dom),
    );
  }

  focus() {
    this.fields[0]?.input.focus();
  }

  /**
   * The arguments as they stand; null when a field cannot be read, which then says why and takes the focus.
   *
   * @returns {{ [name: string]: JsonValue } | null}
   */
  read() {
    const results = this.fields.map((field) => ({ field, ...field.read() }));
    for (const { field, problem = "" } of results) field.showError(problem);
    const wrong = results.find(({ problem }) => problem !== undefined);
    wrong?.field.input.focus();
    if (wrong) return null;
    return Object.fromEntries(
      results.flatMap(({ field, value }) => (value === undefined ? [] : [[field.name, value]])),
    );
  }

  /** @param {{ [name: string]: JsonValue }} value whether it is anything else than what the call has */
  differs(value) {
    const names = [...new Set([...Object.keys(value), ...Object.keys(this.original)])];
    return names.some((name) => JSON.stringify(value[name]) !== JSON.stringify(this.original[name]));
  }
}
