// @ts-check
/**
 * Way from the map to the buildings: a button beside the floors, files that are dropped on the pane, and the panel beside
 * the plan (buildings/panel.js), which loads when it is first needed.
 */

import { acceptDrops } from "../core/file-drop.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";

/** @import { MapDefinitionContent, Translate } from "../types.js" */
/** @import { BuildingPanel } from "../buildings/panel.js" */
/**
 * @typedef {object} EntryNeeds
 * @property {Translate} t
 * @property {HTMLElement} pane the drop zone
 * @property {() => MapDefinitionContent | null} building the chat's building
 * @property {(definition: MapDefinitionContent | null) => void} preview shows a building; null: the chat's again
 * @property {(definition: MapDefinitionContent) => void} renamed
 * @property {(files: globalThis.File[]) => void} attach
 */

export class BuildingEntry {
  /** @param {EntryNeeds} needs */
  constructor(needs) {
    this.needs = needs;
    const { t } = needs;
    /** Chat that gets the building. @type {string | null} */
    this.chatId = null;
    /** @type {BuildingPanel | null} */
    this.panel = null;
    /** Number of requests to open or close: a panel that comes late is for the last one. */
    this.turn = 0;
    this.name = el("span", { class: "map-building-name" });
    this.button = el(
      "button",
      {
        type: "button",
        class: "map-building",
        "aria-expanded": "false",
        on: { click: () => (this.panel ? this.close() : void this.open((panel) => panel.showList())) },
      },
      icon("building"),
      this.name,
    );
    this.aside = el("aside", { class: "map-aside", hidden: true });
    this.status = el("p", { class: "visually-hidden", role: "status" });
    this.undo = acceptDrops(
      needs.pane,
      () => t("map.drop"),
      (files) => this.showFiles(files, false),
      { folders: true },
    );
  }

  destroy() {
    this.undo();
    this.panel?.destroy();
  }

  /** Set the texts, and the name of the shown building. */
  show() {
    const { needs } = this;
    const { t } = needs;
    const name = needs.building()?.buildingName || t("map.building_bundled");
    this.button.hidden = needs.building() === null;
    // The built-in building needs no name beside its floors.
    this.name.hidden = !needs.building()?.buildingName;
    this.name.textContent = name;
    const label = t("map.building", { name });
    this.button.setAttribute("aria-label", label);
    this.button.title = label;
  }

  /** Show the building in some files. @param {globalThis.File[]} files @param {boolean} attached in the chat */
  showFiles(files, attached) {
    if (files.length > 0) void this.open((panel) => panel.showFiles(files, attached));
  }

  /** @param {(panel: BuildingPanel) => void} fill */
  async open(fill) {
    const turn = ++this.turn;
    const { needs } = this;
    const { t } = needs;
    const module = await loadLatePart(() => import("../buildings/panel.js"), t, "buildings");
    if (module === null || turn !== this.turn) return;
    this.panel ??= new module.BuildingPanel({
      t,
      chatId: () => this.chatId,
      current: () => needs.building()?.buildingId ?? null,
      preview: needs.preview,
      renamed: needs.renamed,
      attach: needs.attach,
      taken: (text) => {
        this.close();
        this.status.textContent = text;
      },
      close: () => this.close(),
    });
    this.aside.replaceChildren(this.panel.dom);
    this.aside.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    fill(this.panel);
  }

  /** Show the names of a room of the chat's building. @param {string} floorId @param {string} room */
  showNames(floorId, room) {
    const { buildingId = "", buildingName = "" } = this.needs.building() ?? {};
    void this.open((panel) => panel.showRoomNames({ buildingId, name: buildingName }, floorId, room));
  }

  close() {
    this.turn += 1;
    this.panel?.destroy();
    this.panel = null;
    this.aside.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.button.focus({ preventScroll: true });
  }

  /** Draw the panel in another language. */
  relabel() {
    if (!this.panel) return;
    this.close();
    void this.open((panel) => panel.showList());
  }
}
