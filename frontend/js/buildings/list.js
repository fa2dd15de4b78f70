// @ts-check
/** List of the desk's buildings: the bundled one, then the imported ones; a choice is shown in the chat at once. */

import { Refusal } from "../core/api.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { withMenu } from "../core/menu.js";
import { saveAs } from "../core/save.js";
import {
  chooseBuilding,
  deleteBuilding,
  exportBuilding,
  getOutline,
  listBuildings,
  restoreBuilding,
} from "./api.js";
import { counts } from "./preview.js";

/** @import { BuildingSummary } from "../types.js" */
/** @import { PanelNeeds } from "./panel.js" */

/** Milliseconds during which deleting can be undone here. The server keeps the building for ten minutes. */
const UNDO_MS = 8000;
const FORMATS = /** @type {const} */ (["imdf", "geojson", "smoldesk"]);
const SVG = "http://www.w3.org/2000/svg";

export class BuildingList {
  /**
   * @param {PanelNeeds} needs
   * @param {{ importFiles: (folder: boolean) => void, rename: (building: BuildingSummary) => void }} actions
   */
  constructor(needs, actions) {
    this.needs = needs;
    this.t = needs.t;
    this.actions = actions;
    this.title = needs.t("building.title");
    /** @type {Map<string, number>} */
    this.timers = new Map();
    this.destroyed = false;
    const pick = (/** @type {boolean} */ folder) =>
      el(
        "button",
        {
          type: "button",
          class: "text-button",
          "data-look": folder ? null : "strong",
          on: { click: () => actions.importFiles(folder) },
        },
        icon(folder ? "folder" : "plus"),
        this.t(folder ? "building.import_folder" : "building.import"),
      );
    this.fault = el("p", { class: "sheet-fault", role: "alert", hidden: true });
    this.list = el("ul", { class: "building-list", "aria-label": this.title, "aria-busy": "true" });
    this.dom = el(
      "div",
      { class: "building-view" },
      el(
        "div",
        { class: "building-body" },
        this.fault,
        this.list,
        el("p", { class: "building-quiet" }, this.t("building.formats")),
      ),
      el("div", { class: "building-buttons", "data-look": "start" }, pick(false), pick(true)),
    );
    void this.load();
  }

  destroy() {
    this.destroyed = true;
    for (const timer of this.timers.values()) window.clearTimeout(timer);
  }

  async load() {
    await this.attempt(async () => {
      const { bundled, buildings } = await listBuildings();
      if (this.destroyed) return;
      const own = { buildingId: "", name: this.t("map.building_bundled"), ...bundled, createdAt: 0 };
      this.list.replaceChildren(...[own, ...buildings].map((building) => this.row(building)));
      this.list.removeAttribute("aria-busy");
    });
  }

  /** @param {BuildingSummary} building */
  row(building) {
    const { t } = this;
    const { buildingId, name, floors, rooms, createdAt } = building;
    const current = buildingId === (this.needs.current() ?? "");
    const date = createdAt
      ? new Date(createdAt * 1000).toLocaleDateString(t.language === "ja" ? "ja-JP" : "en-GB", {
          day: "numeric",
          month: "short",
          year: "numeric",
        })
      : "";
    const picture = el("span", { class: "building-picture", "aria-hidden": "true" });
    void this.drawPicture(picture, buildingId || "bundled");
    const row = el(
      "li",
      { class: "building-row", "data-building": buildingId || "bundled" },
      el(
        "button",
        {
          type: "button",
          class: "building-open",
          "aria-current": current ? "true" : null,
          on: { click: () => void this.take(building) },
        },
        picture,
        el(
          "span",
          { class: "building-words" },
          el("span", { class: "building-name" }, name),
          el(
            "span",
            { class: "building-facts" },
            `${counts(t, floors, rooms)}${date && " · "}`,
            el("span", { class: "building-date" }, date),
          ),
        ),
        current ? icon("check", t("building.current")) : null,
      ),
    );
    row.append(this.menu(building, row));
    return row;
  }

  /** @param {BuildingSummary} building @param {HTMLElement} row */
  menu(building, row) {
    const { t } = this;
    const { buildingId, name } = building;
    const label = t("building.more", { name });
    const button = el(
      "button",
      { type: "button", class: "icon-button", "aria-label": label, title: label },
      icon("more"),
    );
    return withMenu(
      button,
      label,
      [
        ...(buildingId
          ? [{ text: t("building.rename"), drawing: "pencil", act: () => this.actions.rename(building) }]
          : []),
        ...FORMATS.map((format) => ({
          text: t(`building.export_${format}`),
          drawing: "download",
          act: () => void this.save(buildingId || "bundled", format),
        })),
        ...(buildingId
          ? [{ text: t("shared.delete"), drawing: "trash", act: () => void this.remove(building, row) }]
          : []),
      ],
      "right",
    );
  }

  /** Save a building as a file. @param {string} buildingId @param {(typeof FORMATS)[number]} format */
  async save(buildingId, format) {
    await this.attempt(async () => {
      const { content, name } = await exportBuilding(buildingId, format);
      saveAs(content, name);
    });
  }

  /** Draw the small picture when it arrives. @param {HTMLElement} place @param {string} buildingId */
  async drawPicture(place, buildingId) {
    const outline = await getOutline(buildingId).catch(() => null);
    if (!outline?.path) return;
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `-4 -4 ${outline.width + 8} ${outline.height + 8}`);
    svg.append(document.createElementNS(SVG, "path"));
    svg.firstElementChild?.setAttribute("d", outline.path);
    place.replaceChildren(svg);
  }

  /** @param {BuildingSummary} building */
  async take({ buildingId, name }) {
    const chatId = this.needs.chatId();
    if (chatId === null) return;
    await this.attempt(async () => {
      await chooseBuilding(chatId, buildingId || null);
      this.needs.taken(this.t("map.import_done", { name }));
    });
  }

  /** @param {BuildingSummary} building @param {HTMLElement} row */
  async remove(building, row) {
    const { t } = this;
    await this.attempt(async () => {
      await deleteBuilding(building.buildingId);
      const undo = el(
        "button",
        { type: "button", class: "quiet-button", on: { click: () => void this.restore(building, row) } },
        t("chats.undo"),
      );
      row.dataset.deleted = "";
      row.replaceChildren(
        el("span", { class: "building-gone" }, t("building.deleted", { name: building.name })),
        undo,
      );
      undo.focus();
      this.timers.set(
        building.buildingId,
        window.setTimeout(() => row.remove(), UNDO_MS),
      );
    });
  }

  /** @param {BuildingSummary} building @param {HTMLElement} row */
  async restore(building, row) {
    window.clearTimeout(this.timers.get(building.buildingId));
    await this.attempt(async () => {
      await restoreBuilding(building.buildingId);
      const restored = this.row(building);
      row.replaceWith(restored);
      restored.querySelector("button")?.focus();
    });
  }

  /** Run a request and show why it failed. @param {() => Promise<void>} act */
  async attempt(act) {
    this.fault.hidden = true;
    try {
      await act();
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      this.fault.textContent = fault instanceof Refusal ? fault.message : this.t("shared.no_answer");
      this.fault.hidden = false;
      this.fault.scrollIntoView({ block: "nearest" });
    }
  }
}
