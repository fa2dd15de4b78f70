/**
 * Controls of a chart: type, axes, colour, order, scale and number of names. The server changes the spec, draws the
 * picture and changes the code; the page then gets `chart_changed`.
 */

import { answer, send } from "../core/api.js";
import { el } from "../core/dom.js";
import { translateRefusal } from "../core/fault-words.js";
import { openSheet, sheetButton } from "../core/sheet.js";
import { request } from "../core/session.js";

/** @import { Translate } from "../types.js" */
/** @typedef {{ name: string, value: string, choices: string[] }} Control */

/** Controls whose values are words of the desk; the values of the others are names of columns. */
const WORDED = ["type", "sort", "scale"];

export class ChartControls {
  /** @param {{ t: Translate, path: string, name: string }} chart `path` of the chart in the API */
  constructor({ t, path, name }) {
    this.t = t;
    this.path = path;
    this.fault = el("p", { class: "sheet-fault", role: "alert", hidden: true });
    this.fields = el("div", { class: "chart-fields" });
    this.dom = el(
      "div",
      { class: "chart-controls", role: "group", "aria-label": t("chart.controls_of", { name }) },
      this.fields,
      this.fault,
    );
    /** Requests one after the other, so that the last choice counts. @type {Promise<void>} */
    this.last = Promise.resolve();
  }

  load() {
    return this.run(async () => answer(await request(this.path)));
  }

  /** @param {string} name @param {string} value */
  set(name, value) {
    this.last = this.last.then(() =>
      this.run(() => send("PATCH", this.path, { changes: { [name]: value } })),
    );
  }

  /** Show the controls that a request returns, or its error. @param {() => Promise<{ controls: Control[] }>} load */
  async run(load) {
    this.dom.setAttribute("aria-busy", "true");
    this.fault.hidden = true;
    try {
      this.show((await translateRefusal(this.t, load)).controls);
    } catch (fault) {
      const isLost = fault instanceof TypeError;
      this.fault.textContent = isLost ? this.t("chart.no_change") : /** @type {Error} */ (fault).message;
      this.fault.hidden = false;
      this.show(this.controls ?? []);
    }
    this.dom.removeAttribute("aria-busy");
  }

  /** @param {Control[]} controls */
  show(controls) {
    this.controls = controls;
    const focused = /** @type {HTMLElement | null} */ (this.fields.querySelector(":focus"))?.dataset.control;
    this.fields.replaceChildren(...controls.map((control) => this.field(control)));
    if (focused)
      /** @type {HTMLElement | null} */ (this.fields.querySelector(`[data-control="${focused}"]`))?.focus();
  }

  /** @param {Control} control */
  field({ name, value, choices }) {
    const { t } = this;
    const select = el(
      "select",
      {
        class: "sheet-field",
        "data-control": name,
        on: { change: () => this.set(name, select.value) },
      },
      choices.map((choice) =>
        el("option", { value: choice, selected: choice === value }, this.choiceText(name, choice)),
      ),
    );
    return el("label", { class: "chart-field" }, el("span", {}, t(`chart.set_${name}`)), select);
  }

  /** @param {string} name @param {string} choice */
  choiceText(name, choice) {
    const key = `chart.${name}_${choice}`;
    if (WORDED.includes(name) || (name === "color" && this.t.has(key))) return this.t(key);
    if (choice === "") return this.t(`chart.${name}_none`);
    return name === "top" ? this.t("chart.top_n", { n: choice }) : choice;
  }

  /** Show the controls in a sheet, on a small screen. @param {() => void} closed */
  openInSheet(closed) {
    const { t } = this;
    const done = sheetButton(t("chart.done"), () => sheet.close(), "strong");
    const sheet = openSheet({ title: t("chart.controls"), body: [this.dom], buttons: [done], closed });
  }
}
