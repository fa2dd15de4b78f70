/** Form of a call's arguments, one field per parameter of its tool. */

import { ArgumentField } from "./field.js";
import { el } from "../core/dom.js";

/** @import { AskContent, JsonValue, Translate } from "../types.js" */

/** Check whether an ask has arguments that can be changed. @param {AskContent} ask */
export const isEditable = ({ kind, parameters }) => kind === "approval" && Object.keys(parameters).length > 0;

export class ArgumentEditor {
  /** @param {string} id unique in the page @param {AskContent} ask @param {Translate} t @param {() => void} changed */
  constructor(id, ask, t, changed) {
    this.original = ask.arguments;
    this.fields = Object.entries(ask.parameters).map(
      ([name, parameter], at) => new ArgumentField(`${id}-${at}`, name, parameter, ask.arguments[name], t),
    );
    this.dom = el(
      "div",
      { class: "ask-editor", role: "group", "aria-label": t("ask.arguments"), on: { input: changed } },
      this.fields.map((field) => field.dom),
    );
  }

  focus() {
    this.fields[0]?.input.focus();
  }

  /** Fill the fields with arguments that were changed elsewhere. @param {{ [name: string]: JsonValue }} value */
  fill(value) {
    for (const field of this.fields) field.set(value[field.name]);
  }

  /** Return the edited arguments; null if a field is invalid. @returns {{ [name: string]: JsonValue } | null} */
  valid() {
    const results = this.fields.map((field) => ({ field, ...field.read() }));
    return results.some(({ problem }) => problem !== undefined) ? null : argumentsOf(results);
  }

  /**
   * Return the edited arguments, or null if a field is invalid; the field then shows the error and gets the focus.
   *
   * @returns {{ [name: string]: JsonValue } | null}
   */
  read() {
    const results = this.fields.map((field) => ({ field, ...field.read() }));
    for (const { field, problem = "" } of results) field.showError(problem);
    const wrong = results.find(({ problem }) => problem !== undefined);
    wrong?.field.input.focus();
    if (wrong) return null;
    return argumentsOf(results);
  }

  /** Check whether the arguments differ from those of the call. @param {{ [name: string]: JsonValue }} value */
  differs(value) {
    const names = [...new Set([...Object.keys(value), ...Object.keys(this.original)])];
    return names.some((name) => JSON.stringify(value[name]) !== JSON.stringify(this.original[name]));
  }
}

/** @param {{ field: ArgumentField, value?: JsonValue }[]} results @returns {{ [name: string]: JsonValue }} */
function argumentsOf(results) {
  return Object.fromEntries(
    results.flatMap(({ field, value }) => (value === undefined ? [] : [[field.name, value]])),
  );
}
