// @ts-check
/**
 * Import of a building: the files are read by the server, the map shows the building, and this card beside it has its
 * report. Nothing is stored until the person takes it.
 */

import { Refusal } from "../core/api.js";
import { el } from "../core/dom.js";
import { asksGroundFloor } from "../core/floor-names.js";
import { icon } from "../core/icons.js";
import { chooseBuilding, importBuilding, withImages } from "./api.js";
import { groundFloorQuestion } from "./ground-floor.js";
import { reportList } from "./report.js";

/** @import { Finding, ImportChoice, MapDefinitionContent } from "../types.js" */
/** @import { PanelNeeds } from "./panel.js" */

export class ImportView {
  /**
   * @param {PanelNeeds} needs
   * @param {globalThis.File[]} files
   * @param {{ close: () => void, again: () => void, attach: ((files: globalThis.File[]) => void) | null }} actions
   */
  constructor(needs, files, actions) {
    this.needs = needs;
    this.t = needs.t;
    this.files = files;
    this.actions = actions;
    /** @type {ImportChoice[]} */
    this.choices = [];
    this.building = "";
    /** @type {number | undefined} */
    this.groundFloor = undefined;
    /** @type {MapDefinitionContent | null} */
    this.definition = null;
    this.release = () => {};
    this.stop = new AbortController();
    this.title = needs.t("building.new");
    this.state = el("p", { class: "building-state", role: "status" });
    this.list = el("div", { class: "building-choices", hidden: true });
    this.body = el("div", { class: "building-body" });
    this.fault = el("p", { class: "sheet-fault", role: "alert", hidden: true });
    this.buttons = el("div", { class: "building-buttons" });
    this.dom = el(
      "div",
      { class: "building-view" },
      this.state,
      this.list,
      this.body,
      this.fault,
      this.buttons,
    );
    void this.read();
  }

  destroy() {
    this.stop.abort();
    this.release();
    this.needs.preview(null);
  }

  /** Read the files, or another building of them. */
  async read() {
    const { t } = this;
    this.stop.abort();
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.show("busy", t("map.import_busy", { name: this.files[0]?.name ?? "" }));
    this.body.replaceChildren();
    this.setButtons(this.button(t("shared.cancel"), () => this.actions.close()));
    try {
      const result = await importBuilding(this.files, { preview: true, building: this.building }, signal);
      if (result.kind === "choices") this.showChoices(result.choices);
      else if (result.kind === "refused") this.refuse(result.report, result.message);
      else this.showBuilding(result);
    } catch (fault) {
      if (!signal.aborted) this.refuse([], this.message(fault));
    }
  }

  /** @param {"busy" | "error" | "ready" | "choose"} state @param {string} text */
  show(state, text) {
    this.dom.dataset.state = state;
    this.dom.toggleAttribute("aria-busy", state === "busy");
    this.state.replaceChildren(
      icon({ busy: "upload", error: "error", ready: "check", choose: "list" }[state]),
      el("span", {}, text),
    );
  }

  /** @param {ImportChoice[]} choices */
  showChoices(choices) {
    const { t } = this;
    this.choices = choices;
    this.show("choose", t("building.several", { n: t.number(choices.length) }));
    this.drawChoices();
    this.list.querySelector("button")?.focus();
  }

  drawChoices() {
    const { t } = this;
    this.list.hidden = this.choices.length === 0;
    this.list.setAttribute("role", "group");
    this.list.setAttribute("aria-label", t("building.choose"));
    this.list.replaceChildren(
      ...this.choices.map(({ id, name, floors, rooms }) =>
        el(
          "button",
          {
            type: "button",
            class: "building-choice",
            "aria-pressed": String(id === this.building),
            on: {
              click: () => {
                this.building = id;
                this.drawChoices();
                void this.read();
              },
            },
          },
          el("span", { class: "building-name" }, name || id),
          el("span", { class: "building-facts" }, counts(t, floors, rooms)),
        ),
      ),
    );
  }

  /** @param {Finding[]} report @param {string} message */
  refuse(report, message) {
    const { t } = this;
    this.show("error", t("map.import_refused"));
    const errors = report.filter(({ severity }) => severity === "error");
    this.body.replaceChildren(errors.length ? reportList(errors, t) : el("p", {}, message));
    this.setButtons(
      this.button(t("shared.close"), () => this.actions.close()),
      this.button(t("building.other_file"), () => this.actions.again(), true),
    );
  }

  /** @param {{ name: string, floors: number, rooms: number, report: Finding[], definition: MapDefinitionContent }} building */
  showBuilding({ name, floors, rooms, report, definition }) {
    const { t } = this;
    this.release();
    const { definition: withOwn, release } = withImages(definition, this.files);
    this.definition = withOwn;
    this.release = release;
    this.show("ready", counts(t, floors, rooms));
    this.drawChoices();
    this.nameField = el("input", { class: "sheet-field", type: "text", maxlength: 200, value: name });
    const use = this.button(t("building.use"), () => void this.use(), true);
    this.nameField.addEventListener("keydown", (event) => {
      if (event.key === "Enter") use.click();
    });
    this.groundFloor = undefined;
    this.body.replaceChildren(
      el("label", { class: "sheet-label" }, t("building.name"), this.nameField),
      ...(asksGroundFloor(definition)
        ? [groundFloorQuestion(t, undefined, (groundFloor) => this.count(groundFloor))]
        : []),
      ...(report.length
        ? [el("h3", { class: "building-heading" }, t("building.report")), reportList(report, t)]
        : [el("p", { class: "building-quiet" }, t("building.report_none"))]),
    );
    const { attach } = this.actions;
    this.setButtons(
      ...(attach ? [this.button(t("building.attach"), () => attach(this.files))] : []),
      this.button(t("shared.cancel"), () => this.actions.close()),
      use,
    );
    this.needs.preview(this.definition);
    use.focus({ preventScroll: true });
  }

  /** @param {number} groundFloor */
  count(groundFloor) {
    this.groundFloor = groundFloor;
    if (this.definition === null) return;
    this.definition = { ...this.definition, groundFloor };
    this.needs.preview(this.definition);
  }

  /** Store the building and have the chat show it. */
  async use() {
    const { t, needs } = this;
    const { chatId } = needs;
    this.setFault("");
    this.dom.toggleAttribute("aria-busy", true);
    try {
      const { building, groundFloor, files } = this;
      const options = { preview: false, name: this.nameField?.value.trim() ?? "", building, groundFloor };
      const result = await importBuilding(files, options, this.stop.signal);
      if (result.kind !== "building" || !result.buildingId)
        return this.setFault(result.kind === "refused" ? result.message : t("building.failed"));
      const id = chatId();
      if (id !== null) await chooseBuilding(id, result.buildingId);
      needs.taken(t("map.import_done", { name: result.name }));
    } catch (fault) {
      if (!this.stop.signal.aborted) this.setFault(this.message(fault));
    } finally {
      this.dom.toggleAttribute("aria-busy", false);
    }
    return undefined;
  }

  /** @param {unknown} fault */
  message(fault) {
    return fault instanceof Refusal ? fault.message : this.t("map.import_unreachable");
  }

  /** @param {string} text */
  setFault(text) {
    this.fault.textContent = text;
    this.fault.hidden = text === "";
  }

  /** @param {string} label @param {() => void} press @param {boolean} [strong] */
  button(label, press, strong = false) {
    return el(
      "button",
      { type: "button", class: "text-button", "data-look": strong ? "strong" : null, on: { click: press } },
      label,
    );
  }

  /** @param {...HTMLElement} buttons */
  setButtons(...buttons) {
    this.setFault("");
    this.buttons.replaceChildren(...buttons);
  }
}

/** Return "5 floors · 475 rooms". @param {PanelNeeds["t"]} t @param {number} floors @param {number} rooms */
export function counts(t, floors, rooms) {
  return [
    floors === 1 ? t("building.floor") : t("building.floors", { n: t.number(floors) }),
    rooms === 1 ? t("chat.room") : t("chat.rooms", { n: t.number(rooms) }),
  ].join(" · ");
}
