// @ts-check
/** Panel beside the plan: the list of buildings, the preview of a file, or the names of a building. */

import { el } from "../core/dom.js";
import { filesIn } from "../core/file-drop.js";
import { icon } from "../core/icons.js";
import { BuildingList } from "./list.js";
import { NamesView } from "./names.js";
import { ImportView } from "./preview.js";

/** @import { BuildingSummary, MapDefinitionContent, Translate } from "../types.js" */
/**
 * @typedef {object} PanelNeeds
 * @property {Translate} t
 * @property {() => string | null} chatId
 * @property {() => string | null} current id of the shown building; null for the bundled one
 * @property {(definition: MapDefinitionContent | null) => void} preview shows a building in the map; null: the chat's again
 * @property {(definition: MapDefinitionContent) => void} renamed shows new names of the chat's building
 * @property {(text: string) => void} taken closes the panel and announces the building
 * @property {() => void} close
 * @property {((files: globalThis.File[]) => void)} attach gives files to the chat
 */
/** @typedef {{ dom: HTMLElement, title: string, destroy: () => void, choose?: (floorId: string, room: string) => void }} View */

const TYPES =
  ".json,.geojson,.zip,.imdf,.osm,.pbf,.ifc,.gml,.xml,.csv,.png,.jpg,.jpeg,.webp,application/json,application/zip";

export class BuildingPanel {
  /** @param {PanelNeeds} needs */
  constructor(needs) {
    this.needs = needs;
    const { t } = needs;
    /** @type {View | null} */
    this.view = null;
    this.heading = el("h3", { class: "building-title", id: "building-title", tabindex: "-1" });
    this.back = el(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": t("building.back"),
        title: t("building.back"),
        on: { click: () => this.showList() },
      },
      icon("chevron-left"),
    );
    const close = el(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": t("shared.close"),
        title: t("shared.close"),
        on: { click: () => needs.close() },
      },
      icon("close"),
    );
    this.place = el("div", { class: "building-place" });
    this.dom = el(
      "section",
      {
        class: "building-panel",
        "aria-labelledby": "building-title",
        on: {
          keydown: (/** @type {KeyboardEvent} */ event) => {
            if (event.key !== "Escape" || event.defaultPrevented) return;
            event.stopPropagation();
            needs.close();
          },
        },
      },
      el("header", { class: "building-head" }, this.back, this.heading, close),
      this.place,
    );
  }

  destroy() {
    this.view?.destroy();
    this.dom.remove();
  }

  showList() {
    this.set(
      new BuildingList(this.needs, {
        importFiles: (folder) => this.pick(folder),
        rename: (building) => this.showNames(building),
      }),
      false,
    );
  }

  /** @param {BuildingSummary} building */
  showNames(building) {
    this.set(new NamesView(this.needs, building), true);
  }

  /** @param {Pick<BuildingSummary, "buildingId" | "name">} building @param {string} floorId @param {string} room */
  showRoomNames(building, floorId, room) {
    const view = new NamesView(this.needs, building);
    this.set(view, true);
    void view.loaded.then(() => view.choose(floorId, room));
  }

  /**
   * Show the building in some files.
   *
   * @param {globalThis.File[]} files
   * @param {boolean} attached whether they come from the chat, which can have them as data
   */
  showFiles(files, attached) {
    const attach = (/** @type {globalThis.File[]} */ given) => {
      this.needs.close();
      this.needs.attach(given);
    };
    this.set(
      new ImportView(this.needs, files, {
        close: () => this.needs.close(),
        again: () => this.pick(false),
        attach: attached ? attach : null,
      }),
      false,
    );
  }

  /** A room that was pressed on the map. @param {string} floorId @param {string} room */
  choose(floorId, room) {
    this.view?.choose?.(floorId, room);
  }

  /** @param {View} view @param {boolean} inner whether the list is behind it */
  set(view, inner) {
    this.view?.destroy();
    this.view = view;
    this.back.hidden = !inner;
    this.heading.textContent = view.title;
    this.place.replaceChildren(view.dom);
    this.heading.focus({ preventScroll: true });
  }

  /** Let the person choose files. @param {boolean} folder of an archive */
  pick(folder) {
    const input = el("input", {
      type: "file",
      multiple: true,
      accept: folder ? null : TYPES,
      webkitdirectory: folder,
      on: {
        change: () => {
          const files = filesIn(input.files ?? []);
          if (files.length) this.showFiles(files, false);
        },
      },
    });
    input.click();
  }
}
