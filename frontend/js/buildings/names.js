// @ts-check
/** Names of a building, its floors and its rooms: shown names in both languages, and what else people call them. */

import { Refusal } from "../core/api.js";
import { inLanguage, shownName } from "../core/building-names.js";
import { el } from "../core/dom.js";
import { asksGroundFloor, floorNames, isPlainNumber } from "../core/floor-names.js";
import { icon } from "../core/icons.js";
import { changeNames, getBuilding } from "./api.js";
import { groundFloorQuestion } from "./ground-floor.js";

/** @import { BuildingSummary, Floor, MapDefinitionContent, Rectangle } from "../types.js" */
/** @import { PanelNeeds } from "./panel.js" */
/** @typedef {{ floor: Floor, room: Rectangle | null }} Target */

/** Rooms that are listed; the search finds the others. */
const MAX_ROOMS = 60;
const LANGUAGES = /** @type {const} */ (["en", "ja"]);

export class NamesView {
  /** @param {PanelNeeds} needs @param {Pick<BuildingSummary, "buildingId" | "name">} building */
  constructor(needs, building) {
    this.needs = needs;
    this.t = needs.t;
    this.building = building;
    this.title = needs.t("building.rename");
    /** @type {MapDefinitionContent | null} */
    this.definition = null;
    /** Open editor: a floor's id, and the room in it. */
    this.open = "";
    this.destroyed = false;
    const { t } = this;
    this.status = el("p", { class: "building-state", role: "status", hidden: true });
    this.fault = el("p", { class: "sheet-fault", role: "alert", hidden: true });
    this.name = el("input", { class: "sheet-field", type: "text", maxlength: 200, value: building.name });
    this.name.addEventListener("change", () => void this.save({ name: this.name.value }));
    this.ground = el("div", {});
    this.search = el("input", {
      class: "sheet-field",
      type: "search",
      placeholder: t("building.find"),
      "aria-label": t("building.find"),
      on: { input: () => this.drawRooms() },
    });
    this.floors = el("ul", { class: "building-names", "aria-label": t("map.floors") });
    this.rooms = el("ul", { class: "building-names", "aria-label": t("mentions.room") });
    this.dom = el(
      "div",
      { class: "building-view" },
      el(
        "div",
        { class: "building-body" },
        this.fault,
        el("label", { class: "sheet-label" }, t("building.name"), this.name),
        this.ground,
        el("h3", { class: "building-heading" }, t("map.floors")),
        this.floors,
        el("h3", { class: "building-heading" }, t("mentions.room")),
        this.search,
        this.rooms,
      ),
      this.status,
    );
    this.loaded = this.load();
  }

  destroy() {
    this.destroyed = true;
  }

  async load() {
    await this.attempt(async () => {
      const { definition } = await getBuilding(this.building.buildingId);
      if (this.destroyed) return;
      this.definition = definition;
      this.draw();
    });
  }

  draw() {
    const { definition, t } = this;
    if (!definition) return;
    const { floors, groundFloor } = definition;
    const counts = asksGroundFloor(definition) || floors.some((floor) => isPlainNumber(floor));
    this.ground.replaceChildren(
      ...(counts
        ? [groundFloorQuestion(t, groundFloor, (number) => void this.save({ groundFloor: number }))]
        : []),
    );
    const ordered = floors.toSorted((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0));
    this.floors.replaceChildren(...ordered.map((floor) => this.entry({ floor, room: null })));
    this.drawRooms();
  }

  drawRooms() {
    const { definition, t } = this;
    if (!definition) return;
    const query = this.search.value.normalize("NFKC").trim().toLowerCase();
    /** @type {Target[]} */
    const found = [];
    let more = 0;
    for (const floor of definition.floors) {
      for (const room of floor.rectangles) {
        if (query && !spellings(room).some((text) => text.includes(query))) continue;
        if (found.length < MAX_ROOMS) found.push({ floor, room });
        else more += 1;
      }
    }
    this.rooms.replaceChildren(
      ...found.map((target) => this.entry(target)),
      ...(more ? [el("li", { class: "building-quiet" }, t("shared.and_more", { n: t.number(more) }))] : []),
      ...(found.length === 0 ? [el("li", { class: "building-quiet" }, t("building.none_found"))] : []),
    );
  }

  /** @param {Target} target @returns {HTMLElement} */
  entry({ floor, room }) {
    const { t, definition } = this;
    const key = keyOf(floor, room);
    const isOpen = key === this.open;
    const floorName = floorNames(floor, definition?.groundFloor)[t.language];
    const name = room ? shownName(room, room.name, t.language) : floorName;
    const { aliases = [] } = room ?? floor;
    const canonical = room ? room.name : floor.floorId;
    const others = [canonical !== name && canonical, ...aliases]
      .filter(Boolean)
      .join(t.language === "ja" ? "、" : ", ");
    const item = el(
      "li",
      { "data-key": key },
      el(
        "button",
        {
          type: "button",
          class: "building-entry",
          "aria-expanded": String(isOpen),
          on: { click: () => this.toggle({ floor, room }) },
        },
        el("span", { class: "building-name" }, name),
        el("span", { class: "building-facts" }, others),
        room ? el("span", { class: "building-floor" }, floorName) : null,
        icon(isOpen ? "chevron-down" : "chevron-right"),
      ),
    );
    if (isOpen) item.append(this.form({ floor, room }));
    return item;
  }

  /** @param {Target} target */
  toggle({ floor, room }) {
    const key = keyOf(floor, room);
    this.open = this.open === key ? "" : key;
    this.draw();
    const item = [...this.dom.querySelectorAll("li")].find(({ dataset }) => dataset.key === key);
    item?.querySelector(this.open ? "input" : "button")?.focus();
  }

  /** @param {Target} target */
  form({ floor, room }) {
    const { t } = this;
    const thing = room ?? floor;
    const fields = LANGUAGES.map((language) =>
      el("input", {
        class: "sheet-field",
        type: "text",
        maxlength: 200,
        lang: language,
        value: inLanguage(thing.names ?? {}, language) ?? "",
        placeholder: room ? room.name : floorNames(floor, this.definition?.groundFloor)[language],
      }),
    );
    const aliases = el("input", {
      class: "sheet-field",
      type: "text",
      value: (thing.aliases ?? []).join(", "),
      placeholder: t("building.aliases_example"),
    });
    return el(
      "form",
      {
        class: "building-form",
        on: {
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void this.save({
              names: [
                {
                  floorId: floor.floorId,
                  ...(room && { room: room.name }),
                  names: Object.fromEntries(
                    LANGUAGES.map((language, at) => [language, fields[at]?.value ?? ""]),
                  ),
                  aliases: aliases.value
                    .split(/[,、，]/)
                    .map((text) => text.trim())
                    .filter(Boolean),
                },
              ],
            });
          },
        },
      },
      LANGUAGES.map((language, at) =>
        el("label", { class: "sheet-label" }, t(`building.name_${language}`), fields[at]),
      ),
      el("label", { class: "sheet-label" }, t("building.aliases"), aliases),
      el("button", { type: "submit", class: "text-button", "data-look": "strong" }, t("shared.save")),
    );
  }

  /** Open the names of a room that was pressed on the map. @param {string} floorId @param {string} name */
  choose(floorId, name) {
    if (this.needs.current() !== this.building.buildingId) return;
    const floor = this.definition?.floors.find((candidate) => candidate.floorId === floorId);
    const room = floor?.rectangles.find((candidate) => candidate.name === name);
    if (!floor || !room) return;
    this.search.value = room.name;
    this.open = "";
    this.toggle({ floor, room });
  }

  /** @param {Parameters<typeof changeNames>[1]} change */
  async save(change) {
    const { buildingId } = this.building;
    await this.attempt(async () => {
      const { name } = await changeNames(buildingId, change);
      const { definition } = await getBuilding(buildingId);
      if (this.destroyed) return;
      this.building = { ...this.building, name };
      this.definition = definition;
      if (this.needs.current() === buildingId) this.needs.renamed(definition);
      if (change.names) this.open = "";
      this.draw();
      const [changed] = change.names ?? [];
      const key = changed && `${changed.floorId}\n${changed.room ?? ""}`;
      const item = [...this.dom.querySelectorAll("li")].find(({ dataset }) => dataset.key === key);
      item?.querySelector("button")?.focus();
      this.status.hidden = false;
      this.status.replaceChildren(icon("check"), el("span", {}, this.t("building.saved")));
    });
  }

  /** Run a request and show why it failed. @param {() => Promise<void>} act */
  async attempt(act) {
    this.fault.hidden = true;
    this.status.hidden = true;
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

/** @param {Floor} floor @param {Rectangle | null} room */
const keyOf = (floor, room) => `${floor.floorId}\n${room?.name ?? ""}`;

/** @param {Rectangle} room */
const spellings = ({ name, names = {}, aliases = [] }) =>
  [name, ...Object.values(names), ...aliases].map((text) => text.normalize("NFKC").toLowerCase());
